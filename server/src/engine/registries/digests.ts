import type { HashType } from '../model/lookups.ts';
import type { Digest } from '../model/registries/registry-client.ts';

/** In characters of hexadecimal. */
const lengths: Readonly<Record<HashType, number>> = { MD5: 32, SHA1: 40, SHA256: 64, SHA512: 128 };

/** `('sha256', 'AB…')`; none where it is no digest of a known kind. */
export function digestOf(algorithm: string, hex: unknown): Digest[] {
  const type = algorithm.toUpperCase().replace('-', '');
  if (typeof hex !== 'string' || !isHashType(type) || hex.length !== lengths[type] || !/^[0-9a-f]+$/i.test(hex))
    return [];
  return [{ type, digest: hex.toLowerCase() }];
}

/** `sha512-Z4PhNX7v…== sha1-3nDhF0Xp…=`. Source: W3C, “Subresource Integrity”. */
export function digestsOfIntegrity(integrity: string): Digest[] {
  return integrity.split(/\s+/).flatMap((it) => {
    const [, algorithm = '', value = ''] = /^(sha\d+)-([\w+/]+=*)/.exec(it) ?? [];
    return digestOf(algorithm, Buffer.from(value, 'base64').toString('hex'));
  });
}

function isHashType(text: string): text is HashType {
  return Object.hasOwn(lengths, text);
}
