import { createHash, timingSafeEqual } from 'node:crypto';

/** A file of tokens that cannot be used. The message names the line. */
export class InvalidTokens extends Error {
  override readonly name = 'InvalidTokens';

  constructor(reason: string) {
    super(`the file of tokens cannot be used: ${reason}`);
  }
}

/** In characters. Shorter ones could be guessed. */
const MIN_TOKEN = 16;

/**
 * Reads the tokens that a service accepts, one a line: as they are, or as `sha256:` and the hexadecimal digest. Words
 * behind a token name its holder; `#` begins a comment.
 *
 *     # the build servers
 *     sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 build
 *
 * @returns whether an `Authorization` has one of them, in a time that does not depend on which
 * @throws InvalidTokens
 */
export function readTokens(text: string): (authorization: string | undefined) => boolean {
  const digests = text.split(/\r?\n/).flatMap((line, index) => {
    const [token = ''] = line.trim().split(/\s+/);
    return token === '' || token.startsWith('#') ? [] : digestOf(token, index + 1);
  });
  // Without a token, no request could be answered. A file that was emptied by mistake must not open the service.
  if (digests.length === 0) throw new InvalidTokens('it contains no token');
  return (authorization = '') => {
    const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) return false;
    const given = sha256(token);
    return digests.filter((it) => timingSafeEqual(it, given)).length > 0;
  };
}

function digestOf(token: string, line: number): Buffer {
  const [, hex] = /^sha256:(.*)$/i.exec(token) ?? [];
  if (hex === undefined) {
    if (token.length < MIN_TOKEN) throw new InvalidTokens(`line ${line}: a token has at least ${MIN_TOKEN} characters`);
    return sha256(token);
  }
  if (!/^[\da-f]{64}$/i.test(hex)) throw new InvalidTokens(`line ${line}: sha256: has 64 hexadecimal digits`);
  return Buffer.from(hex, 'hex');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
