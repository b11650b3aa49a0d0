import { readYamlLine, scanLines } from '../../../formats/text/lines.ts';
import { verbatim } from '../../../formats/text/literal.ts';
import type { LockedPackage, Lockfile } from '../../../model/lockfile.ts';
import type { Dependency, Scope, Source } from '../../../model/manifest.ts';
import { once } from '../../shared/graph-builder.ts';
import { adjacentEntry, lockfileFormat } from '../../shared/lockfile.ts';
import { dependencyGroups } from '../dependency-groups.ts';
import { lockedSource } from '../specifier.ts';
import { npm } from '../versions.ts';
import { readArchiveAddress } from './archive-address.ts';
import { contradiction, isOutside } from './own-record.ts';
import { joined as joinedPath, pnpmGraph } from './pnpm-graph.ts';

/** pnpm's lockfile, from its version 5 on. */
export const pnpmLock = lockfileFormat({
  id: 'pnpm-lock.yaml',
  system: 'NPM',
  files: /(^|\/)pnpm-lock\.yaml$/,
  serves: ['package.json', 'pnpm-workspace.yaml'],
  below: true,
  update: 'pnpm install',
  parse,
});

/** A version, and the package where that has another name: an alias. */
interface Locked {
  readonly name: string;
  /** With `source`, what the file says in its place. */
  readonly version: string;
  readonly source?: Source;
}

/** Locked versions by owner, then by name. The owner is a member's directory, or the group of a catalog's dependencies. */
type Index = Map<string, Map<string, Locked>>;

/** A key of YAML with its place. */
interface Key {
  readonly text: string;
  readonly start: number;
}

/** The lockfile's own: it lists peers that are installed among them. */
const groups: ReadonlySet<string> = new Set(['dependencies', 'devDependencies', 'optionalDependencies']);

/** `version` of a dependency is in the fifth level. */
const MAX_INDENT = 8;

/** In characters. A key that lists many peers is longer, but its name and version come first. */
const MAX_LINE_LENGTH = 1000;

/**
 * `importers` and `catalogs` serve the manifests, `packages` are listed: see `readImported` and `publishedPackage`. The
 * lockfile of a single package may leave out `importers` and the directory; the nested keys lie two levels higher.
 */
function parse(text: string): Lockfile {
  const linked: LockedPackage[] = [];
  /** Start and end of each line of `packages` that matters. */
  const lines: number[] = [];
  const importers: Index = new Map();
  const catalogs: Index = new Map();
  /** What the members require, in the versions before 6. */
  const required: Index = new Map();
  /** The package of the entry of a catalog that is being read, where it has another name. */
  let alias: string | undefined;
  /** Names of members of the workspace that are listed. */
  const members = new Set<string>();
  /** The keys above and on the current line, by how deep they are nested. */
  const path: Key[] = [];
  let section = '';

  scanLines(text, (start, end, indent) => {
    if (indent === 0)
      section = /^[a-z]+(?=:)/i.exec(text.slice(start, Math.min(end, start + MAX_LINE_LENGTH)))?.[0] ?? '';
    if (section === 'packages') {
      if (indent === 2 || indent === 4) lines.push(start, end);
    } else if (section === 'importers' || section === 'catalogs' || section === 'specifiers' || groups.has(section)) {
      readImported(start, end, indent);
    }
  });
  return {
    get packages() {
      return [...linked, ...readPackages(text, lines)];
    },
    get problems() {
      return contradiction(outsideOf(text) ?? renamedIn(text) ?? (isOutsideBefore() ? text.length : undefined));
    },
    locked,
    inPlaceOf(dependency, importer) {
      const found = entryOf(dependency, importer);
      if (!found) return undefined;
      const isMember = found.version.startsWith('link:') && isImporter(importer, found.version.slice('link:'.length));
      return { name: found.name, source: isMember ? 'workspace' : found.source, text: found.version };
    },
    graph: once(() => pnpmGraph(text, identify, locked)),
  };

  function locked(dependency: Dependency, importer: string): string | undefined {
    const found = entryOf(dependency, importer);
    return found?.name === dependency.key.name && found.source === undefined ? found.version : undefined;
  }

  function entryOf({ group = '', name }: Dependency, importer: string): Locked | undefined {
    return (dependencyGroups.has(group) ? importers.get(importer) : catalogs.get(group))?.get(name);
  }

  function isOutsideBefore(): boolean {
    return [...required].some(([importer, all]) =>
      [...all].some(([name, { version: range }]) => {
        const found = importers.get(importer)?.get(name);
        return found?.name === name && found.source === undefined && isOutside(found.version, range);
      }),
    );
  }

  /** Whether a link from one member leads to another one. */
  function isImporter(from: string, link: string): boolean {
    return importers.has(joinedPath(from, link));
  }

  /**
   * Versions 6 to 9, and 5, where a version follows its name:
   *
   *     importers:                                importers:
   *       packages/a:                               packages/a:
   *         dependencies:                             dependencies:
   *           react-dom:                                react-dom: 18.2.0_react@18.2.0
   *             specifier: ^18.2.0
   *             version: 18.2.0(react@18.2.0)
   */
  function readImported(start: number, end: number, indent: number): void {
    if (indent > MAX_INDENT || indent % 2 === 1) return;
    const line = text.slice(start, end);
    const entry = readYamlLine(line);
    if (!entry) return;
    path.length = Math.min(path.length, indent / 2);
    path.push({ text: entry.key, start: start + line.indexOf(entry.key, indent) });
    if (entry.value === '' || path.length !== indent / 2 + 1) return;

    if (section === 'catalogs') {
      const [, catalog, name, field, more] = path;
      if (!catalog || !name || !field || more) return;
      // The version of an alias does not name the package, as it does for a member.
      if (field.text === 'specifier') alias = /^npm:(@?[^@]+)@/.exec(entry.value)?.[1];
      if (field.text !== 'version') return;
      const group = catalog.text === 'default' ? 'catalog' : `catalogs ${catalog.text}`;
      put(catalogs, group, name.text, alias === undefined ? entry.value : `${alias}@${entry.value}`);
      alias = undefined;
      return;
    }
    const [importer, group, name, field, more] = section === 'importers' ? path.slice(1) : [undefined, ...path];
    if (!group || !name || more || (field && field.text !== 'version')) return;
    const directory = importer === undefined || importer.text === '.' ? '' : importer.text;
    if (group.text === 'specifiers') put(required, directory, name.text, entry.value);
    if (!groups.has(group.text)) return;
    put(importers, directory, name.text, entry.value);
    if (entry.value.startsWith('link:')) addMember(name, entry.value, end);
  }

  /** A member of the workspace that another one depends on is listed once, where it is linked. */
  function addMember({ text: name, start }: Key, link: string, end: number): void {
    if (members.has(name)) return;
    members.add(name);
    const linkEnd = text.lastIndexOf(link, end) + link.length;
    linked.push({
      name,
      nameSpan: { start, end: start + name.length },
      version: verbatim(text, linkEnd - link.length, linkEnd),
      source: 'workspace',
    });
  }
}

