import type { Dependency, Manifest, ManifestFormat } from '../model/manifest.ts';
import type { Span } from '../model/span.ts';
import { walkJson } from '../text/json-walk.ts';
import { npm } from '../versions/npm.ts';
import { entriesOf } from './locked-entry.ts';

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
    string: () => undefined,
    yes: () => undefined,
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
