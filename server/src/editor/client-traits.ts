import type { ClientCapabilities } from 'vscode-languageserver';
import { textIn } from './params.ts';

/** The capabilities that answers depend on, read once. */
export interface ClientTraits {
  /** Prefers markdown. A client that merely accepts it (ALE in Vim) shows its source. */
  readonly markdownHover: boolean;
  readonly documentChanges: boolean;
  readonly disabledActions: boolean;
  readonly preferredActions: boolean;
  readonly deprecatedTag: boolean;
  readonly codeDescription: boolean;
  readonly relatedInformation: boolean;
  /** Applies edits that our commands request. */
  readonly executesCommands: boolean;
  /** Runs the commands of our links in hovers and hints: our own extension of VS Code. */
  readonly commandLinks: boolean;
  /** A secret of the client, which runs only the links that repeat it; absent if it runs any. */
  readonly linkKey?: string;
  /** Requests the tooltip and the edits of a hint when it needs them. */
  readonly resolvesHints: boolean;
  /** Requests the reason of an ignore from the person. */
  readonly asksForReasons: boolean;
  /** Runs `packageInsights.updated` after the edit of an action. */
  readonly followsUpdates: boolean;
  /** Requests hints again after a refresh. */
  readonly refreshesHints: boolean;
  /** Preselects a completion item. */
  readonly preselects: boolean;
  /** Strikes deprecated completion items through. */
  readonly deprecatedItems: boolean;
  readonly markdownItems: boolean;
  /** Shows texts beside the label of each completion item. */
  readonly labelDetails: boolean;
  /** Fills in the places of a snippet. */
  readonly takesSnippets: boolean;
  /** Shows a text beside a link. */
  readonly linkTooltips: boolean;
}

/** @param options `initializationOptions`, untrusted */
export function traitsOf(
  { textDocument, workspace, experimental }: ClientCapabilities,
  options?: unknown,
): ClientTraits {
  const linkKey = textIn(options, 'linkKey');
  const item = textDocument?.completion?.completionItem;
  return {
    markdownHover: textDocument?.hover?.contentFormat?.[0] === 'markdown',
    documentChanges: workspace?.workspaceEdit?.documentChanges ?? false,
    disabledActions: textDocument?.codeAction?.disabledSupport ?? false,
    preferredActions: textDocument?.codeAction?.isPreferredSupport ?? false,
    deprecatedTag:
      (textDocument?.diagnostic?.tagSupport ?? textDocument?.publishDiagnostics?.tagSupport)?.valueSet.includes(2) ??
      false,
    codeDescription:
      textDocument?.diagnostic?.codeDescriptionSupport ??
      textDocument?.publishDiagnostics?.codeDescriptionSupport ??
      false,
    relatedInformation: textDocument?.publishDiagnostics?.relatedInformation ?? false,
    commandLinks: experimental?.packageInsightsCommands === true,
    ...(linkKey && { linkKey }),
    resolvesHints: ['tooltip', 'textEdits'].every((it) =>
      textDocument?.inlayHint?.resolveSupport?.properties.includes(it),
    ),
    executesCommands: workspace?.applyEdit ?? false,
    asksForReasons: experimental?.packageInsightsIgnore === true,
    followsUpdates: experimental?.packageInsightsUpdated === true,
    refreshesHints: workspace?.inlayHint?.refreshSupport ?? false,
    takesSnippets: item?.snippetSupport ?? false,
    preselects: item?.preselectSupport ?? false,
    deprecatedItems: item?.tagSupport?.valueSet.includes(1) ?? false,
    linkTooltips: textDocument?.documentLink?.tooltipSupport ?? false,
    labelDetails: item?.labelDetailsSupport ?? false,
    markdownItems: item?.documentationFormat?.[0] === 'markdown',
  };
}
