import type { Dependency, ManifestFormat } from '../model/manifest.ts';
import { npm } from '../versions/npm.ts';
import { entriesOf } from './locked-entry.ts';

/** bun's lockfile as text, opened itself. */
export const bunLock: ManifestFormat = {
  id: 'bun.lock',
  system: 'NPM',
  record: 'lockfile',
  files: /(^|\/)bun\.lock$/,
  parse: (text) => ({ dependencies: read(text), definitions: [], references: [], problems: [] }),
};

/**
 * A package, which bun writes on a line of its own. What comes from a folder or a repository has a colon in the place of
 * the version.
 *
 *     "webpack/acorn": ["acorn@8.11.3", "", {}, "sha512-…"],
 *                        ^^^^^ ^^^^^^
 */
const line = /^[ \t]*"[^"\r\n]+": \["((?:@[^"/@\r\n]+\/)?[^"/@\r\n]+)@([^"@/:\r\n]+)"/gm;

const entry = entriesOf('NPM', 'bun install');

function read(text: string): Dependency[] {
  const dependencies: Dependency[] = [];
  for (const { index, 0: whole, 1: name = '', 2: version = '' } of text.matchAll(line)) {
    if (npm.read(version).kind !== 'pin') continue;
    const start = index + whole.length - `${name}@${version}"`.length;
    dependencies.push(entry(text, start, name, version));
  }
  return dependencies;
}
