import { walkJson } from '../../../formats/json/walk.ts';
import { verbatim } from '../../../formats/text/literal.ts';
import type { LockedPackage, Lockfile } from '../../../model/lockfile.ts';
import type { Dependency } from '../../../model/manifest.ts';
import type { Span } from '../../../model/span.ts';
import { once } from '../../shared/graph-builder.ts';
import { adjacentEntry, lockfileFormat } from '../../shared/lockfile.ts';
import { dependencyGroups } from '../dependency-groups.ts';
import { lockedSource } from '../specifier.ts';
import { npm } from '../versions.ts';
import { readArchiveAddress } from './archive-address.ts';
import { bunGraph, readBunLock } from './bun-graph.ts';
import { contradiction, isBunContradicted } from './own-record.ts';

/** bun's lockfile as text. The older one, bun.lockb, is binary, and not read. */
export const bunLock = lockfileFormat({
  id: 'bun.lock',
  system: 'NPM',
  files: /(^|\/)bun\.lock$/,
  serves: ['package.json'],
  below: true,
  update: 'bun install',
  parse,
});

/** A package with its version, or with its source: `lodash@4.17.21`, `member@workspace:packages/member`. */
const identity = /^((?:@[^"/@\r\n]+\/)?[^"/@\r\n]+)@([^"\r\n]+)$/;

/**
 * The first string of a package names it with its version. A package from a folder or a repository has its source in the
 * place of the version, and the root of the workspace `root:`. The second string is the address of the archive, and empty
 * where that is at the usual place of the usual registry.
 *
 *     "workspaces": { "": { "name": "root" }, "packages/a": { "name": "a" } },
 *     "packages": { "lodash": ["lodash@4.17.21", …], "webpack/acorn": ["acorn@8.11.3", "https://…", {}, "sha512-…"],
 *                                                                       ^^^^^ ^^^^^^
 *                   "a": ["a@workspace:packages/a"] }
 */
function parse(text: string): Lockfile {
  const packages: LockedPackage[] = [];
  /** By path: `lodash`, `webpack/acorn`. */
  const byPath = new Map<string, LockedPackage>();
  /** The names of the workspace's members, by directory; `''` for the root. */
  const members = new Map<string, string>();
  const around: string[] = [];
  /** The package whose strings have yet to come, and what its first one says. */
  let path: string | undefined;
  let named: LockedPackage | undefined;

  const problems = walkJson(text, {
    open(name) {
      path = undefined;
      around.push(name ? text.slice(name.start, name.end) : '');
      if (around.length === 3 && around[1] === 'workspaces') members.set(around[2] ?? '', '');
    },
    close: () => around.pop(),
    openArray(name) {
      path = name && around.length === 2 && around[1] === 'packages' ? text.slice(name.start, name.end) : undefined;
      named = undefined;
    },
    string(name, value) {
      if (around.length !== 3 || around[1] !== 'workspaces' || text.slice(name.start, name.end) !== 'name') return;
      members.set(around[2] ?? '', text.slice(value.start, value.end));
    },
    item(value) {
      if (path === undefined) return;
      const registry = named && readRegistry(text.slice(value.start, value.end));
      const found = named === undefined ? read(text, value) : { ...named, ...(registry !== undefined && { registry }) };
      if (found) {
        packages[named === undefined ? packages.length : packages.length - 1] = found;
        byPath.set(path, found);
      }
      if (named !== undefined || found === undefined) path = undefined;
      named = found;
    },
  });
  return {
    packages,
    get problems() {
      if (problems.length > 0) return problems;
      // bun reads escapes in names, and writes none.
      const escaped = /"[^"\r\n]*\\[^"\r\n]*"\s*:/.exec(text)?.index;
      return contradiction(escaped ?? (isBunContradicted(readBunLock(text).root) ? text.length : undefined));
    },
    locked,
    inPlaceOf(dependency, importer) {
      const found = entryOf(dependency, importer);
      return found && { name: found.packageName ?? found.name, source: found.source, text: found.version.text };
    },
    graph: once(() => bunGraph(text, (it) => read(it, { start: 0, end: it.length }), readRegistry, locked)),
  };

  function locked(dependency: Dependency, importer: string): string | undefined {
    const found = entryOf(dependency, importer);
    return found?.source === undefined && found?.name === dependency.key.name ? found.version.text : undefined;
  }

  function entryOf({ group = '', name }: Dependency, importer: string): LockedPackage | undefined {
    const member = members.get(importer);
    if (member === undefined || !(dependencyGroups.has(group) || group.startsWith('catalog'))) return undefined;
    // A member's own version has its name in the path, the common one has not; a package may have the name of the root.
    return (importer === '' ? undefined : byPath.get(`${member}/${name}`)) ?? byPath.get(name);
  }
}

/** The second string of a package from a registry; that of one from a repository is a digest. */
function readRegistry(second: string): string | undefined {
  return /^[a-z+]+:/i.test(second) ? second : undefined;
}

function read(text: string, { start, end }: Span): LockedPackage | undefined {
  const [, name = '', version = ''] = identity.exec(text.slice(start, end)) ?? [];
  const source = lockedSource(version);
  if (source === 'registry')
    return npm.read(version).kind === 'pin' ? adjacentEntry(text, start, name, version) : undefined;
  if (version.startsWith('root:')) return undefined;
  const archive = readArchiveAddress(version);
  if (archive !== undefined) {
    const from = end - version.length + archive.start;
    return {
      name,
      nameSpan: { start, end: start + name.length },
      ...(archive.name !== name && { packageName: archive.name }),
      version: verbatim(text, from, from + archive.version.length),
      registry: version,
    };
  }
  return {
    name,
    nameSpan: { start, end: start + name.length },
    version: verbatim(text, end - version.length, end),
    source,
  };
}
