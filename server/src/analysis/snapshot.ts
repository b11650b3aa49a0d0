import type { EvaluatedDependency } from '../model/evaluated-dependency.ts';
import type { ManifestFormat } from '../model/manifest.ts';
import type { FoundLockfile, ManifestChain } from '../model/manifest-chain.ts';
import type { ProjectFile } from '../policy/project-file.ts';
import type { DocumentContext } from './load/context.ts';

/** A document and all that is known of it at one moment. Nothing of it ever changes. */
export interface Snapshot {
  readonly uri: string;
  readonly version: number;
  readonly format: ManifestFormat;
  /** The texts of the document and of the files that take part, by their addresses: spans are of these. */
  readonly texts: ReadonlyMap<string, string>;
  readonly chain: ManifestChain;
  /** Those that serve the document, nearest first. */
  readonly lockfiles: readonly FoundLockfile[];
  readonly dependencies: readonly EvaluatedDependency[];
  /** The project file that is nearest to the document. */
  readonly project?: ProjectFile;
  /** What the document includes and nobody has open: it shows up with the document. */
  readonly included: readonly { readonly uri: string; readonly dependencies: readonly EvaluatedDependency[] }[];
}

/** What was read for a document, and what was seen of its dependencies. */
export function snapshotOf(
  { document: { uri, version }, format, texts, chain, lockfiles, project }: DocumentContext,
  evaluation: Pick<Snapshot, 'dependencies' | 'included'>,
): Snapshot {
  return { uri, version, format, texts, chain, lockfiles, ...(project && { project }), ...evaluation };
}
