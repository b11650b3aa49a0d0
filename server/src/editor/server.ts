import {
  type DocumentDiagnosticReport,
  ErrorCodes,
  ExecuteCommandRequest,
  InitializeRequest,
  ResponseError,
  ShutdownRequest,
  type TextDocumentContentResult,
} from 'vscode-languageserver';
import type { ReceivedFact } from '../engine/model/ports.ts';
import { mayLookUpInBrowser } from '../engine/model/settings.ts';
import { refreshCommand } from './command-names.ts';
import { answerContent, contentMethod } from './contents/contents.ts';
import { dispatch } from './dispatch.ts';
import type { Extension, ServerCommand } from './extension.ts';
import type { Feature } from './features/feature.ts';
import { features } from './features/index.ts';
import { offers, pullsDiagnostics, takesContents } from './features/offers.ts';
import { navigation } from './navigation/index.ts';
import { type NavigationFeature, navigate } from './navigation/navigate.ts';
import type { Engine } from './opening.ts';
import { createDiagnosticsPublisher, type DiagnosticsPublisher } from './publish/diagnostics.ts';
import { createLinkRegistration, type LinkRegistration } from './publish/document-links.ts';
import { createRefresh, type Refresh } from './publish/refresh.ts';
import { stopStatus } from './publish/status.ts';
import { commands } from './requests/commands.ts';
import { answerRequests, ownMethods } from './requests/index.ts';
import { withPurls } from './requests/purl-hover.ts';
import { type ServerParts, Session } from './session.ts';
import { type FollowedSettings, followSettings } from './sync/configuration.ts';
import { followDocuments } from './sync/documents.ts';
import { followNetwork } from './sync/network.ts';
import { followWatchedFiles, watchFiles } from './sync/watched-files.ts';
import { createPauses, gather, throttle } from './util/throttle.ts';

/** Sent by a client that started in an untrusted workspace when the person trusts it. */
const trustNotification = 'packageInsights/trusted';

/**
 * Serves the Language Server Protocol over a connection until the client exits. opening.ts answers `initialize`.
 * @returns called with its parameters
 */
export function serve(parts: ServerParts): Engine {
  const session = new Session(parts);
  const diagnostics = createDiagnosticsPublisher(session);
  const refresh = createRefresh(session, diagnostics);
  const links = createLinkRegistration(session);
  const extensions =
    parts.extend?.(session, {
      hints: () => refresh.hints(),
      documents: () => refresh.documents(),
      links: followLinks(session, refresh, links),
    }) ?? [];
  session.providers.use(extensions);
  handleInitialized(parts, session, refresh, followSettingsOf(session, diagnostics, refresh, links));
  followDocuments(session, diagnostics, refresh);
  followWorkspace(session, diagnostics, refresh, commandsOf(extensions));
  followFacts(session, refresh);
  session.onGraphRead = throttle(
    session.clock,
    async () => refresh.run('a lockfile', refresh.all()),
    () => GRAPHS_PAUSE_MS,
  );
  const requests = extensions.flatMap((it) => it.requests ?? []);
  answerRequests(session, requests);
  handleShutdown(session, diagnostics, [...ownMethods, ...requests.map((it) => it.method)]);
  return (params) => {
    session.locale = parts.chooseLanguage?.(params.locale) ?? params.locale;
    session.initialize(params);
    session.documents.listen(session.connection);
    answerFeatures(session, diagnostics);
  };
}

/** Answers the requests that were announced to the client. */
function answerFeatures(session: Session, published: DiagnosticsPublisher): void {
  const { connection, client } = session;
  for (const feature of Object.values<Feature<never, unknown>>(features)) {
    if (offers[feature.method](client) !== undefined) connection.onRequest(feature.method, dispatch(feature, session));
  }
  for (const it of Object.values<NavigationFeature<never, unknown>>(navigation)) {
    if (offers[it.method](client) !== undefined) connection.onRequest(it.method, navigate(it, session));
  }
  if (takesContents(client)) {
    connection.onRequest<TextDocumentContentResult | ResponseError, void>(contentMethod, answerContent(session));
  }
  // These replace the handlers registered above.
  const { 'textDocument/hover': hover, 'textDocument/diagnostic': diagnostics } = features;
  connection.onRequest(hover.method, withPurls(dispatch(hover, session), session));
  if (!pullsDiagnostics(client)) return;
  const answer = dispatch(diagnostics, session);
  connection.onRequest<DocumentDiagnosticReport, void>(diagnostics.method, (params, token) => {
    published.shownByEditor(params.textDocument.uri);
    return answer(params, token);
  });
}

