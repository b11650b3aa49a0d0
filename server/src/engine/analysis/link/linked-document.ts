import { groupBy } from '../../base/collections.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { ClaimsByName, FoundLockfile, ManifestChain, ParsedManifest } from '../../model/manifest-chain.ts';
import type { Wanted } from '../../model/ports.ts';
import { withLockedContest } from './claims.ts';
import { inherit } from './inheritance.ts';
import { createLinker, linkScopeOf } from './linker.ts';
import { createLockfileLookup, createVersionLookup, type LockedDependency } from './locked-versions.ts';
import type { Poms } from './published-poms.ts';
import type { LinkScope } from './scope.ts';

/** The files that were read for a document. Only a changed file makes them stale. */
export interface LoadedFiles {
  readonly chain: ManifestChain;
  readonly lockfiles: readonly FoundLockfile[];
  /** The files that the document includes and that are not open themselves. */
  readonly included: readonly ParsedManifest[];
  /** Adds the registries that configuration names for a dependency. */
  readonly route: (linked: LinkedDependency) => LinkedDependency;
}

/** The dependencies of one file. Each is linked when it is first read. */
export interface LinkedFile {
  readonly dependencies: readonly Dependency[];
  /** Several where it has different versions under different conditions. */
  readonly link: (dependency: Dependency) => readonly LockedDependency[];
  /** The dependencies on one package. */
  readonly dependenciesNamed: (name: string) => readonly Dependency[];
}

/** A document and the files it includes, linked against the published files that are known at this moment. */
export interface LinkedDocument {
  readonly own: LinkedFile;
  readonly included: readonly { readonly uri: string; readonly file: LinkedFile }[];
  /** What the references of the document resolve to. */
  readonly scope: () => LinkScope;
  /** The published files that linking had to read. */
  readonly wanted: readonly Wanted[];
  /** Whether linking again would give the same result. */
  isCurrent(filter: Parameters<Poms['isCurrent']>[0], members: Members): boolean;
}

/** The packages that the workspace builds, by `packageId`; undefined while unknown. */
export type Members = ClaimsByName | undefined;

/** @param poms the published files that take part, as far as they are known */
export function linkDocument(
  { lockfiles, included, route, ...read }: LoadedFiles,
  poms: Poms,
  members: Members,
): LinkedDocument {
  const chain: ManifestChain = {
    ...read.chain,
    ...(members && { members }),
    lockfiles: lockfiles.map((it) => it.format.id),
  };
  function linkFile(files: ManifestChain): LinkedFile {
    const [file] = files.files;
    const lock = createLockfileLookup(file?.uri ?? '', lockfiles, members);
    const lockedVersion = createVersionLookup(file?.uri ?? '', lockfiles);
    const link = createLinker({ ...files, lockedVersion }, (parents, lookup) => inherit(parents, lookup, poms.read));
    const known = new Map<Dependency, readonly LockedDependency[]>();
    const dependencies = file?.manifest.dependencies ?? [];
    let byName: ReadonlyMap<string, readonly Dependency[]> | undefined;
    return {
      dependencies,
      dependenciesNamed(name) {
        byName ??= groupBy(dependencies, (it) => it.key.name);
        return byName.get(name) ?? [];
      },
      link(dependency) {
        const before = known.get(dependency);
        if (before) return before;
        const all = link(dependency).flatMap((it) => lock(it, dependency));
        const result = all.map((it) => {
          const locked = withLockedContest(it, dependency);
          const routed = route(locked.linked);
          return routed === locked.linked ? locked : { ...locked, linked: routed };
        });
        known.set(dependency, result);
        return result;
      },
    };
  }
  return {
    own: linkFile(chain),
    scope: () => linkScopeOf(chain, (parents, lookup) => inherit(parents, lookup, poms.read)),
    included: included.map((it) => ({
      uri: it.uri,
      file: linkFile({ ...chain, files: [it, ...chain.files.filter((file) => file !== it)] }),
    })),
    wanted: poms.wanted,
    isCurrent: (filter, now) => now === members && poms.isCurrent(filter),
  };
}
