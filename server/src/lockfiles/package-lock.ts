import { isRecord } from '../model/is-record.ts';
import type { Lockfile, LockfileFormat } from '../model/lockfile.ts';
import type { Dependency } from '../model/manifest.ts';
import { readPlainJson } from '../text/json-plain.ts';
import { npm } from '../versions/npm.ts';
import { askingGroups } from './npm-groups.ts';

/** npm's lockfile, in its three versions. */
export const packageLock: LockfileFormat = {
  id: 'package-lock.json',
  serves: ['package.json'],
  below: true,
  update: 'npm install',
  parse,
};

/** The same file under the name by which it is published; npm prefers it. */
export const npmShrinkwrap: LockfileFormat = { ...packageLock, id: 'npm-shrinkwrap.json' };

/** What stands in a directory of `node_modules`. */
interface Installed {
  /** The package, where the directory has another name: an alias. */
  readonly name: string;
  readonly version: string;
}

type InstalledIn = Map<string, Map<string, Installed>>;

/** What a lockfile says of the directories that manifests look into. */
interface Tree {
  /** By the directory that `node_modules` stands in, then by name: `packages/a/`, `lodash`. Nothing inside another package. */
  readonly installed: ReadonlyMap<string, ReadonlyMap<string, Installed>>;
  /** The directories of the workspace's members; `''` is the lockfile's own. */
  readonly members: ReadonlySet<string>;
}

function parse(text: string): Lockfile {
  const { value, problems } = readPlainJson(text);
  const root = isRecord(value) ? value : {};
  const tree = isRecord(root.packages) ? readPackages(root.packages) : readDependencies(root.dependencies);
  return { locked: (dependency, importer) => locked(tree, dependency, importer), problems };
}

/** As node finds it: in the `node_modules` of the manifest's own directory, else of the directories around it. */
function locked(tree: Tree, dependency: Dependency, importer: string): string | undefined {
  if (!tree.members.has(importer) || !askingGroups.has(dependency.group ?? '')) return undefined;
  for (let directory = importer; ; directory = directory.slice(0, Math.max(0, directory.lastIndexOf('/')))) {
    const found = tree.installed.get(directory && `${directory}/`)?.get(dependency.name);
    // Another package under that name: the alias was changed since.
    if (found) return found.name === dependency.key.name ? found.version : undefined;
    if (directory === '') return undefined;
  }
}

/**
 * Versions 2 and 3 list directories:
 *
 *     "packages": { "": {…}, "packages/a": {…}, "node_modules/lodash": { "version": "4.17.21" },
 *                   "node_modules/a": { "link": true }, "node_modules/alias": { "name": "lodash", "version": "3.10.1" } }
 */
function readPackages(packages: Record<string, unknown>): Tree {
  const installed: InstalledIn = new Map();
  const members = new Set(['']);
  for (const [path, entry] of Object.entries(packages)) {
    const at = path.lastIndexOf('node_modules/');
    if (at < 0) members.add(path);
    else if (isRecord(entry) && path.indexOf('node_modules/') === at) {
      const name = path.slice(at + 'node_modules/'.length);
      const meant = typeof entry.name === 'string' ? entry.name : name;
      add(installed, path.slice(0, at), name, meant, entry.version);
    }
  }
  return { installed, members };
}

/** Version 1 lists names, and writes an alias as `"version": "npm:lodash@3.10.1"`. */
function readDependencies(dependencies: unknown): Tree {
  const installed: InstalledIn = new Map();
  for (const [name, entry] of isRecord(dependencies) ? Object.entries(dependencies) : []) {
    if (!isRecord(entry) || typeof entry.version !== 'string') continue;
    const [, alias, version] = /^npm:(.+)@([^@]+)$/.exec(entry.version) ?? [];
    add(installed, '', name, alias ?? name, version ?? entry.version);
  }
  return { installed, members: new Set(['']) };
}

/** An address or a path in the place of a version, and a link without one, are left out. */
function add(installed: InstalledIn, directory: string, as: string, name: string, version: unknown): void {
  if (typeof version !== 'string' || npm.read(version).kind !== 'pin') return;
  const there = installed.get(directory) ?? new Map<string, Installed>();
  installed.set(directory, there.set(as, { name, version }));
}
