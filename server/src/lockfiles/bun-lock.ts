import { isRecord } from '../model/is-record.ts';
import type { Lockfile, LockfileFormat } from '../model/lockfile.ts';
import type { Dependency } from '../model/manifest.ts';
import { readPlainJson } from '../text/json-plain.ts';
import { npm } from '../versions/npm.ts';
import { askingGroups } from './npm-groups.ts';

/** bun's lockfile as text. The older one, bun.lockb, is binary, and not read. */
export const bunLock: LockfileFormat = {
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
  const locks = read(isRecord(value) ? value : {});
  return { locked: (dependency, importer) => locked(locks, dependency, importer) };
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
function read({ workspaces, packages }: Record<string, unknown>): Locks {
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
