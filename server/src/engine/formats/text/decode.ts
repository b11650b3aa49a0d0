export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** The text of a file, and its encoding. */
export interface Decoded {
  /** Without the byte order mark. */
  readonly text: string;
  readonly encoding: Encoding;
  /** Whether the file begins with a byte order mark. */
  readonly bom: boolean;
}

/**
 * The text of a manifest's bytes. A byte order mark decides, then the NULs that UTF-16 puts beside every ASCII
 * character, then an XML declaration; all else is UTF-8, or windows-1252 where it is not valid UTF-8. Names and versions are
 * ASCII in all of them, so a wrong guess affects an accent at most. Never throws.
 */
export function decode(bytes: Uint8Array): Decoded {
  const { encoding, mark } = detect(bytes);
  const body = bytes.subarray(mark);
  const utf8 = encoding === 'utf-8' ? decodeUtf8(body, mark > 0) : undefined;
  if (utf8 !== undefined) return { text: utf8, encoding: 'utf-8', bom: mark > 0 };
  const actual = encoding === 'utf-8' ? 'windows-1252' : encoding;
  const text = decoders[actual](body);
  return { text, encoding: actual, bom: mark > 0 };
}

function detect(bytes: Uint8Array): { readonly encoding: Encoding; readonly mark: number } {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: 'utf-8', mark: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', mark: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', mark: 2 };
  return { encoding: byNulls(bytes) ?? (isLatinDeclared(bytes) ? 'windows-1252' : 'utf-8'), mark: 0 };
}

/** Undefined for invalid UTF-8; behind a byte order mark of UTF-8, broken characters are replaced instead. */
function decodeUtf8(bytes: Uint8Array, marked: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: !marked, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Each manifest begins with at least two ASCII characters: `<?xml`, or `{` and a line end. */
const DETECTED_CHARACTERS = 2;

function byNulls(bytes: Uint8Array): Encoding | undefined {
  if (bytes.length < 2 * DETECTED_CHARACTERS) return undefined;
  const nulls = Array.from(bytes.subarray(0, 2 * DETECTED_CHARACTERS), (it) => (it === 0 ? 0 : 1)).join('');
  return nulls === '10'.repeat(DETECTED_CHARACTERS)
    ? 'utf-16le'
    : nulls === '01'.repeat(DETECTED_CHARACTERS)
      ? 'utf-16be'
      : undefined;
}

/** In characters. `<?xml version="1.0" encoding="ISO-8859-1" standalone="yes"?>` has 60 characters. */
const MAX_DECLARATION_LENGTH = 200;

function isLatinDeclared(bytes: Uint8Array): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, MAX_DECLARATION_LENGTH));
  return /^<\?xml\s[^>]*\bencoding\s*=\s*["'](?:iso-8859-1|latin-?1|windows-1252|cp-?1252)["']/i.test(start);
}

/** The characters of windows-1252 in the place of the control characters of ISO-8859-1. Source: the WHATWG encoding standard. */
const windows1252 = [...'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'];

const decoders: Readonly<Record<Exclude<Encoding, 'utf-8'>, (bytes: Uint8Array) => string>> = {
  'utf-16le': decodeUtf16,
  'utf-16be': (bytes) => decodeUtf16(bytes.map((_, index) => bytes[index ^ 1] ?? 0)),
  'windows-1252': (bytes) => {
    let text = '';
    // The number of arguments of a call is limited.
    for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
    return text.replace(/[\x80-\x9f]/g, (it) => windows1252[it.charCodeAt(0) - 0x80] ?? it);
  },
};

/** Half a character at the end is left out. */
function decodeUtf16(bytes: Uint8Array): string {
  return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(bytes.subarray(0, bytes.length & ~1));
}
