import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { nameOf } from '../base/uri.ts';
import { type Digests, type FindLocalFile, hashTypes } from './local-file.ts';

/** Finds files of this machine. */
export const fileOnDisk: FindLocalFile = async (uri) => {
  try {
    const path = fileURLToPath(uri);
    const about = await stat(path);
    if (!about.isFile()) return undefined;
    return { name: nameOf(uri), size: about.size, digests: (signal, tell) => digestsOf(path, signal, tell) };
  } catch {
    // Another scheme, an invalid URI, or no file.
    return undefined;
  }
};

/**
 * Computes the digests of a file in one pass, in chunks. Rejects where it cannot be read, and when the signal aborts.
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
