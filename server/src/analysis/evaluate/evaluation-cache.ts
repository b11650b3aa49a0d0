import type { EvaluatedDependency, LinkedDependency, Locked } from '../../model/evaluated-dependency.ts';
import type { Insights } from '../../model/ports.ts';
import { type Evaluation, evaluateDependency } from './dependency.ts';
import { rangeOf } from './resolve.ts';
import type { UpdatePolicy } from './update-policy.ts';

const limits = {
  /** What is remembered, and as much again of what was looked at before that: the most that count of one file. */
  remembered: 50_000,
  /** Of one name: a workspace asks for a package in a few ways, and a lockfile holds a few of its versions. */
  ofOneName: 16,
} as const;

interface CachedEvaluation extends Evaluation {
  readonly linked: LinkedDependency;
  readonly locked: Locked | undefined;
  /** In no project. */
  readonly withoutProject: EvaluatedDependency;
  /** Of the dependency that was asked about last: it may stand elsewhere by now, in another project. */
  evaluated: EvaluatedDependency;
  /** Every reading that was made on the way: what came of it holds while each would give the same. */
  readonly readings: readonly (() => boolean)[];
  /** The count of changes at which that was last looked at. */
  revision: number;
}

/**
 * Examines dependencies. It remembers what came of it: a keystroke leaves nearly all dependencies as they were, and an
 * answer that arrives concerns few of them.
 */
export class EvaluationCache {
  readonly #insights: Insights;
  readonly #recorder: Recorder;
  /** By name: to put all that counts together into one text takes longer than to compare it piece by piece. */
  #known = new Map<string, readonly CachedEvaluation[]>();
  /** What was known before `#known` was full: looks go round and round, so what is forgotten first is needed next. */
  #older: ReadonlyMap<string, readonly CachedEvaluation[]> = new Map();
  #count = 0;
  readonly #capacity: number;
  #background = false;
  #policyId = '';

  /** @param remembered how many, and as many again of those that were looked at before */
  constructor(insights: Insights, remembered: number = limits.remembered) {
    this.#insights = insights;
    this.#capacity = remembered;
    this.#recorder = createRecorder(insights);
  }

  /** @param background whether to look up what is worth knowing, but not before everything else */
  evaluate(
    linked: LinkedDependency,
    locked: Locked | undefined,
    background: boolean,
    policy: UpdatePolicy,
  ): Evaluation {
    // What cannot be looked up is told in no time, and its name may have megabytes.
    if (linked.requirement.kind === 'unresolved') {
      const evaluation = evaluateDependency(linked, locked, this.#insights, background, policy);
      return { ...evaluation, evaluated: withLinked(evaluation.evaluated, linked, policy) };
    }
    const known = this.#findOrEvaluate(linked, locked, background, policy, this.#insights.revision());
    const { evaluated } = known;
    if (evaluated.linked !== linked || evaluated.project !== policy.project)
      known.evaluated = withLinked(known.withoutProject, linked, policy);
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
      this.#older = new Map();
      this.#known = new Map();
      this.#count = 0;
      this.#background = background;
      this.#policyId = policy.id;
    }
    const known = this.#entriesOf(linked.key.name);
    const before = find(known, linked, locked);
    if (before && (before.revision === revision || before.readings.every((holds) => holds()))) {
      before.revision = revision;
      return before;
    }
    const { insights, readings } = this.#recorder;
    const evaluation = evaluateDependency(linked, locked, insights, background, policy);
    const others = known.filter((it) => it !== before).slice(1 - limits.ofOneName);
    const now: CachedEvaluation = {
      ...evaluation,
      withoutProject: evaluation.evaluated,
      linked,
      locked,
      readings: readings.splice(0),
      revision,
    };
    this.#known.set(linked.key.name, [...others, now]);
    if (before === undefined) this.#count++;
    return now;
  }

  #entriesOf(name: string): readonly CachedEvaluation[] {
    const known = this.#known.get(name);
    if (known) return known;
    if (this.#count >= this.#capacity) {
      this.#older = this.#known;
      this.#known = new Map();
      this.#count = 0;
    }
    const older = this.#older.get(name) ?? [];
    if (older.length > 0) {
      this.#known.set(name, older);
      this.#count += older.length;
    }
    return older;
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
  { project }: UpdatePolicy,
): EvaluatedDependency {
  return { ...known, linked, ...(project && { project }) };
}

/** The same insights, and for each reading that is made of them whether it would still give the same. */
interface Recorder {
  readonly insights: Insights;
  /** Whoever reads takes them out. */
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
  const { version, package: list, advisory } = insights;
  return {
    insights: { ...insights, version: recording(version), package: recording(list), advisory: recording(advisory) },
    readings,
  };
}

/** Whether two of one name are alike in all that what is known of a dependency depends on. */
function isSameLinked(a: LinkedDependency, b: LinkedDependency): boolean {
  if (a === b) return true;
  return (
    a.key.system === b.key.system &&
    a.requirement.kind === b.requirement.kind &&
    reasonOf(a) === reasonOf(b) &&
    (a.constraint === undefined) === (b.constraint === undefined) &&
    a.isRecorded === b.isRecorded &&
    a.dependency.scope === b.dependency.scope &&
    rangeOf(a) === rangeOf(b)
  );
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
