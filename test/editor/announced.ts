import type {
  ClientCapabilities,
  CodeAction,
  Diagnostic,
  InitializeResult,
  PublishDiagnosticsParams,
  RegistrationParams,
} from 'vscode-languageserver';

/** Something the server sent on its own account. */
export interface Sent {
  readonly kind: 'request' | 'notification';
  readonly method: string;
  readonly params: unknown;
}

type Allows = (client: ClientCapabilities, offered: InitializeResult) => unknown;

/** What must have been announced for the server to send something. Source: Language Server Protocol 3.17. */
const allowed: Readonly<Record<string, Allows>> = {
  'notification window/logMessage': () => true,
  'notification window/showMessage': () => true,
  'notification textDocument/publishDiagnostics': ({ textDocument }, { capabilities }) =>
    textDocument?.publishDiagnostics || !capabilities.diagnosticProvider,
  'notification packageInsights/status': ({ experimental }) => experimental?.packageInsightsStatus,
  'notification packageInsights/commandLine': ({ experimental }) => experimental?.packageInsightsCommandLine,
  'notification packageInsights/updated': ({ experimental }) => experimental?.packageInsightsUpdated,
  'request workspace/applyEdit': ({ workspace }) => workspace?.applyEdit,
  'request window/showDocument': ({ window }) => window?.showDocument?.support,
  'request workspace/configuration': ({ workspace }) => workspace?.configuration,
  'request workspace/diagnostic/refresh': ({ workspace }) => workspace?.diagnostics?.refreshSupport,
  'request workspace/codeLens/refresh': ({ workspace }) => workspace?.codeLens?.refreshSupport,
  'request workspace/inlayHint/refresh': ({ workspace }) => workspace?.inlayHint?.refreshSupport,
  'request client/registerCapability': () => true,
};

/** What must have been announced for the server to register something later. */
const registrable: Readonly<Record<string, Allows>> = {
  'workspace/didChangeConfiguration': ({ workspace }) => workspace?.didChangeConfiguration?.dynamicRegistration,
  'workspace/didChangeWatchedFiles': ({ workspace }) => workspace?.didChangeWatchedFiles?.dynamicRegistration,
};

/** Everything that was sent or offered without having been announced, in words. */
export function breaches(sent: readonly Sent[], client: ClientCapabilities, offered: InitializeResult): string[] {
  return [
    ...breachesOfOffer(client, offered),
    ...sent.flatMap(({ kind, method, params }): string[] => {
      const name = `${kind} ${method}`;
      if (!allowed[name]?.(client, offered)) return [name];
      if (method === 'client/registerCapability') {
        return (params as RegistrationParams).registrations
          .filter((it) => !registrable[it.method]?.(client, offered))
          .map((it) => `${name} ${it.method}`);
      }
      return method === 'textDocument/publishDiagnostics'
        ? breachesOfPush(params as PublishDiagnosticsParams, client)
        : [];
    }),
  ];
}

function breachesOfOffer(
  { general, textDocument, workspace }: ClientCapabilities,
  { capabilities }: InitializeResult,
): string[] {
  const { positionEncoding = 'utf-16' } = capabilities;
  const encodings: readonly string[] = ['utf-16', ...(general?.positionEncodings ?? [])];
  return [
    ...(encodings.includes(positionEncoding) ? [] : [`encoding ${positionEncoding}`]),
    ...(capabilities.inlayHintProvider && !textDocument?.inlayHint ? ['offer of hints'] : []),
    ...(capabilities.documentLinkProvider && !textDocument?.documentLink ? ['offer of links'] : []),
    ...(capabilities.codeLensProvider && !textDocument?.codeLens ? ['offer of code lenses'] : []),
    ...(capabilities.completionProvider && !textDocument?.completion ? ['offer of completion'] : []),
    ...(capabilities.definitionProvider && !textDocument?.definition ? ['offer of definitions'] : []),
    ...(capabilities.referencesProvider && !textDocument?.references ? ['offer of references'] : []),
    ...(capabilities.renameProvider && !textDocument?.rename ? ['offer of renames'] : []),
    ...(capabilities.documentSymbolProvider && !textDocument?.documentSymbol ? ['offer of symbols'] : []),
    ...(capabilities.documentHighlightProvider && !textDocument?.documentHighlight ? ['offer of highlights'] : []),
    ...(capabilities.workspace?.textDocumentContent && !workspace?.textDocumentContent ? ['offer of contents'] : []),
    ...(capabilities.diagnosticProvider && !textDocument?.diagnostic ? ['offer of diagnostics'] : []),
  ];
}

function breachesOfPush({ version, diagnostics }: PublishDiagnosticsParams, client: ClientCapabilities): string[] {
  const { publishDiagnostics } = client.textDocument ?? {};
  return [
    ...(version !== undefined && !publishDiagnostics?.versionSupport ? ['version of diagnostics'] : []),
    ...breachesOfDiagnostics(diagnostics, client),
  ];
}

export function breachesOfDiagnostics(
  diagnostics: readonly Diagnostic[],
  { textDocument }: ClientCapabilities,
): string[] {
  const asked = textDocument?.diagnostic;
  const pushed = textDocument?.publishDiagnostics;
  const tags = [...(asked?.tagSupport?.valueSet ?? []), ...(pushed?.tagSupport?.valueSet ?? [])];
  const described = asked?.codeDescriptionSupport || pushed?.codeDescriptionSupport;
  return diagnostics.flatMap((it) => [
    ...(it.tags ?? []).filter((tag) => !tags.includes(tag)).map((tag) => `tag ${tag}`),
    ...(it.codeDescription && !described ? ['description of a code'] : []),
    ...(it.relatedInformation && !pushed?.relatedInformation ? ['related information'] : []),
  ]);
}

export function breachesOfActions(
  actions: readonly CodeAction[],
  { textDocument, workspace }: ClientCapabilities,
): string[] {
  const { codeAction } = textDocument ?? {};
  return actions.flatMap(({ disabled, isPreferred, edit, data, command }) => [
    ...(disabled && !codeAction?.disabledSupport ? ['disabled action'] : []),
    ...(isPreferred !== undefined && !codeAction?.isPreferredSupport ? ['preferred action'] : []),
    ...(edit?.documentChanges && !workspace?.workspaceEdit?.documentChanges ? ['documentChanges'] : []),
    ...(edit || disabled ? [] : ['action without an edit']),
    ...(data !== undefined || command ? ['action that needs more than its edit'] : []),
  ]);
}
