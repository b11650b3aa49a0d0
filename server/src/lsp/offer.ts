import { type DocumentDiagnosticReport, type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver';
import { diagnostics, pullsDiagnostics } from '../features/diagnostics.ts';
import { hover } from '../features/hover.ts';
import { features } from '../features/index.ts';
import { commands } from './commands.ts';
import { type Answering, guard } from './guard.ts';
import { withPurls } from './purl-hover.ts';
import type { Session } from './session.ts';
import type { Unopened } from './unopened.ts';

/** Makes every fact be asked for again; offered to clients as a command. */
export const refreshCommand = 'packageInsights.server.refresh';

/** What a client is told we can do; each feature's request is answered from here on. */
export function offer(session: Session, unopened: Unopened): ServerCapabilities {
  const { connection, workspace, insights, postponed, clock } = session;
  const answering: Answering = {
    workspace,
    insights,
    postponed,
    clock,
    contextFor: (snapshot) => session.contextFor(snapshot),
    known: () => session.known,
    log: (what, error) => session.log(what, error),
  };
  const offered: ServerCapabilities[] = features.flatMap((feature) => {
    const capability = feature.capability(session.client);
    if (capability === undefined) return [];
    connection.onRequest(feature.method, guard(feature, answering));
    return [capability];
  });
  // These two do more than answer: what is registered later counts.
  connection.onRequest(hover.method, withPurls(guard(hover, answering), session));
  if (pullsDiagnostics(session.client)) {
    const answer = guard(diagnostics, answering);
    connection.onRequest<DocumentDiagnosticReport, void>(diagnostics.method, (params, token) => {
      unopened.taken(params.textDocument.uri);
      return answer(params, token);
    });
  }
  return Object.assign(
    {
      positionEncoding: session.encoding,
      textDocumentSync: {
        openClose: true,
        // The text library counts in UTF-16: a client that counts in bytes sends the whole text instead.
        change: session.encoding === 'utf-16' ? TextDocumentSyncKind.Incremental : TextDocumentSyncKind.Full,
        save: { includeText: false },
      },
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      executeCommandProvider: { commands: [refreshCommand, ...commands.map((it) => it.id)] },
    },
    ...offered,
  );
}
