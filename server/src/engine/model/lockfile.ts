import type { GraphOfLockfile } from './graph/locked-graph.ts';
import type { Dependency, Manifest, ManifestFormat, Scope, Source } from './manifest.ts';
import type { Literal, Problem, Span } from './span.ts';

/**
 * A lockfile as its one parser reads it. It serves three readers:
 *
 *     parse(text) ─┬─ packages ─→ Manifest      the lockfile, opened itself: `opened`
 *                  ├─ locked ───→ '4.17.21'     a dependency of the manifest that the lockfile serves
 *                  └─ graph ────→ LockedGraph   what that dependency brings along
 */
export interface Lockfile {
  /** In the order of the text. May be a getter: a manifest needs few of thousands. */
  readonly packages: readonly LockedPackage[];
  readonly problems: readonly Problem[];
  /**
   * The locked version of a dependency.
   * @param importer directory of the manifest relative to the lockfile's, with `/`; `''` beside it
   */
  readonly locked: (dependency: Dependency, importer: string) => string | undefined;
  /**
   * What the file has in the place of a dependency whose version `locked` does not tell: another package, a repository.
   * Absent where its entries of that name are it.
   */
  readonly inPlaceOf?: (dependency: Dependency, importer: string) => InPlace | undefined;
  /**
   * All versions of a dependency, the one above among them, where it has several under different conditions: a version of
   * numpy for each version of Python. Empty for most.
   */
  readonly alternatives?: (dependency: Dependency, importer: string) => readonly LockedAlternative[];
  /**
   * The addresses of registries that its entries name, by the package in canonical spelling. Absent where `packages` is the
   * fastest way to them.
   */
  readonly registries?: () => ReadonlyMap<string, readonly string[]>;
  /**
   * What its client installs without a look at the manifest: every entry, or what the file has as direct dependencies. Absent
   * where clients look, or the file does not tell.
   */
  readonly installs?: 'entries' | 'roots';
  /** Whether it is that of a manifest, by the path from its own directory. Absent where its name is enough. */
  readonly isOf?: (manifest: string) => boolean;
  /** Read when it is first needed. Never throws: of a broken file it is partial. */
  readonly graph: () => GraphOfLockfile;
}

/** An entry in the place of a dependency. */
export interface InPlace {
  /** The package, in canonical spelling. */
  readonly name: string;
  readonly source?: Source | undefined;
  /** What the file says of it: a version, an address, a folder. */
  readonly text: string;
}

/** One of the versions that a lockfile holds for a dependency. */
export interface LockedAlternative {
  readonly version: string;
  /** When it is installed; absent where the lockfile does not say. */
  readonly condition?: string;
}

/** An entry of a lockfile. `dependencyOf` in `ecosystems/shared/lockfile.ts` makes a dependency of it. */
export interface LockedPackage {
  /** The name as the file spells it. */
  readonly name: string;
  readonly nameSpan: Span;
  /** The published package, where `name` is an alias of it. */
  readonly packageName?: string;
  /** The exact version. With `source`, the text that names the source. */
  readonly version: Literal;
  /** Set where the package comes from elsewhere than a registry. */
  readonly source?: Source;
  /** An address in the registry that the package comes from, where the file names it. */
  readonly registry?: string;
  /** `runtime` where it is absent. */
  readonly scope?: Scope;
  /** When the entry applies: a target framework. */
  readonly condition?: string;
}

/** A kind of lockfile: one row of the table in `ecosystems/lockfile-formats.ts`, made by `lockfileFormat`. */
export interface LockfileFormat {
  /** Its file name, and how a person calls it: `package-lock.json`. */
  readonly id: string;
  /** Ids of the manifest formats it serves. */
  readonly serves: readonly string[];
  /** Whether it also serves manifests in directories below its own. */
  readonly below: boolean;
  /** The command that brings it up to date: `npm install`. */
  readonly update: string;
  /** The same with the command of the tool that wrote a text, where several tools do. */
  readonly asWritten?: (text: string) => LockfileFormat;
  /** Further lockfiles of its kind that a manifest may have beside it, under names that the manifest says. */
  readonly others?: (manifest: Manifest) => readonly LockfileFormat[];
  /** Files beside it without which its entries mean nothing certain, and the part of them that counts. */
  readonly beside?: {
    readonly files: readonly string[];
    /** @param texts those of `files` */
    readonly read: (texts: readonly (string | undefined)[]) => string | undefined;
  };
  /**
   * Never throws: a broken file is fewer packages and more problems.
   * @param beside what `beside` reads
   */
  readonly parse: (text: string, beside?: string) => Lockfile;
  /** The format of the lockfile where it is opened itself, made of `parse`. */
  readonly opened: ManifestFormat;
}
