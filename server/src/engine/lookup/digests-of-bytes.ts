import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { nextTurn } from '../base/next-turn.ts';
import type { Digests } from './local-file.ts';

/** Bytes between two turns: some 10 ms of work. */
const PORTION = 1024 * 1024;

/**
 * Computes the digests of a file that is in memory. The digests of browsers lack MD5, and cannot be interrupted.
 * @param tell called with the number of bytes read so far
 */
export async function digestsOfBytes(
  bytes: Uint8Array,
  signal?: AbortSignal,
  tell?: (read: number) => void,
): Promise<Digests> {
  const hashes = { SHA256: sha256.create(), SHA1: sha1.create(), SHA512: sha512.create(), MD5: md5.create() };
  for (let from = 0; from < bytes.length; from += PORTION) {
    const portion = bytes.subarray(from, from + PORTION);
    for (const it of Object.values(hashes)) it.update(portion);
    tell?.(from + portion.length);
    await nextTurn();
    signal?.throwIfAborted();
  }
  return {
    SHA256: hashes.SHA256.digest(),
    SHA1: hashes.SHA1.digest(),
    SHA512: hashes.SHA512.digest(),
    MD5: hashes.MD5.digest(),
  };
}
