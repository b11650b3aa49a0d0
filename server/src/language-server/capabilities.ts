import { type DocumentDiagnosticReport, type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver';
import { dispatch } from './dispatch.ts';
import { diagnostics, pullsDiagnostics } from './features/diagnostics.ts';
import { hover } from './features/hover.ts';
import { features } from './features/index.ts';
import type { DiagnosticsPublisher } from './publish/diagnostics.ts';
import { commands } from './requests/commands.ts';
import { withPurls } from './requests/purl-hover.ts';
import type { Session } from './session.ts';

/** Requests every fact again; a command for clients. */
export const refreshCommand = 'packageInsights.server.refresh';

/** The capabilities announced to a client. Registers the handlers of its features. */
export function serverCapabilities(session: Session, published: DiagnosticsPublisher): ServerCapabilities {
  const { connection } = session;
  const offered: ServerCapabilities[] = features.flatMap((feature) => {
    const capability = feature.capability(session.client);
    if (capability === undefined) return [];
    connection.onRequest(feature.method, dispatch(feature, session));
    return [capability];
  });
  // These replace the handlers registered above.
  connection.onRequest(hover.method, withPurls(dispatch(hover, session), session));
  if (pullsDiagnostics(session.client)) {
    const answer = dispatch(diagnostics, session);
    connection.onRequest<DocumentDiagnosticReport, void>(diagnostics.method, (params, token) => {
      published.shownByEditor(params.textDocument.uri);
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
