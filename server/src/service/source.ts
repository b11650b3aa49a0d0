import type { PackageKey, VersionKey } from '../model/keys.ts';
import type { HashType } from './catalog/record.ts';

/** The data that the service serves. Each answer has the shape of the wire. */
export interface Source {
  package(key: PackageKey): SourceAnswer<object>;
  version(key: VersionKey): SourceAnswer<object>;
  requirements(key: VersionKey): SourceAnswer<object>;
  /** @param id `github.com/lodash/lodash`, in any case */
  readonly project?: (id: string) => SourceAnswer<object>;
  /** The packages that are named similarly. */
  readonly similar?: (key: PackageKey) => SourceAnswer<object>;
  advisory(id: string): SourceAnswer<object>;
  /** The versions with a hash, with a key, or with both. */
  query(wanted: VersionQuery): SourceAnswer<readonly QueryMatch[]>;
}

/** An answer; undefined for unknown; `not kept` where the source is a cache that never had the answer. */
export type SourceAnswer<T extends object> = T | 'not kept' | undefined;

export interface VersionQuery {
  /** The digest in lower-case hexadecimal. */
  readonly hash?: { readonly type: HashType; readonly digest: string };
  readonly key?: VersionKey;
}

export interface QueryMatch {
  readonly version: object;
  /** Addresses of the files with the hash. */
  readonly artifacts: readonly string[];
}
