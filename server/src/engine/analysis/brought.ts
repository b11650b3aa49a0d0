import { directoryOf, relativeTo } from '../base/uri.ts';
import type { EvaluatedDependency } from '../model/evaluated-dependency.ts';
import { type EdgeKind, edgeKinds, type LockedGraph } from '../model/graph/locked-graph.ts';
import type { GraphOf } from './graphs.ts';
import { asLinked } from './link/locked-versions.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * What direct dependencies bring along, read from the graph of a lockfile:
 *
 *     express 4.19.2 ─→ body-parser 1.20.2 ─→ qs 6.11.0        express brings 3 packages
 *                   └─→ qs 6.11.0 ─→ side-channel 1.0.6        shortest path: express → qs 6.11.0 → side-channel 1.0.6
 *
 * An optional peer is there because another dependency requires it, and development dependencies of a member of the
 * workspace are installed for that member alone.
 */
export const bringing: ReadonlySet<EdgeKind> = new Set(['runtime', 'optional', 'peer']);

/**
 * Edges that are followed for all direct dependencies of a manifest together. 500 of them in a graph of 20,000 packages
 * with five requirements each stay below.
 */
const MAX_FOLLOWED = 50_000_000;

/** A direct dependency in the graph of its lockfile. */
export interface DirectNodes {
  /** Several where it is locked for several environments. */
  readonly nodes: readonly number[];
  /** The version that its line shows. The others of its nodes count as brought: nobody else looks them up. */
  readonly version: string;
}

/** The releases of a direct dependency that its line shows. */
export function ownReleases({ nodes, releases }: LockedGraph, direct: DirectNodes): ReadonlySet<number> {
  const own = direct.nodes.filter((it) => nodes[it]?.version === direct.version);
  return new Set(own.map((it) => releases[it] ?? 0));
}

/** The number of package versions that each direct dependency brings; `unknown` beyond the limit. */
export type BroughtCount = number | 'unknown';

/**
 * Counts what each of some direct dependencies brings: versions of packages, itself and members of the workspace not
 * counted. One search a dependency.
 */
export function countBrought(
  graph: LockedGraph,
  directs: readonly DirectNodes[],
  limit = MAX_FOLLOWED,
): BroughtCount[] {
  const search = new GraphSearch(graph);
  // A release is counted once for each dependency: it has the number of the last one that it was counted for.
  const counted = new Uint32Array(graph.nodes.length);
  return directs.map((direct, index) => {
    const { nodes } = direct;
    if (nodes.length === 0 || search.followed > limit) return 'unknown';
    const turn = index + 1;
    for (const it of ownReleases(graph, direct)) counted[it] = turn;
    let count = 0;
    for (const node of search.from(nodes)) {
      const release = graph.releases[node] ?? 0;
      if (counted[release] === turn) continue;
      counted[release] = turn;
      if (graph.nodes[node]?.source !== 'workspace') count++;
    }
    return count;
  });
}

/** What the lockfile that gives a dependency its version says that it brings. */
export interface Brought {
  readonly count: number;
  /** Whether it may be more, since the lockfile lacks required packages. */
  readonly isPartial: boolean;
}

/**
 * Undefined where no lockfile has the dependency, where it does not record what packages require, and while its graph is
 * being read.
 */
export function broughtBy(around: AroundLocked, evaluated: EvaluatedDependency): Brought | undefined {
  const place = placeInLockfile(around, evaluated);
  const [count] = place ? countBrought(place.graph, [place]) : [];
  return place && typeof count === 'number' ? { count, isPartial: place.graph.isPartial } : undefined;
}

/** A direct dependency with the graph of its lockfile. */
export interface LockedPlace extends DirectNodes {
  readonly graph: LockedGraph;
}

/** Where a dependency is declared, and how the graphs of its lockfiles are read. */
export interface AroundLocked extends Pick<Snapshot, 'uri' | 'lockfiles'> {
  readonly graphOf: GraphOf;
}

