import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { HashType } from '../model/lookups.ts';

/** The digests that a file may be known by, in the order in which they are asked for. */
export const hashTypes = ['SHA256', 'SHA1', 'SHA512', 'MD5'] as const satisfies readonly HashType[];

export type Digests = Readonly<Record<HashType, Uint8Array>>;

/**
 * Reads a file once, piece by piece, however large it is. Rejects where it cannot be read, and where the signal aborts.
 * @param tell called with the number of bytes read so far
 */
export async function digestsOf(path: string, signal?: AbortSignal, tell?: (read: number) => void): Promise<Digests> {
  const hashes = {
    SHA256: createHash('sha256'),
    SHA1: createHash('sha1'),
    SHA512: createHash('sha512'),
    MD5: createHash('md5'),
  };
  let read = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024, ...(signal && { signal }) })) {
    for (const type of hashTypes) hashes[type].update(chunk);
    read += chunk.length;
    tell?.(read);
  }
  return {
    SHA256: hashes.SHA256.digest(),
    SHA1: hashes.SHA1.digest(),
    SHA512: hashes.SHA512.digest(),
    MD5: hashes.MD5.digest(),
  };
}

/** `SHA256` → `SHA-256` */
export function nameOfHash(type: HashType): string {
  return type.replace(/^SHA/, 'SHA-');
}
