import { type ClientCapabilities, type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver';
import type { PositionEncoding } from '../engine/formats/text/positions.ts';
import { serverCommands } from './command-names.ts';
import { contentScheme, offers, takesContents } from './features/offers.ts';

/** The capabilities announced to a client. */
export function serverCapabilities(client: ClientCapabilities): ServerCapabilities {
  const encoding = encodingFor(client);
  return Object.assign(
    {
      positionEncoding: encoding,
      textDocumentSync: {
        openClose: true,
        // The text library counts in UTF-16: a client that counts in bytes sends the whole text instead.
        change: encoding === 'utf-16' ? TextDocumentSyncKind.Incremental : TextDocumentSyncKind.Full,
        save: { includeText: false },
      },
      workspace: {
        workspaceFolders: { supported: true, changeNotifications: true },
        ...(takesContents(client) && { textDocumentContent: { schemes: [contentScheme] } }),
      },
      executeCommandProvider: { commands: [...serverCommands] },
    },
    ...Object.values(offers).map((offer) => offer(client)),
  );
}

/** In what positions count. */
export function encodingFor({ general }: ClientCapabilities): PositionEncoding {
  return general?.positionEncodings?.[0] === 'utf-8' ? 'utf-8' : 'utf-16';
}
