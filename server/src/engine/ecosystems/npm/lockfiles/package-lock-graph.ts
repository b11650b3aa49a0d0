import { isRecord } from '../../../base/text.ts';
import { ownOf, readPlainRecord, recordAt } from '../../../formats/json/plain.ts';
import type { EdgeKind, LockedGraph, LockedNode } from '../../../model/graph/locked-graph.ts';
import type { Dependency, Source } from '../../../model/manifest.ts';
import { GraphBuilder } from '../../shared/graph-builder.ts';
import { dependencyGroups } from '../dependency-groups.ts';
import { platformOf } from '../platform.ts';
import { addEntry } from './archive-address.ts';
import { createNearest } from './nearest.ts';
import { contentOf, fieldsOf, folder } from './package-lock-entry.ts';

type Json = Readonly<Record<string, unknown>>;

/** A package in its place. */
interface Place {
  /** `''` for the root, `packages/a`, `node_modules/a/node_modules/lodash`. */
  readonly directory: string;
  readonly entry: Json;
}

/**
 * What npm installed, each package in its place. A requirement is met as Node resolves it: by the nearest `node_modules`.
 *
 *     "packages": { "": { "dependencies": { "a": "^1.0.0" } },
 *                   "node_modules/a": { "version": "1.0.0", "dependencies": { "lodash": "^4.17.0" } },
 *                   "node_modules/a/node_modules/lodash": { "version": "4.17.21" },      ← a → lodash 4.17.21
 *                   "node_modules/lodash": { "version": "3.10.1" } }
 *
 * Version 1 has the packages inside of those that they are installed in, what they need in `requires`, and nothing of the
 * root.
 */
export function packageLockGraph(text: string): LockedGraph {
  const { root, isBroken } = readPlainRecord(text);
  const packages = recordAt(root, 'packages');
  const places = placesIn(root);
  const builder = new GraphBuilder('NPM');
  if (isBroken) builder.break();
  const nodes = new Map<string, number>();
  const links = new Map<string, string>();
  const resolve = createNearest((directory, name) => {
    const at = `${directory}${directory && '/'}${folder}${name}`;
    return nodes.get(links.get(at) ?? at);
  }, above);
  for (const { directory, entry } of places) {
    const linked = entry.link === true && typeof entry.resolved === 'string' ? entry.resolved : undefined;
    const target = linked === undefined ? undefined : ownOf(packages, linked);
    if (linked !== undefined && isRecord(target) && isNamed(target, linked, directory)) links.set(directory, linked);
    else if (directory !== '') nodes.set(directory, addEntry(builder, nodeOf(directory, entry)));
  }

  for (const { directory, entry } of places) {
    const isManifest = !directory.includes(folder);
    if (isManifest) builder.importer(directory);
    const from = nodes.get(directory);
    if (links.has(directory)) continue;
    for (const { name, kind } of requirementsOf(entry)) {
      const to = resolve(directory, name);
      if (isManifest) builder.root(directory, name, kind, to);
      if (from !== undefined) builder.edge(from, to, kind);
    }
  }
  return builder.build(direct);

  function direct({ name, key, group = '' }: Dependency, importer: string): readonly number[] {
    if (!dependencyGroups.has(group)) return [];
    const node = resolve(importer, name);
    return node !== undefined && builder.nodes[node]?.name === key.name ? [node] : [];
  }
}

/** What the packages say of their registries, each as often as it is installed. */
export function* registriesInPackageLock(
  root: Json,
): Iterable<{ readonly name: string; readonly registry: string | undefined; readonly source: Source | undefined }> {
  for (const { directory, entry } of placesIn(root)) {
    const own = directory.lastIndexOf(folder);
    const read = own < 0 ? undefined : contentOf(fieldsOf(entry));
    if (read?.registry === undefined) continue;
    const { packageName = directory.slice(own + folder.length), registry, source } = read;
    yield { name: packageName, registry, source };
  }
}

function placesIn(root: Json): readonly Place[] {
  const packages = recordAt(root, 'packages');
  return Object.keys(packages).some((it) => it.includes(folder))
    ? Object.entries(packages).flatMap(([directory, entry]) => (isRecord(entry) ? { directory, entry } : []))
    : [...nestedPlaces(recordAt(root, 'dependencies'), '')];
}

function* nestedPlaces(dependencies: Json, around: string): Iterable<Place> {
  for (const [name, entry] of Object.entries(dependencies)) {
    if (!isRecord(entry)) continue;
    const directory = `${around}${around && '/'}${folder}${name}`;
    yield { directory, entry };
    yield* nestedPlaces(recordAt(entry, 'dependencies'), directory);
  }
}

/** Whether a folder has the name under which it is linked. */
function isNamed(target: Json, folderOf: string, link: string): boolean {
  return nameOf(target, folderOf) === link.slice(link.lastIndexOf(folder) + folder.length);
}

/** npm writes the name of a folder's package where it differs from that of the folder. */
function nameOf({ name }: Json, directory: string): string {
  return typeof name === 'string' ? name : (/(?:@[^/]+\/)?[^/]*$/.exec(directory)?.[0] ?? directory);
}

function nodeOf(directory: string, entry: Json): LockedNode {
  const own = directory.slice(directory.lastIndexOf(folder) + folder.length);
  const read = contentOf(fieldsOf(entry));
  if (!directory.includes(folder)) {
    const name = nameOf(entry, directory);
    return { name, version: typeof entry.version === 'string' ? entry.version : '', source: 'workspace' };
  }
  return {
    name: read?.packageName ?? own,
    version: read?.published?.version ?? read?.written ?? '',
    source: read?.source,
    registry: read?.registry,
    condition: platformOf(entry),
    only: entry.dev === true ? 'dev' : entry.optional === true || entry.devOptional === true ? 'optional' : peer(entry),
    hasInstallScript: entry.hasInstallScript === true,
  };
}

function peer(entry: Json): 'peer' | undefined {
  return entry.peer === true ? 'peer' : undefined;
}

/** The groups of a package, the weaker ones last: an optional package is among the `dependencies`, too, in some versions. */
const groups = [
  ['optionalDependencies', 'optional'],
  ['dependencies', 'runtime'],
  ['requires', 'runtime'],
  ['peerDependencies', 'peer'],
  ['devDependencies', 'dev'],
] as const satisfies readonly (readonly [string, EdgeKind])[];

function* requirementsOf(entry: Json): Iterable<{ readonly name: string; readonly kind: EdgeKind }> {
  const named = new Set<string>();
  // In version 1 `dependencies` has the packages that are installed inside.
  const isNested = isRecord(entry.requires) || Object.values(recordAt(entry, 'dependencies')).some(isRecord);
  const meta = recordAt(entry, 'peerDependenciesMeta');
  for (const [group, kind] of groups) {
    if (isNested && group === 'dependencies') continue;
    for (const name of Object.keys(recordAt(entry, group))) {
      if (named.has(name)) continue;
      named.add(name);
      const isOptional = kind === 'peer' && recordAt(meta, name).optional === true;
      yield { name, kind: isOptional ? 'optionalPeer' : kind };
    }
  }
}

/** The next directory above whose `node_modules` Node searches; none above a package outside of the lockfile's directory. */
function above(directory: string): string | undefined {
  if (directory === '') return undefined;
  const inside = directory.lastIndexOf(folder);
  const end = inside >= 0 ? inside - 1 : directory.lastIndexOf('/');
  const parent = directory.slice(0, Math.max(0, end));
  return parent === '' && directory.startsWith('..') ? undefined : parent;
}
