import type { PackageKey, VersionKey } from '../engine/model/keys.ts';
import type { HashType } from './catalog/record.ts';

/** The data that the service serves. Each answer has the shape of the wire. */
export interface Source {
  package(key: PackageKey): Answering<object>;
  /** Called for all versions of a page at once, so a source may collect calls. */
  version(key: VersionKey): Answering<object>;
  requirements(key: VersionKey): Answering<object>;
  /** @param id `github.com/lodash/lodash`, in any case */
  readonly project?: (id: string) => Answering<object>;
  /** The packages that are named similarly. */
  readonly similar?: (key: PackageKey) => Answering<object>;
  advisory(id: string): Answering<object>;
  /** The versions with a hash, with a key, or with both. */
  query(wanted: VersionQuery): Answering<readonly QueryMatch[]>;
}

export type Answering<T extends object> = Answer<T> | Promise<Answer<T>>;

export type Answer<T extends object> =
  | { readonly kind: 'found'; readonly body: T; readonly freshness?: Freshness }
  | { readonly kind: 'unknown'; readonly freshness?: Freshness }
  /** The source is a cache that never had the answer. */
  | { readonly kind: 'not kept' }
  /** The answer exists elsewhere, and cannot be had at the moment. `retryAfter` in seconds. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfter: number };

/** The age of an answer that is kept, in seconds. Source: RFC 9111. */
export interface Freshness {
  /** Since it left the service that it is from. */
  readonly age: number;
  /** For how long it was fresh from then on. Less than the age: it is stale. */
  readonly lifetime: number;
  /** How it was found. Source: RFC 9211. */
  readonly found: 'kept' | 'asked' | 'asked again' | 'kept, not to be had again';
}

export function found<T extends object>(body: T): Answer<T> {
  return { kind: 'found', body };
}

export const unknown = { kind: 'unknown' } as const;
export const notKept = { kind: 'not kept' } as const;

export function foundOrUnknown<T extends object>(body: T | undefined): Answer<T> {
  return body === undefined ? unknown : found(body);
}

/** The answer with another body. */
export async function mapAnswer<T extends object, Other extends object>(
  answering: Answering<T>,
  map: (body: T) => Other,
): Promise<Answer<Other>> {
  const answer = await answering;
  return answer.kind === 'found' ? { ...answer, body: map(answer.body) } : answer;
}

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
