import { versioning } from '../../ecosystems/versioning.ts';
import { canonicalName, type PackageKey, type VersionKey, versionId } from '../../model/keys.ts';
import type { Query } from '../../model/lookups.ts';
import { type Wanted, wantedId } from '../../model/ports.ts';

/** Something to look up under the one spelling that all its spellings share. */
export interface Identified {
  /** `version NPM lodash@4.17.21`. */
  readonly id: string;
  /** Spelt as the service spells it. */
  readonly wanted: Wanted;
}

/** How many spellings are remembered: more than any workspace has open. */
const remembered = 50_000;

/** Finds the shared spelling of what is looked up; remembers versions, which are read on every keystroke. */
export function createIdentify(): (wanted: Wanted) => Identified {
  const known = new Map<string, Identified>();
  return (wanted) => {
    if (wanted.kind !== 'version') return identify(wanted);
    const { system, name, version } = wanted.key;
    const spelling = `${system} ${name}@${version}`;
    let identified = known.get(spelling);
    if (identified === undefined) {
      identified = identify(wanted);
      if (known.size >= remembered) known.clear();
      known.set(spelling, identified);
    }
    return identified;
  };
}

/** For what is looked up again and again by the same keys: a map of texts would have to be asked by a new one each time. */
export function byKey(find: (wanted: Wanted) => Identified): (wanted: Wanted) => Identified {
  const known = {
    version: new WeakMap<PackageKey, Identified>(),
    package: new WeakMap<PackageKey, Identified>(),
    requirements: new WeakMap<PackageKey, Identified>(),
  };
  return (wanted) => {
    if (wanted.kind === 'advisory') return find(wanted);
    const before = known[wanted.kind].get(wanted.key);
    if (before) return before;
    const identified = find(wanted);
    known[wanted.kind].set(wanted.key, identified);
    return identified;
  };
}

export function identify(asked: Wanted): Identified {
  const wanted = canonical(asked);
  return { id: wantedId(wanted), wanted };
}

function canonical(wanted: Wanted): Wanted {
  switch (wanted.kind) {
    case 'version':
    case 'requirements':
      return { kind: wanted.kind, key: canonicalVersion(wanted.key) };
    case 'package':
      return { kind: 'package', key: canonicalPackage(wanted.key) };
    case 'advisory':
      return wanted;
  }
}

/** `query SHA1 b447f667… NPM lodash@4.17.21`, of which either half may be missing. */
export function queryId({ hash, version }: Query): string {
  return [
    'query',
    ...(hash ? [hash.type, Buffer.from(hash.digest).toString('hex')] : []),
    ...(version ? [versionId(canonicalVersion(version))] : []),
  ].join(' ');
}

function canonicalPackage({ system, name }: PackageKey): PackageKey {
  return { system, name: canonicalName(system, name) };
}

export function canonicalVersion({ system, name, version }: VersionKey): VersionKey {
  return {
    system,
    name: canonicalName(system, name),
    version: isPlain.test(version) ? version : versioning[system].canonical(version),
  };
}

/** Three plain numbers are written so in every system (and are no version in GO): no need to take them apart. */
const isPlain = /^(?:0|[1-9]\d{0,9})\.(?:0|[1-9]\d{0,9})\.(?:0|[1-9]\d{0,9})$/;

export function isSamePackage(a: PackageKey, b: PackageKey): boolean {
  if (a.name === b.name && a.system === b.system) return true;
  return a.system === b.system && canonicalName(a.system, a.name) === canonicalName(b.system, b.name);
}

/** Whether two keys name one published version, however each is spelt. */
export function isSameVersion(a: VersionKey, b: VersionKey): boolean {
  if (a.version === b.version && a.name === b.name && a.system === b.system) return true;
  if (!isSamePackage(a, b)) return false;
  const { canonical, compare } = versioning[a.system];
  return canonical(a.version) === canonical(b.version) || compare(a.version, b.version) === 0;
}
