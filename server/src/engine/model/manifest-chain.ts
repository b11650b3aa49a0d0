import type { Unreadable } from '../base/unreadable.ts';
import type { Published } from './evaluated-dependency.ts';
import type { Lockfile, LockfileFormat } from './lockfile.ts';
import type { Dependency, Manifest, ManifestFormat, PreReleases } from './manifest.ts';
import type { Span } from './span.ts';

/** A manifest that is open in an editor, or being checked. */
export interface OpenDocument {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
  /** As the editor calls it: `pip-requirements`. What is checked from the disk has none. */
  readonly language?: string;
}

/** A manifest with the file it was read from. */
export interface ParsedManifest {
  readonly uri: string;
  readonly format: ManifestFormat;
  readonly manifest: Manifest;
  /** Set where it is a published one, of which there is no text at hand. */
  readonly published?: Published;
}

/** A manifest and the files that take part in its meaning. */
export interface ManifestChain {
  /** The document itself first, then what it refers to, nearest first. */
  readonly files: readonly ParsedManifest[];
  /** The files that narrow requirements. */
  readonly constraints: readonly ParsedManifest[];
  /** Those of both that are read as if they stood in the document: requirements files by `-r` and `-c`. */
  readonly included: readonly ParsedManifest[];
  /** What the options define that a build is always started with. */
  readonly options?: BuildOptions;
  /** The BOMs of managed versions that stand in the same workspace, each with the files that it continues. */
  readonly boms?: readonly (readonly ParsedManifest[])[];
  /** The packages that are made in the same workspace. */
  readonly members?: ClaimsByName;
  /** The names of the lockfiles beside it or above. */
  readonly lockfiles?: readonly string[];
  /** Which pre-releases are taken by settings outside the files: those that come before the files, and those behind. */
  readonly preReleases?: {
    readonly before: ReadonlyMap<string, PreReleases>;
    readonly behind: ReadonlyMap<string, PreReleases>;
  };
  /** The package manager of the project, as far as its files name one. */
  readonly client?: string;
  /** Which version settings outside the files take of what the project requires itself: uv's `resolution`. */
  readonly direct?: Manifest['direct'];
  /** The version that the lockfile has for a dependency of the document. */
  readonly lockedVersion?: (dependency: Dependency) => string | undefined;
  /** The ids of the versions whose files a script of the project patches: `patched:left-pad@1.3.0`. */
  readonly patched?: readonly string[];
  /** Files that are named but cannot be read from here, as a person would say them. */
  readonly missing: readonly string[];
  /** The first reference that was not followed, since too much takes part already; absent where all were. */
  readonly truncatedAt?: { readonly uri: string; readonly span: Span };
  /** Requirements and constraints at an address, which are not read. */
  readonly elsewhere?: readonly { readonly uri: string; readonly span: Span; readonly host: string }[];
}

/** Definitions in the options of a build: Maven's properties. */
export interface BuildOptions {
  /** They prevail over those of all files. */
  readonly before: readonly ParsedManifest[];
  /** They apply where no file defines the same. */
  readonly behind: readonly ParsedManifest[];
}

/** Why a package is one of the workspace. */
export interface Claim {
  /** The project's version, where it is written as it is. */
  readonly version?: string;
  /** The fields that replace the package, of which one has to be read. */
  readonly fields?: readonly string[];
  /** The package manager that the file with the fields names. */
  readonly client?: string;
  /** A patch of Cargo leads to it, which has an effect in a version alone that is required. */
  readonly isPatch?: true;
  /** It is taken from the file of a registry, at this address. */
  readonly address?: string;
  /**
   * A project bears the name, which is not enough for a client: Cargo requires a path, NuGet a reference to the project, pnpm
   * a protocol, yarn if it is told.
   */
  readonly needs?: 'path' | 'project reference' | 'protocol of pnpm' | 'protocol of yarn';
}

/**
 * The packages that a workspace makes, by `packageId`, each with at least one claim; and by `usedByBuild` the libraries of
 * catalogs that the build itself uses.
 */
export type ClaimsByName = ReadonlyMap<string, readonly Claim[]>;

/**
 * The key of a library that the scripts of a build use for themselves, by its accessor: in a class path, in buildSrc or in a
 * build that is included. The empty one is there once the scripts of a build have been read.
 */
export function usedByBuild(accessor: string): string {
  return `used by the build: ${accessor}`;
}

/** A lockfile that is there and cannot be read. */
export interface ClosedLockfile {
  readonly uri: string;
  readonly format: LockfileFormat;
  readonly unreadable: Unreadable;
}

/** A lockfile with the directory it stands in. */
export interface FoundLockfile {
  readonly format: LockfileFormat;
  readonly directory: string;
  readonly lockfile: Lockfile;
  /** What `lockfile` was read from. */
  readonly text: string;
  /** What its format reads beside it. */
  readonly beside?: string;
}
