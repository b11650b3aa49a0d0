import { placeInLockfile } from '../../../server/src/engine/analysis/brought.ts';
import { graphReader } from '../../../server/src/engine/analysis/graphs.ts';
import type { EvaluatedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import { type EdgeKind, edgeKinds, type LockedGraph } from '../../../server/src/engine/model/graph/locked-graph.ts';
import { openLab } from '../../harness/lab.ts';
import type { Installed, Resolved } from './installed.ts';
import { type ResolutionProject, registryHost } from './projects.ts';

const ownGroups = new Set([
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'imports',
  '',
]);

export interface Answers extends Resolved {
  /** By manifest and name: the range that counts. */
  readonly ranges: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What the engine says of a project. What only the registry knows (a tag) has no version. */
export async function answersTo(
  { universe, files, manifests, client }: ResolutionProject,
  lockfile?: Installed['lockfile'],
): Promise<Answers> {
  const catalog = Object.fromEntries(
    Object.entries(universe).map(([name, { versions, tags }]) => [
      `NPM ${name}`,
      {
        versions: Object.fromEntries(
          Object.entries(versions).map(([version, { deprecated }]) => [
            version,
            { ...(deprecated && { deprecated }), ...(version === tags['latest'] && { isDefault: true }) },
          ]),
        ),
      },
    ]),
  );
  const texts = new Map(Object.entries(files));
  if (lockfile) texts.set(lockfile.name, lockfile.text);
  else if (client === 'bun') texts.set('bunfig.toml', '');
  const lab = await openLab(texts, catalog, { publicRegistries: [new URL(registryHost).host] });
  try {
    const direct: Record<string, Record<string, string>> = {};
    const brought: Record<string, Record<string, readonly string[]>> = {};
    const ranges: Record<string, Record<string, string>> = {};
    const all = new Set<string>();
    const graphOf = graphReader(undefined);
    for (const path of manifests) {
      const snapshot = await lab.settled(path);
      const versions: Record<string, string> = {};
      const below: Record<string, readonly string[]> = {};
      const seen = new Set<string>();
      const wanted: Record<string, string> = {};
      for (const it of snapshot.dependencies) {
        const { dependency } = it.linked;
        if (!ownGroups.has(dependency.group ?? '')) continue;
        const said = versionIn(it);
        // A package of two groups is one.
        const isKnown = seen.has(dependency.name);
        seen.add(dependency.name);
        if (said === undefined || (isKnown && dependency.group === 'peerDependencies')) continue;
        versions[dependency.name] = said;
        if (it.linked.requirement.kind === 'text') wanted[dependency.name] = it.linked.requirement.text;
        const place = lockfile && placeInLockfile({ uri: snapshot.uri, lockfiles: snapshot.lockfiles, graphOf }, it);
        if (place) below[dependency.name] = namesOf(place.graph, reached(place.graph, place.nodes, plain));
      }
      direct[path] = versions;
      ranges[path] = wanted;
      brought[path] = below;
      for (const found of snapshot.lockfiles) {
        const graph = graphOf(found);
        if (graph === undefined || graph === 'unrecorded') continue;
        const roots = [...graph.importers.values()].flatMap((it) => it.map(({ node }) => node));
        for (const it of namesOf(graph, reached(graph, roots, any))) all.add(it);
      }
    }
    return { direct, brought, all: [...all].sort(), ranges };
  } finally {
    await lab.close();
  }
}

function versionIn({ linked, resolution }: EvaluatedDependency): string | undefined {
  if (resolution.kind === 'version') return `${linked.key.name}@${resolution.version}`;
  if (linked.requirement.kind === 'source' && linked.requirement.source === 'workspace') return 'workspace';
  return resolution.kind === 'none' ? undefined : `${linked.key.name}@(${resolution.kind})`;
}

const plain: ReadonlySet<EdgeKind> = new Set(['runtime', 'optional']);
const any: ReadonlySet<EdgeKind> = new Set(edgeKinds);

function reached(
  { firstEdge, targets, kinds }: LockedGraph,
  from: readonly number[],
  which: ReadonlySet<EdgeKind>,
): number[] {
  const found = new Set(from);
  for (const node of found) {
    for (let edge = firstEdge[node] ?? 0; edge < (firstEdge[node + 1] ?? 0); edge++) {
      if (which.has(edgeKinds[kinds[edge] ?? 0] ?? 'runtime')) found.add(targets[edge] ?? 0);
    }
  }
  return [...found];
}

function namesOf({ nodes }: LockedGraph, found: readonly number[]): string[] {
  const names = found.flatMap((it) => {
    const { name = '', version = '', source } = nodes[it] ?? {};
    return source === undefined || source === 'url' ? `${name}@${version}` : [];
  });
  return [...new Set(names)].sort();
}
