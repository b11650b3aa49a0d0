import type { LockedGraph } from '../../model/graph/locked-graph.ts';
import { type DirectNodes, GraphSearch, ownReleases } from '../brought.ts';

/**
 * The versions that the direct dependencies of one manifest bring. They have numbers of their own, so that a manifest
 * of a large workspace costs what it brings, and each direct dependency is a set of bits over these numbers:
 *
 *     versions   body-parser 1.20.2   qs 6.11.0   side-channel 1.0.6
 *     express    1                    1           1
 *     got        0                    0           1
 */
export interface BroughtReleases {
  readonly graph: LockedGraph;
  /** By version: one of its nodes, the nearest first. Members of the workspace have none. */
  readonly nodes: readonly number[];
  /** By direct dependency, as given. */
  readonly directs: readonly BroughtByDirect[];
}

export interface BroughtByDirect {
  /** The nodes of the direct dependency. */
  readonly nodes: readonly number[];
  /** Without the version that its line shows. */
  readonly releases: Uint32Array;
  readonly count: number;
}

/**
 * The nodes that a lockfile takes from a folder as members of the workspace, and that are none: they are brought like any
 * other package.
 */
export function strangersIn(graph: LockedGraph, isMember: (name: string) => boolean): ReadonlySet<number> {
  let local = localNodes.get(graph);
  if (local === undefined) {
    local = [...graph.nodes.keys()].filter((it) => graph.nodes[it]?.source === 'workspace');
    localNodes.set(graph, local);
  }
  return new Set(local.filter((it) => !isMember(graph.nodes[it]?.name ?? '')));
}

const none: ReadonlySet<number> = new Set();

const localNodes = new WeakMap<LockedGraph, readonly number[]>();

/** Edges followed between two pauses: some ms. */
const EDGES_PER_TURN = 100_000;

/**
 * Searches what each direct dependency brings. Yields after some ms of work.
 * @param strangers as `strangersIn` finds them
 */
export function* searchBrought(
  graph: LockedGraph,
  directs: readonly DirectNodes[],
  strangers: ReadonlySet<number> = none,
): Generator<void, BroughtReleases> {
  const search = new GraphSearch(graph);
  const nodes: number[] = [];
  const numbers = new Map<number, number>();
  for (const node of search.from(directs.flatMap((it) => it.nodes))) {
    const release = graph.releases[node] ?? 0;
    const isMember = graph.nodes[node]?.source === 'workspace' && !strangers.has(node);
    if (isMember || numbers.has(release)) continue;
    numbers.set(release, nodes.length);
    nodes.push(node);
  }
  yield;
  const found: BroughtByDirect[] = [];
  let pause = search.followed + EDGES_PER_TURN;
  for (const direct of directs) {
    const own = ownReleases(graph, direct);
    const releases = new Uint32Array(Math.ceil(nodes.length / 32));
    let count = 0;
    for (const node of search.from(direct.nodes)) {
      const release = graph.releases[node] ?? 0;
      const number = numbers.get(release);
      if (number === undefined || own.has(release) || hasBit(releases, number)) continue;
      setBit(releases, number);
      count++;
    }
    found.push({ nodes: direct.nodes, releases, count });
    if (search.followed < pause) continue;
    pause = search.followed + EDGES_PER_TURN;
    yield;
  }
  return { graph, nodes, directs: found };
}

export function hasBit(bits: Uint32Array, at: number): boolean {
  return ((bits[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0;
}

export function setBit(bits: Uint32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
}

/** What all direct dependencies together bring. */
export function unionOf({ nodes, directs }: BroughtReleases): Uint32Array {
  const all = new Uint32Array(Math.ceil(nodes.length / 32));
  for (const { releases } of directs) for (const [at, word] of releases.entries()) all[at] = (all[at] ?? 0) | word;
  return all;
}

/** The number of bits that two sets have in common. */
export function countCommon(a: Uint32Array, b: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < a.length; at++) {
    let word = (a[at] ?? 0) & (b[at] ?? 0);
    // Source: Warren, Hacker's Delight, section 5-1.
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
