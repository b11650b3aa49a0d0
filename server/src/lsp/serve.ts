import { ErrorCodes, ResponseError } from 'vscode-languageserver';
import { diagnosticsOf, pullsDiagnostics } from '../features/diagnostics.ts';
import { commands } from './commands.ts';
import { followSettings } from './follow-settings.ts';
import { followNetwork } from './network.ts';
import { offer, refreshCommand } from './offer.ts';
import { diagnosticsOfProject, isProjectFile } from './project-file.ts';
import { type Diagnosed, refresh, type Shown } from './refresh.ts';
import { answerRequests } from './requests.ts';
import { type Parts, Session } from './session.ts';
import { statusTeller, tellStatus } from './status.ts';
import { createPauses, unhurried } from './unhurried.ts';
import { showUnopened } from './unopened.ts';
import { watchFiles } from './watch.ts';

/** Sent by a client that began without the person's trust in the workspace, once it has that. */
const trustNotification = 'packageInsights/trusted';

/** Speaks the Language Server Protocol over a connection until the client says goodbye. */
export function serve(parts: Parts): void {
  const session = new Session(parts);
  const { connection, workspace, insights, documents } = session;
  let watching = false;

  connection.onInitialize((params) => {
    if (session.begun) return new ResponseError(ErrorCodes.InvalidRequest, 'initialized already');
    parts.speak?.(params.locale);
    session.begin(params);
    documents.listen(connection);
    return {
      serverInfo: { name: 'Package Insights', version: session.version },
      capabilities: offer(session, unopened),
    };
  });

  const included = new Map<string, readonly string[]>();
  const shown = (): Shown => ({
    open: workspace.documents.map((it) => it.uri),
    lenses: () => [session.settings, ...session.folderSettings.values()].some((it) => it.codeLens),
    diagnostics: (uri) => diagnosed(session, uri),
    included,
    covered: (uris) => unopened.covered(uris),
  });
  const unopened = showUnopened(session, () => new Set([...included.values()].flat()));
  const typed = new Set<string>();
  const tellStatusSoon = statusTeller(session, () => {
    for (const uri of typed) refreshing().document(uri);
    typed.clear();
  });
  const refreshing = () => refresh(connection, session.client, shown());

  connection.onInitialized(() => {
    parts.prepare?.();
    watching = watchFiles(connection, session.client);
    if (session.client.workspace?.workspaceFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        session.changeFolders(added, removed);
        followed.readAgain();
        logged('changed folders', filesChanged());
      });
    }
    followed.begin();
  });

  const followed = followSettings(session, async (before, isFirst) => {
    const { settings } = session;
    // Before the first answer nothing was asked of another service: what is kept is as fresh as it says.
    if (!isFirst && settings.baseUrl !== before.baseUrl) insights.expire();
    followPlace();
    // Those of a folder may have changed, too.
    if (!isFirst) refreshing().lenses();
    unopened.look();
    await everythingChanged();
  });

  /** What is known, and what failed, may be of another service by now, or of another way to it: none of it is to be told. */
  const followPlace = (): void => insights.want('', []);

  const everythingChanged = async (): Promise<void> => {
    const learning = workspace.learn();
    // What is in view is asked for and answered before the rest was looked at.
    refreshing().everything();
    await learning;
    await tellStatus(session);
  };

  const filesChanged = async (): Promise<void> => {
    session.recent.forget();
    workspace.changedAll();
    unopened.look();
    await everythingChanged();
  };

  const logged = (what: string, work: Promise<unknown>): void => {
    work.catch((it: unknown) => session.log(what, it));
  };

  connection.onDidChangeWatchedFiles(({ changes }) => {
    session.recent.forget();
    unopened.look();
    if (workspace.changed(changes.map((it) => it.uri)).length > 0) logged('changed files', everythingChanged());
  });
  connection.onNotification(trustNotification, () => {
    session.isTrusted = true;
    unopened.look();
    logged('trust', everythingChanged());
  });
  connection.onExecuteCommand(async ({ command, arguments: args = [] }) => {
    if (command !== refreshCommand) return commands.find((it) => it.id === command)?.run(args, session);
    insights.expire();
    await filesChanged();
    return undefined;
  });

  documents.onDidChangeContent(({ document }) => {
    if (!session.serves(document)) return;
    const { uri, version, languageId: language } = document;
    const isTyped = workspace.textOf(uri) !== undefined && pullsDiagnostics(session.client);
    const others = workspace.update({ uri, version, language, text: document.getText() });
    // A client that asks begins with what is in view: what the document includes has time until the word is typed.
    if (isTyped) typed.add(uri);
    for (const it of isTyped ? others : [uri, ...others]) refreshing().document(it);
    if (others.length > 0) logged('changed files', everythingChanged());
    tellStatusSoon();
  });
  documents.onDidOpen(({ document }) => {
    session.recent.forget();
    if (!pullsDiagnostics(session.client)) unopened.taken(document.uri);
    if (!watching) workspace.changedAll();
  });
  documents.onDidSave(() => {
    if (!watching) logged('changed files', filesChanged());
  });
  documents.onDidClose(({ document }) => {
    session.recent.forget();
    if (!session.serves(document)) return;
    const others = workspace.close(document.uri);
    refreshing().closed(document.uri);
    unopened.left(document.uri);
    unopened.look();
    logged('changed files', others.length > 0 ? everythingChanged() : tellStatus(session));
  });

  const learnt = (): Promise<void> => everythingChanged().catch((it: unknown) => session.log('facts', it));
  insights.onDidLearn(unhurried(session.clock, learnt, createPauses()));
  followNetwork(session, () => {
    followPlace();
    logged('the network', everythingChanged());
  });
  answerRequests(session);
  connection.onShutdown(() => {
    unopened.close();
    return insights.close();
  });
  connection.onRequest((method) =>
    session.begun
      ? new ResponseError(ErrorCodes.MethodNotFound, `there is no ${method}`)
      : new ResponseError(ErrorCodes.ServerNotInitialized, 'not initialized yet'),
  );
  connection.listen();
}

async function diagnosed(session: Session, uri: string): Promise<Diagnosed | undefined> {
  const document = isProjectFile(uri) ? session.documents.get(uri) : undefined;
  if (document) {
    const items = () => diagnosticsOfProject(uri, document.getText(), session);
    return { version: document.version, items, included: [], isUnasked: true };
  }
  const snapshot = await session.workspace.snapshot(uri);
  // An answer about an older text would come after the one about the newer.
  if (!snapshot || snapshot.version !== session.documents.get(uri)?.version) return undefined;
  const context = session.contextFor(snapshot);
  return {
    version: snapshot.version,
    items: () => diagnosticsOf(snapshot.subjects, context),
    included: snapshot.included.map((it) => ({ uri: it.uri, items: diagnosticsOf(it.subjects, context) })),
  };
}
