import { directoryOf, relativeTo } from '../../base/uri.ts';
import type { LinkedDependency, Locked } from '../../model/evaluated-dependency.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { ClaimsByName, FoundLockfile } from '../../model/manifest-chain.ts';
import { asOneOf } from './alternatives.ts';
import { MAX_ALTERNATIVES, MAX_REQUIREMENT_LENGTH } from './definitions.ts';
import { exchangedBy } from './exchanged.ts';

/** A dependency that is about to be examined. */
export interface LockedDependency {
  readonly linked: LinkedDependency;
  readonly locked?: Locked;
}

/**
 * Adds to the dependencies of a file the version that the nearest lockfile which knows them holds, or the versions that it
 * holds under different conditions.
 * @param members those of the workspace; absent while they are not known
 */
export function createLockfileLookup(
  uri: string,
  lockfiles: readonly FoundLockfile[],
  members?: ClaimsByName,
): (linked: LinkedDependency, declared: Dependency) => readonly LockedDependency[] {
  const above = lockfilesAbove(uri, lockfiles);
  return (linked, declared) => {
    for (const found of above) {
      const { format, lockfile, importer } = found;
      const own = asLinked(linked);
      // Of a crate that a patch replaces, the file may have what is required from its registry.
      const isReplaced = own.replacement !== undefined && linked.requirement.kind === 'source';
      const dependency = isReplaced ? { ...own, requirement: declared.requirement } : own;
      const lock = (version: string): Locked => ({ lockfile: format.id, version, update: format.update });
      const several = lockfile.alternatives?.(dependency, importer) ?? [];
      if (several.length > 1)
        return several
          .slice(0, MAX_ALTERNATIVES)
          .map(({ version, condition }) => ({ linked: asOneOf(declared, linked, condition), locked: lock(version) }));
      const version = lockfile.locked(dependency, importer);
      if (version !== undefined && version.length <= MAX_REQUIREMENT_LENGTH) return [{ linked, locked: lock(version) }];
      const exchanged = exchangedBy(found, linked, dependency, importer, members);
      if (exchanged) return [{ linked: { ...linked, exchanged } }];
    }
    return [{ linked }];
  };
}

/** Finds the version that the nearest lockfile which knows a dependency holds for it as it is written. */
export function createVersionLookup(
  uri: string,
  lockfiles: readonly FoundLockfile[],
): (dependency: Dependency) => string | undefined {
  const above = lockfilesAbove(uri, lockfiles);
  return (dependency) => above.map((it) => it.lockfile.locked(dependency, it.importer)).find((it) => it !== undefined);
}

function lockfilesAbove(
  uri: string,
  lockfiles: readonly FoundLockfile[],
): readonly (FoundLockfile & { readonly importer: string })[] {
  const from = directoryOf(uri);
  return lockfiles.flatMap((it) => {
    const importer = relativeTo(it.directory, from);
    return importer === undefined ? [] : [{ ...it, importer }];
  });
}

/** A dependency with the name and the requirement that stand in other files: a lockfile knows nothing of references. */
export function asLinked({ dependency, key, requirement: effective, span }: LinkedDependency): Dependency {
  const asIs = dependency.written ? asWritten(dependency, dependency.written) : dependency;
  const own = asIs.key === key ? asIs : { ...asIs, key };
  if (effective.kind !== 'text') return own;
  const { text, place } = effective;
  if (own.requirement.kind === 'literal' && own.requirement.at === place?.at) return own;
  const requirement = place
    ? ({ kind: 'literal', at: place.at } as const)
    : ({ kind: 'template', parts: [text], span } as const);
  return { ...own, requirement };
}

function asWritten(
  { written: _, ...rest }: Dependency,
  { requirement }: NonNullable<Dependency['written']>,
): Dependency {
  return { ...rest, requirement };
}
