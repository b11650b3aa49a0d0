import { hexOf } from '../base/bytes.ts';
import { LruMap } from '../base/lru-map.ts';
import { versioning } from '../ecosystems/versioning.ts';
import { canonicalName, type PackageKey, type VersionKey, versionId } from '../model/keys.ts';
import type { Query } from '../model/lookups.ts';
import { type ServiceFact, wantedId } from '../model/ports.ts';

/** A fact under the canonical spelling of its key. */
export interface CanonicalFact {
  /** `version NPM lodash@4.17.21`. */
  readonly id: string;
  /** In the spelling of the service. */
  readonly wanted: ServiceFact;
}

/** More versions than any workspace has open. */
const MAX_VERSIONS = 50_000;

/** Finds the canonical spelling of facts. Remembers it by key and, for versions, by spelling: each keystroke reads them. */
export function createCanonicalize(): (wanted: ServiceFact) => CanonicalFact {
  const bySpelling = new LruMap<string, CanonicalFact>(MAX_VERSIONS);
  const byKey = {
    version: new WeakMap<PackageKey, CanonicalFact>(),
    package: new WeakMap<PackageKey, CanonicalFact>(),
    requirements: new WeakMap<PackageKey, CanonicalFact>(),
    similar: new WeakMap<PackageKey, CanonicalFact>(),
  };

  function find(wanted: ServiceFact): CanonicalFact {
    if (wanted.kind !== 'version') return canonicalize(wanted);
    const { system, name, version, registry = '' } = wanted.key;
    const spelling = `${system} ${name}@${version} ${registry}`;
    const before = bySpelling.get(spelling);
    if (before) return before;
    const fact = canonicalize(wanted);
    bySpelling.set(spelling, fact);
    return fact;
  }

  return (wanted) => {
    if (wanted.kind === 'advisory' || wanted.kind === 'project') return find(wanted);
    const before = byKey[wanted.kind].get(wanted.key);
    if (before) return before;
    const fact = find(wanted);
    byKey[wanted.kind].set(wanted.key, fact);
    return fact;
  };
}

export function canonicalize(asked: ServiceFact): CanonicalFact {
  const wanted = canonical(asked);
  return { id: wantedId(wanted), wanted };
}

function canonical(wanted: ServiceFact): ServiceFact {
  switch (wanted.kind) {
    case 'version':
    case 'requirements':
      return { kind: wanted.kind, key: canonicalVersion(wanted.key) };
    case 'package':
    case 'similar':
      return { kind: wanted.kind, key: canonicalPackage(wanted.key) };
    case 'advisory':
    case 'project':
      return wanted;
  }
}

/** `query SHA1 b447f667… NPM lodash@4.17.21`, without the part that a query does not have. */
export function queryId({ hash, version }: Query): string {
  return [
    'query',
    ...(hash ? [hash.type, hexOf(hash.digest)] : []),
    ...(version ? [versionId(canonicalVersion(version))] : []),
  ].join(' ');
}

function canonicalPackage(key: PackageKey): PackageKey {
  return { ...key, name: canonicalName(key.system, key.name) };
}

export function canonicalVersion(key: VersionKey): VersionKey {
  const { system, name, version } = key;
  return {
    ...key,
    name: canonicalName(system, name),
    version: isPlain.test(version) ? version : versioning[system].canonical(publicVersion(key)),
  };
}

/**
 * `2.1.0` of `2.1.0+cu118` of PyPI, which takes no version with a local label: what is known of a build is what is known of
 * its version. Source: PEP 440, “Local version identifiers”.
 */
function publicVersion({ system, registry, version }: VersionKey): string {
  return system === 'PYPI' && registry === undefined ? version.replace(/\+.*$/s, '') : version;
}

/** Three plain numbers are canonical in every system (and not a version in GO), so they need no parsing. */
const isPlain = /^(?:0|[1-9]\d{0,9})\.(?:0|[1-9]\d{0,9})\.(?:0|[1-9]\d{0,9})$/;

export function isSamePackage(a: PackageKey, b: PackageKey): boolean {
  if (a.registry !== b.registry) return false;
  if (a.name === b.name && a.system === b.system) return true;
  return a.system === b.system && canonicalName(a.system, a.name) === canonicalName(b.system, b.name);
}

/** Whether two keys name the same published version, in any spelling. */
export function isSameVersion(a: VersionKey, b: VersionKey): boolean {
  if (a.registry === b.registry && a.version === b.version && a.name === b.name && a.system === b.system) return true;
  if (!isSamePackage(a, b)) return false;
  const { canonical, compare } = versioning[a.system];
  return canonical(a.version) === canonical(b.version) || compare(a.version, b.version) === 0;
}
