import type { Dependency } from '../model/manifest.ts';
import type { Linked } from '../model/subject.ts';
import { directoryOf, relativeTo } from '../model/uri.ts';
import type { FoundLockfile } from './files.ts';
import type { Locked } from './resolve.ts';

/** A dependency that is about to be examined. */
export interface Ready {
  readonly linked: Linked;
  readonly locked?: Locked;
}

/** A dependency with the version that the nearest lockfile which knows it holds. */
export function withLock(linked: Linked, lockfiles: readonly FoundLockfile[]): Ready {
  for (const { format, directory, lockfile } of lockfiles) {
    const importer = relativeTo(directory, directoryOf(linked.uri));
    const version = importer === undefined ? undefined : lockfile.locked(asLinked(linked), importer);
    if (version !== undefined) return { linked, locked: { lockfile: format.id, version, update: format.update } };
  }
  return { linked };
}

/** A dependency with the name and the requirement that stand in other files: a lockfile knows nothing of references. */
function asLinked({ dependency, key, asked, span }: Linked): Dependency {
  if (asked.kind !== 'text') return { ...dependency, key };
  const { text, place } = asked;
  const requirement = place
    ? ({ kind: 'literal', at: place.at } as const)
    : ({ kind: 'template', parts: [text], span } as const);
  return { ...dependency, key, requirement };
}
