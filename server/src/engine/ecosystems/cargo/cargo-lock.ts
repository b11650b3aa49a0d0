import type { LockedPackage, Lockfile } from '../../model/lockfile.ts';
import type { Dependency } from '../../model/manifest.ts';
import { once } from '../shared/graph-builder.ts';
import { lockfileFormat, pickLockedVersion, versionsByName } from '../shared/lockfile.ts';
import { readTomlLock, type TomlLock } from '../shared/toml-lock.ts';
import { cargoGraph } from './cargo-graph.ts';
import { cargo } from './versions.ts';

/** Cargo's lockfile, in its four versions. A workspace has one, at its root. */
export const cargoLock = lockfileFormat({
  id: 'Cargo.lock',
  system: 'CARGO',
  files: /(^|\/)Cargo\.lock$/,
  serves: ['Cargo.toml'],
  below: true,
  // Keeps all other versions. Source: https://doc.rust-lang.org/cargo/commands/cargo-update.html
  update: 'cargo update --workspace',
  writer: 'cargo update',
  parse,
});

/** One of the `dependencies` of a crate: ` "serde",`, ` "time 0.1.45",` */
const required = /^ "([^" \r\n]+)[" ]/gm;

/** A crate in a patch or a replacement is another crate than the locked one of its name. */
const unlockedGroup = /^(?:patch\.|replace$)/;

const format: TomlLock = {
  array: 'package',
  origin: ['source'],
  sourceOf(origin) {
    const source = origin.get('source');
    if (source === undefined) return 'workspace';
    return /^(?:registry|sparse)\+/.test(source) ? 'registry' : 'git';
  },
  registryOf: (origin) => origin.get('source'),
};

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
  let versions: ReadonlyMap<string, readonly string[]> | undefined;
  return {
    get packages() {
      const names = new Set(Array.from(text.matchAll(required), ([, name]) => name));
      return [...readTomlLock(text, format)].filter((it) => it.source !== 'workspace' || names.has(it.name));
    },
    problems: [],
    locked,
    graph: once(() => cargoGraph(text, locked)),
  };

  function locked(dependency: Dependency): string | undefined {
    versions ??= versionsByName('CARGO', validVersions(text));
    return lockedVersion(versions, dependency);
  }
}

function* validVersions(text: string): Iterable<LockedPackage> {
  for (const it of readTomlLock(text, format)) if (cargo.compare(it.version.text, '') > 0) yield it;
}

function lockedVersion(
  versions: ReadonlyMap<string, readonly string[]>,
  { key, requirement, group = '' }: Dependency,
): string | undefined {
  if (unlockedGroup.test(group)) return undefined;
  const range = requirement.kind === 'literal' ? requirement.at.text : '*';
  return pickLockedVersion(versions.get(key.name) ?? [], range, cargo);
}
