import { isRecord } from '../model/is-record.ts';
import type { Lockfile, LockfileFormat } from '../model/lockfile.ts';
import type { Dependency } from '../model/manifest.ts';
import { readPlainJson } from '../text/json-plain.ts';
import { npm } from '../versions/npm.ts';
import { archiveIn, exactIn } from '../versions/npm-archive.ts';
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
  readonly version: unknown;
}

/** What a lockfile says of the directories that manifests look into. Of thousands of entries a manifest needs few. */
interface Tree {
  /** Whether a directory is the lockfile's own, `''`, or that of a member of the workspace: `packages/a`. */
  readonly isMember: (directory: string) => boolean;
  /** What is installed in a member under a name; nothing inside another package. */
  readonly installed: (directory: string, name: string) => Installed | undefined;
}

function parse(text: string): Lockfile {
  const value = readPlainJson(text);
  const root = isRecord(value) ? value : {};
  const tree = isRecord(root.packages) ? packagesTree(root.packages) : dependenciesTree(root.dependencies);
  return { locked: (dependency, importer) => locked(tree, dependency, importer) };
}

/** As node finds it: in the `node_modules` of the manifest's own directory, else of the directories around it. */
function locked(tree: Tree, dependency: Dependency, importer: string): string | undefined {
  if (!tree.isMember(importer) || !askingGroups.has(dependency.group ?? '')) return undefined;
  for (let directory = importer; ; directory = directory.slice(0, Math.max(0, directory.lastIndexOf('/')))) {
    const found = tree.installed(directory, dependency.name);
    // An address or a path in the place of a version, and a link without one, are passed over.
    if (found && typeof found.version === 'string' && npm.read(found.version).kind === 'pin') {
      // Another package under that name: the alias was changed since.
      return found.name === dependency.key.name ? found.version : undefined;
    }
    if (directory === '') return undefined;
  }
}

/**
 * Versions 2 and 3 list directories:
 *
 *     "packages": { "": {…}, "packages/a": {…}, "node_modules/lodash": { "version": "4.17.21" },
 *                   "node_modules/a": { "link": true }, "node_modules/alias": { "name": "lodash", "version": "3.10.1" } }
 */
function packagesTree(packages: Record<string, unknown>): Tree {
  const inside = 'node_modules/';
  return {
    isMember: (it) => it === '' || (Object.hasOwn(packages, it) && !it.includes(inside)),
    installed(directory, name) {
      const entry = packages[`${directory}${directory && '/'}${inside}${name}`];
      if (!isRecord(entry)) return undefined;
      return { name: typeof entry.name === 'string' ? entry.name : name, version: entry.version };
    },
  };
}

/**
 * Version 1 lists names, and writes an alias as `"version": "npm:lodash@3.10.1"`. There may also stand the address of an
 * archive, which says name and version, or else what was asked for does.
 */
function dependenciesTree(dependencies: unknown): Tree {
  const entries = isRecord(dependencies) ? dependencies : {};
  return {
    isMember: (it) => it === '',
    installed(_, name) {
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
      if (!isRecord(entry) || typeof entry.version !== 'string') return undefined;
      const { version, from } = entry;
      if (!version.includes(':')) return { name, version };
      return archiveIn(version) ?? exactIn(version) ?? (typeof from === 'string' ? exactIn(from) : undefined);
    },
  };
}
