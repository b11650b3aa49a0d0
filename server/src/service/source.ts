import type { PackageKey, VersionKey } from '../model/keys.ts';
import type { HashType } from './record.ts';

/** What the service answers from. Each answer has the shape of the wire; undefined where nothing is known. */
export interface Source {
  package(key: PackageKey): object | undefined;
  version(key: VersionKey): object | undefined;
  requirements(key: VersionKey): object | undefined;
  advisory(id: string): object | undefined;
  /** The versions with a hash, with a key, or with both. */
  find(wanted: Sought): readonly Found[];
}

export interface Sought {
  /** The digest in lower-case hexadecimal. */
  readonly hash?: { readonly type: HashType; readonly digest: string };
  readonly key?: VersionKey;
}

export interface Found {
  readonly version: object;
  /** Addresses of the files with the hash. */
  readonly artifacts: readonly string[];
}
