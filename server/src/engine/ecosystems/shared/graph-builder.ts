import { addTo } from '../../base/collections.ts';
import {
  type EdgeKind,
  edgeKinds,
  type LockedGraph,
  type LockedNode,
  type LockedRoot,
} from '../../model/graph/locked-graph.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { System } from '../../model/system.ts';

/** The largest known lockfiles have a quarter of them. */
const MAX_NODES = 200_000;
const MAX_EDGES = 2_000_000;

/** A package over the limit. */
const nowhere = -1;

const kindIndex = Object.fromEntries(edgeKinds.map((it, index) => [it, index])) as Record<EdgeKind, number>;

/** Collects the packages of a lockfile and what they require. Beyond its limits the graph is partial. */
export class GraphBuilder {
  readonly #system: System;
  readonly #nodes: LockedNode[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #kinds: number[] = [];
  readonly #conditions: (string | undefined)[] = [];
  readonly #importers = new Map<string, LockedRoot[]>();
  #isPartial = false;

  constructor(system: System) {
    this.#system = system;
  }

  get nodes(): readonly LockedNode[] {
    return this.#nodes;
  }

  /** Adds a package, under any spelling of its name. */
  node(node: LockedNode): number {
    if (this.#nodes.length >= MAX_NODES) {
      this.#isPartial = true;
      return nowhere;
    }
    const name = canonicalName(this.#system, node.name);
    return this.#nodes.push(name === node.name ? node : { ...node, name }) - 1;
  }

  /** @param to undefined where a package is required that the file does not have */
  edge(from: number, to: number | undefined, kind: EdgeKind, condition?: string): void {
    const count = this.#nodes.length;
    if (to === undefined) this.missing(kind, condition);
    else if (this.#from.length >= MAX_EDGES) this.#isPartial = true;
    else if (from !== nowhere && to !== nowhere && from < count && to < count) {
      if (condition !== undefined) this.#conditions[this.#from.length] = condition;
      this.#from.push(from);
      this.#to.push(to);
      this.#kinds.push(kindIndex[kind]);
    }
  }

  /** Part of the file cannot be read. */
  break(): void {
    this.#isPartial = true;
  }

  /** Makes a manifest known that may have no dependency. */
  importer(directory: string): void {
    if (!this.#importers.has(directory)) this.#importers.set(directory, []);
  }

  root(importer: string, name: string, kind: EdgeKind, to: number | undefined): void {
    this.importer(importer);
    if (to === undefined) this.missing(kind);
    else if (to !== nowhere && to < this.#nodes.length) addTo(this.#importers, importer, { name, kind, node: to });
  }

  /** What need not be installed may be missing: an optional package, a peer, a dependency of another platform. */
  missing(kind: EdgeKind, condition?: string): void {
    if ((kind === 'runtime' || kind === 'dev') && condition === undefined) this.#isPartial = true;
  }

  /** @param direct the nodes of a direct dependency, or the version by which the lockfile serves it */
  build(direct: LockedGraph['direct'] | LockedVersion): LockedGraph {
    const nodes = this.#nodes;
    const releases = releasesOf(nodes);
    const { firstEdge, order } = byOrigin(nodes.length, this.#from);
    const targets = new Uint32Array(order.length);
    const kinds = new Uint8Array(order.length);
    const conditions = new Map<number, string>();
    for (let at = 0; at < order.length; at++) {
      const edge = order[at] ?? 0;
      targets[at] = this.#to[edge] ?? 0;
      kinds[at] = this.#kinds[edge] ?? 0;
      const condition = this.#conditions[edge];
      if (condition !== undefined) conditions.set(at, condition);
    }
    const importers = this.#importers;
    let found: LockedGraph['direct'] | undefined;
    return {
      nodes,
      releases,
      firstEdge,
      targets,
      kinds,
      conditions,
      importers,
      direct(dependency, importer) {
        found ??= typeof direct === 'function' ? direct : directByVersion(nodes, importers, direct.locked);
        return found(dependency, importer);
      },
      isPartial: this.#isPartial,
    };
  }
}

interface LockedVersion {
  readonly locked: (dependency: Dependency, importer: string) => string | undefined;
}

function releasesOf(nodes: readonly LockedNode[]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(nodes, ({ name, version, source }) => {
    const id = source ? `${name}@${source}:${version}` : `${name}@${version}`;
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return number;
  });
}

/** Sorts edges by the node that they leave, in the order of the file. */
function byOrigin(nodes: number, from: readonly number[]): { firstEdge: Uint32Array; order: Uint32Array } {
  const firstEdge = new Uint32Array(nodes + 1);
  for (const it of from) firstEdge[it + 1] = (firstEdge[it + 1] ?? 0) + 1;
  for (let node = 0; node < nodes; node++) firstEdge[node + 1] = (firstEdge[node + 1] ?? 0) + (firstEdge[node] ?? 0);
  const next = firstEdge.slice();
  const order = new Uint32Array(from.length);
  for (const [edge, node] of from.entries()) {
    const at = next[node] ?? 0;
    order[at] = edge;
    next[node] = at + 1;
  }
  return { firstEdge, order };
}

/** A direct dependency as the file records it, else the packages of the version by which the lockfile serves it. */
export function directByVersion(
  nodes: readonly LockedNode[],
  importers: ReadonlyMap<string, readonly LockedRoot[]>,
  locked: LockedVersion['locked'],
): LockedGraph['direct'] {
  let releases: ReleaseNodes | undefined;
  return (dependency, importer) => {
    const { key, name } = dependency;
    const ofPackage = importers.get(importer)?.filter((it) => nodes[it.node]?.name === key.name) ?? [];
    const named = ofPackage.filter((it) => it.name === name);
    // Some files do not know aliases.
    const recorded = named.length > 0 ? named : ofPackage.filter((it) => it.name === key.name);
    const recordedNodes = [...new Set(recorded.map((it) => it.node))];
    if (recordedNodes.length === 1) return recordedNodes;
    const version = locked(dependency, importer);
    // Several versions are installed under different conditions, or under another name.
    const meant = recordedNodes.filter((it) => nodes[it]?.version === version);
    if (recordedNodes.length > 0) return meant.length > 0 ? meant : recordedNodes;
    if (version === undefined) return [];
    releases ??= nodesByRelease(nodes);
    const id = `${key.name}@${version}`;
    const node = releases.first.get(id);
    if (node === undefined) return [];
    const extras = canonicalExtras(dependency.extras ?? []);
    const wanted = new Set([...extras, extras.join()]);
    return [node, ...(releases.withExtra.get(id) ?? []).filter((it) => wanted.has(nodes[it]?.extra ?? ''))];
  };
}

interface ReleaseNodes {
  readonly first: ReadonlyMap<string, number>;
  readonly withExtra: ReadonlyMap<string, readonly number[]>;
}

function nodesByRelease(nodes: readonly LockedNode[]): ReleaseNodes {
  const first = new Map<string, number>();
  const withExtra = new Map<string, number[]>();
  for (const [index, { name, version, extra }] of nodes.entries()) {
    const id = `${name}@${version}`;
    if (extra !== undefined) addTo(withExtra, id, index);
    else if (!first.has(id)) first.set(id, index);
  }
  return { first, withExtra };
}

/** Of Python, whose lockfiles alone have nodes with extras. */
export function canonicalExtras(extras: readonly string[]): string[] {
  return extras.map((it) => canonicalName('PYPI', it.trim())).sort();
}

/** Calls once, when the result is first needed. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
