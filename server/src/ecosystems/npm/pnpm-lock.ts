import { readYamlLine, scanLines } from '../../formats/text/lines.ts';
import type { Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { Dependency, Manifest, ManifestFormat } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { entriesOf, takenFrom } from '../shared/lockfile.ts';
import { askingGroups } from './dependency-groups.ts';
import { lockedSource } from './specifier.ts';
import { npm } from './versions.ts';

/** pnpm's lockfile, opened itself, from its version 5 on. */
export const pnpmLock: ManifestFormat = {
  id: 'pnpm-lock.yaml',
  system: 'NPM',
  record: 'lockfile',
  files: /(^|\/)pnpm-lock\.yaml$/,
  parse,
};

/**
 * The keys of `packages`, each a name with a version and perhaps what its peers come to. One package stands there once
 * for each set of peers.
 *
 *     packages:
 *       '@babel/core@7.24.0':             version 9
 *       /lodash@4.17.21:                  versions 6 and 7
 *       /react-dom@18.2.0(react@18.2.0):
 *       /lodash/4.17.21:                  version 5
 *       /react-dom/18.2.0_react@18.2.0:
 *       registry.example/lodash/4.17.21:  of a registry that is not the usual one
 *         dev: true
 */
function parse(text: string): Manifest {
  const dependencies: Dependency[] = [];
  const members = new Set<string>();
  let isInside = false;
  let isAsking = false;
  let current: Dependency | undefined;
  let above: Span | undefined;

  scanLines(text, (start, end, indent) => {
    if (indent === 0) {
      isInside = text.startsWith('packages:', start);
      isAsking = /^(?:importers|(?:dev|optional)?dependencies):/i.test(text.slice(start, Math.min(end, start + 30)));
      current = undefined;
    } else if (isAsking) readLink(start, end, indent);
    else if (isInside && indent === 2) {
      current = read(text, start + 2, end) ?? readElsewhere(text, start + 2, end);
      if (current) dependencies.push(current);
    } else if (isInside && indent === 4 && current) {
      // Older versions name what comes from a repository or a folder beside its address.
      const name = current.name === '' ? /^ {4}name: ['"]?([^'"\s]+)/.exec(text.slice(start, end))?.[1] : undefined;
      if (name !== undefined) {
        const at = start + text.slice(start, end).indexOf(name, 9);
        current = { ...current, key: { system: 'NPM', name }, name, nameSpan: { start: at, end: at + name.length } };
        dependencies[dependencies.length - 1] = current;
      }
      const scope = scopes.find(([field]) => text.startsWith(field, start + 4))?.[1];
      const registry = tarball.exec(text.slice(start, Math.min(end, start + longest)))?.[1];
      if (scope) current = { ...current, scope };
      if (registry) current = { ...current, registries: [registry] };
      if (scope || registry) dependencies[dependencies.length - 1] = current;
    }
  });
  return { dependencies: dependencies.filter((it) => it.name !== ''), definitions: [], references: [], problems: [] };

  /**
   * A member of the workspace that another one asks for, once:
   *
   *     member:                            member: link:../member
   *       specifier: workspace:^
   *       version: link:../member
   */
  function readLink(start: number, end: number, indent: number): void {
    const line = text.slice(start, Math.min(end, start + longest));
    const [whole, field = '', link = ''] = /^ +['"]?([^'":\s]+)['"]?: (link:[^\s'"]+)$/.exec(line) ?? [];
    if (whole !== undefined) {
      const isOwn = field !== 'version';
      const nameStart = start + line.indexOf(field, indent);
      const name = isOwn ? { start: nameStart, end: nameStart + field.length } : above;
      const named = name && text.slice(name.start, name.end);
      if (!name || !named || members.has(named)) return;
      members.add(named);
      dependencies.push(
        elsewhere(named, name, 'workspace', { start: start + whole.length - link.length, end: start + whole.length }),
      );
      return;
    }
    const opened = /^( +['"]?)([^'":\s]+)['"]?:$/.exec(line);
    if (!opened) return;
    const [, before = '', name = ''] = opened;
    above = { start: start + before.length, end: start + before.length + name.length };
  }
}

/** `resolution: {integrity: sha512-…, tarball: https://…}`: where a registry does not keep to the usual address. */
const tarball = /^ {4}resolution: \{.*\btarball: ['"]?(https?:[^\s,}'"]+)/;

const scopes = [
  ['dev: true', 'dev'],
  ['optional: true', 'optional'],
] as const;

/** In characters. A key that lists many peers is longer, but its name and version stand at its front. */
const longest = 1000;
const key = /^['"]?(?:([\w-]+[.+][\w.+-]*)(?=\/))?\/?((?:@[^\s@/]+\/)?[^\s@/(:]+)[@/](\d[^\s()_'":/]*)/;

const entry = entriesOf('NPM', 'pnpm install');
const elsewhere = takenFrom('NPM', 'pnpm install');

/** Undefined for what comes from a repository or an address, whose key is that. */
function read(text: string, start: number, end: number): Dependency | undefined {
  const [whole, host, name = '', version = ''] = key.exec(text.slice(start, Math.min(end, start + longest))) ?? [];
  if (whole === undefined || npm.read(version).kind !== 'pin') return undefined;
  const found = entry(text, start + whole.length - `${name}@${version}`.length, name, version);
  // A port stands behind a plus.
  return host ? { ...found, registries: [`https://${host.replace('+', ':')}`] } : found;
}

/**
 *     'forked@git+https://git.example/forked.git#0a1b':     named `forked`
 *     'file:../lib':   git.example/owner/forked/0a1b:       named in the line below
 */
function readElsewhere(text: string, start: number, end: number): Dependency | undefined {
  const [whole = '', quote = '', address = ''] =
    /^(['"]?)(.*)\1:$/.exec(text.slice(start, Math.min(end, start + longest))) ?? [];
  if (whole === '') return undefined;
  const from = start + quote.length;
  const [, name = '', specifier = address] = /^((?:@[^\s@/]+\/)?[^\s@/:]+)@(.+)$/.exec(address) ?? [];
  const source = name === '' && !address.startsWith('file:') ? 'git' : lockedSource(specifier);
  if (source === 'registry') return undefined;
  const to = from + address.length;
  return elsewhere(name, { start: from, end: from + name.length }, source, { start: to - specifier.length, end: to });
}

/** pnpm's lockfile, from its version 5 on. */
export const pnpmLockfile: LockfileFormat = {
  id: 'pnpm-lock.yaml',
  serves: ['package.json', 'pnpm-workspace.yaml'],
  below: true,
  update: 'pnpm install',
  parse: readLocked,
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

function readLocked(text: string): Lockfile {
  const locks = readLockedEntry(text);
  return { packages: [], problems: [], locked: (dependency, importer) => locked(locks, dependency, importer) };
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
function readLockedEntry(text: string): Locks {
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