const imported =
  /^ {6,8}['"]?[^\s'":][^'":\r\n]*['"]?:\r?\n {6,10}specifier: ['"]?([^'"\r\n]+?)['"]?\r?\n {6,10}version: ['"]?(\d[^\s'"(_]*)/gm;

/** The first dependency of a member whose version its own specifier does not allow. */
function outsideOf(text: string): number | undefined {
  for (const { index, 1: specifier = '', 2: version = '' } of text.matchAll(imported))
    if (isOutside(version, specifier)) return index;
  return undefined;
}

/** The first entry that has another name or version than its key: pnpm takes that one. */
function renamedIn(text: string): number | undefined {
  const heads = [...text.matchAll(/^ {2}(?=\S)([^\r\n]+):\s*$/gm)];
  for (const [at, { index, 1: line = '' }] of heads.entries()) {
    const found = publishedPackage(line, 0, `${line}:`);
    if (!found) continue;
    const entry = text.slice(index, heads[at + 1]?.index);
    const name = /^ {4}name: ['"]?([^\s'"]+)/m.exec(entry)?.[1] ?? found.name;
    const version = /^ {4}version: ['"]?([^\s'"]+)/m.exec(entry)?.[1] ?? found.version.text;
    if (name !== found.name || version !== found.version.text) return index;
  }
  return undefined;
}

/** The package of a key of `packages` or `snapshots`, without the quotes; the name is empty where another line has it. */
function identify(line: string): LockedPackage | undefined {
  return publishedPackage(line, 0, `${line}:`) ?? sourcePackage(line, 0, `${line}:`);
}

/** @param lines start and end of each line with a key, and of those right below a key */
function readPackages(text: string, lines: readonly number[]): LockedPackage[] {
  const packages: LockedPackage[] = [];
  /** Whether the last key was read. */
  let isListed = false;
  for (let at = 0; at < lines.length; at += 2) {
    const start = lines[at] ?? 0;
    const end = lines[at + 1] ?? start;
    const line = text.slice(start, Math.min(end, start + MAX_LINE_LENGTH));
    if (line[2] === ' ') {
      const last = isListed ? packages.at(-1) : undefined;
      const field = last && readField(last, start, line);
      if (field) packages[packages.length - 1] = { ...last, ...field };
    } else {
      const found = publishedPackage(text, start + 2, line.slice(2)) ?? sourcePackage(text, start + 2, line.slice(2));
      isListed = found !== undefined;
      if (found) packages.push(found);
    }
  }
  // One without a name comes from a repository or a folder, and is half written.
  return packages.filter((it) => it.name !== '');
}

function readField({ name }: LockedPackage, start: number, line: string): Partial<LockedPackage> | undefined {
  const scope = scopes.find(([field]) => line.startsWith(field))?.[1];
  if (scope) return { scope };
  const registry = tarball.exec(line)?.[1];
  if (registry !== undefined) return { registry };
  // Older versions name a package from a repository or a folder beside its address.
  const own = name === '' ? /^ {4}name: ['"]?([^'"\s]+)/.exec(line)?.[1] : undefined;
  if (own === undefined) return undefined;
  const at = start + line.indexOf(own, 9);
  return { name: own, nameSpan: { start: at, end: at + own.length } };
}

/** `resolution: {integrity: sha512-…, tarball: https://…}`: where a registry does not keep to the usual address. */
const tarball = /^ {4}resolution: \{.*\btarball: ['"]?(https?:[^\s,}'"]+)/;

const scopes: readonly (readonly [field: string, scope: Scope])[] = [
  ['    dev: true', 'dev'],
  ['    optional: true', 'optional'],
];

const key = /^['"]?(?:([\w-]+[.+][\w.+-]*)(?=\/))?\/?((?:@[^\s@/]+\/)?[^\s@/(:]+)[@/](\d[^\s()_'":/]*)/;

/**
 * The keys of `packages`, each a name with a version and perhaps its peers. There is one for each set of
 * peers. Undefined for a package from a repository or an address, whose key is that.
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
function publishedPackage(text: string, start: number, line: string): LockedPackage | undefined {
  const [whole, host, name = '', version = ''] = key.exec(line) ?? [];
  if (whole === undefined || npm.read(version).kind !== 'pin') return undefined;
  const found = adjacentEntry(text, start + whole.length - `${name}@${version}`.length, name, version);
  // A plus precedes a port.
  return host ? { ...found, registry: `https://${host.replace('+', ':')}` } : found;
}

/**
 *     'forked@git+https://git.example/forked.git#0a1b':     named `forked`
 *     'file:../lib':   git.example/owner/forked/0a1b:       named in the line below
 */
function sourcePackage(text: string, start: number, line: string): LockedPackage | undefined {
  const [whole = '', quote = '', address = ''] = /^(['"]?)(.*)\1:$/.exec(line) ?? [];
  if (whole === '') return undefined;
  const from = start + quote.length;
  const [, name = '', specifier = address] = /^((?:@[^\s@/]+\/)?[^\s@/:]+)@(.+)$/.exec(address) ?? [];
  const source = name === '' && !address.startsWith('file:') ? 'git' : lockedSource(specifier);
  if (source === 'registry') return undefined;
  const to = from + address.length;
  const nameSpan = { start: from, end: from + name.length };
  const archive = readArchiveAddress(specifier);
  if (archive !== undefined) {
    const at = to - specifier.length + archive.start;
    return {
      name,
      nameSpan,
      ...(archive.name !== name && { packageName: archive.name }),
      version: verbatim(text, at, at + archive.version.length),
      registry: specifier,
    };
  }
  return { name, nameSpan, version: verbatim(text, to - specifier.length, to), source };
}

function put(index: Index, owner: string, name: string, written: string): void {
  const read = readVersion(name, written);
  const names = index.get(owner);
  if (!names) index.set(owner, new Map([[name, read]]));
  else if (!names.has(name)) names.set(name, read);
}

/**
 *     18.2.0(react@18.2.0)   18.2.0_react@18.2.0    lodash@3.10.1   /lodash@3.10.1   /lodash/3.10.1   link:packages/a
 *     ^^^^^^                 ^^^^^^                        ^^^^^^           ^^^^^^           ^^^^^^   none
 */
function readVersion(name: string, written: string): Locked {
  const [bare = ''] = written.split('(', 1);
  const read = /^\d/.test(bare) ? { name, version: bare.replace(/_.*$/s, '') } : readAlias(bare);
  if (read && npm.read(read.version).kind === 'pin') return read;
  const source = lockedSource(written);
  return { name, version: written, source: source === 'registry' ? 'url' : source };
}

function readAlias(path: string): Locked | undefined {
  // A registry other than the usual one precedes the slash: `registry.example/lodash/3.10.1`.
  const [, name, version] = /^[\w.+-]*\/((?:@[^/]+\/)?[^/@]+)\/([^/_]+)/.exec(path) ?? [];
  if (name !== undefined && version !== undefined) return { name, version };
  const at = path.lastIndexOf('@');
  return at > 0
    ? { name: path.slice(0, at).replace(/^(?:[\w+-]+[.+][\w.+-]*)?\//, ''), version: path.slice(at + 1) }
    : undefined;
}
