import { isRecord } from '../../base/text.ts';
import { readPlainJson } from '../../formats/json/plain.ts';
import { walkJson } from '../../formats/json/walk.ts';
import type { Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { Dependency, Manifest, ManifestFormat } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { entriesOf } from '../shared/lockfile.ts';
import { npm } from './versions.ts';

/** Deno's lockfile, opened itself: the packages of npm in it. */
export const denoLock: ManifestFormat = {
  id: 'deno.lock',
  system: 'NPM',
  record: 'lockfile',
  files: /(^|\/)deno\.lock$/,
  parse,
};

/**
 *     2:  "npm": { "packages": { "chalk@5.3.0": { … } } }
 *     3:  "packages": { "npm": { "chalk@5.3.0": { … } } }
 *     4:  "npm": { "chalk@5.3.0": { … }, "react-dom@18.3.1_react@18.3.1": { … } }
 *                   ^^^^^ ^^^^^
 */
const lists: ReadonlySet<string> = new Set(['npm', 'npm/packages', 'packages/npm']);

function parse(text: string): Manifest {
  const dependencies: Dependency[] = [];
  /** The names of the objects around, but for the root's. */
  const path: string[] = [];

  const problems = walkJson(text, {
    open(name) {
      const dependency = name && path.length < 4 && lists.has(path.slice(1).join('/')) ? read(text, name) : undefined;
      if (dependency) dependencies.push(dependency);
      path.push(name && path.length < 3 ? text.slice(name.start, name.end) : '');
    },
    close: () => path.pop(),
  });
  return { dependencies, definitions: [], references: [], problems };
}

/** In characters. A key that lists many peers is longer, but its name and version stand at its front. */
const longest = 1000;
const key = /^((?:@[^@/]+\/)?[^@/]+)@(\d[^_]*)/;

const entry = entriesOf('NPM', 'deno install');

function read(text: string, { start, end }: Span): Dependency | undefined {
  const [, name, version = ''] = key.exec(text.slice(start, Math.min(end, start + longest))) ?? [];
  if (name === undefined || npm.read(version).kind !== 'pin') return undefined;
  return entry(text, start, name, version);
}

/** Deno's lockfile, from its version 2 on: the packages of npm in it. */
export const denoLockfile: LockfileFormat = {
  id: 'deno.lock',
  serves: ['deno.json', 'package.json'],
  below: true,
  update: 'deno install',
  parse: readLocked,
};

/**
 * What is asked for is locked under the very words it is asked with, for all members of a workspace alike:
 *
 *     2:  "npm": { "specifiers": { "chalk@^5": "chalk@5.3.0" } }
 *     3:  "packages": { "specifiers": { "npm:chalk@^5": "npm:chalk@5.3.0" } }
 *     4:  "specifiers": { "npm:chalk@^5": "5.3.0", "npm:react-dom@18": "18.3.1_react@18.3.1" }
 */
function readLocked(text: string): Lockfile {
  const value = readPlainJson(text);
  const root = isRecord(value) ? value : {};
  const versions = new Map<string, string>();
  for (const [holder, asked, named] of [
    [root.npm, 'npm:', /^@?[^@]*@/],
    [root.packages, '', /^npm:@?[^@]*@/],
    [root, '', /^/],
  ] as const) {
    const specifiers = isRecord(holder) && isRecord(holder.specifiers) ? holder.specifiers : {};
    for (const [specifier, locked] of Object.entries(specifiers)) {
      // What its peers come to is told behind the version.
      if (typeof locked === 'string') versions.set(asked + specifier, locked.replace(named, '').replace(/_.*$/s, ''));
    }
  }
  return {
    packages: [],
    problems: [],
    locked: ({ key, requirement }) => {
      const asked = requirement.kind === 'literal' ? requirement.at.text.trim() : '';
      const names = asked === '' ? [`npm:${key.name}@*`, `npm:${key.name}`] : [`npm:${key.name}@${asked}`];
      const version = names.map((it) => versions.get(it)).find((it) => it !== undefined);
      return version !== undefined && npm.read(version).kind === 'pin' ? version : undefined;
    },
  };
}
