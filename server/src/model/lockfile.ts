import type { Dependency, Manifest } from './manifest.ts';

/** What a lockfile says of the dependencies of the manifests it serves. */
export interface Lockfile {
  /**
   * The locked version of a dependency.
   * @param importer directory of the manifest relative to the lockfile's, with `/`; `''` beside it
   */
  readonly locked: (dependency: Dependency, importer: string) => string | undefined;
}

/** A kind of lockfile: one row of the table in `ecosystems/lockfile-formats.ts`. */
export interface LockfileFormat {
  /** Its file name, and how a person calls it: `package-lock.json`. */
  readonly id: string;
  /** Ids of the manifest formats it serves. */
  readonly serves: readonly string[];
  /** Whether it also serves manifests in directories below its own. */
  readonly below: boolean;
  /** The command that brings it up to date: `npm install`. */
  readonly update: string;
  /** Further lockfiles of its kind that a manifest may have beside it, under names that the manifest says. */
  readonly others?: (manifest: Manifest) => readonly LockfileFormat[];
  /** Never throws. */
  readonly parse: (text: string) => Lockfile;
}
