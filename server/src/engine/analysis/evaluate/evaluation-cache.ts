import { LruMap } from '../../base/lru-map.ts';
import {
  type EvaluatedDependency,
  type LinkedDependency,
  type Locked,
  managedBy,
} from '../../model/evaluated-dependency.ts';
import type { Insights } from '../../model/ports.ts';
import { type Evaluation, evaluateDependency } from './dependency.ts';
import { rangeOf } from './resolve.ts';
import type { UpdatePolicy } from './update-policy.ts';

/** Twice the dependencies of the largest file that is read: a scan goes over all of them again and again. */
const MAX_ENTRIES = 100_000;
/** A workspace requires a package in a few ways, and a lockfile holds a few of its versions. */
const MAX_ENTRIES_OF_NAME = 16;

interface CachedEvaluation extends Evaluation {
  readonly linked: LinkedDependency;
  readonly locked: Locked | undefined;
  /** Without what its project file decides. */
  readonly withoutProject: EvaluatedDependency;
  /** For the dependency that was evaluated last, which may be located elsewhere by now, in another project. */
  evaluated: EvaluatedDependency;
  /** Whether each fact that was read is still the same. */
  readonly readings: readonly (() => boolean)[];
  /** The revision of the facts at which that was last checked. */
  revision: number;
}

/**
 * Evaluates dependencies, and records which facts each evaluation read. It evaluates again only if one of those has
 * changed: a keystroke leaves nearly all dependencies as they were, and a response concerns few of them.
 */
export class EvaluationCache {
  readonly #insights: Insights;
  readonly #recorder: Recorder;
  /** By name: one key of all that decides would cost more than comparing it. */
  readonly #entries: LruMap<string, readonly CachedEvaluation[]>;
  #background = false;
  #policyId = '';

  constructor(insights: Insights, maxEntries: number = MAX_ENTRIES) {
    this.#insights = insights;
    this.#entries = new LruMap(maxEntries, (it) => it.length);
    this.#recorder = createRecorder(insights);
  }

  /** @param background whether to look up default versions after everything else */
  evaluate(
    linked: LinkedDependency,
    locked: Locked | undefined,
    background: boolean,
    policy: UpdatePolicy,
  ): Evaluation {
    // An unresolved requirement takes no time, and its name may have megabytes.
    if (linked.requirement.kind === 'unresolved') {
      const evaluation = evaluateDependency(linked, locked, this.#insights, background, policy);
      return { ...evaluation, evaluated: withLinked(evaluation.evaluated, linked, policy) };
    }
    const known = this.#findOrEvaluate(linked, locked, background, policy, this.#insights.revision());
    const { evaluated } = known;
    const isOfPolicy = evaluated.project === policy.project && evaluated.boundedRanges === policy.boundedRanges;
    if (evaluated.linked !== linked || !isOfPolicy) known.evaluated = withLinked(known.withoutProject, linked, policy);
    return known;
  }

  #findOrEvaluate(
    linked: LinkedDependency,
    locked: Locked | undefined,
    background: boolean,
    policy: UpdatePolicy,
    revision: number,
  ): CachedEvaluation {
    if (background !== this.#background || policy.id !== this.#policyId) {
      this.#entries.clear();
      this.#background = background;
      this.#policyId = policy.id;
    }
    const known = this.#entries.get(linked.key.name) ?? [];
    const before = find(known, linked, locked);
    if (before && (before.revision === revision || before.readings.every((holds) => holds()))) {
      before.revision = revision;
      return before;
    }
    const { insights, readings } = this.#recorder;
    const evaluation = evaluateDependency(linked, locked, insights, background, policy);
    const others = known.filter((it) => it !== before).slice(1 - MAX_ENTRIES_OF_NAME);
    const now: CachedEvaluation = {
      ...evaluation,
      withoutProject: evaluation.evaluated,
      linked,
      locked,
      readings: readings.splice(0),
      revision,
    };
    this.#entries.set(linked.key.name, [...others, now]);
    return now;
  }
}

function find(
  known: readonly CachedEvaluation[],
  linked: LinkedDependency,
  locked: Locked | undefined,
): CachedEvaluation | undefined {
  for (const it of known) if (isSameLinked(it.linked, linked) && isSameLocked(it.locked, locked)) return it;
  return undefined;
}

function withLinked(
  known: EvaluatedDependency,
  linked: LinkedDependency,
  { project, boundedRanges }: UpdatePolicy,
): EvaluatedDependency {
  return { ...known, linked, ...(project && { project }), ...(boundedRanges && { boundedRanges }) };
}

/** Insights that record each read, to check later whether it would return the same. */
interface Recorder {
  readonly insights: Insights;
  /** The caller empties the list. */
  readonly readings: (() => boolean)[];
}

function createRecorder(insights: Insights): Recorder {
  const readings: (() => boolean)[] = [];
  const recording =
    <Key, T>(read: (key: Key) => T) =>
    (key: Key): T => {
      const insight = read(key);
      readings.push(() => read(key) === insight);
      return insight;
    };
  const { version, package: list, advisory, requirements, codeHost, repository, signals, project, similar } = insights;
  return {
    insights: {
      ...insights,
      version: recording(version),
      package: recording(list),
      advisory: recording(advisory),
      requirements: recording(requirements),
      ...(codeHost && { codeHost: () => recording(codeHost)(undefined) }),
      ...(repository && { repository: recording(repository) }),
      ...(signals && { signals: () => recording(signals)(undefined) }),
      ...(project && { project: recording(project) }),
      ...(similar && { similar: recording(similar) }),
    },
    readings,
  };
}

/** Whether two dependencies of one name have the same inputs of the evaluation. */
function isSameLinked(a: LinkedDependency, b: LinkedDependency): boolean {
  if (a === b) return true;
  return (
    a.key.system === b.key.system &&
    a.key.registry === b.key.registry &&
    a.requirement.kind === b.requirement.kind &&
    reasonOf(a) === reasonOf(b) &&
    a.contested === b.contested &&
    (a.constraint === undefined) === (b.constraint === undefined) &&
    a.isRecorded === b.isRecorded &&
    a.leading === b.leading &&
    a.joined === b.joined &&
    a.builtFor?.join() === b.builtFor?.join() &&
    (managedBy(a) === undefined) === (managedBy(b) === undefined) &&
    a.dependency.scope === b.dependency.scope &&
    a.dependency.preReleases === b.dependency.preReleases &&
    a.dependency.takesDeprecated === b.dependency.takesDeprecated &&
    a.dependency.takesLowest === b.dependency.takesLowest &&
    rejectedBy(a) === rejectedBy(b) &&
    rangeOf(a) === rangeOf(b)
  );
}

function rejectedBy({ dependency: { rejected } }: LinkedDependency): string | undefined {
  return rejected?.join('\n');
}

function isSameLocked(a: Locked | undefined, b: Locked | undefined): boolean {
  return a?.lockfile === b?.lockfile && a?.version === b?.version && a?.update === b?.update;
}

function reasonOf({ requirement }: LinkedDependency): string {
  return requirement.kind === 'source'
    ? requirement.source
    : requirement.kind === 'unresolved'
      ? requirement.reason
      : '';
}
