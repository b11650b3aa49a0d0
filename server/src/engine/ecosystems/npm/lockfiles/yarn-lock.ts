import { readYamlLine, scanLines } from '../../../formats/text/lines.ts';
import { verbatim } from '../../../formats/text/literal.ts';
import type { InPlace, LockedPackage, Lockfile } from '../../../model/lockfile.ts';
import type { Dependency, Source } from '../../../model/manifest.ts';
import type { Literal } from '../../../model/span.ts';
import { once } from '../../shared/graph-builder.ts';
import { lockfileFormat } from '../../shared/lockfile.ts';
import { dependencyGroups } from '../dependency-groups.ts';
import { decoded, locate, lockedSource, MAX_PATCHES } from '../specifier.ts';
import { npm } from '../versions.ts';
import { readArchiveAddress } from './archive-address.ts';
import { contradiction, isOutside } from './own-record.ts';
import { type YarnEntry, yarnGraph } from './yarn-graph.ts';
import { readYarnRules, yarnRulesIn } from './yarn-rules.ts';

/** yarn's lockfile, as its first version and the later ones write it, and as npm does where it finds one. */
export const yarnLock = lockfileFormat({
  id: 'yarn.lock',
  system: 'NPM',
  files: /(^|\/)yarn\.lock$/,
  serves: ['package.json', '.yarnrc.yml'],
  below: true,
  update: 'yarn install',
  beside: { files: ['package.json', '.yarnrc.yml'], read: yarnRulesIn },
  parse,
});

/** An entry of the file. */
interface Entry {
  /** The line with its descriptors. */
  readonly key: string;
  readonly start: number;
  version?: Literal | undefined;
  /** Set for a member of the workspace: its directory, `''` for the root. */
  member?: string;
  /** The address of the archive, where the file names it. */
  registry?: string | undefined;
  /** What the first version names in the place of an address: a file, a repository, an archive of its offline mirror. */
  local?: string | undefined;
}

/**
 *     "lodash@^4.17.15", lodash@^4.17.21:        "lodash@npm:^4.17.15, lodash@npm:^4.17.21":
 *      ^^^^^^                                     ^^^^^^
 *       version "4.17.21"                          version: 4.17.21
 *                ^^^^^^^                                    ^^^^^^^
 *       resolved "https://…/lodash-4.17.21.tgz"    resolution: "lodash@npm:4.17.21::__archiveUrl=https%3A%2F%2F…"
 *
 * The later versions name the address only where it is not at the usual place of its registry.
 */
