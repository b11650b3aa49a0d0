import type { Lockfile, LockfileFormat } from '../../model/lockfile.ts';
import type { Dependency, ManifestFormat } from '../../model/manifest.ts';
import { addVersion, pickLockedVersion } from '../shared/lockfile.ts';
import { readTomlLock, type TomlLock } from '../shared/toml-lock.ts';
import { cargo } from './versions.ts';

/**
 * Cargo's lockfile, opened itself. A crate without a source is a member of the workspace, listed where another one
 * depends on it: which of them is the root, it does not say.
 */
export const cargoLock: ManifestFormat = {
  id: 'Cargo.lock',
  system: 'CARGO',
  record: 'lockfile',
  files: /(^|\/)Cargo\.lock$/,
  parse: (text) => {
    const names = new Set(Array.from(text.matchAll(needed), ([, name]) => name));
    const sourceOf: TomlLock['sourceOf'] = (origin, name) =>
      origin.has('source') || !names.has(name) ? format.sourceOf(origin, name) : 'workspace';
    return readTomlLock(text, { ...format, sourceOf });
  },
};

/** One of the `dependencies` of a crate: ` "serde",`, ` "time 0.1.45",` */
const needed = /^ "([^" \r\n]+)[" ]/gm;

const format: TomlLock = {
  system: 'CARGO',
  array: 'package',
  origin: ['source'],
  sourceOf: (origin) => {
    const source = origin.get('source');
    if (source === undefined) return 'none';
    return /^(?:registry|sparse)\+/.test(source) ? 'registry' : 'git';
  },
  registryOf: (origin) => origin.get('source'),
  update: 'cargo update',
};

/** Cargo's lockfile, in its four versions. A workspace has one, at its root. */
export const cargoLockfile: LockfileFormat = {
  id: 'Cargo.lock',
  serves: ['Cargo.toml'],
  below: true,
  update: 'cargo build',
  parse,
};

/** What stands in a patch or a replacement is another crate than the one locked under that name. */
const unlocked = /^(?:patch\.|replace$)/;

function parse(text: string): Lockfile {
  const versions = readPackages(text);
  return { packages: [], problems: [], locked: (dependency) => locked(versions, dependency) };
}

function locked(versions: ReadonlyMap<string, readonly string[]>, dependency: Dependency): string | undefined {
  if (unlocked.test(dependency.group ?? '')) return undefined;
  const { key, requirement } = dependency;
  return pickLockedVersion(
    versions.get(key.name) ?? [],
    requirement.kind === 'literal' ? requirement.at.text : '*',
    cargo,
  );
}

const line = /^(?:\[|(name|version|source) = "([^"\r\n]*)")/gm;

/**
 * The crates that come from a registry, by name. A crate of the workspace or of a repository has a version too, but not
 * one that was published.
 *
 *     [[package]]
 *     name = "serde"
 *     version = "1.0.197"
 *     source = "registry+https://…"
 */
function readPackages(text: string): ReadonlyMap<string, readonly string[]> {
  const versions = new Map<string, string[]>();
  let name = '';
  let version = '';
  for (const [, key, value = ''] of text.matchAll(line)) {
    if (key === undefined) {
      name = '';
      version = '';
    } else if (key === 'name') name = value;
    else if (key === 'version') version = value;
    else if (/^(?:registry|sparse)\+/.test(value) && name !== '' && cargo.compare(version, '') > 0)
      addVersion(versions, name, version);
  }
  return versions;
}
