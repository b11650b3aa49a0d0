import { isRecord } from '../../base/text.ts';
import { readPlainJson } from '../../formats/json/plain.ts';
import type { Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { Dependency, ManifestFormat } from '../../model/manifest.ts';
import { entriesOf, takenFrom } from '../shared/lockfile.ts';
import { askingGroups } from './dependency-groups.ts';
import { lockedSource } from './specifier.ts';
import { npm } from './versions.ts';

/** bun's lockfile as text, opened itself. */
export const bunLock: ManifestFormat = {
  id: 'bun.lock',
  system: 'NPM',
  record: 'lockfile',
  files: /(^|\/)bun\.lock$/,
  parse: (text) => ({ dependencies: read(text), definitions: [], references: [], problems: [] }),
};

/**
 * A package, which bun writes on a line of its own. What comes from a folder or a repository has that in the place of
 * the version, and the workspace's own `root:`.
 *
 *     "webpack/acorn": ["acorn@8.11.3", "", {}, "sha512-…"],
 *                        ^^^^^ ^^^^^^
 *     "member": ["member@workspace:packages/member"],
 */
const line = /^[ \t]*"[^"\r\n]+": \["((?:@[^"/@\r\n]+\/)?[^"/@\r\n]+)@([^"\r\n]+)"/gm;

const entry = entriesOf('NPM', 'bun install');
const elsewhere = takenFrom('NPM', 'bun install');

function read(text: string): Dependency[] {
  const dependencies: Dependency[] = [];
  for (const { index, 0: whole, 1: name = '', 2: version = '' } of text.matchAll(line)) {
    const start = index + whole.length - `${name}@${version}"`.length;
    const end = start + name.length;
    const source = lockedSource(version);
    if (source === 'registry') {
      if (npm.read(version).kind === 'pin') dependencies.push(entry(text, start, name, version));
    } else if (!version.startsWith('root:')) {
      dependencies.push(elsewhere(name, { start, end }, source, { start: end + 1, end: end + 1 + version.length }));
    }
  }
  return dependencies;
}

/** bun's lockfile as text. The older one, bun.lockb, is binary, and not read. */
export const bunLockfile: LockfileFormat = {
  id: 'bun.lock',
  serves: ['package.json'],
  below: true,
  update: 'bun install',
  parse,
};

interface Locks {
  /** The names of the workspace's members, by directory; `''` for the root. */
  readonly members: ReadonlyMap<string, string>;
  /** By path: `lodash`, `webpack/acorn`. Each is a package with its version, `lodash@4.17.21`. */
  readonly packages: ReadonlyMap<string, string>;
}

function parse(text: string): Lockfile {
  const value = readPlainJson(text);
  const locks = readLockedEntry(isRecord(value) ? value : {});
  return { packages: [], problems: [], locked: (dependency, importer) => locked(locks, dependency, importer) };
}

function locked({ members, packages }: Locks, { group = '', name, key }: Dependency, importer: string) {
  const member = members.get(importer);
  if (member === undefined || !(askingGroups.has(group) || group.startsWith('catalog'))) return undefined;
  // A member's own version stands under its name, one for all at the top.
  const found = packages.get(`${member}/${name}`) ?? packages.get(name);
  const prefix = `${key.name}@`;
  const version = found?.startsWith(prefix) ? found.slice(prefix.length) : '';
  return npm.read(version).kind === 'pin' ? version : undefined;
}

/**
 *     "workspaces": { "": { "name": "root" }, "packages/a": { "name": "a" } },
 *     "packages": { "lodash": ["lodash@4.17.21", …], "a/lodash": ["lodash@3.10.1", …], "a": ["a@workspace:packages/a"] }
 */
function readLockedEntry({ workspaces, packages }: Record<string, unknown>): Locks {
  const members = new Map<string, string>();
  for (const [directory, it] of Object.entries(isRecord(workspaces) ? workspaces : {})) {
    members.set(directory, isRecord(it) && typeof it.name === 'string' ? it.name : '');
  }
  const paths = new Map<string, string>();
  for (const [path, it] of Object.entries(isRecord(packages) ? packages : {})) {
    if (Array.isArray(it) && typeof it[0] === 'string') paths.set(path, it[0]);
  }
  return { members, packages: paths };
}
