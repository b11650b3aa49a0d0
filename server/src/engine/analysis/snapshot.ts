import { problemsInLockfile } from '../ecosystems/shared/lockfile.ts';
import type { EvaluatedDependency } from '../model/evaluated-dependency.ts';
import type { ManifestFormat } from '../model/manifest.ts';
import type { FoundLockfile, ManifestChain, ParsedManifest } from '../model/manifest-chain.ts';
import type { Problem } from '../model/span.ts';
import type { ProjectFile } from '../policy/project-file.ts';
import type { FindWaysOut } from './below/ways-out.ts';
import type { DocumentContext } from './load/context.ts';
import type { FindManagingFixes } from './managing-fixes.ts';

/** A document with its known facts at one moment. Immutable. */
export interface Snapshot {
  readonly uri: string;
  readonly version: number;
  readonly format: ManifestFormat;
  /** The texts of the chain by URI, to which spans refer. */
  readonly texts: ReadonlyMap<string, string>;
  readonly chain: ManifestChain;
  /** The lockfiles of the document, nearest first. */
  readonly lockfiles: readonly FoundLockfile[];
  /** Of an opened lockfile: the manifests beside it that it serves. */
  readonly manifests?: readonly ParsedManifest[];
  /** The URIs of lockfiles that are there and cannot be read. */
  readonly closedLockfiles: readonly string[];
  readonly dependencies: readonly EvaluatedDependency[];
  /** The versions that the document defines for several dependencies, also those of other manifests. */
  readonly definitions: readonly EvaluatedDependency[];
  /** The project file that is nearest to the document. */
  readonly project?: ProjectFile;
  /** Included files that are not open: their findings are shown with the document. */
  readonly included: readonly { readonly uri: string; readonly dependencies: readonly EvaluatedDependency[] }[];
  /** The updates of what manages the version of a dependency: slow, so only for the one that a request is about. */
  readonly findManagingFixes: FindManagingFixes;
  /** The ways out of an affected package that a dependency brings: slow, so only for the one that a request is about. */
  readonly findWaysOut: FindWaysOut;
}

/** What an update of the whole document moves: a definition to a version that all packages behind it have. */
export function updatableIn({
  dependencies,
  definitions,
}: Pick<Snapshot, 'dependencies' | 'definitions'>): readonly EvaluatedDependency[] {
  return definitions.length === 0 ? dependencies : [...dependencies, ...definitions];
}

/** The first part of a lockfile that was not understood. */
export function problemInLockfile({ lockfile, text, format }: FoundLockfile): Problem | undefined {
  return problemsInLockfile(lockfile, text, format.id)[0];
}

/** Joins the context of a document with its evaluation. */
export function snapshotOf(
  { document: { uri, version }, format, texts, chain, lockfiles, closedLockfiles, manifests, project }: DocumentContext,
  evaluation: Pick<Snapshot, 'dependencies' | 'definitions' | 'included' | 'findManagingFixes' | 'findWaysOut'>,
): Snapshot {
  const closed = closedLockfiles.map((it) => it.uri);
  return {
    ...{ uri, version, format, texts, chain, lockfiles, closedLockfiles: closed },
    ...(manifests && { manifests }),
    ...(project && { project }),
    ...evaluation,
  };
}