function parse(text: string, rules?: string): Lockfile {
  const entries: Entry[] = [];
  /** The requirements of the members of the workspace at the last install, by directory; empty in the first version. */
  const members = new Map<string, Map<string, string>>();
  let current: Entry | undefined;
  let group = '';

  scanLines(text, (start, end, indent) => {
    if (indent === 0) {
      group = '';
      // A colon alone continues a long key, which a question mark begins.
      if (text[start] === '#' || text[start] === ':') return;
      const from = text.startsWith('? ', start) ? start + 2 : start;
      current = { key: text.slice(from, end), start: from };
      entries.push(current);
    } else if (indent > 2) {
      const requirements = current?.member === undefined ? undefined : members.get(current.member);
      const line = requirements && dependencyGroups.has(group) ? readYamlLine(text.slice(start, end)) : undefined;
      if (line) requirements?.set(line.key, line.value);
    } else if (current) {
      // npm writes names with quotes.
      const field = text[start + 2] === '"' ? start + 3 : start + 2;
      if (text.startsWith('version', field)) current.version ??= readVersion(text, field + 7, end);
      else if (text.startsWith('resolved', field)) {
        const [, resolved = ''] = /^resolved"?:?\s+"?([^\s"]*)/.exec(text.slice(field, end)) ?? [];
        if (/^https?:/i.test(resolved)) current.registry = resolved;
        else current.local = resolved;
      } else if (text.startsWith('resolution', field)) {
        current.registry = archiveIn(text.slice(field, end));
        const directory = /@workspace:([^"]*)/.exec(text.slice(field, end))?.[1];
        if (directory === undefined) return;
        current.member = directory === '.' ? '' : directory;
        members.set(current.member, new Map());
      } else group = text.slice(field, end).replace(/"?:$/, '');
    }
  });

  let index: Index | undefined;
  return {
    get packages() {
      return entries.flatMap((it) => read(it) ?? []);
    },
    get problems() {
      return contradiction(entries.find((it) => isContradicted(it))?.start);
    },
    locked,
    inPlaceOf,
    graph: once(() => yarnGraph(text, graphEntries(text, entries), readYarnRules(rules), { descriptorsOf, locked })),
  };

  function locked(dependency: Dependency, importer: string): string | undefined {
    index ??= indexOf(entries);
    return lockedIn(index, members, dependency, importer);
  }

  function inPlaceOf(dependency: Dependency): InPlace | undefined {
    index ??= indexOf(entries);
    const { elsewhere } = index;
    const entry = descriptorsOf(dependency).flatMap((it) => elsewhere.get(it) ?? [])[0];
    const found = entry && read(entry);
    return (
      found && {
        name: found.packageName ?? found.name,
        source: found.source,
        text: entry.local || entry.member || found.version.text,
      }
    );
  }
}

/** The root of a workspace is an entry of the graph, too: it has the direct dependencies. */
function graphEntries(text: string, entries: readonly Entry[]): YarnEntry[] {
  return entries.flatMap((entry, index) => {
    const descriptors = descriptorsIn(entry.key);
    const found = read(entry);
    const isRoot = entry.member === '';
    const name = isRoot ? descriptors[0]?.replace(/(.)@.*$/s, '$1') : (found?.packageName ?? found?.name);
    if (name === undefined) return [];
    const end = entries[index + 1]?.start ?? text.length;
    return {
      descriptors,
      name,
      version: entry.version?.text ?? '',
      source: isRoot ? 'workspace' : found?.source,
      registry: found?.registry,
      member: entry.member,
      start: entry.start,
      end,
    };
  });
}

/** `version "4.17.21"`, `version: 4.17.21`, `version: "4.17.21"`, `"version" "4.17.21"`, `"version": 4.17.21` */
function readVersion(text: string, from: number, end: number): Literal | undefined {
  const [, before = '', version] = /^("?:?[ \t]*"?)([^\s"]+)/.exec(text.slice(from, end)) ?? [];
  if (version === undefined) return undefined;
  return verbatim(text, from + before.length, from + before.length + version.length);
}

/** In characters. A key with a hundred descriptors is longer; the first is read. */
const MAX_DESCRIPTOR_LENGTH = 1000;
const descriptor = /^("?)((?:@[^\s":@/]+\/)?[^\s":,@/_.][^\s":,@/]*)(?:@([^\s",]*)|(?=[":,]))/;

/**
 * What a resolution puts in the place of a package shares an entry with what it replaces:
 *
 *     delta@^1.0.0, "delta@npm:iota@~1.1.0":
 */
const aliasing = /@(npm:(?:@[^\s"@,/]+\/)?[^\s"@,/]+@[^\s",]*)/;

/**
 * Undefined for the root of the workspace, on which nothing depends, and for a half-written entry. The first descriptor
 * names the package:
 *
 *     lodash@^4  `lodash:` for any version  "lodash@npm:^4  "alias@npm:lodash@^3  "forked@git+https://…  "app@workspace:.
 */
function read({ key, start, version, member, registry, local }: Entry): LockedPackage | undefined {
  const [, quote = '', name = '', range = ''] = descriptor.exec(key.slice(0, MAX_DESCRIPTOR_LENGTH)) ?? [];
  if (name === '' || !version || member === '') return undefined;
  const at = start + quote.length;
  const found = { name, nameSpan: { start: at, end: at + name.length }, version };
  const alias = aliasing.exec(key.slice(0, MAX_DESCRIPTOR_LENGTH))?.[1];
  const located = locate(name, alias ?? range.replace(/:$/, ''));
  const source = member === undefined ? located.source : 'workspace';
  const archive = source === 'url' ? readArchiveAddress(located.range) : undefined;
  if (archive !== undefined && npm.compare(archive.version, version.text) === 0)
    return { ...found, ...(archive.name !== name && { packageName: archive.name }), registry: located.range };
  if (source !== 'registry') return { ...found, source };
  const { name: packageName } = located;
  const moved = local === undefined ? undefined : sourceOf(local, packageName, version.text);
  if (moved !== undefined) return { ...found, ...(packageName !== name && { packageName }), source: moved };
  if (npm.read(version.text).kind !== 'pin') return undefined;
  return { ...found, ...(packageName !== name && { packageName }), ...(registry !== undefined && { registry }) };
}

/** Undefined for the archive of an offline mirror: `core-7.24.0.tgz`, `@babel-core-7.24.0.tgz`. */
function sourceOf(local: string, name: string, version: string): Source | undefined {
  const [file = ''] = local.split('#', 1);
  const bare = name.slice(name.indexOf('/') + 1);
  if ([bare, name.replace('/', '-')].some((it) => file === `${it}-${version}.tgz`)) return undefined;
  const source = lockedSource(local);
  return source === 'registry' ? 'path' : source;
}

/** Whether an entry is for different packages or origins, or has a version that a range of its key does not allow. */
function isContradicted({ key, version, member }: Entry): boolean {
  if (member !== undefined || !version || key.startsWith('__metadata')) return false;
  const all = descriptorsIn(key).map((it) => {
    const [, name = it, range = ''] = /^(@?[^@]+)@?(.*)$/s.exec(it) ?? [];
    return { ...locate(name, range), bare: name, isLater: /^npm:[^@]*$/.test(range) };
  });
  const [first] = all;
  if (first === undefined) return false;
  const isShared = [first.bare, first.name].some((name) => all.every((it) => it.bare === name || it.name === name));
  const kinds = new Set(all.map(({ source, range }) => (readArchiveAddress(range) ? 'registry' : source)));
  // The first version looks itself, and keeps the ranges that a resolution replaces.
  const isOther = all.some(({ isLater, range }) => isLater && isOutside(version.text, range));
  return !isShared || kinds.size > 1 || isOther;
}

/** The address in a resolution of yarn. That of a patch has the one of its package inside, encoded once more. */
function archiveIn(resolution: string): string | undefined {
  let address = /__archiveUrl(?:=|%(?:25)*3D)([^"&#\s]+)/i.exec(resolution)?.[1];
  for (let depth = 0; address !== undefined && !/^https?:\/\//.test(address) && depth <= MAX_PATCHES; depth++)
    address = decoded(address);
  return address;
}

interface Index {
  /** By descriptor: `lodash@^4.17.21`, `lodash@npm:^4.17.21`, `alias@npm:lodash@^3`, `lodash@patch:^4.17.21`. */
  readonly byDescriptor: ReadonlyMap<string, string>;
  /** The versions of each package. */
  readonly byName: ReadonlyMap<string, ReadonlySet<string>>;
  /** By descriptor: what the first version takes from elsewhere than its descriptor says. */
  readonly elsewhere: ReadonlyMap<string, Entry>;
}

function indexOf(entries: readonly Entry[]): Index {
  const byDescriptor = new Map<string, string>();
  const byName = new Map<string, Set<string>>();
  const elsewhere = new Map<string, Entry>();
  for (const entry of entries) {
    const { key, version, local } = entry;
    // A member of the workspace that satisfies a range: `"a@npm:^1, a@workspace:packages/a"`.
    const isMember = key.includes('@workspace:');
    if (isMember || (local !== undefined && read(entry)?.source !== undefined))
      for (const it of descriptorsIn(key)) elsewhere.set(it, entry);
    else if (version && npm.read(version.text).kind === 'pin')
      for (const it of descriptorsIn(key)) add(it, version.text);
  }
  return { byDescriptor, byName, elsewhere };

  function add(descriptor: string, version: string): void {
    byDescriptor.set(descriptor, version);
    const [, name = descriptor, range = ''] = /^(@?[^@]+)@(.*)$/s.exec(descriptor) ?? [];
    if (range.startsWith('patch:')) byDescriptor.set(`${name}@patch:${locate(name, range).range}`, version);
    const versions = byName.get(name);
    if (versions) versions.add(version);
    else byName.set(name, new Set([version]));
  }
}

/**
 * `"a@^1", b@^2:` in the first version, `"a@npm:^1, b@npm:^2":` in the later ones. For any version the first has the name
 * alone, `a:`.
 */
function descriptorsIn(key: string): string[] {
  return key
    .replace(/:\s*$/, '')
    .split(', ')
    .map((it) => it.replace(/^"|"$/g, ''))
    .filter((it) => /^[@a-z\d-]/i.test(it));
}

function lockedIn(
  { byDescriptor, byName }: Index,
  members: ReadonlyMap<string, ReadonlyMap<string, string>>,
  dependency: Dependency,
  importer: string,
): string | undefined {
  const member = members.get(importer);
  if (members.size > 0 && !member) return undefined;
  for (const it of descriptorsOf(dependency)) {
    const version = byDescriptor.get(it);
    if (version !== undefined) return version;
  }
  const { name, key, group = '' } = dependency;
  if (!dependencyGroups.has(group)) return undefined;
  // The range was changed since: the range before tells which version is still installed.
  const before = member?.get(name);
  const version = before === undefined ? undefined : byDescriptor.get(`${name}@${before}`);
  if (version !== undefined || importer !== '') return version;
  const all = key.name === name ? byName.get(name) : undefined;
  const [only] = all ?? [];
  return all?.size === 1 ? only : undefined;
}

/** The descriptors that yarn may have written for a dependency. */
function descriptorsOf({ name, key, requirement, frozen }: Dependency): string[] {
  if (requirement.kind !== 'literal') return [];
  const range = requirement.at.text;
  if (key.name !== name)
    return [...(frozen === undefined ? [] : [`${name}@patch:${range}`]), `${name}@npm:${key.name}@${range}`];
  if (range === '') return [name, `${name}@`, `${name}@npm:`];
  const plain = [`${name}@${range}`, `${name}@npm:${range}`, `${name}@npm:${name}@${range}`];
  return frozen === undefined ? plain : [`${name}@patch:${range}`, ...plain];
}
