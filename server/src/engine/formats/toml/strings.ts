import type { Literal, Span } from '../../model/span.ts';

/**
 * The editable literal of a string, or of the range from `from` to `to` of it (offsets in its decoded text).
 *
 *     "requests>=2.31"
 *              ^^^^^^   tomlLiteral(value, 8)
 */
export function tomlLiteral(value: TomlString, from = 0, to = value.text.length): Literal {
  const encode = value.quote.startsWith('"') ? encodeBasic : encodeLiteral;
  return { span: tomlSpan(value, from, to), text: value.text.slice(from, to), encode };
}

/** TOML has the escapes of JSON, and also requires one for DEL. */
function encodeBasic(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\x7f', '\\u007F');
}

/** Single-quoted strings have no escapes: characters that they cannot contain are left out. No version has one. */
function encodeLiteral(text: string): string {
  return [...text].filter((it) => it !== "'" && (it >= ' ' || it === '\t')).join('');
}

/** `span` is inside the quotes, `text` is decoded. */
export interface TomlString {
  readonly kind: 'string';
  readonly span: Span;
  readonly text: string;
  /** The undecoded text, where escapes make it differ from `text`. */
  readonly raw?: string;
  readonly quote: '"' | "'" | '"""' | "'''";
}

/** A string, and the offset behind it. */
export interface StringReading {
  readonly value: TomlString;
  readonly end: number;
  readonly isUnterminated: boolean;
  /** It has an escape that is not defined in TOML. */
  readonly hasUnknownEscape: boolean;
}

/** Reads the string at `at`. Without closing quotes it ends with its line, a triple-quoted one with the text. */
export function readTomlString(text: string, at: number): StringReading {
  const mark = text[at] === "'" ? "'" : '"';
  const triple = mark === '"' ? '"""' : "'''";
  return text.startsWith(triple, at) ? readSeveralLines(text, at, triple) : readOneLine(text, at, mark);
}

/** An escape, complete or not, or a folded line end. TOML has no other white space. */
const anyEscape = /\\(?:u[\da-fA-F]{0,4}|U[\da-fA-F]{0,8}|x[\da-fA-F]{0,2}|[ \t]*\r?\n[ \t\r\n]*|[\s\S]?)/gu;

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\x1b',
  '"': '"',
  '\\': '\\',
};

/** The span in the file of a range of a string's decoded text. */
export function tomlSpan(value: TomlString, from = 0, to = value.text.length): Span {
  return { start: offsetOf(value, from), end: offsetOf(value, to) };
}

function offsetOf(value: TomlString, index: number): number {
  if (value.raw === undefined) return value.span.start + index;
  const { raw, span } = value;
  let at = 0;
  let decoded = 0;
  for (const { 0: written, index: next } of raw.matchAll(anyEscape)) {
    if (next > at && index < decoded + next - at) break;
    decoded += next - at;
    const { length } = decode(written) ?? '';
    if (decoded >= index && length > 0) return span.start + next;
    decoded += length;
    at = next + written.length;
  }
  return Math.min(span.start + at + Math.max(0, index - decoded), span.end);
}

function readOneLine(text: string, at: number, quote: '"' | "'"): StringReading {
  const start = at + 1;
  for (let end = start; ; end++) {
    const unit = text[end];
    if (unit === quote) return finish(text, { start, end }, end + 1, quote, false);
    if (unit === undefined || unit === '\n' || unit === '\r') return finish(text, { start, end }, end, quote, true);
    if (unit === '\\' && quote === '"' && /[^\r\n]/.test(text[end + 1] ?? '\n')) end++;
  }
}

function readSeveralLines(text: string, at: number, quote: '"""' | "'''"): StringReading {
  const opened = at + quote.length;
  const start = opened + (text.startsWith('\r\n', opened) ? 2 : text.startsWith('\n', opened) ? 1 : 0);
  for (let end = start; end < text.length; end++) {
    if (text[end] === '\\' && quote === '"""') end++;
    else if (text.startsWith(quote, end)) {
      // Up to two quotes before the closing ones belong to the string.
      let extra = 0;
      while (extra < 2 && text[end + extra + quote.length] === quote[0]) extra++;
      return finish(text, { start, end: end + extra }, end + extra + quote.length, quote, false);
    }
  }
  return finish(text, { start: Math.min(start, text.length), end: text.length }, text.length, quote, true);
}

function finish(
  text: string,
  span: Span,
  end: number,
  quote: TomlString['quote'],
  isUnterminated: boolean,
): StringReading {
  const raw = text.slice(span.start, span.end);
  if (quote.startsWith("'") || !raw.includes('\\')) {
    return { value: { kind: 'string', span, text: raw, quote }, end, isUnterminated, hasUnknownEscape: false };
  }
  let hasUnknownEscape = false;
  const decoded = raw.replace(anyEscape, (it) => {
    const meant = decode(it);
    hasUnknownEscape ||= meant === undefined;
    return meant ?? '';
  });
  return { value: { kind: 'string', span, text: decoded, raw, quote }, end, isUnterminated, hasUnknownEscape };
}

/** The character of an escape; undefined for an invalid one, which is left out. */
function decode(written: string): string | undefined {
  if (/^\\[ \t]*\r?\n/.test(written)) return '';
  const digits = /^\\(?:u(.{4})|U(.{8})|x(.{2}))$/.exec(written);
  if (!digits) return escapes[written.slice(1)];
  const code = Number.parseInt(digits[1] ?? digits[2] ?? digits[3] ?? '', 16);
  return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? undefined : String.fromCodePoint(code);
}
