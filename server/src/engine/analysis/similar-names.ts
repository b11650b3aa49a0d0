import { isOneEditApart } from '../base/similar-names.ts';
import { directoryOf, relativeTo } from '../base/uri.ts';
import type { EvaluatedDependency } from '../model/evaluated-dependency.ts';
import type { LockedGraph } from '../model/graph/locked-graph.ts';
import type { SimilarName } from '../model/signals/similar.ts';
import type { AroundLocked } from './brought.ts';

/*
 * Names that may be mistaken for another one:
 *
 *     "lodahs": "^4.17.0"     not in the lockfile yet, which has lodash
 *     "crossenv": "^7.0.0"    the service calls cross-env similar, and no other package requires crossenv
 *
 * A name that other packages require is no mistake. Nothing is requested here.
 */

/** Shorter names are similar by chance: `ws`, `qs`. */
const MIN_LENGTH = 4;

/** Comparisons between two pauses: each with the 20,000 names of a large lockfile takes about a ms. */
const PORTION = 5;

/**
 * Adds the name that it may be mistaken for to each dependency that has one. Reads the graph of a lockfile only for a
 * dependency that is not in it, or that the service has a similar name for. Yields after some ms of work.
 */
export function* withSimilarNames(
  around: AroundLocked,
  dependencies: readonly EvaluatedDependency[],
): Generator<void, readonly EvaluatedDependency[]> {
  const own = servingLockfiles(around);
  const all: EvaluatedDependency[] = [];
  let isChanged = false;
  let compared = 0;
  for (const evaluated of dependencies) {
    const similarName = similarNameOf(own, evaluated, () => compared++);
    all.push(similarName ? joinedWith(evaluated, similarName) : evaluated);
    if (similarName) isChanged = true;
    if (compared < PORTION) continue;
    compared = 0;
    yield;
  }
  // The same list again: what was found in it is known.
  return isChanged ? all : dependencies;
}

/** @param onCompared called when a name was compared with all names of a lockfile */
function similarNameOf(
  around: AroundLocked,
  evaluated: EvaluatedDependency,
  onCompared: () => void,
): SimilarName | undefined {
  const { linked, resolution, similar, shared } = evaluated;
  if (shared || linked.isRecorded) return undefined;
  const { name } = linked.key;
  const [named] = similar?.state === 'ready' ? similar.value.names : [];
  if (named !== undefined && !graphsOf(around, linked).some((it) => isRequired(it.graph, name))) {
    return { by: 'service', name: named };
  }
  const isLocked = resolution.kind === 'version' && resolution.from === 'lockfile';
  if (isLocked || (resolution.kind !== 'version' && resolution.kind !== 'unknown')) return undefined;
  for (const { graph, lockfile } of graphsOf(around, linked)) {
    const names = namesIn(graph);
    if (names.has(name)) return undefined;
    const like = lookalikeIn(names, name, onCompared);
    if (like !== undefined) return { by: 'lockfile', name: like, lockfile };
  }
  return undefined;
}

/** Without the lockfiles that do not serve the document. */
function servingLockfiles({ uri, lockfiles, graphOf }: AroundLocked): AroundLocked {
  const from = directoryOf(uri);
  return { uri, lockfiles: lockfiles.filter((it) => relativeTo(it.directory, from) !== undefined), graphOf };
}

/** The graphs of lockfiles that may have a dependency. */
function graphsOf(
  { lockfiles, graphOf }: AroundLocked,
  { key }: EvaluatedDependency['linked'],
): { readonly graph: LockedGraph; readonly lockfile: string }[] {
  return lockfiles.flatMap((found) => {
    const { format } = found;
    if (format.opened.system !== key.system) return [];
    const graph = graphOf(found);
    return graph === undefined || graph === 'unrecorded' ? [] : [{ graph, lockfile: format.id }];
  });
}

/** Whether another package requires it. */
function isRequired(graph: LockedGraph, name: string): boolean {
  return graph.targets.some((it) => graph.nodes[it]?.name === name);
}

/** The names of a graph, and the lookalikes that were found among them: by graph, which stays while its lockfile does. */
const namesOfGraph = new WeakMap<LockedGraph, ReadonlySet<string>>();
const lookalikes = new WeakMap<ReadonlySet<string>, Map<string, string | undefined>>();

function namesIn(graph: LockedGraph): ReadonlySet<string> {
  const names = namesOfGraph.get(graph) ?? new Set(graph.nodes.map((it) => it.name));
  namesOfGraph.set(graph, names);
  return names;
}

function lookalikeIn(names: ReadonlySet<string>, name: string, onCompared: () => void): string | undefined {
  const known = lookalikes.get(names) ?? new Map<string, string | undefined>();
  lookalikes.set(names, known);
  if (known.has(name)) return known.get(name);
  onCompared();
  let found: string | undefined;
  for (const it of names) {
    if (Math.abs(it.length - name.length) <= 1 && isLookalike(it, name)) {
      found = it;
      break;
    }
  }
  // One name for each keystroke.
  if (known.size >= MAX_REMEMBERED) known.clear();
  known.set(name, found);
  return found;
}

const MAX_REMEMBERED = 1000;

/**
 * Whether two names differ by one mistake in one part. Another number is another generation (`boto`, `boto3`), not a
 * mistake.
 *
 *     lodahs ~ lodash    @type/node ~ @types/node    org.yaml:snakeyml ~ org.yaml:snakeyaml
 */
export function isLookalike(a: string, b: string): boolean {
  // Nearly all pairs end here.
  if (!isOneEditApart(a, b)) return false;
  const [first, second] = [a.split(/[/:]/), b.split(/[/:]/)];
  if (first.length !== second.length) return false;
  const differing = first.flatMap((it, at) => (it === second[at] ? [] : [[it, second[at] ?? ''] as const]));
  const [parts, ...others] = differing;
  if (parts === undefined || others.length > 0) return false;
  const [one, other] = parts;
  if (Math.min(one.length, other.length) < MIN_LENGTH) return false;
  return one.replace(/\d+/g, '') !== other.replace(/\d+/g, '');
}

/** The same object again, so that what is known of it is not computed again. */
const joined = new WeakMap<EvaluatedDependency, EvaluatedDependency>();

function joinedWith(evaluated: EvaluatedDependency, similarName: SimilarName): EvaluatedDependency {
  const before = joined.get(evaluated);
  if (before?.similarName?.by === similarName.by && before.similarName.name === similarName.name) return before;
  const result = { ...evaluated, similarName };
  joined.set(evaluated, result);
  return result;
}