/** Undefined as for `broughtBy`. */
export function placeInLockfile(
  { uri, lockfiles, graphOf }: AroundLocked,
  { linked, resolution, shared }: EvaluatedDependency,
): LockedPlace | undefined {
  if (shared || resolution.kind !== 'version' || resolution.from !== 'lockfile') return undefined;
  for (const found of lockfiles) {
    const { format, directory } = found;
    const importer = relativeTo(directory, directoryOf(uri));
    if (format.id !== resolution.lockfile || importer === undefined) continue;
    const graph = graphOf(found);
    if (graph === undefined || graph === 'unrecorded') return undefined;
    const nodes = graph.direct(asLinked(linked), importer);
    const { version } = resolution;
    if (nodes.some((it) => graph.nodes[it]?.version === version)) return { graph, nodes, version };
  }
  return undefined;
}

/** All nodes that some nodes bring, themselves first; the nearer ones before the others. */
export function reachable(graph: LockedGraph, from: readonly number[]): readonly number[] {
  return new GraphSearch(graph).from(from);
}

/**
 * A shortest path from any of some nodes to one that meets a condition, both ends included; of several the first in the
 * order of the file. Undefined where there is no path.
 */
export function shortestPath(
  graph: LockedGraph,
  from: readonly number[],
  isTarget: (node: number) => boolean,
): readonly number[] | undefined {
  const search = new GraphSearch(graph);
  const parents = new Int32Array(graph.nodes.length).fill(-1);
  const target = search.from(from, parents).find(isTarget);
  return target === undefined ? undefined : pathTo(target, parents);
}

/** Nodes of a path that are kept: of a longer one the first and the last half. A hostile lockfile is one path of 100,000. */
const MAX_PATH = 32;

/** A shortest path to one node of each of some releases that can be reached; the nearest first. Of a long one without the middle. */
export function shortestPaths(
  graph: LockedGraph,
  from: readonly number[],
  releases: ReadonlySet<number>,
): (readonly number[])[] {
  const open = new Set(releases);
  const parents = new Int32Array(graph.nodes.length).fill(-1);
  const steps = new Int32Array(graph.nodes.length);
  /** The node on the path at which its first half ends. */
  const halves = new Int32Array(graph.nodes.length);
  const paths: (readonly number[])[] = [];
  for (const node of new GraphSearch(graph).from(from, parents)) {
    const parent = parents[node] ?? -1;
    const step = parent < 0 ? 0 : (steps[parent] ?? 0) + 1;
    steps[node] = step;
    halves[node] = step < MAX_PATH / 2 ? node : (halves[parent] ?? 0);
    if (!open.delete(graph.releases[node] ?? 0)) continue;
    if (step < MAX_PATH) paths.push(pathTo(node, parents));
    else paths.push([...pathTo(halves[node] ?? 0, parents), ...pathTo(node, parents, MAX_PATH / 2)]);
  }
  return paths;
}

/** @param limit nodes, counted from the end */
function pathTo(target: number, parents: Int32Array, limit = Number.POSITIVE_INFINITY): readonly number[] {
  const path: number[] = [];
  for (let node = target; node >= 0 && path.length < limit; node = parents[node] ?? -1) path.push(node);
  return path.reverse();
}

/** Breadth-first searches over one graph. */
export class GraphSearch {
  /** Edges that were followed so far. */
  followed = 0;
  readonly #graph: LockedGraph;
  readonly #seen: Uint32Array;
  readonly #follows: readonly boolean[];
  #turn = 0;

  constructor(graph: LockedGraph) {
    this.#graph = graph;
    this.#seen = new Uint32Array(graph.nodes.length);
    this.#follows = edgeKinds.map((it) => bringing.has(it));
  }

  /** @param parents gets the node before each node on a shortest path */
  from(nodes: readonly number[], parents?: Int32Array): readonly number[] {
    const { firstEdge, targets, kinds } = this.#graph;
    const turn = ++this.#turn;
    const queue: number[] = [];
    for (const it of nodes) {
      if (this.#seen[it] === turn) continue;
      this.#seen[it] = turn;
      queue.push(it);
    }
    // The queue grows while it is read.
    for (const node of queue) {
      const end = firstEdge[node + 1] ?? 0;
      for (let edge = firstEdge[node] ?? 0; edge < end; edge++) {
        this.followed++;
        const target = targets[edge] ?? 0;
        if (!this.#follows[kinds[edge] ?? 0] || this.#seen[target] === turn) continue;
        this.#seen[target] = turn;
        if (parents) parents[target] = node;
        queue.push(target);
      }
    }
    return queue;
  }
}
