import { formatOfDocument } from '../manifests/index.ts';
import type { PackageKey } from '../model/keys.ts';
import type { Joined } from './joining.ts';
import type { Linking, OpenDocument } from './linking.ts';
import { parseManifest } from './parse-manifest.ts';
import type { Snapshot } from './snapshot.ts';

/** A document that was looked at, and the count of what was learnt by then. */
export interface Looked {
  readonly linking: Linking;
  readonly learnt: number;
  readonly snapshot: Snapshot;
}

/**
 * The packages that open documents name as they are now: those of dependencies, and those of the published files that take
 * part, which may be others (the bill that a plugin brings along). Read when they are asked for.
 * @param document as it is now; where nobody has looked at it yet, its text tells
 */
export function namedSoFar(
  snapshots: ReadonlyMap<string, Looked>,
  joined: { get(linking: Linking): Joined | undefined },
  document: OpenDocument,
): () => Iterable<PackageKey> {
  const looked = [...snapshots.values()];
  const unseen = snapshots.has(document.uri) ? undefined : document;
  return function* () {
    for (const { linking, snapshot } of looked) {
      for (const it of snapshot.subjects) yield it.linked.key;
      for (const it of joined.get(linking)?.wanted ?? []) if (it.kind === 'requirements') yield it.key;
    }
    const format = unseen && formatOfDocument(unseen.uri, unseen.language);
    if (format) for (const it of parseManifest(format, unseen.text).dependencies) yield it.key;
  };
}
