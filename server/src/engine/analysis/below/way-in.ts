import { directoryOf, resolveUri } from '../../base/uri.ts';
import { lockfileFormats } from '../../ecosystems/lockfile-formats.ts';
import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import type { LockedGraph } from '../../model/graph/locked-graph.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { FoundLockfile, ParsedManifest } from '../../model/manifest-chain.ts';
import { GraphSearch } from '../brought.ts';
import { pinnedVersion } from '../evaluate/resolve.ts';
import type { GraphOf } from '../graphs.ts';
import type { Snapshot } from '../snapshot.ts';

/** How a package of an opened lockfile comes into a project. */
export interface WayIn {
  readonly graph: LockedGraph;
  /** From the direct dependency to the package, both included. */
  readonly path: readonly number[];
  /** The direct dependency, as its manifest names it. */
  readonly name: string;
  /** The manifest that requires it. */
  readonly uri: string;
  /** Its line there; absent for a member of the workspace, whose manifest is not read. */
  readonly dependency?: Dependency;
}

/** A direct dependency, and its nodes. */
type Root = Pick<WayIn, 'name' | 'uri' | 'dependency'> & { readonly nodes: readonly number[] };

const none: readonly ParsedManifest[] = [];

/** Undefined where the lockfile does not record what packages require, and while its graph is being read. */
export function wayInto(
  { uri, format, texts, manifests = none }: Pick<Snapshot, 'uri' | 'format' | 'texts' | 'manifests'>,
  { linked }: EvaluatedDependency,
  graphOf: GraphOf,
): WayIn | undefined {
  const text = texts.get(uri);
  const found = text === undefined || format.record !== 'lockfile' ? undefined : opened(uri, format.id, text);
  const graph = found && graphOf(found);
  const version = pinnedVersion(linked);
  if (graph === undefined || graph === 'unrecorded' || version === undefined) return undefined;
  const { roots, parents, nearest } = searchIn(uri, graph, manifests);
  const target = nearest.get(`${linked.key.name} ${version}`);
  if (target === undefined) return undefined;
  const path = pathTo(target, parents);
  const root = roots.find((it) => it.nodes.includes(path[0] ?? -1));
  if (root === undefined) return undefined;
  const { nodes: _, ...own } = root;
  return { graph, path, ...own };
}

/** What is reached from the direct dependencies. */
interface Search {
  readonly manifests: readonly ParsedManifest[];
  readonly roots: readonly Root[];
  /** The node before each on a shortest path. */
  readonly parents: Int32Array;
  /** By name and version the nearest node. */
  readonly nearest: ReadonlyMap<string, number>;
}

/** One search finds the ways to all packages of a file. */
const searches = new WeakMap<LockedGraph, Search>();

function searchIn(uri: string, graph: LockedGraph, manifests: readonly ParsedManifest[]): Search {
  const before = searches.get(graph);
  if (before?.manifests === manifests) return before;
  const roots = rootsOf(uri, graph, manifests);
  const parents = new Int32Array(graph.nodes.length).fill(-1);
  const nearest = new Map<string, number>();
  const starts = roots.flatMap((it) => it.nodes);
  for (const node of new GraphSearch(graph).from(starts, parents)) {
    const { name, version } = graph.nodes[node] ?? {};
    const id = `${name} ${version}`;
    if (!nearest.has(id)) nearest.set(id, node);
  }
  const made = { manifests, roots, parents, nearest };
  searches.set(graph, made);
  return made;
}

function pathTo(target: number, parents: Int32Array): readonly number[] {
  const path = [target];
  for (let node = parents[target] ?? -1; node >= 0; node = parents[node] ?? -1) path.push(node);
  return path.reverse();
}

/** The one that a person looks at: it is parsed once for all of its packages. */
let last: FoundLockfile | undefined;

function opened(uri: string, id: string, text: string): FoundLockfile | undefined {
  const directory = directoryOf(uri);
  if (last?.text === text && last.directory === directory && last.format.id === id) return last;
  const format = lockfileFormats.find((it) => it.opened.id === id);
  if (format === undefined) return undefined;
  last = { format, directory, lockfile: format.parse(text), text };
  return last;
}

/** Those of the manifests beside it first, then those that the lockfile has of others. */
function rootsOf(uri: string, graph: LockedGraph, manifests: readonly ParsedManifest[]): readonly Root[] {
  const beside = manifests.flatMap(({ uri: own, manifest }) =>
    manifest.dependencies.map(
      (dependency): Root => ({ name: dependency.name, uri: own, dependency, nodes: graph.direct(dependency, '') }),
    ),
  );
  const file = nameIn(manifests) ?? '';
  const others = [...graph.importers].flatMap(([importer, all]) =>
    all.map(
      ({ name, node }): Root => ({
        name,
        uri: resolveUri(directoryOf(uri), importer === '' ? file : `${importer}/${file}`),
        nodes: [node],
      }),
    ),
  );
  return [...beside, ...others];
}

/** Members of a workspace have a manifest of the same name. */
function nameIn([first]: readonly ParsedManifest[]): string | undefined {
  return first?.uri.slice(directoryOf(first.uri).length);
}
