import type { Lockfile, LockfileFormat } from '../model/lockfile.ts';
import type { Dependency } from '../model/manifest.ts';
import { cargo } from '../versions/cargo.ts';
import { addVersion, chosen } from './several.ts';

/** Cargo's lockfile, in its four versions. A workspace has one, at its root. */
export const cargoLock: LockfileFormat = {
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
  return { locked: (dependency) => locked(versions, dependency) };
}

function locked(versions: ReadonlyMap<string, readonly string[]>, dependency: Dependency): string | undefined {
  if (unlocked.test(dependency.group ?? '')) return undefined;
  const { key, requirement } = dependency;
  return chosen(versions.get(key.name) ?? [], requirement.kind === 'literal' ? requirement.at.text : '*', cargo);
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
