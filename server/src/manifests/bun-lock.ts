import type { Dependency, ManifestFormat } from '../model/manifest.ts';
import { npm } from '../versions/npm.ts';
import { entriesOf, takenFrom } from './locked-entry.ts';
import { lockedSource } from './npm-specifier.ts';

/** bun's lockfile as text, opened itself. */
export const bunLock: ManifestFormat = {
  id: 'bun.lock',
  system: 'NPM',
  record: 'lockfile',
  files: /(^|\/)bun\.lock$/,
  parse: (text) => ({ dependencies: read(text), definitions: [], references: [], problems: [] }),
};

/**
 * A package, which bun writes on a line of its own. What comes from a folder or a repository has that in the place of
 * the version, and the workspace's own `root:`.
 *
 *     "webpack/acorn": ["acorn@8.11.3", "", {}, "sha512-…"],
 *                        ^^^^^ ^^^^^^
 *     "member": ["member@workspace:packages/member"],
 */
const line = /^[ \t]*"[^"\r\n]+": \["((?:@[^"/@\r\n]+\/)?[^"/@\r\n]+)@([^"\r\n]+)"/gm;

const entry = entriesOf('NPM', 'bun install');
const elsewhere = takenFrom('NPM', 'bun install');

function read(text: string): Dependency[] {
  const dependencies: Dependency[] = [];
  for (const { index, 0: whole, 1: name = '', 2: version = '' } of text.matchAll(line)) {
    const start = index + whole.length - `${name}@${version}"`.length;
    const end = start + name.length;
    const source = lockedSource(version);
    if (source === 'registry') {
      if (npm.read(version).kind === 'pin') dependencies.push(entry(text, start, name, version));
    } else if (!version.startsWith('root:')) {
      dependencies.push(elsewhere(name, { start, end }, source, { start: end + 1, end: end + 1 + version.length }));
    }
  }
  return dependencies;
}
