import { CodeLensRefreshRequest, type Diagnostic } from 'vscode-languageserver';
import { messageOf } from '../../base/text.ts';
import { sameUri } from '../../base/uri.ts';
import { diagnosticsOf, pullsDiagnostics } from '../features/diagnostics.ts';
import type { Session } from '../session.ts';
import { diagnosticsOfProject, isProjectFile } from './project-file.ts';
import { createWorkspaceDiagnostics, type WorkspaceDiagnostics } from './workspace-diagnostics.ts';

/** What the client shows of ours. */
export interface Publishers {
  readonly refresh: DiagnosticsPublisher;
  readonly workspaceDiagnostics: WorkspaceDiagnostics;
}

export function createPublishers(session: Session): Publishers {
  const refresh = createDiagnosticsPublisher(
    session,
    (uri) => diagnosed(session, uri),
    (uris) => workspaceDiagnostics.covered(uris),
  );
  const workspaceDiagnostics = createWorkspaceDiagnostics(session, refresh.included);
  return { refresh, workspaceDiagnostics };
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
    items: () => diagnosticsOf(snapshot.dependencies, context),
    included: snapshot.included.map((it) => ({ uri: it.uri, items: diagnosticsOf(it.dependencies, context) })),
  };
}

/** The diagnostics of an open document and of the files that it includes. */
export interface Diagnosed {
  readonly version: number;
  /** Of the document itself: worked out only for a client that has them pushed. */
  readonly items: () => Diagnostic[];
  /** Of a project file: nobody asks for these, so that they are pushed even to clients that ask. */
  readonly isUnasked?: true;
  readonly included: readonly { readonly uri: string; readonly items: Diagnostic[] }[];
}

/** Tells a client to ask again, by whatever means it announced; pushes diagnostics to one that never asks. */
export interface DiagnosticsPublisher {
  /** Facts arrived or settings changed: everything shown may be out of date. */
  everything(): void;
  /** Facts arrived about what is in view. */
  hints(): void;
  /** A person wants code lenses, or no longer does. */
  lenses(): void;
  /** One document changed: clients that ask will do so by themselves. */
  document(uri: string): void;
  closed(uri: string): void;
  /** The files that were reported with open documents, since nobody has them open. */
  included(): readonly string[];
}

/**
 * @param diagnose gives undefined for what is no manifest, and for what changed or was closed while it was being looked at
 * @param covered hears of files that were told of with a document just now: what was shown of them before no longer is
 */
export function createDiagnosticsPublisher(
  session: Session,
  diagnose: (uri: string) => Promise<Diagnosed | undefined>,
  covered: (uris: readonly string[]) => void,
): DiagnosticsPublisher {
  const { connection, workspace } = session;
  /** The files that were reported with each open document. */
  const included = new Map<string, readonly string[]>();
  /** What was pushed last of each file, and of which of its texts. */
  const pushed = new Map<string, string>();
  const pulls = (): boolean => pullsDiagnostics(session.client);
  const takesPushed = (): boolean => !pulls() || Boolean(session.client.textDocument?.publishDiagnostics);
  const sent = (what: string, request: Promise<unknown>): void => {
    request.catch((error: unknown) => connection.console.log(`the client turned down ${what}: ${messageOf(error)}`));
  };
  /** Facts arrive again and again, and seldom say anything new of a document: what is on the screen stays there. */
  const publish = async (uri: string, diagnostics: Diagnostic[], version?: number): Promise<void> => {
    const now = JSON.stringify([version, diagnostics]);
    if (pushed.get(uri) === now) return;
    pushed.set(uri, now);
    const isTold = version !== undefined && session.client.textDocument?.publishDiagnostics?.versionSupport;
    await connection.sendDiagnostics({ uri, ...(isTold && { version }), diagnostics });
  };
  const withdraw = (uri: string): Promise<void> => {
    pushed.delete(uri);
    return connection.sendDiagnostics({ uri, diagnostics: [] });
  };
  const push = async (uri: string): Promise<void> => {
    const found = await diagnose(uri);
    if (!found) return;
    if (!pulls() || (found.isUnasked && takesPushed())) await publish(uri, found.items(), found.version);
    if (takesPushed()) await pushIncluded(uri, found.included);
  };
  /** Nobody asks for what is not open, so that is pushed even to clients that ask. */
  const pushIncluded = async (uri: string, now: Diagnosed['included']): Promise<void> => {
    const uris = now.map((it) => it.uri);
    const gone = (included.get(uri) ?? []).filter((it) => !uris.includes(it));
    included.set(uri, uris);
    covered([...gone, ...uris]);
    // What is open by now has its own pushed: nobody would push it again.
    const open = new Set(pulls() ? [] : workspace.documents.map((it) => sameUri(it.uri)));
    for (const it of gone) if (!open.has(sameUri(it))) await withdraw(it);
    for (const it of now) await publish(it.uri, it.items);
  };
  const refreshLenses = (): void => {
    if (!session.client.workspace?.codeLens?.refreshSupport) return;
    sent('a refresh of code lenses', connection.sendRequest(CodeLensRefreshRequest.type));
  };
  const refreshHints = (): void => {
    if (!session.client.workspace?.inlayHint?.refreshSupport) return;
    sent('a refresh of hints', connection.languages.inlayHint.refresh());
  };
  return {
    hints: refreshHints,
    lenses: refreshLenses,
    everything() {
      for (const { uri } of workspace.documents) sent('diagnostics', push(uri));
      if (pulls() && session.client.workspace?.diagnostics?.refreshSupport) {
        sent('a refresh of diagnostics', connection.languages.diagnostics.refresh());
      }
      refreshHints();
      if ([session.settings, ...session.folderSettings.values()].some((it) => it.codeLens)) refreshLenses();
    },
    document(uri) {
      sent('diagnostics', push(uri));
    },
    closed(uri) {
      if (!pulls() || (takesPushed() && isProjectFile(uri))) sent('diagnostics', withdraw(uri));
      sent(
        'diagnostics',
        pushIncluded(uri, []).then(() => included.delete(uri)),
      );
    },
    included: () => [...included.values()].flat(),
  };
}
