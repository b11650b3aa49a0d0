import { directoryOf, relativeTo } from '../../base/uri.ts';
import type { LinkedDependency, Locked } from '../../model/evaluated-dependency.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { FoundLockfile } from '../../model/manifest-chain.ts';
import { MAX_REQUIREMENT_LENGTH } from './definitions.ts';

/** A dependency that is about to be examined. */
export interface LockedDependency {
  readonly linked: LinkedDependency;
  readonly locked?: Locked;
}

/** Adds to the dependencies of a file the version that the nearest lockfile which knows them holds. */
export function createLockfileLookup(
  uri: string,
  lockfiles: readonly FoundLockfile[],
): (linked: LinkedDependency) => LockedDependency {
  const from = directoryOf(uri);
  const above = lockfiles.flatMap((it) => {
    const importer = relativeTo(it.directory, from);
    return importer === undefined ? [] : [{ ...it, importer }];
  });
  return (linked) => {
    for (const { format, lockfile, importer } of above) {
      const version = lockfile.locked(asLinked(linked), importer);
      if (version !== undefined && version.length <= MAX_REQUIREMENT_LENGTH)
        return { linked, locked: { lockfile: format.id, version, update: format.update } };
    }
    return { linked };
  };
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
