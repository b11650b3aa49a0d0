import type { Lockfile, LockfileFormat } from '../model/lockfile.ts';
import type { Dependency } from '../model/manifest.ts';
import { readYamlLine, scanLines } from '../text/lines.ts';
import { npm } from '../versions/npm.ts';
import { askingGroups } from './npm-groups.ts';

/** pnpm's lockfile, from its version 5 on. */
export const pnpmLock: LockfileFormat = {
  id: 'pnpm-lock.yaml',
  serves: ['package.json', 'pnpm-workspace.yaml'],
  below: true,
  update: 'pnpm install',
  parse,
};

/** A version, and the package where that has another name: an alias. */
interface Locked {
  readonly name: string;
  readonly version: string;
}

interface Locks {
  /** By directory of the member, `''` for the root, then by name. */
  readonly importers: Map<string, Map<string, Locked>>;
  /** By the group of the catalog's entries in the manifest, then by name. */
  readonly catalogs: Map<string, Map<string, Locked>>;
}

function parse(text: string): Lockfile {
  const locks = read(text);
  return { locked: (dependency, importer) => locked(locks, dependency, importer) };
}

/** The lockfile's own: what peers come to stands among them. */
const groups: ReadonlySet<string> = new Set(['dependencies', 'devDependencies', 'optionalDependencies']);

function locked(locks: Locks, { group = '', name, key }: Dependency, importer: string): string | undefined {
  const found = askingGroups.has(group)
    ? locks.importers.get(importer)?.get(name)
    : locks.catalogs.get(group)?.get(name);
  return found?.name === key.name ? found.version : undefined;
}

/**
 * Versions 6 to 9, and 5, where a version stands right behind a name:
 *
 *     importers:                                importers:
 *       packages/a:                               packages/a:
 *         dependencies:                             dependencies:
 *           react-dom:                                react-dom: 18.2.0_react@18.2.0
 *             specifier: ^18.2.0
 *             version: 18.2.0(react@18.2.0)
 *
 * The lockfile of a single package may leave out `importers` and the directory; what is nested lies two levels higher.
 */
function read(text: string): Locks {
  const locks: Locks = { importers: new Map(), catalogs: new Map() };
  /** The keys above and on the current line, by how deep they are nested. */
  const path: string[] = [];
  let relevant = false;

  scanLines(text, (start, end, indent) => {
    if (indent === 0) relevant = isRelevant(text, start);
    // Nearly every line describes a package that is brought along.
    if (!relevant || indent > deepest || indent % 2 === 1) return;
    const entry = readYamlLine(text.slice(start, end));
    if (!entry) return;
    path.length = Math.min(path.length, indent / 2);
    path.push(entry.key);
    if (entry.value !== '' && path.length === indent / 2 + 1) add(locks, path, entry.value);
  });
  return locks;
}

/** `version` of a dependency stands in the fifth level. */
const deepest = 8;

function isRelevant(text: string, start: number): boolean {
  return ['importers:', 'catalogs:', ...[...groups].map((it) => `${it}:`)].some((it) => text.startsWith(it, start));
}

function add(locks: Locks, path: readonly string[], value: string): void {
  const [section = ''] = path;
  if (section === 'catalogs') {
    const [, catalog = '', name, field] = path;
    const group = catalog === 'default' ? 'catalog' : `catalogs ${catalog}`;
    if (name !== undefined && field === 'version' && path.length === 4) put(locks.catalogs, group, name, value);
    return;
  }
  const [importer, group = '', name, field, ...more] = section === 'importers' ? path.slice(1) : ['.', ...path];
  if (importer === undefined || name === undefined || !groups.has(group) || more.length > 0) return;
  if (field === undefined || field === 'version') put(locks.importers, importer === '.' ? '' : importer, name, value);
}

function put(index: Map<string, Map<string, Locked>>, owner: string, name: string, written: string): void {
  const read = readVersion(name, written);
  if (!read) return;
  const names = index.get(owner);
  if (!names) index.set(owner, new Map([[name, read]]));
  else if (!names.has(name)) names.set(name, read);
}

/**
 *     18.2.0(react@18.2.0)   18.2.0_react@18.2.0    lodash@3.10.1   /lodash@3.10.1   /lodash/3.10.1   link:packages/a
 *     ^^^^^^                 ^^^^^^                        ^^^^^^           ^^^^^^           ^^^^^^   none
 */
function readVersion(name: string, written: string): Locked | undefined {
  const [bare = ''] = written.split('(', 1);
  const read = /^\d/.test(bare) ? { name, version: bare.replace(/_.*$/s, '') } : readAlias(bare);
  return read && npm.read(read.version).kind === 'pin' ? read : undefined;
}

function readAlias(path: string): Locked | undefined {
  // A registry other than the usual one stands before the slash: `registry.example/lodash/3.10.1`.
  const [, name, version] = /^[\w.+-]*\/((?:@[^/]+\/)?[^/@]+)\/([^/_]+)/.exec(path) ?? [];
  if (name !== undefined && version !== undefined) return { name, version };
  const at = path.lastIndexOf('@');
  return at > 0
    ? { name: path.slice(0, at).replace(/^(?:[\w+-]+[.+][\w.+-]*)?\//, ''), version: path.slice(at + 1) }
    : undefined;
}
