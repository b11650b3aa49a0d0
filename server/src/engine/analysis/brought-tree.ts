import { byText } from '../base/text.ts';
import type { AffectedBelow, Below } from '../model/graph/below.ts';
import { type EdgeKind, edgeKinds, type LockedGraph, type LockedNode } from '../model/graph/locked-graph.ts';
import type { ReleaseInsight } from '../model/graph/releases.ts';
import type { Advisory } from '../model/signals/advisory.ts';
import { bringing, shortestPaths } from './brought.ts';

/*
 * One level of what a direct dependency brings, by its lockfile. A package is opened on its own, since the whole tree of a
 * large lockfile has millions of lines:
 *
 *     express 4.19.2
 *     ├─ body-parser 1.20.2    leads to qs 6.11.0
 *     │  └─ qs 6.11.0          1 advisory
 *     └─ accepts 1.3.8
 */

/** A package that another one requires. */
export interface BroughtPackage {
  readonly node: number;
  readonly locked: LockedNode;
  readonly kind: EdgeKind;
  /** Whether it is on its own path: it is not opened again. */
  readonly isCycle: boolean;
  readonly hasRequirements: boolean;
  /** Of the version itself; the worst first. */
  readonly advisories: readonly Advisory[];
  readonly isDeprecated: boolean;
  /** The worst affected package further down, on a way without the packages above. */
  readonly leadsTo?: AffectedBelow;
  /** Undefined if its name stays here, or it comes from no registry. Of a member of the workspace there is none. */
  readonly insight: ReleaseInsight | 'workspace' | undefined;
  /** A shortest path from the direct dependency, both included. */
  readonly shortest: readonly number[];
}

/**
 * What some nodes require: affected packages first, then those that lead to one, then deprecated ones, the others by name.
 * @param path the nodes from the direct dependency down, of which the last one is opened; empty for the dependency itself
 * @param directs the nodes of the direct dependency
 * @param below what is known of it; absent while it is not looked up
 */
export function packagesBelow(
  graph: LockedGraph,
  directs: readonly number[],
  path: readonly number[],
  below: Below | undefined,
): readonly BroughtPackage[] {
  const opened = path.at(-1);
  const above = new Set([...directs, ...path]);
  const affected = new Map((below?.affected ?? []).map((it) => [graph.releases[it.node] ?? 0, it]));
  const deprecated = new Set((below?.deprecated ?? []).map((it) => graph.releases[it.node] ?? 0));
  const leads = leadsToAffected(graph, below?.affected ?? [], above);
  const required = requiredBy(graph, opened === undefined ? directs : [opened]);
  const releases = new Set([...required.keys()].map((it) => graph.releases[it] ?? 0));
  const shortest = new Map(
    shortestPaths(graph, directs, releases).map((it) => [graph.releases[it.at(-1) ?? 0] ?? 0, it]),
  );
  const packages = [...required].flatMap(([node, kind]): BroughtPackage[] => {
    const locked = graph.nodes[node];
    if (locked === undefined) return [];
    const release = graph.releases[node] ?? 0;
    const isCycle = above.has(node);
    const leadsTo = isCycle ? undefined : leads.get(node);
    return [
      {
        node,
        locked,
        kind,
        isCycle,
        hasRequirements: requiredBy(graph, [node]).size > 0,
        advisories: affected.get(release)?.advisories ?? [],
        isDeprecated: deprecated.has(release),
        ...(leadsTo && leadsTo !== affected.get(release) && { leadsTo }),
        insight: locked.source === 'workspace' ? 'workspace' : below?.insightOf(node),
        shortest: shortest.get(release) ?? [node],
      },
    ];
  });
  const order = new Map([...affected.values()].map((it, at) => [it, at]));
  const rank = (it: BroughtPackage): number => {
    const own = affected.get(graph.releases[it.node] ?? 0);
    if (own) return order.get(own) ?? 0;
    if (it.leadsTo) return order.size + (order.get(it.leadsTo) ?? 0);
    return order.size * 2 + (it.isDeprecated ? 0 : 1);
  };
  return packages.sort(
    (a, b) => rank(a) - rank(b) || byText(a.locked.name, b.locked.name) || byText(a.locked.version, b.locked.version),
  );
}

/** The nodes that some nodes require, without optional peers, which they only use where they are installed. */
function requiredBy({ firstEdge, targets, kinds }: LockedGraph, nodes: readonly number[]): Map<number, EdgeKind> {
  const required = new Map<number, EdgeKind>();
  for (const node of nodes) {
    const end = firstEdge[node + 1] ?? 0;
    for (let edge = firstEdge[node] ?? 0; edge < end; edge++) {
      const kind = edgeKinds[kinds[edge] ?? 0] ?? 'runtime';
      const target = targets[edge] ?? 0;
      if (bringing.has(kind) && !required.has(target)) required.set(target, kind);
    }
  }
  return required;
}

/**
 * By node from which an affected package can be reached: the worst one.
 * @param affected the worst first
 * @param above nodes that no way passes
 */
function leadsToAffected(
  graph: LockedGraph,
  affected: readonly AffectedBelow[],
  above: ReadonlySet<number>,
): ReadonlyMap<number, AffectedBelow> {
  const leads = new Map<number, AffectedBelow>();
  if (affected.length === 0) return leads;
  const byRelease = new Map(affected.map((it) => [graph.releases[it.node] ?? 0, it]));
  const places = new Map<AffectedBelow, number[]>();
  for (let node = 0; node < graph.nodes.length; node++) {
    const found = byRelease.get(graph.releases[node] ?? 0);
    if (found) places.set(found, [...(places.get(found) ?? []), node]);
  }
  const { starts, sources } = requirersIn(graph);
  for (const target of affected) {
    const queue = (places.get(target) ?? []).filter((it) => !above.has(it));
    // The queue grows while it is read. What leads to a worse one is not passed again.
    for (const node of queue) {
      const end = starts[node + 1] ?? 0;
      for (let at = starts[node] ?? 0; at < end; at++) {
        const requirer = sources[at] ?? 0;
        if (leads.has(requirer) || above.has(requirer)) continue;
        leads.set(requirer, target);
        queue.push(requirer);
      }
    }
  }
  return leads;
}

/** The packages that require each node, as arrays by node. */
interface Requirers {
  readonly starts: Uint32Array;
  readonly sources: Uint32Array;
}

const requirers = new WeakMap<LockedGraph, Requirers>();

function requirersIn(graph: LockedGraph): Requirers {
  const known = requirers.get(graph);
  if (known) return known;
  const { nodes, firstEdge, targets, kinds } = graph;
  const follows = edgeKinds.map((it) => bringing.has(it));
  const starts = new Uint32Array(nodes.length + 1);
  for (const [edge, target] of targets.entries())
    if (follows[kinds[edge] ?? 0]) starts[target + 1] = (starts[target + 1] ?? 0) + 1;
  for (let node = 0; node < nodes.length; node++) starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
  const next = starts.slice();
  const sources = new Uint32Array(starts[nodes.length] ?? 0);
  for (let node = 0; node < nodes.length; node++) {
    const end = firstEdge[node + 1] ?? 0;
    for (let edge = firstEdge[node] ?? 0; edge < end; edge++) {
      const target = targets[edge] ?? 0;
      if (!follows[kinds[edge] ?? 0]) continue;
      const at = next[target] ?? 0;
      sources[at] = node;
      next[target] = at + 1;
    }
  }
  const made = { starts, sources };
  requirers.set(graph, made);
  return made;
}
