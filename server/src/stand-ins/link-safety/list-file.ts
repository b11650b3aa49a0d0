import { isRecord } from '../../engine/base/text.ts';
import { canonicalUrl } from '../../engine/links/canonical-url.ts';
import { expressionsOf, hashOf } from '../../engine/links/expressions.ts';

/*
 * The file of unsafe links that the service answers from: an entry a line, as JSON. Empty lines and lines that begin
 * with `#` are comments.
 *
 *     {"list": "MALWARE", "url": "http://unsafe.example/download?id=1"}
 *     {"list": "SOCIAL_ENGINEERING/ANY_PLATFORM/URL", "expression": "login.example/bank/"}
 *     {"list": "MALWARE", "hash": "af30010e4c011fc77e1ab03ef898ab2f8dec17c0bd178a875ad0cd9b7a6e5973", "prefixSize": 8}
 *
 * A hash is SHA-256 in hexadecimal digits. One of fewer than 32 bytes is a prefix that belongs to no entry.
 */

/** An entry of a list. */
export interface UnsafeEntry {
  /** `MALWARE/ANY_PLATFORM/URL` */
  readonly list: string;
  /** In hexadecimal digits, 4 to 32 bytes. */
  readonly hash: string;
  /** Of the prefix in the list, in bytes, 4 to 32. */
  readonly prefixSize: number;
}

export type ListFile =
  | { readonly kind: 'entries'; readonly entries: readonly UnsafeEntry[] }
  /** `reason`: a sentence without a full stop, for the terminal. */
  | { readonly kind: 'invalid'; readonly reason: string };

const MIN_PREFIX = 4;
const HASH_SIZE = 32;

export function readListFile(text: string): ListFile {
  const entries: UnsafeEntry[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const entry = readEntry(line);
    if (typeof entry === 'string') return { kind: 'invalid', reason: `line ${at + 1}: ${entry}` };
    entries.push(entry);
  }
  return { kind: 'entries', entries };
}

function readEntry(line: string): UnsafeEntry | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'not JSON';
  }
  if (!isRecord(value)) return 'not an object';
  const { list, prefixSize = MIN_PREFIX } = value;
  if (typeof list !== 'string' || !/^[A-Z_]+(?:\/[A-Z_]+\/[A-Z_]+)?$/.test(list)) return 'it has no valid list';
  if (typeof prefixSize !== 'number' || !Number.isInteger(prefixSize)) return 'prefixSize: expected a whole number';
  if (prefixSize < MIN_PREFIX || prefixSize > HASH_SIZE) return `prefixSize: expected ${MIN_PREFIX} to ${HASH_SIZE}`;
  const hash = readHash(value);
  if (hash === undefined) return 'it needs a valid url, expression or hash';
  const name = list.includes('/') ? list : `${list}/ANY_PLATFORM/URL`;
  return { list: name, hash, prefixSize: Math.min(prefixSize, hash.length / 2) };
}

function readHash({ url, expression, hash }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof hash === 'string') {
    return /^(?:[0-9a-f]{2}){4,32}$/i.test(hash) ? hash.toLowerCase() : undefined;
  }
  if (typeof expression === 'string') return expression === '' ? undefined : hashOf(expression).toString('hex');
  const canonical = typeof url === 'string' ? canonicalUrl(url) : undefined;
  const [exact] = canonical ? expressionsOf(canonical) : [];
  return exact === undefined ? undefined : hashOf(exact).toString('hex');
}
