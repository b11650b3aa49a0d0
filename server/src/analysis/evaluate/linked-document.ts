import { groupBy } from '../../base/collections.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { Wanted } from '../../model/ports.ts';
import type { Linked } from '../../model/subject.ts';
import { type Chain, createLinker, type Parsed } from '../link/linker.ts';
import { createLocker, type Examinee } from '../link/locked-versions.ts';
import type { FoundLockfile } from '../load/file-chain.ts';
import { inherit } from '../maven/inheritance.ts';
import type { Poms } from '../maven/published-poms.ts';

/** What was read for a document: everything that only another text can change. */
export interface Read {
  readonly chain: Chain;
  readonly lockfiles: readonly FoundLockfile[];
  /** The files that the document includes and nobody has open. */
  readonly included: readonly Parsed[];
  /** Adds to a dependency the registries that are named for it. */
  readonly route: (linked: Linked) => Linked;
}

/** The dependencies of a file, each joined with what other files say of it, once somebody looks at it. */
export interface Examinees {
  readonly dependencies: readonly Dependency[];
  readonly of: (dependency: Dependency) => Examinee;
  /** Those that name a package. */
  readonly named: (name: string) => readonly Dependency[];
}

/** The dependencies of a document and of what it includes. */
export interface Joined {
  readonly own: Examinees;
  readonly included: readonly { readonly uri: string; readonly examinees: Examinees }[];
  /** What had to be asked to join those that were looked at. */
  readonly wanted: readonly Wanted[];
  /** Whether it would be joined in the same way now. */
  holds(admission: Parameters<Poms['holds']>[0], members: Members): boolean;
}

/** The packages that are made in the same workspace, by `packageId`; undefined where that is not known yet. */
export type Members = ReadonlySet<string> | undefined;

/** @param poms the published files that take part, as far as they are known now */
export function join({ lockfiles, included, route, ...read }: Read, poms: Poms, members: Members): Joined {
  const chain: Chain = { ...read.chain, ...(members && { members }) };
  function examinees(it: Chain): Examinees {
    const [file] = it.files;
    const link = createLinker(it, (files, lookup) => inherit(files, lookup, poms.read));
    const lock = createLocker(file?.uri ?? '', lockfiles);
    const made = new Map<Dependency, Examinee>();
    const dependencies = file?.manifest.dependencies ?? [];
    let byName: ReadonlyMap<string, readonly Dependency[]> | undefined;
    return {
      dependencies,
      named(name) {
        byName ??= groupBy(dependencies, (it) => it.key.name);
        return byName.get(name) ?? [];
      },
      of(dependency) {
        const before = made.get(dependency);
        if (before) return before;
        const examinee = lock(link(dependency));
        const linked = route(examinee.linked);
        const now = linked === examinee.linked ? examinee : { ...examinee, linked };
        made.set(dependency, now);
        return now;
      },
    };
  }
  const others = included.map((it) => ({
    uri: it.uri,
    examinees: examinees({ ...chain, files: [it, ...chain.files.filter((file) => file !== it)] }),
  }));
  return {
    own: examinees(chain),
    included: others,
    wanted: poms.wanted,
    holds: (admission, now) => now === members && poms.holds(admission),
  };
}
