import { isRecord } from '../../../base/text.ts';
import { readPlainRecord, recordAt } from '../../../formats/json/plain.ts';
import type { EdgeKind, LockedGraph } from '../../../model/graph/locked-graph.ts';
import type { LockedPackage } from '../../../model/lockfile.ts';
import type { Dependency } from '../../../model/manifest.ts';
import { GraphBuilder } from '../../shared/graph-builder.ts';
import { platformOf } from '../platform.ts';
import { addEntry } from './archive-address.ts';
import { createNearest } from './nearest.ts';

type Json = Readonly<Record<string, unknown>>;

const groups = [
  ['dependencies', 'runtime'],
  ['optionalDependencies', 'optional'],
  ['peerDependencies', 'peer'],
  ['devDependencies', 'dev'],
] as const satisfies readonly (readonly [string, EdgeKind])[];

/**
 * The key of a package is its place: the packages that it is installed in, and its name.
 *
 *     "webpack": ["webpack@5.90.0", "", { "dependencies": { "acorn": "^8.7.1" } }, "sha512-…"],
 *     "webpack/acorn": ["acorn@8.11.3", "", {}, "sha512-…"],                         webpack → acorn 8.11.3
 *     "acorn": ["acorn@7.4.1", "", {}, "sha512-…"],
 */
export function bunGraph(
  text: string,
  identify: (identity: string) => LockedPackage | undefined,
  registryIn: (second: string) => string | undefined,
  locked: (dependency: Dependency, importer: string) => string | undefined,
): LockedGraph {
  const { root, isBroken } = readBunLock(text);
  const packages = recordAt(root, 'packages');
  // bun runs the scripts of these packages alone, and of some that it knows itself.
  const trusted = new Set(Array.isArray(root.trustedDependencies) ? root.trustedDependencies : []);
  const workspaces = Object.entries(recordAt(root, 'workspaces'));
  const builder = new GraphBuilder('NPM');
  if (isBroken) builder.break();
  const nodes = new Map<string, number>();
  const resolve = createNearest((path, name) => nodes.get(path === '' ? name : `${path}/${name}`), around);
  const memberDirectories = new Map<number, string>();
  for (const [path, entry] of Object.entries(packages)) {
    const [identity, address] = Array.isArray(entry) ? entry : [];
    const found = typeof identity === 'string' ? identify(identity) : undefined;
    if (!found) continue;
    const { packageName: name = found.name, version, source } = found;
    const isMember = source === 'workspace';
    const condition = platformOf(detailsOf(entry));
    const node = addEntry(builder, {
      name,
      version: isMember ? '' : version.text,
      source,
      registry: (typeof address === 'string' ? registryIn(address) : undefined) ?? found.registry,
      condition,
      hasInstallScript: trusted.has(name),
    });
    nodes.set(path, node);
    if (isMember) memberDirectories.set(node, version.text.replace(/^workspace:/, ''));
  }

  const byDirectory = new Map<string, number>(Array.from(memberDirectories, ([node, directory]) => [directory, node]));
  for (const [directory, workspace] of workspaces) {
    if (!isRecord(workspace)) continue;
    builder.importer(directory);
    // A package may have the name of the root.
    const own = directory !== '' && typeof workspace.name === 'string' ? workspace.name : '';
    for (const { name, kind } of requirementsOf(workspace)) {
      const to = resolve(own, name);
      builder.root(directory, name, kind, to);
      const from = byDirectory.get(directory);
      if (from !== undefined) builder.edge(from, to, kind);
    }
  }
  for (const [path, entry] of Object.entries(packages)) {
    const from = nodes.get(path);
    if (from === undefined || memberDirectories.has(from)) continue;
    for (const { name, kind } of requirementsOf(detailsOf(entry))) builder.edge(from, resolve(path, name), kind);
  }
  return builder.build({ locked });
}

/** bun writes commas before closing brackets. */
export function readBunLock(text: string): ReturnType<typeof readPlainRecord> {
  return readPlainRecord(text.replace(/("(?:[^"\\\r\n]|\\.)*")|,(?=\s*[}\]])/g, '$1'));
}

/** `webpack` of `webpack/@scope/acorn` */
function around(path: string): string | undefined {
  if (path === '') return undefined;
  const slash = path.lastIndexOf('/');
  if (slash < 0) return '';
  const before = path.lastIndexOf('/', slash - 1);
  return path[before + 1] === '@' ? path.slice(0, Math.max(0, before)) : path.slice(0, slash);
}

function* requirementsOf(entry: Json): Iterable<{ readonly name: string; readonly kind: EdgeKind }> {
  const optionalPeers = new Set(Array.isArray(entry.optionalPeers) ? entry.optionalPeers : []);
  for (const [group, kind] of groups) {
    for (const name of Object.keys(recordAt(entry, group))) {
      yield { name, kind: kind === 'peer' && optionalPeers.has(name) ? 'optionalPeer' : kind };
    }
  }
}

/** The object among the parts of a package, at a place that depends on where it comes from. */
function detailsOf(entry: unknown): Json {
  return Array.isArray(entry) ? (entry.find(isRecord) ?? {}) : {};
}
