import type { Wanted } from '../model/ports.ts';
import type { Linked } from '../model/subject.ts';
import type { FoundLockfile } from './files.ts';
import { inherit } from './inheritance.ts';
import { type Chain, link, type Parsed } from './link.ts';
import { type Examinee, withLocks } from './locked.ts';
import type { Poms } from './poms.ts';

/** What was read for a document: everything that only another text can change. */
export interface Read {
  readonly chain: Chain;
  readonly lockfiles: readonly FoundLockfile[];
  /** The files that the document includes and nobody has open. */
  readonly included: readonly Parsed[];
  /** Adds to a dependency the registries that are named for it. */
  readonly route: (linked: Linked) => Linked;
}

/** The dependencies of a document and of what it includes, joined with all that other files say of them. */
export interface Joined {
  readonly own: readonly Examinee[];
  readonly included: readonly { readonly uri: string; readonly examinees: readonly Examinee[] }[];
  readonly wanted: readonly Wanted[];
  readonly holds: Poms['holds'];
}

/** @param poms the published files that take part, as far as they are known now */
export function join({ chain, lockfiles, included, route }: Read, poms: Poms): Joined {
  const examinees = (it: Chain): Examinee[] =>
    withLocks(
      link(it, (files, lookup) => inherit(files, lookup, poms.read)),
      lockfiles,
    ).map((it) => {
      const linked = route(it.linked);
      return linked === it.linked ? it : { ...it, linked };
    });
  const others = included.map((it) => ({
    uri: it.uri,
    examinees: examinees({ ...chain, files: [it, ...chain.files.filter((file) => file !== it)] }),
  }));
  return { own: examinees(chain), included: others, wanted: poms.wanted, holds: poms.holds };
}
