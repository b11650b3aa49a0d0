import { Buffer, isUtf8 } from 'node:buffer';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** The text of a file, and how it was written. */
export interface Decoded {
  /** Without the byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
  /** Whether the file begins with a byte order mark. */
  readonly bom: boolean;
  /** The first line end; `\n` where there is none. */
  readonly eol: '\n' | '\r\n' | '\r';
}

/**
 * The text of a manifest's bytes. A byte order mark decides, then the NULs that UTF-16 puts beside every ASCII
 * character, then an XML declaration; all else is UTF-8, or windows-1252 where it is no valid UTF-8. What decides about
 * versions is ASCII in all of them, so a wrong guess costs an accent at most. Never throws.
 */
export function decode(bytes: Uint8Array): Decoded {
  const { encoding, mark } = detect(bytes);
  const text = decoders[encoding](Buffer.from(bytes.buffer, bytes.byteOffset + mark, bytes.byteLength - mark));
  return { text, encoding, bom: mark > 0, eol: firstLineEnd(text) };
}

function detect(bytes: Uint8Array): { readonly encoding: Encoding; readonly mark: number } {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', mark: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', mark: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', mark: 2 };
  const encoding = byNulls(bytes) ?? (isLatinDeclared(bytes) || !isUtf8(bytes) ? 'windows-1252' : 'utf-8');
  return { encoding, mark: 0 };
}

/** How many characters are looked at: every manifest begins with that many of ASCII, `<?xml` or `{` and a line end. */
const looked = 2;

function byNulls(bytes: Uint8Array): Encoding | undefined {
  if (bytes.length < 2 * looked) return undefined;
  const nulls = Array.from(bytes.subarray(0, 2 * looked), (it) => (it === 0 ? 0 : 1)).join('');
  return nulls === '10'.repeat(looked) ? 'utf-16le' : nulls === '01'.repeat(looked) ? 'utf-16be' : undefined;
}

/** Where the declaration has to end. `<?xml version="1.0" encoding="ISO-8859-1" standalone="yes"?>` has 60 characters. */
const longestDeclaration = 200;

function isLatinDeclared(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, longestDeclaration)).toString('latin1');
  return /^<\?xml\s[^>]*\bencoding\s*=\s*["'](?:iso-8859-1|latin-?1|windows-1252|cp-?1252)["']/i.test(start);
}

const decoders: Readonly<Record<Encoding, (bytes: Buffer) => string>> = {
  'utf-8': (bytes) => bytes.toString('utf8'),
  'utf-16le': (bytes) => bytes.toString('utf16le'),
  'utf-16be': (bytes) =>
    Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le'),
  'windows-1252': (bytes) =>
    bytes.toString('latin1').replace(/[\x80-\x9f]/g, (it) => windows1252[it.charCodeAt(0) - 0x80] ?? it),
};

/** What windows-1252 has where ISO-8859-1 has control characters. Source: the WHATWG encoding standard. */
const windows1252 = [...'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'];

function firstLineEnd(text: string): Decoded['eol'] {
  const feed = text.indexOf('\n');
  if (feed < 0) return text.includes('\r') ? '\r' : '\n';
  return text[feed - 1] === '\r' ? '\r\n' : '\n';
}
