import type { PackageKey, VersionKey } from '../model/keys.ts';
import type { HashType } from './catalog/record.ts';

/** What the service answers from. Each answer has the shape of the wire. */
export interface Source {
  package(key: PackageKey): Told<object>;
  version(key: VersionKey): Told<object>;
  requirements(key: VersionKey): Told<object>;
  advisory(id: string): Told<object>;
  /** The versions with a hash, with a key, or with both. */
  find(wanted: Sought): Told<readonly Found[]>;
}

/** An answer; undefined where nothing is known; or that it cannot be told, since only what was asked before is kept. */
export type Told<T extends object> = T | 'not kept' | undefined;

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
