import type { EvaluatedDependency } from '../model/evaluated-dependency.ts';
import type { InstallScripts } from '../model/graph/install-scripts.ts';
import type { LockedGraph } from '../model/graph/locked-graph.ts';
import { pathText } from './below/texts.ts';
import { type AroundLocked, type LockedPlace, placeInLockfile, shortestPaths } from './brought.ts';

/*
 * npm, older pnpm, yarn and bun record which packages run a script when they are installed. Nothing is requested for it:
 *
 *     vite 5.2.0 ─→ esbuild 0.20.2 (hasInstallScript)      vite brings it: vite → esbuild 0.20.2
 *
 * A lockfile that records none proves nothing: pnpm 9 and yarn 1 leave it out.
 */

/** Undefined where the lockfile names no install script of the dependency or of what it brings, or is being read. */
export function installScriptsOf(around: AroundLocked, evaluated: EvaluatedDependency): InstallScripts | undefined {
  const place = placeInLockfile(around, evaluated);
  return place && scriptsAt(place);
}

/** Adds the install scripts to each dependency that has some. Yields after each search. */
export function* withInstallScripts(
  around: AroundLocked,
  dependencies: readonly EvaluatedDependency[],
): Generator<void, readonly EvaluatedDependency[]> {
  const all: EvaluatedDependency[] = [];
  for (const evaluated of dependencies) {
    const place = placeInLockfile(around, evaluated);
    const isKnown = place === undefined || knownAt(place) !== undefined;
    const scripts = place && scriptsAt(place);
    all.push(scripts ? joinedWith(evaluated, scripts) : evaluated);
    if (!isKnown) yield;
  }
  return all;
}

/** By graph, then by the nodes of the dependency. The graph stays the same while its lockfile does. */
const known = new WeakMap<LockedGraph, Map<string, InstallScripts | 'none'>>();
const releasesWithScripts = new WeakMap<LockedGraph, ReadonlySet<number>>();

function knownAt({ graph, nodes }: LockedPlace): InstallScripts | 'none' | undefined {
  return known.get(graph)?.get(nodes.join());
}

function scriptsAt(place: LockedPlace): InstallScripts | undefined {
  const { graph, nodes } = place;
  const before = knownAt(place);
  if (before !== undefined) return before === 'none' ? undefined : before;
  const found = search(place);
  const ofGraph = known.get(graph) ?? new Map<string, InstallScripts | 'none'>();
  known.set(graph, ofGraph.set(nodes.join(), found ?? 'none'));
  return found;
}

function search({ graph, nodes }: LockedPlace): InstallScripts | undefined {
  const releases = releasesWithScripts.get(graph) ?? findReleases(graph);
  releasesWithScripts.set(graph, releases);
  if (releases.size === 0) return undefined;
  const own = new Set(nodes.map((it) => graph.releases[it] ?? 0));
  const paths = shortestPaths(graph, nodes, releases);
  const below = paths.filter((it) => !own.has(graph.releases[it.at(-1) ?? 0] ?? 0));
  const isOwn = below.length < paths.length;
  if (paths.length === 0) return undefined;
  return {
    isOwn,
    below: below.map((path) => {
      const [from, to] = [path[0] ?? 0, path.at(-1) ?? 0];
      const name = graph.nodes[to]?.name ?? '';
      return { key: { system: 'NPM', name }, path: pathText(graph, path, graph.nodes[from]?.name ?? '') };
    }),
  };
}

function findReleases(graph: LockedGraph): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [node, { hasInstallScript }] of graph.nodes.entries())
    if (hasInstallScript) found.add(graph.releases[node] ?? 0);
  return found;
}

/** The same object again, so that what is known of it is not computed again. */
const joined = new WeakMap<EvaluatedDependency, EvaluatedDependency>();

function joinedWith(evaluated: EvaluatedDependency, installScripts: InstallScripts): EvaluatedDependency {
  const before = joined.get(evaluated);
  if (before?.installScripts === installScripts) return before;
  const result = { ...evaluated, installScripts };
  joined.set(evaluated, result);
  return result;
}
