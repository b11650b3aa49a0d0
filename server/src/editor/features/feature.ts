import type { CodeAction, Command } from 'vscode-languageserver';
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
import type { ClientTraits } from '../client-traits.ts';
import type { Block, Inline } from './markup.ts';
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
  /** The answer for documents that are no manifests, and after an error. */
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
  /** What others add to answers. */
  readonly additions?: readonly Additions[];
  /** The address of the folder with the pages of the documentation; absent where there is none. */
  readonly pages?: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Until when no request is sent, because the service requested a wait; in ms since the epoch. */
  readonly retryAt?: number;
  /** Why answers are late, while the service is tried. */
  readonly connectionProblem?: ConnectionProblem;
}

/** What may be added to an answer, by its place there. */
interface AddedPlaces {
  /** Behind the actions of a hover. */
  readonly hover: { readonly about: EvaluatedDependency; readonly part: Block };
  /** Among the links of a hover, for a client that runs commands. */
  readonly links: { readonly about: EvaluatedDependency; readonly part: Inline[] };
  /** Behind the choice of a version. */
  readonly actions: { readonly about: EvaluatedDependency; readonly part: CodeAction };
  /** Behind the label of a hint. */
  readonly hints: { readonly about: EvaluatedDependency; readonly part: HintNote };
  /** Beside the update of a whole file. */
  readonly lenses: { readonly about: Snapshot; readonly part: Command };
}

/** What is added behind the label of a hint. It gives way last: all forms of the label have it. */
export interface HintNote {
  /** The version that it is about, left out where the label has it. */
  readonly target: string;
  readonly long: string;
  readonly short: string;
  /** A command of our extension. */
  readonly command: Command;
}

/** What others than the features add to answers. They answer for each dependency in view, from what they know. */
export type Additions = {
  readonly [Place in keyof AddedPlaces]?: (
    about: AddedPlaces[Place]['about'],
    context: AnswerContext,
  ) => readonly AddedPlaces[Place]['part'][];
};

export function added<Place extends keyof AddedPlaces>(
  place: Place,
  about: AddedPlaces[Place]['about'],
  context: AnswerContext,
): readonly AddedPlaces[Place]['part'][] {
  return (context.additions ?? []).flatMap((it) => it[place]?.(about, context) ?? []);
}
