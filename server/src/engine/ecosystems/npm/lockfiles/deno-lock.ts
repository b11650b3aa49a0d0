import { walkJson } from '../../../formats/json/walk.ts';
import type { InPlace, LockedPackage, Lockfile } from '../../../model/lockfile.ts';
import type { Dependency } from '../../../model/manifest.ts';
import type { Span } from '../../../model/span.ts';
import { once } from '../../shared/graph-builder.ts';
import { adjacentEntry, lockfileFormat } from '../../shared/lockfile.ts';
import { npm, plainRange } from '../versions.ts';
import { denoGraph, readDenoLock } from './deno-graph.ts';
import { contradiction, isDenoContradicted } from './own-record.ts';

/** Deno's lockfile, from its version 2 on: the packages of npm in it. */
export const denoLock = lockfileFormat({
  id: 'deno.lock',
  system: 'NPM',
  files: /(^|\/)deno\.lock$/,
  serves: ['deno.json', 'package.json'],
  below: true,
  update: 'deno install',
  parse,
});

/**
 * The packages:
 *
 *     2:  "npm": { "packages": { "chalk@5.3.0": { … } } }
 *     3:  "packages": { "npm": { "chalk@5.3.0": { … } } }
 *     4:  "npm": { "chalk@5.3.0": { … }, "react-dom@18.3.1_react@18.3.1": { "tarball": "https://…" } }
 *                   ^^^^^ ^^^^^
 *
 * From version 5 on, the address of an archive stands there where it is not at the usual place of the usual registry.
 */
const lists: ReadonlySet<string | undefined> = new Set(['/npm', '/npm/packages', '/packages/npm']);

/**
 * The requirements, for all members of a workspace alike, each with its package and its version, or the version alone. The
 * prefix makes a requirement of version 2 one of the later versions.
 *
 *     2:  "npm": { "specifiers": { "chalk@^5": "chalk@5.3.0" } }
 *     3:  "packages": { "specifiers": { "npm:chalk@^5": "npm:chalk@5.3.0" } }
 *     4:  "specifiers": { "npm:chalk@^5": "5.3.0", "npm:react-dom@18": "18.3.1_react@18.3.1" }
 */
const specifiers: ReadonlyMap<string | undefined, string> = new Map([
  ['/npm/specifiers', 'npm:'],
  ['/packages/specifiers', ''],
  ['/specifiers', ''],
]);

/** The versions of its peers follow the version. */
const lockedPackage = /^(?!\d+\.\d+\.\d)(?:npm:)?((?:@[^@/]+\/)?[^@/]+)@([^_]*)/;

function parse(text: string): Lockfile {
  const packages: LockedPackage[] = [];
  /** How deep the object of the package lies that was read last. */
  let depth = 0;
  const found = new Map<string, InPlace>();
  /** Deno shortens ranges: `^1.0.0` is `1` here. */
  let byRange: ReadonlyMap<string, InPlace> | undefined;
  /** The paths of the objects around, as deep as they count: `''` for the root, `/npm`, `/npm/packages`. */
  const paths: string[] = [];

  const problems = walkJson(text, {
    open(name) {
      const around = paths.at(-1);
      const entry = name && lists.has(around) ? read(text, name) : undefined;
      if (entry) {
        packages.push(entry);
        depth = paths.length + 1;
      }
      paths.push(name && paths.length < 3 ? `${around}/${text.slice(name.start, name.end)}` : '');
    },
    close: () => paths.pop(),
    string(name, value) {
      const last = packages.at(-1);
      if (last && paths.length === depth && text.slice(name.start, name.end) === 'tarball')
        packages[packages.length - 1] = { ...last, registry: text.slice(value.start, value.end) };
      const prefix = specifiers.get(paths.at(-1));
      if (prefix === undefined) return;
      const specifier = prefix + text.slice(name.start, name.end);
      const written = text.slice(value.start, value.end);
      const [, named, version = ''] = lockedPackage.exec(written.slice(0, MAX_KEY_LENGTH)) ?? [];
      const own = /^npm:(@?[^@]*)/.exec(specifier)?.[1] ?? '';
      found.set(specifier, { name: named ?? own, text: named === undefined ? written.replace(/_.*$/s, '') : version });
    },
  });
  return {
    packages,
    get problems() {
      if (problems.length > 0) return problems;
      const read = readDenoLock(text);
      return contradiction(isDenoContradicted(read.root, read.packages, read.specifiers) ? text.length : undefined);
    },
    locked,
    inPlaceOf,
    graph: once(() => denoGraph(text, locked)),
  };

  function locked(dependency: Dependency): string | undefined {
    const { name, text: version = '' } = inPlaceOf(dependency) ?? {};
    return name === dependency.key.name && npm.read(version).kind === 'pin' ? version : undefined;
  }

  function inPlaceOf({ key, requirement, overridden }: Dependency): InPlace | undefined {
    // The file has what is written, and the version by which it is overridden.
    const written = overridden ?? requirement;
    const range = written.kind === 'literal' ? written.at.text.trim() : '';
    const names = range === '' ? [`npm:${key.name}@*`, `npm:${key.name}`] : [`npm:${key.name}@${range}`];
    const asWritten = names.map((it) => found.get(it)).find((it) => it !== undefined);
    byRange ??= new Map(Array.from(found, ([it, own]) => [withPlainRange(it), own]));
    return asWritten ?? byRange.get(withPlainRange(`npm:${key.name}@${range}`));
  }
}

/** The same for ranges of the same versions. */
function withPlainRange(specifier: string): string {
  const [, name = specifier, range = ''] = /^(npm:@?[^@]*)@?(.*)$/s.exec(specifier) ?? [];
  return `${name}@${plainRange(range) ?? range}`;
}

/** In characters. A key that lists many peers is longer, but its name and version come first. */
const MAX_KEY_LENGTH = 1000;
const key = /^((?:@[^@/]+\/)?[^@/]+)@(\d[^_]*)/;

function read(text: string, { start, end }: Span): LockedPackage | undefined {
  const [, name, version = ''] = key.exec(text.slice(start, Math.min(end, start + MAX_KEY_LENGTH))) ?? [];
  if (name === undefined || npm.read(version).kind !== 'pin') return undefined;
  return adjacentEntry(text, start, name, version);
}
