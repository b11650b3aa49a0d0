import type { ClientCapabilities, ServerCapabilities } from 'vscode-languageserver';
import type { CountDependents } from '../../analysis/dependents.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import type { Positions } from '../../formats/text/positions.ts';
import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import type { VersionKey } from '../../model/keys.ts';
import type { Requirements } from '../../model/lookups.ts';
import type { ConnectionProblem, Insights, Wanted } from '../../model/ports.ts';
import type { Settings } from '../../model/settings.ts';
import type { Span } from '../../model/span.ts';

/** One thing an editor may ask about a document: a row of the table in index.ts. */
export interface Feature<Params = unknown, Answer = unknown> {
  /** The request of the Language Server Protocol. */
  readonly method: string;
  /** How long the answer may wait for facts, in ms; 0 answers with what is there. */
  readonly patience: number;
  /** What this answer waits for, if anything. Rows without patience have no use for it. */
  readonly awaitedFacts?: (snapshot: Snapshot, params: Params, context: AnswerContext) => AwaitedFacts | undefined;
  /** Where the person asking looks, if not at all of the document: the answer needs no more of it. */
  readonly inView?: (params: Params, positions: Positions) => Span;
  /** What to announce to a client; undefined where the client has no use for it. */
  readonly capability: (client: ClientCapabilities) => Partial<ServerCapabilities> | undefined;
  /** What the answer needs to know that the document does not want by itself: a whole list of versions, for example. */
  readonly neededFacts?: (snapshot: Snapshot, params: Params, context: AnswerContext) => readonly Wanted[];
  /** Subjects for which the answer says what else an edit of theirs would move, in other files, too. */
  readonly movable?: (snapshot: Snapshot, params: Params, context: AnswerContext) => readonly EvaluatedDependency[];
  /** The document asked about. */
  readonly uri: (params: Params) => string;
  readonly answer: (snapshot: Snapshot, params: Params, context: AnswerContext) => Answer;
  /** The answer where the document is none of ours, or something went wrong. */
  readonly emptyAnswer: (params: Params) => Answer;
}

/** What is still to come: all facts that the document wants, the first about what is in view, or whole names. */
export type AwaitedFacts = 'all' | 'first' | 'names';

/** What an answer depends on besides the snapshot. */
export interface AnswerContext {
  readonly settings: Settings;
  readonly client: ClientTraits;
  /** What is known at this moment, of whatever was wanted. */
  readonly facts: Pick<Insights, 'version' | 'package' | 'advisory'>;
  /** What a version requires, where that was looked up before. */
  readonly requirements: (key: VersionKey) => Requirements | undefined;
  /** Positions in one of the snapshot's texts. */
  readonly positions: (uri: string) => Positions;
  /** The version of a document that is open in the client; null for one that is not. */
  readonly versionOf: (uri: string) => number | null;
  /** How many dependencies of other files stand on a definition. Counted for the subjects that `moved` names. */
  readonly dependents: CountDependents;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Until when nothing is asked because the service asked to wait, in ms since the epoch. */
  readonly retryAt?: number;
  /** Why the service could not be reached so far, while it is tried. */
  readonly connectionProblem?: ConnectionProblem;
}

/** What a client can show, read once from its capabilities. */
export interface ClientTraits {
  /** Likes it best of all that it can show: who merely can (ALE in Vim) shows its source. */
  readonly markdownHover: boolean;
  readonly documentChanges: boolean;
  readonly disabledActions: boolean;
  readonly preferredActions: boolean;
  readonly deprecatedTag: boolean;
  readonly codeDescription: boolean;
  /** Takes edits that a command of ours comes to. */
  readonly executesCommands: boolean;
  /** Asks the person for the reason of an ignore itself. */
  readonly asksForReasons: boolean;
  /** Can be told to ask for hints again. */
  readonly refreshesHints: boolean;
  /** Marks one completion item as the likely one. */
  readonly preselects: boolean;
  /** Strikes deprecated completion items through. */
  readonly deprecatedItems: boolean;
  readonly markdownItems: boolean;
  /** Shows a text beside a link. */
  readonly linkTooltips: boolean;
}

export function traitsOf({ textDocument, workspace, experimental }: ClientCapabilities): ClientTraits {
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
    executesCommands: workspace?.applyEdit ?? false,
    asksForReasons: experimental?.packageInsightsIgnore === true,
    refreshesHints: workspace?.inlayHint?.refreshSupport ?? false,
    preselects: item?.preselectSupport ?? false,
    deprecatedItems: item?.tagSupport?.valueSet.includes(1) ?? false,
    linkTooltips: textDocument?.documentLink?.tooltipSupport ?? false,
    markdownItems: item?.documentationFormat?.[0] === 'markdown',
  };
}
