import type { Dependency, Manifest, ManifestFormat } from '../model/manifest.ts';
import { scanLines } from '../text/lines.ts';
import { npm } from '../versions/npm.ts';
import { entriesOf } from './locked-entry.ts';

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
  let isInside = false;
  let current: Dependency | undefined;

  scanLines(text, (start, end, indent) => {
    if (indent === 0) isInside = text.startsWith('packages:', start);
    else if (isInside && indent === 2) {
      current = read(text, start + 2, end);
      if (current) dependencies.push(current);
    } else if (isInside && indent === 4 && current) {
      const scope = scopes.find(([field]) => text.startsWith(field, start + 4))?.[1];
      const registry = tarball.exec(text.slice(start, Math.min(end, start + longest)))?.[1];
      if (scope) current = { ...current, scope };
      if (registry) current = { ...current, registry };
      if (scope || registry) dependencies[dependencies.length - 1] = current;
    }
  });
  return { dependencies, definitions: [], references: [], problems: [] };
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

/** Undefined for what comes from a repository or an address, whose key is that. */
function read(text: string, start: number, end: number): Dependency | undefined {
  const [whole, host, name = '', version = ''] = key.exec(text.slice(start, Math.min(end, start + longest))) ?? [];
  if (whole === undefined || npm.read(version).kind !== 'pin') return undefined;
  const found = entry(text, start + whole.length - `${name}@${version}`.length, name, version);
  // A port stands behind a plus.
  return host ? { ...found, registry: `https://${host.replace('+', ':')}` } : found;
}
