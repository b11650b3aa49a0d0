import { reachable } from '../../analysis/brought.ts';
import { asLinked } from '../../analysis/link/locked-versions.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { directoryOf, relativeTo } from '../../base/uri.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { LockedGraph } from '../../model/graph/locked-graph.ts';
import { canonicalName } from '../../model/keys.ts';
import type { FoundLockfile } from '../../model/manifest-chain.ts';

/** A lockfile with a version that its client installs, and that no manifest requires. */
export interface Unrequired extends Installed {
  readonly found: FoundLockfile;
}

interface Installed {
  /** In canonical spelling. */
  readonly name: string;
  readonly version: string;
}

/** The manifests beside each other count together: a project may have its requirements in several files. */
export function unrequiredIn(snapshots: readonly Snapshot[]): readonly Unrequired[] {
  return snapshots.flatMap((snapshot): Unrequired[] => {
    const directory = directoryOf(snapshot.uri);
    const served = snapshot.lockfiles.filter(({ lockfile }) => lockfile.installs);
    if (snapshot.format.id !== 'pyproject.toml' || served.length === 0) return [];
    const beside = snapshots.filter((it) => directoryOf(it.uri) === directory);
    // What is not understood may require it.
    if (beside.some(({ chain }) => chain.truncatedAt || chain.files.some((it) => it.manifest.problems.length > 0)))
      return [];
    const all = beside
      .flatMap((it) => [it, ...it.included])
      .flatMap((it) => it.dependencies.map(({ linked }) => linked));
    return served.flatMap((found) => {
      const importer = relativeTo(found.directory, directory);
      const beyond = importer === undefined ? undefined : installedBeyond(all, found, importer);
      return beyond ? { found, ...beyond } : [];
    });
  });
}

function installedBeyond(
  required: readonly LinkedDependency[],
  { lockfile }: FoundLockfile,
  importer: string,
): Installed | undefined {
  const graph = lockfile.graph();
  if (graph === 'unrecorded') return undefined;
  const names = new Set(required.flatMap((it) => [it.key.name, canonical(it.dependency.name)]));
  if (lockfile.installs === 'roots') {
    const roots = (graph.importers.get(importer) ?? []).map((it) => graph.nodes[it.node]);
    const other = roots.find((it) => it && it.source !== 'workspace' && !names.has(canonical(it.name)));
    return other && { name: canonical(other.name), version: other.version };
  }
  // The version of a package from a folder is not looked up in the file: any extra of it may be meant.
  const local = new Set(required.flatMap((it) => (it.requirement.kind === 'source' ? it.key.name : [])));
  const own = [...graph.nodes.keys()].filter((it) => {
    const name = nameAt(graph, it);
    return local.has(name) || (names.has(name) && graph.nodes[it]?.extra === undefined);
  });
  own.push(...required.flatMap((it) => graph.direct(asLinked(it), importer)));
  const reached = new Set(reachable(graph, own).map((it) => nameAt(graph, it)));
  const other = required.map((it) => otherVersionOf(it, graph)).find((it) => it !== undefined);
  if (other !== undefined) return other;
  return lockfile.packages
    .map((it) => ({ name: canonical(it.name), version: it.version.text }))
    .find(({ name }) => !reached.has(name) && !names.has(name));
}

/** A package that is required under all conditions has one version: a second one beside it is installed in its place. */
function otherVersionOf({ key, requirement, dependency }: LinkedDependency, graph: LockedGraph): Installed | undefined {
  if (requirement.kind !== 'text' || dependency.condition !== undefined || dependency.scope === 'build')
    return undefined;
  const { keeps } = versioning.PYPI;
  const all = graph.nodes.filter((it) => it.source === undefined && canonical(it.name) === key.name);
  const others = all.filter((it) => !keeps(it.version, requirement.text));
  const [other] = others.length < all.length ? others : [];
  return other && { name: key.name, version: other.version };
}

function nameAt({ nodes }: LockedGraph, node: number): string {
  return canonical(nodes[node]?.name ?? '');
}

function canonical(name: string): string {
  return canonicalName('PYPI', name);
}
