import { readTomlPackages } from '../../formats/toml/packages.ts';
import type { Lockfile } from '../../model/lockfile.ts';
import type { Dependency } from '../../model/manifest.ts';
import { lockfileFormat, pickLockedVersion, versionsByName } from '../shared/lockfile.ts';
import { lockedPackages, type TomlLock } from '../shared/toml-lock.ts';
import { cargo } from './versions.ts';

/** Cargo's lockfile, in its four versions. A workspace has one, at its root. */
export const cargoLock = lockfileFormat({
  id: 'Cargo.lock',
  system: 'CARGO',
  files: /(^|\/)Cargo\.lock$/,
  serves: ['Cargo.toml'],
  below: true,
  update: 'cargo build',
  writer: 'cargo update',
  parse,
});

/** One of the `dependencies` of a crate: ` "serde",`, ` "time 0.1.45",` */
const required = /^ "([^" \r\n]+)[" ]/gm;

/** A crate in a patch or a replacement is another crate than the locked one of its name. */
const unlockedGroup = /^(?:patch\.|replace$)/;

/**
 * A crate without a source is a member of the workspace, listed where another crate depends on it: the file does not name
 * the root.
 *
 *     [[package]]
 *     name = "serde"
 *     version = "1.0.197"
 *     source = "registry+https://…"
 */
function parse(text: string): Lockfile {
  const names = new Set(Array.from(text.matchAll(required), ([, name]) => name));
  const format: TomlLock = {
    array: 'package',
    origin: ['source'],
    sourceOf(origin, name) {
      const source = origin.get('source');
      if (source === undefined) return names.has(name) ? 'workspace' : 'none';
      return /^(?:registry|sparse)\+/.test(source) ? 'registry' : 'git';
    },
    registryOf: (origin) => origin.get('source'),
  };
  const packages = lockedPackages(readTomlPackages(text, format.array, format.origin), format);
  const versions = versionsByName(
    'CARGO',
    packages.filter((it) => cargo.compare(it.version.text, '') > 0),
  );
  return { packages, problems: [], locked: (dependency) => lockedVersion(versions, dependency) };
}

function lockedVersion(
  versions: ReadonlyMap<string, readonly string[]>,
  { key, requirement, group = '' }: Dependency,
): string | undefined {
  if (unlockedGroup.test(group)) return undefined;
  const range = requirement.kind === 'literal' ? requirement.at.text : '*';
  return pickLockedVersion(versions.get(key.name) ?? [], range, cargo);
}