/** Handles the end of the initialization: watched files, settings. */
function handleInitialized(parts: ServerParts, session: Session, refresh: Refresh, followed: FollowedSettings): void {
  const { connection } = session;
  connection.onInitialized(() => {
    // A manifest that is open already is answered first: what it needs is loaded with it.
    session.clock.after(PRELOAD_PAUSE_MS, () => {
      parts.preload?.().catch((it: unknown) => session.log('preload', it));
    });
    session.isWatching = watchFiles(connection, session.client, () => {
      session.isWatching = false;
    });
    if (session.client.workspace?.workspaceFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        session.changeFolders(added, removed);
        followed.reread();
        refresh.run('changed folders', refresh.allFiles());
      });
    }
    followed.start();
  });
}

function followSettingsOf(
  session: Session,
  diagnostics: DiagnosticsPublisher,
  refresh: Refresh,
  links: LinkRegistration,
): FollowedSettings {
  let namedBefore = namesIn(session);
  return followSettings(session, async (before, isFirst) => {
    // The first settings do not change the service: cached answers keep their freshness.
    if (!isFirst && session.settings.baseUrl !== before.baseUrl) session.insights.expire();
    // Each document has its registries from its files, and from those of the machine.
    const { privateRegistries } = session.settings;
    const isDecided = mayLookUpInBrowser(session.settings);
    const named = namesIn(session);
    const isRenamed = named !== namedBefore;
    namedBefore = named;
    if (isRenamed || privateRegistries !== before.privateRegistries || isDecided !== mayLookUpInBrowser(before))
      session.workspace.forgetAllFiles();
    reconnect(session);
    session.providers.tell((it) => it.settingsChanged?.());
    links.settingsChanged();
    if (session.hasUncheckedLinks) links.refresh();
    // The settings of a folder may have changed.
    if (!isFirst) refresh.lenses();
    diagnostics.scanWorkspace();
    await refresh.all();
  });
}

/** The names of manifests that all folders choose, to compare. */
function namesIn({ settings, folderSettings }: Session): string {
  return JSON.stringify([settings.fileNames, ...[...folderSettings].map(([folder, it]) => [folder, it.fileNames])]);
}

/** Facts and failures may belong to another service or proxy now: discards them. */
function reconnect({ insights }: Session): void {
  insights.reconnect();
}

function followWorkspace(
  session: Session,
  diagnostics: DiagnosticsPublisher,
  refresh: Refresh,
  commands: ReadonlyMap<string, ServerCommand>,
): void {
  const { connection, workspace, insights } = session;
  const showSoon = throttle(
    session.clock,
    () => {
      refresh.users();
      return refresh.all().catch((it: unknown) => session.log('changed files', it));
    },
    createPauses(),
  );
  followWatchedFiles(connection, {
    begin() {
      session.recentFiles.forget();
      diagnostics.scanWorkspace();
    },
    take: (uris, isLast) => workspace.filesChanged(uris, isLast).length > 0,
    end: showSoon,
  });
  session.onFilesSettled = (uris) => {
    session.recentFiles.forget();
    diagnostics.scanWorkspace();
    if (workspace.filesChanged(uris, true).length > 0) showSoon();
  };
  session.onFilesReadable = () => {
    session.recentFiles.forget();
    workspace.forgetAllFiles();
    diagnostics.scanWorkspace();
    refresh.run('files that could not be read', refresh.all());
  };
  connection.onNotification(trustNotification, () => {
    session.isTrusted = true;
    // A registry that only the workspace names may be asked now.
    session.workspace.forgetAllFiles();
    diagnostics.scanWorkspace();
    refresh.run('trust', refresh.all());
  });
  connection.onExecuteCommand(async ({ command, arguments: args = [] }, token) => {
    if (command !== refreshCommand) return commands.get(command)?.(args, session, token);
    insights.expire();
    await refresh.allFiles();
    return undefined;
  });
}

