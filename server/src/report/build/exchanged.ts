import type { Snapshot } from '../../analysis/snapshot.ts';
import { directoryOf, relativeTo } from '../../base/uri.ts';
import type { LockedGraph } from '../../model/graph/locked-graph.ts';
import type { LockedPackage, Lockfile } from '../../model/lockfile.ts';
import type { FoundLockfile } from '../../model/manifest-chain.ts';

/** A dependency that a lockfile takes from elsewhere than its manifest says. */
export interface Exchanged {
  readonly lockfile: FoundLockfile;
  /** As the manifest calls it. */
  readonly name: string;
}

/**
 * The first dependency of each lockfile for which it has another package, a repository, an address or an archive in the place
 * of the version of a registry that the manifest requires. The clients install what the lockfile says.
 *
 *     package.json        "fine": "^1.0.0"
 *     package-lock.json   "node_modules/fine": { "name": "evil", "version": "1.0.0" }
 */
export function exchangedIn({ uri, lockfiles, dependencies }: Snapshot): readonly Exchanged[] {
  const found = new Map<FoundLockfile, Exchanged>();
  const from = directoryOf(uri);
  for (const { linked, resolution, shared } of dependencies) {
    const { key, requirement, dependency } = linked;
    const isLocked = resolution.kind === 'version' && resolution.from === 'lockfile';
    if (shared || isLocked || resolution.kind === 'none' || requirement.kind === 'source') continue;
    for (const lockfile of lockfiles) {
      const importer = relativeTo(lockfile.directory, from);
      if (found.has(lockfile) || importer === undefined || lockfile.format.opened.system !== key.system) continue;
      const is = entriesOf(lockfile.lockfile, importer, dependency.name, key.name);
      if (is.length === 0) continue;
      if (is.every(({ source, name }) => (source ? source !== 'workspace' : name !== key.name)))
        found.set(lockfile, { lockfile, name: dependency.name });
      break;
    }
  }
  return [...found.values()];
}

type Entry = Pick<LockedPackage, 'name' | 'source'>;

/** What the file records for the manifest; of a file that does not record it, its entries of that name. */
function entriesOf(lockfile: Lockfile, importer: string, name: string, packageName: string): readonly Entry[] {
  const graph = lockfile.graph();
  if (graph === 'unrecorded') return namedIn(lockfile, lockfile.packages).get(packageName) ?? [];
  const recorded = graph.importers.get(importer)?.filter((it) => it.name === name || it.name === packageName) ?? [];
  if (recorded.length > 0) return recorded.map(({ node }) => nodeAt(graph, node));
  return graph.importers.size > 0 ? [] : (namedIn(lockfile, graph.nodes).get(packageName) ?? []);
}

function nodeAt(graph: LockedGraph, node: number): Entry {
  const { name = '', source } = graph.nodes[node] ?? {};
  return { name, ...(source && { source }) };
}

const known = new WeakMap<Lockfile, ReadonlyMap<string, readonly Entry[]>>();

function namedIn(
  lockfile: Lockfile,
  entries: readonly { readonly name: string; readonly source?: LockedPackage['source'] | undefined }[],
): ReadonlyMap<string, readonly Entry[]> {
  const before = known.get(lockfile);
  if (before) return before;
  const byName = new Map<string, Entry[]>();
  for (const { name, source } of entries) {
    const same = byName.get(name);
    const entry = { name, ...(source && { source }) };
    if (same) same.push(entry);
    else byName.set(name, [entry]);
  }
  known.set(lockfile, byName);
  return byName;
}
