import type { Literal, Span } from '../model/span.ts';
import type { JsonString } from './json-tree.ts';

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
export function jsonSpan(value: JsonString, from: number, to: number): Span {
  if (from === 0 && to === value.text.length) return value.span;
  return { start: offsetOf(value, from), end: offsetOf(value, to) };
}

/** An escape that stands for a character. One that is none stands for nothing, as the scanner has it. */
const wholeEscape = /\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/y;
/** A broken escape takes as many hexadecimal digits as there are. */
const brokenEscape = /\\(?:u[\da-fA-F]{0,4}|[\s\S]?)/y;

function encode(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function offsetOf({ raw, text, span }: JsonString, index: number): number {
  if (raw === undefined) return span.start + index;
  if (index >= text.length) return span.end;
  let decoded = 0;
  for (let at = 0; at < raw.length; ) {
    const behind = raw[at] === '\\' ? endOf(wholeEscape, raw, at) : at + 1;
    if (behind > at && decoded++ === index) return span.start + at;
    at = behind > at ? behind : endOf(brokenEscape, raw, at);
  }
  return span.end;
}

/** Where a match that begins at `at` ends; `at` where there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
