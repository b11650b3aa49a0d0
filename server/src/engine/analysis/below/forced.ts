import type { LockedGraph } from '../../model/graph/locked-graph.ts';
import type { Forced } from '../../model/graph/override.ts';

/** What an override of a locked version has to say, read from the graph of the lockfile. */
export function forcedIn(graph: LockedGraph, name: string, version: string, wanted: string): Forced {
  const isOwn = (node: number): boolean => {
    const it = graph.nodes[node];
    return it !== undefined && it.name === name && it.version === version && it.source === undefined;
  };
  const others = new Set<string>();
  const requiredBy = new Set<string>();
  for (const [node, it] of graph.nodes.entries()) {
    if (it.name === name && it.version !== version && it.source === undefined) others.add(it.version);
    if (it.source === 'workspace') continue;
    const end = graph.firstEdge[node + 1] ?? 0;
    for (let edge = graph.firstEdge[node] ?? 0; edge < end; edge++) {
      if (isOwn(graph.targets[edge] ?? 0)) requiredBy.add(it.name);
    }
  }
  return { name, version, wanted, others: [...others], requiredBy: [...requiredBy] };
}
