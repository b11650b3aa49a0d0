import type { Span } from '../../engine/model/span.ts';
import type { ManifestResource } from './manifest.ts';

/** Resources that require each other. Each has the span of the text that leads to the next one. */
export interface Cycle {
  /** The names in order; the last one leads to the first. */
  readonly names: readonly string[];
  readonly span: Span;
}

/** Cycles in one manifest. More of them do not help, and each costs a search of the whole manifest. */
const MAX_CYCLES = 50;

/** The cycles, each with the shortest way back to where it begins. */
export function findCycles(resources: readonly ManifestResource[]): readonly Cycle[] {
  const edges = new Map<string, Map<string, Span>>();
  for (const { name, references, dependsOn } of resources) {
    if (!name) continue;
    const to = edges.get(name.text) ?? new Map<string, Span>();
    for (const it of references) if (!to.has(it.resource)) to.set(it.resource, it.span);
    for (const it of dependsOn) if (!to.has(it.text)) to.set(it.text, it.span);
    edges.set(name.text, to);
  }
  const found: Cycle[] = [];
  const seen = new Set<string>();
  removeLeaves(edges);
  for (const start of edges.keys()) {
    if (found.length >= MAX_CYCLES) break;
    if (seen.has(start)) continue;
    const names = shortestWayBack(start, edges);
    const span = names && edges.get(start)?.get(names[1] ?? start);
    if (!names || !span) continue;
    for (const it of names) seen.add(it);
    found.push({ names, span });
  }
  return found;
}

function shortestWayBack(start: string, edges: ReadonlyMap<string, ReadonlyMap<string, Span>>): string[] | undefined {
  const from = new Map<string, string>();
  const queue = [start];
  for (const name of queue) {
    for (const next of edges.get(name)?.keys() ?? []) {
      if (next === start) {
        const names = [name];
        for (let at = name; at !== start; ) {
          at = from.get(at) ?? start;
          names.unshift(at);
        }
        return names;
      }
      if (from.has(next) || !edges.has(next)) continue;
      from.set(next, name);
      queue.push(next);
    }
  }
  return undefined;
}

/** Removes the resources that lead to no cycle. */
function removeLeaves(edges: Map<string, Map<string, Span>>): void {
  const users = new Map<string, string[]>();
  const left = new Map<string, number>();
  for (const [name, to] of edges) {
    const known = [...to.keys()].filter((it) => edges.has(it));
    left.set(name, known.length);
    for (const it of known) {
      const before = users.get(it);
      if (before) before.push(name);
      else users.set(it, [name]);
    }
  }
  const leaves = [...edges.keys()].filter((it) => left.get(it) === 0);
  for (const leaf of leaves) {
    edges.delete(leaf);
    for (const it of users.get(leaf) ?? []) {
      const count = (left.get(it) ?? 0) - 1;
      left.set(it, count);
      if (count === 0) leaves.push(it);
    }
  }
}
