import type { HashType } from '../model/lookups.ts';

/** A file that a person chose, to be found by its digests. Only these are sent. */
export interface LocalFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /**
   * Reads it once. Rejects where it cannot be read, and when the signal aborts.
   * @param tell called with the number of bytes read so far
   */
  digests(signal?: AbortSignal, tell?: (read: number) => void): Promise<Digests>;
}

/** Finds the file behind a URI; undefined where there is none. */
export type FindLocalFile = (uri: string) => Promise<LocalFile | undefined>;

/** The digests of a file, in the order of the queries. */
export const hashTypes = ['SHA256', 'SHA1', 'SHA512', 'MD5'] as const satisfies readonly HashType[];

export type Digests = Readonly<Record<HashType, Uint8Array>>;
