import type { ClientCapabilities, ServerCapabilities } from 'vscode-languageserver';
import { traitsOf } from '../client-traits.ts';

/**
 * The capability that each request of the protocol announces to a client; undefined if the client has no use for it. These
 * rows are all that the response to `initialize` needs: the features themselves are loaded after it (index.ts).
 */
export const offers = {
  'textDocument/hover': () => ({ hoverProvider: true }),
  'textDocument/inlayHint': (client) =>
    client.textDocument?.inlayHint
      ? { inlayHintProvider: traitsOf(client).resolvesHints ? { resolveProvider: true } : true }
      : undefined,
  // The row above announces it.
  'inlayHint/resolve': (client) => (client.textDocument?.inlayHint ? {} : undefined),
  'textDocument/diagnostic': (client) =>
    pullsDiagnostics(client)
      ? { diagnosticProvider: { identifier: source, interFileDependencies: true, workspaceDiagnostics: false } }
      : undefined,
  'textDocument/codeAction': (client) =>
    client.textDocument?.codeAction?.codeActionLiteralSupport
      ? { codeActionProvider: { codeActionKinds: [quickFix] } }
      : undefined,
  'textDocument/completion': (client) =>
    client.textDocument?.completion
      ? { completionProvider: { triggerCharacters: [...`"'=<>^~.@[(:`], resolveProvider: true } }
      : undefined,
  // The row above announces it.
  'completionItem/resolve': (client) => (client.textDocument?.completion ? {} : undefined),
  'textDocument/documentLink': (client) =>
    client.textDocument?.documentLink && (registersLinks(client) ? {} : { documentLinkProvider: {} }),
  'textDocument/codeLens': (client) =>
    takesEdits(client) && client.textDocument?.codeLens ? { codeLensProvider: {} } : undefined,
  'textDocument/definition': (client) => (client.textDocument?.definition ? { definitionProvider: true } : undefined),
  'textDocument/documentSymbol': (client) =>
    client.textDocument?.documentSymbol ? { documentSymbolProvider: true } : undefined,
  'textDocument/documentHighlight': (client) =>
    client.textDocument?.documentHighlight ? { documentHighlightProvider: true } : undefined,
  'textDocument/rename': (client) =>
    client.textDocument?.rename
      ? { renameProvider: client.textDocument.rename.prepareSupport ? { prepareProvider: true } : true }
      : undefined,
  // The row above announces it.
  'textDocument/prepareRename': (client) => (client.textDocument?.rename?.prepareSupport ? {} : undefined),
  'textDocument/references': (client) => (client.textDocument?.references ? { referencesProvider: true } : undefined),
} satisfies Readonly<Record<string, (client: ClientCapabilities) => Partial<ServerCapabilities> | undefined>>;

export type OfferedMethod = keyof typeof offers;

/** The requests that lead from one place of the project to others. Their answers need no facts. */
export type NavigationMethod = Extract<
  OfferedMethod,
  `textDocument/${'definition' | 'references' | 'prepareRename' | 'rename' | 'documentSymbol' | 'documentHighlight'}`
>;

/** The scheme of texts that are no files. */
export const contentScheme = 'package-insights-text';

/** Whether a client requests texts that are no files. */
export function takesContents({ workspace }: ClientCapabilities): boolean {
  return workspace?.textDocumentContent !== undefined;
}

/** The source of our findings in the Problems view. */
export const source = 'package-insights';

/**
 * The only kind of our actions. `codeActionsOnSave` runs every action of a kind and below, so none may be below `source`:
 * a person who runs a linter's fixes on save did not request other versions.
 */
export const quickFix = 'quickfix';

/**
 * Whether a client pulls findings. Most arrive after its first request, so they are pushed to a client without support
 * for refreshes (Neovim 0.11).
 */
export function pullsDiagnostics({ textDocument, workspace }: ClientCapabilities): boolean {
  if (!textDocument?.diagnostic) return false;
  return workspace?.diagnostics?.refreshSupport === true || !textDocument.publishDiagnostics;
}

/**
 * Whether `publish/document-links.ts` registers links while the client runs. VS Code then requests them again; of other
 * editors that announce it this is not known.
 */
export function registersLinks({ textDocument, experimental }: ClientCapabilities): boolean {
  return textDocument?.documentLink?.dynamicRegistration === true && experimental?.packageInsightsCommands === true;
}

/** A command of the server edits through the client. */
function takesEdits({ workspace }: ClientCapabilities): boolean {
  return workspace?.applyEdit ?? false;
}
