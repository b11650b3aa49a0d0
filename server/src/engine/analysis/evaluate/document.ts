import { type EvaluatedDependency, isFlagged, isPending } from '../../model/evaluated-dependency.ts';
import type { Insight, VersionFacts } from '../../model/facts.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { Insights, ReceivedFact, Wanted } from '../../model/ports.ts';
import type { BuiltInRegistries } from '../../model/registries/built-in.ts';
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

/** The inputs of evaluating dependencies. */
export interface EvaluationInputs {
  readonly cache: EvaluationCache;
  readonly filter: LookupFilter;
  /** Whether to look up the default version of dependencies without problems. */
  readonly lookUpDefaults: boolean;
  readonly policy: UpdatePolicy;
}

/** The inputs for the dependencies of a document at this moment. */
export function evaluationInputsFor(
  { format, project, cooldowns }: DocumentContext,
  cache: EvaluationCache,
  insights: Insights,
  settings: Settings,
  environment: Environment,
  incompleteNames: IncompleteNames,
  builtIn: BuiltInRegistries | undefined,
): EvaluationInputs {
  const now = environment.now();
  const inEffect = project && effectiveProject(project.project, now, environment.isTrusted());
  return {
    cache,
    filter: createLookupFilter(insights, settings.publicRegistries, builtIn, (it) => incompleteNames.has(it)),
    // The thousands of packages in a lockfile or SBOM are not updated one by one.
    lookUpDefaults: settings.lookUpDefaults && format.record === undefined,
    policy: updatePolicyOf(inEffect, settings, now, cooldowns),
  };
}

/** The evaluated dependencies of a document and its included files, and the facts that are missing. */
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
 * Evaluates all dependencies of a document. Yields after each portion, so that other requests are answered, and with
 * the wanted facts as soon as they fill a batch, so that these are sent during the evaluation.
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
    for (const alternative of own.link(it)) dependencies.push(evaluate(alternative));
    if (open.length >= BATCH_SIZE) {
      yield open;
      open = [];
    } else if (dependencies.length % PORTION === 0) yield NOTHING_WANTED;
  }
  const others = included.map(({ uri, file }) => ({
    uri,
    dependencies: file.dependencies.flatMap((it) => file.link(it).map(evaluate)),
  }));
  return { dependencies, included: others, wanted: [...inputs.filter.wanted, ...before, ...wanted], background };
}

/** The dependencies in a span, and one more on either side; undefined if there are too many for a screen. */
export function dependenciesIn(
  { start, end }: Span,
  { own: { dependencies } }: LinkedDocument,
): Dependency[] | undefined {
  const isIn = (it: Dependency | undefined): boolean => {
    if (it === undefined) return false;
    const span = spanOf(it);
    return span.end >= start && span.start <= end;
  };
  const some: Dependency[] = [];
  let wasIn = false;
  let is = isIn(dependencies[0]);
  dependencies.forEach((it, at) => {
    const willBe = isIn(dependencies[at + 1]);
    if (wasIn || is || willBe) some.push(it);
    wasIn = is;
    is = willBe;
  });
  return some.length > MAX_IN_VIEW ? undefined : some;
}

/** Evaluates some dependencies of a document. Requests nothing. */
export function evaluateDependencies(
  some: readonly Dependency[],
  { own }: LinkedDocument,
  inputs: EvaluationInputs,
): EvaluatedDependency[] {
  return some.flatMap((it) => own.link(it).map((one) => evaluateLinked(one, inputs).evaluated));
}

/** The packages whose received facts may lead to further requests: a flagged version, or a list of versions. */
export function packagesToFollowUp(answered: readonly ReceivedFact[]): Set<string> {
  const names = new Set<string>();
  for (const { wanted, insight } of answered) {
    if (wanted.kind === 'package') names.add(wanted.key.name);
    if (wanted.kind === 'version' && isKnownFlagged(insight as Insight<VersionFacts>)) names.add(wanted.key.name);
  }
  return names;
}

/** The further facts wanted for dependencies of some packages: a version that is chosen from a list, and what follows from a flagged one. */
export function followUpRequests(
  packages: ReadonlySet<string>,
  { own }: LinkedDocument,
  inputs: EvaluationInputs,
): Wanted[] {
  const named = [...packages].flatMap(own.dependenciesNamed);
  return named.flatMap(own.link).flatMap((it) => {
    const { evaluated, wanted } = evaluateLinked(it, inputs);
    return evaluated.version?.state === 'pending' || isKnownFlagged(evaluated.version) ? wanted : [];
  });
}

function isKnownFlagged(version: Insight<VersionFacts> | undefined): boolean {
  return version?.state === 'ready' && isFlagged(version.value);
}

/** Evaluates a dependency unless it must not be looked up. */
export function evaluateLinked(
  { linked, locked }: LockedDependency,
  { cache, filter, lookUpDefaults, policy }: EvaluationInputs,
): Evaluation {
  const { project } = policy;
  const admission = filter.admit(linked);
  if (admission.kind === 'asked') return cache.evaluate(admission.linked, locked, lookUpDefaults, policy);
  const { resolution } = admission;
  const evaluated = { linked, resolution, advisories: [], targets: [], ...(project && { project }) };
  return { evaluated, wanted: NOTHING_WANTED, background: NOTHING_WANTED };
}
