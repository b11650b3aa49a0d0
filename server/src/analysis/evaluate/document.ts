import { type EvaluatedDependency, isFlagged, isPending } from '../../model/evaluated-dependency.ts';
import type { Insight, VersionFacts } from '../../model/facts.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { Insights, ReceivedFact, Wanted } from '../../model/ports.ts';
import type { Settings } from '../../model/settings.ts';
import type { Span } from '../../model/span.ts';
import { effectiveProject } from '../../policy/ignores.ts';
import type { LinkedDocument } from '../link/linked-document.ts';
import { spanOf } from '../link/linker.ts';
import type { LockedDependency } from '../link/locked-versions.ts';
import type { DocumentContext } from '../load/context.ts';
import type { Environment } from '../load/environment.ts';
import type { IncompleteNames } from '../privacy/incomplete-names.ts';
import { createLookupFilter, type LookupFilter } from '../privacy/lookup-filter.ts';
import type { Evaluation } from './dependency.ts';
import type { EvaluationCache } from './evaluation-cache.ts';
import { type UpdatePolicy, updatePolicyOf } from './update-policy.ts';

/** What dependencies are looked at with. */
export interface EvaluationInputs {
  readonly cache: EvaluationCache;
  readonly filter: LookupFilter;
  /** What a sound dependency could be moved to is asked for, too. */
  readonly lookUpDefaults: boolean;
  readonly policy: UpdatePolicy;
}

/** What the dependencies of a document are looked at with now. */
export function evaluationInputsFor(
  { format, project }: DocumentContext,
  cache: EvaluationCache,
  insights: Insights,
  settings: Settings,
  environment: Environment,
  incompleteNames: IncompleteNames,
): EvaluationInputs {
  const now = environment.now();
  const inEffect = project && effectiveProject(project.project, now, environment.isTrusted());
  return {
    cache,
    filter: createLookupFilter(insights, settings.publicRegistries, (it) => incompleteNames.has(it)),
    // Nobody moves the thousands of packages of a record one by one: what is sound there is not asked about further.
    lookUpDefaults: settings.lookUpDefaults && format.record === undefined,
    policy: updatePolicyOf(inEffect, settings, now),
  };
}

/** What is known of the dependencies of a document and of what it includes, and what has to be asked to know more. */
export interface DocumentEvaluation {
  readonly dependencies: readonly EvaluatedDependency[];
  /** The files that the document includes and that are not open themselves: they are shown with the document. */
  readonly included: readonly { readonly uri: string; readonly dependencies: readonly EvaluatedDependency[] }[];
  readonly wanted: readonly Wanted[];
  readonly background: readonly Wanted[];
}

const NOTHING_WANTED: readonly Wanted[] = [];

/** Wanted facts that are sent before the evaluation ends. Source: the service's limit of entries in one batch request. */
const BATCH_SIZE = 100;
/** Dependencies evaluated without a pause: a ms or two where all code runs for the first time. */
const PORTION = 50;
/** Dependencies in view. No screen has more lines; Neovim requests hints for a whole document and gets a full evaluation. */
const MAX_IN_VIEW = 300;

/**
 * Looks at all dependencies of a document. Pauses again and again, so that others have their turn: with what has to be
 * asked as soon as a request is full of it, so that the first are on their way while the rest are looked at.
 */
export function* evaluateDocument(
  { own, included, wanted: before }: LinkedDocument,
  inputs: EvaluationInputs,
): Generator<readonly Wanted[], DocumentEvaluation> {
  const wanted: Wanted[] = [];
  const background: Wanted[] = [];
  let open: Wanted[] = [];

  function evaluate(dependency: LockedDependency): EvaluatedDependency {
    const evaluation = evaluateLinked(dependency, inputs);
    for (const it of evaluation.wanted) wanted.push(it);
    for (const it of evaluation.background) background.push(it);
    if (isPending(evaluation.evaluated)) open.push(...evaluation.wanted);
    return evaluation.evaluated;
  }

  const dependencies: EvaluatedDependency[] = [];
  for (const it of own.dependencies) {
    dependencies.push(evaluate(own.link(it)));
    if (open.length >= BATCH_SIZE) {
      yield open;
      open = [];
    } else if (dependencies.length % PORTION === 0) yield NOTHING_WANTED;
  }
  const others = included.map(({ uri, file }) => ({
    uri,
    dependencies: file.dependencies.map((it) => evaluate(file.link(it))),
  }));
  return { dependencies, included: others, wanted: [...inputs.filter.wanted, ...before, ...wanted], background };
}

/** The dependencies in a stretch of a document, and one more on either side; undefined where no screen holds as many. */
export function dependenciesIn(
  { start, end }: Span,
  { own: { dependencies } }: LinkedDocument,
): Dependency[] | undefined {
  const isIn = dependencies.map((it) => {
    const span = spanOf(it);
    return span.end >= start && span.start <= end;
  });
  const some = dependencies.filter((_, at) => isIn[at] || isIn[at - 1] || isIn[at + 1]);
  return some.length > MAX_IN_VIEW ? undefined : some;
}

/** Looks at some dependencies of a document. Asks for nothing. */
export function evaluateDependencies(
  some: readonly Dependency[],
  { own }: LinkedDocument,
  inputs: EvaluationInputs,
): EvaluatedDependency[] {
  return some.map((it) => evaluateLinked(own.link(it), inputs).evaluated);
}

/** The packages of which something wrong was just told, or of which it may be known by now what to move to. */
export function packagesToFollowUp(answered: readonly ReceivedFact[]): Set<string> {
  const names = new Set<string>();
  for (const { wanted, insight } of answered) {
    if (wanted.kind === 'package') names.add(wanted.key.name);
    if (wanted.kind === 'version' && isKnownFlagged(insight as Insight<VersionFacts>)) names.add(wanted.key.name);
  }
  return names;
}

/** What has to be asked about dependencies of some packages, where something is wrong with the version that is used. */
export function followUpRequests(
  packages: ReadonlySet<string>,
  { own }: LinkedDocument,
  inputs: EvaluationInputs,
): Wanted[] {
  return [...packages].flatMap(own.dependenciesNamed).flatMap((it) => {
    const { evaluated, wanted } = evaluateLinked(own.link(it), inputs);
    return isKnownFlagged(evaluated.version) ? wanted : [];
  });
}

function isKnownFlagged(version: Insight<VersionFacts> | undefined): boolean {
  return version?.state === 'ready' && isFlagged(version.value);
}

function evaluateLinked(
  { linked, locked }: LockedDependency,
  { cache, filter, lookUpDefaults, policy }: EvaluationInputs,
): Evaluation {
  const { project } = policy;
  const reasonNotToLookUp = filter.reasonNotToLookUp(linked);
  if (reasonNotToLookUp === undefined) return cache.evaluate(linked, locked, lookUpDefaults, policy);
  const evaluated = { linked, resolution: reasonNotToLookUp, advisories: [], ...(project && { project }) };
  return { evaluated, wanted: NOTHING_WANTED, background: NOTHING_WANTED };
}