function commandsOf(extensions: readonly Extension[]): ReadonlyMap<string, ServerCommand> {
  return new Map([commands, ...extensions.map((it) => it.commands ?? {})].flatMap((it) => Object.entries(it)));
}

function followFacts(session: Session, refresh: Refresh): void {
  const evaluateAgain = (): Promise<void> => refresh.all().catch((it: unknown) => session.log('facts', it));
  const showAll = throttle(session.clock, evaluateAgain, createPauses(FINDINGS_PAUSE_MS));
  const showInView = throttle(
    session.clock,
    async () => refresh.hints(),
    () => HINTS_PAUSE_MS,
  );
  const followUp = gather(session.clock, (facts: readonly ReceivedFact[]) =>
    refresh.run('what answers lead to', session.workspace.requestFollowUps(facts)),
  );
  let isLinking = false;
  session.insights.onDidChange((change) => {
    if (change.kind === 'changed') {
      showAll(change.isSettled || isLinking);
      if (session.workspace.searchAgain()) refresh.users();
      isLinking = false;
      return;
    }
    const isAnswered = session.deferred.resume();
    if (change.isInView && !isAnswered) showInView();
    // A published parent leads to the next one.
    isLinking ||= change.facts.some((it) => it.wanted.kind === 'requirements');
    followUp(change.facts);
  });
  session.insights.releases?.onDidChange(() => refresh.below());
  followNetwork(session, () => {
    reconnect(session);
    refresh.run('the network', refresh.all());
  });
}

/** Shows links that were checked too late for the answers that have them. An open hover stays as it is. */
function followLinks(session: Session, refresh: Refresh, links: LinkRegistration): () => void {
  const show = async (): Promise<void> => {
    if (!session.hasUncheckedLinks) return;
    session.hasUncheckedLinks = false;
    refresh.hints();
    links.refresh();
  };
  return throttle(session.clock, show, () => LINKS_PAUSE_MS);
}

/** In ms. Kept hints of a manifest that opens with the window take half of it. */
const PRELOAD_PAUSE_MS = 200;

/** In ms. Documents of a monorepo share a lockfile. */
const GRAPHS_PAUSE_MS = 200;

/** In ms. The checks of a document end together or after few answers. */
const LINKS_PAUSE_MS = 1000;

/**
 * The shortest pause between two evaluations of all documents while facts arrive, in ms. What follows from a fact is
 * requested at once, and hints in view are refreshed, so only findings and counts wait for it. The last answer does not.
 */
const FINDINGS_PAUSE_MS = 400;

/** The minimum interval of hint refreshes, in ms: facts in view arrive one after the other. */
const HINTS_PAUSE_MS = 50;

/** Requests besides features and our own. */
const otherMethods = [InitializeRequest.method, ShutdownRequest.method, ExecuteCommandRequest.method];

function handleShutdown(session: Session, diagnostics: DiagnosticsPublisher, own: readonly string[]): void {
  const { connection, insights } = session;
  connection.onShutdown(() => {
    // The protocol requires an error for every further request.
    const over = () => new ResponseError(ErrorCodes.InvalidRequest, 'shut down already');
    for (const method of [...Object.keys(features), ...Object.keys(navigation), contentMethod, ...own, ...otherMethods])
      connection.onRequest(method, over);
    connection.onRequest(over);
    diagnostics.close();
    stopStatus(session);
    session.providers.tell((it) => it.closed?.());
    return insights.close();
  });
  connection.onRequest((method) =>
    session.isInitialized
      ? new ResponseError(ErrorCodes.MethodNotFound, `there is no ${method}`)
      : new ResponseError(ErrorCodes.ServerNotInitialized, 'not initialized yet'),
  );
}
