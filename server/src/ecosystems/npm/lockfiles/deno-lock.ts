import { walkJson } from '../../../formats/json/walk.ts';
import type { LockedPackage, Lockfile } from '../../../model/lockfile.ts';
import type { Dependency } from '../../../model/manifest.ts';
import type { Span } from '../../../model/span.ts';
import { once } from '../../shared/graph-builder.ts';
import { adjacentEntry, lockfileFormat } from '../../shared/lockfile.ts';
import { npm, plainRange } from '../versions.ts';
import { denoGraph } from './deno-graph.ts';

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
 * The requirements, for all members of a workspace alike, each with its package or its version. `cut` removes the name
 * of the package; `prefix` makes a requirement of version 2 one of the later versions.
 *
 *     2:  "npm": { "specifiers": { "chalk@^5": "chalk@5.3.0" } }
 *     3:  "packages": { "specifiers": { "npm:chalk@^5": "npm:chalk@5.3.0" } }
 *     4:  "specifiers": { "npm:chalk@^5": "5.3.0", "npm:react-dom@18": "18.3.1_react@18.3.1" }
 */
const specifiers: ReadonlyMap<string | undefined, { readonly prefix: string; readonly cut: RegExp }> = new Map([
  ['/npm/specifiers', { prefix: 'npm:', cut: /^@?[^@]*@/ }],
  ['/packages/specifiers', { prefix: '', cut: /^npm:@?[^@]*@/ }],
  ['/specifiers', { prefix: '', cut: /^/ }],
]);

function parse(text: string): Lockfile {
  const packages: LockedPackage[] = [];
  /** How deep the object of the package lies that was read last. */
  let depth = 0;
  const versions = new Map<string, string>();
  /** Deno shortens ranges: `^1.0.0` is `1` here. */
  let byRange: ReadonlyMap<string, string> | undefined;
  /** The paths of the objects around, as deep as they count: `''` for the root, `/npm`, `/npm/packages`. */
  const paths: string[] = [];

  const problems = walkJson(text, {
    open(name) {
      const around = paths.at(-1);
      const found = name && lists.has(around) ? read(text, name) : undefined;
      if (found) {
        packages.push(found);
        depth = paths.length + 1;
      }
      paths.push(name && paths.length < 3 ? `${around}/${text.slice(name.start, name.end)}` : '');
    },
    close: () => paths.pop(),
    string(name, value) {
      const last = packages.at(-1);
      if (last && paths.length === depth && text.slice(name.start, name.end) === 'tarball')
        packages[packages.length - 1] = { ...last, registry: text.slice(value.start, value.end) };
      const kind = specifiers.get(paths.at(-1));
      if (!kind) return;
      // The versions of its peers follow the version.
      const version = text.slice(value.start, value.end).replace(kind.cut, '').replace(/_.*$/s, '');
      versions.set(kind.prefix + text.slice(name.start, name.end), version);
    },
  });
  return { packages, problems, locked, graph: once(() => denoGraph(text, locked)) };

  function locked({ key, requirement, overridden }: Dependency): string | undefined {
    // The file has what is written, and the version by which it is overridden.
    const written = overridden ?? requirement;
    const range = written.kind === 'literal' ? written.at.text.trim() : '';
    const names = range === '' ? [`npm:${key.name}@*`, `npm:${key.name}`] : [`npm:${key.name}@${range}`];
    const asWritten = names.map((it) => versions.get(it)).find((it) => it !== undefined);
    byRange ??= new Map(Array.from(versions, ([it, version]) => [withPlainRange(it), version]));
    const version = asWritten ?? byRange.get(withPlainRange(`npm:${key.name}@${range}`));
    return version !== undefined && npm.read(version).kind === 'pin' ? version : undefined;
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
