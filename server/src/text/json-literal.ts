import type { Literal, Span } from '../model/span.ts';
import type { JsonString } from './json.ts';

/**
 * A string, or the stretch of it from `from` to `to` (offsets into its decoded text), as something that can be edited.
 *
 *     "npm:left-pad@^1.3.0"
 *                   ^^^^^^   jsonLiteral(value, 13)
 */
export function jsonLiteral(value: JsonString, from = 0, to = value.text.length): Literal {
  return { span: jsonSpan(value, from, to), text: value.text.slice(from, to), encode };
}

/** Where a stretch of a string's decoded text stands in the file. */
export function jsonSpan(value: JsonString, from = 0, to = value.text.length): Span {
  return { start: offsetOf(value, from), end: offsetOf(value, to) };
}

/** An escape, whole or broken, or one character. A broken escape takes as many hexadecimal digits as there are. */
const unit = /\\u[\da-fA-F]{0,4}|\\[\s\S]?|[\s\S]/g;

function encode(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function offsetOf(value: JsonString, index: number): number {
  if (value.raw === undefined) return value.span.start + index;
  if (index >= value.text.length) return value.span.end;
  let decoded = 0;
  for (const it of value.raw.matchAll(unit)) {
    if (decoded === index && decodes(it[0])) return value.span.start + it.index;
    if (decodes(it[0])) decoded++;
  }
  return value.span.end;
}

/** An escape that is none stands for nothing, as the scanner has it. */
function decodes(written: string): boolean {
  return !written.startsWith('\\') || /^\\(?:u[\da-fA-F]{4}|["\\/bfnrt])$/.test(written);
}
