import type { ClientCapabilities } from 'vscode-languageserver';
import type { DependentsOf } from '../../engine/analysis/dependents.ts';
import type { GraphOf } from '../../engine/analysis/graphs.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import type { Positions } from '../../engine/formats/text/positions.ts';
import type { EvaluatedDependency } from '../../engine/model/evaluated-dependency.ts';
import type { VersionKey } from '../../engine/model/keys.ts';
import type { LinkSafety } from '../../engine/model/links.ts';
import type { Requirements } from '../../engine/model/lookups.ts';
import type { ConnectionProblem, Insights, Wanted } from '../../engine/model/ports.ts';
import type { Settings } from '../../engine/model/settings.ts';
import type { Span } from '../../engine/model/span.ts';
import { textIn } from '../params.ts';
import type { Plans } from '../scheduling/plans.ts';
import type { ClaimedDocument } from '../service-documents/documents.ts';
import type { OfferedMethod } from './offers.ts';

/** A request of the protocol about a document: a row of the table in index.ts. */
export interface Feature<Params = unknown, Answer = unknown> {
  /** The request of the Language Server Protocol, a row of offers.ts. */
  readonly method: OfferedMethod;
  /** How long the answer may wait for facts, in ms; 0 answers with what is there. */
  readonly patience: number;
  /** The facts that the answer waits for, if any; only with patience. */
  readonly awaitedFacts?: (snapshot: Snapshot, params: Params, context: AnswerContext) => AwaitedFacts | undefined;
  /** The span in view, if the answer needs no more than that. */
  readonly inView?: (params: Params, positions: Positions) => Span;
  /** Facts that the answer needs in addition to the document's: a whole list of versions, for example. */
  readonly neededFacts?: (snapshot: Snapshot, params: Params, context: AnswerContext) => readonly Wanted[];
  /** The web addresses that the answer shows. It waits for their checks, as long as its patience lasts. */
  readonly addresses?: (snapshot: Snapshot, params: Params, context: AnswerContext) => readonly string[];
  /** A person points at the place and waits: a spent budget does not stop these checks. */
  readonly isAsked?: true;
  /** Dependencies for which the answer names those that an edit moves along, in other files, too. */
  readonly movable?: (snapshot: Snapshot, params: Params, context: AnswerContext) => readonly EvaluatedDependency[];
  /** The document of the request. */
  readonly uri: (params: Params) => string;
  readonly answer: (snapshot: Snapshot, params: Params, context: AnswerContext) => Answer;
  /** The answer for a document that is no manifest, but one of a connected service. */
  readonly ofService?: (claimed: ClaimedDocument, params: Params) => Promise<Answer>;
  /** The answer for other documents, and after an error. */
  readonly emptyAnswer: (params: Params) => Answer;
}

/**
 * All wanted facts of the document, the first ones in view, the rest of them (waited for only after the first ones), or
 * complete names.
 */
export type AwaitedFacts = 'all' | 'first' | 'rest' | 'names';

/** The context of an answer, besides the snapshot. */
export interface AnswerContext {
  readonly settings: Settings;
  readonly client: ClientTraits;
  /** Whether private registries could be asked if the person permits it: they cannot in a browser. */
  readonly mayOfferAsking: boolean;
  /** The known facts. */
  readonly facts: Pick<Insights, 'version' | 'package' | 'advisory'>;
  /** The requirements of a version, if they were looked up before. */
  readonly requirements: (key: VersionKey) => Requirements | undefined;
  /** Never waits for the graph of a large lockfile. */
  readonly graphOf: GraphOf;
  /** Positions in one of the snapshot's texts. */
  readonly positions: (uri: string) => Positions;
  /** The version of a document that is open in the client; null for one that is not. */
  readonly versionOf: (uri: string) => number | null;
  /** Finds dependencies of other files that use a definition, for those that `movable` returns. */
  readonly dependents: DependentsOf;
  /** Absent if links are not checked. */
  readonly links?: LinkSafety;
  /** Absent while scheduling is not connected. */
  readonly plans?: Plans;
  /** The address of the folder with the pages of the documentation; absent where there is none. */
  readonly pages?: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Until when no request is sent, because the service requested a wait; in ms since the epoch. */
  readonly retryAt?: number;
  /** Why answers are late, while the service is tried. */
  readonly connectionProblem?: ConnectionProblem;
}

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
