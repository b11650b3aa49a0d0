import type { Literal, Span } from '../../model/span.ts';
import { endOfMatch } from '../text/lines.ts';

/**
 * A string, or the stretch of it from `from` to `to` (offsets into its decoded text), as something that can be edited.
 *
 *     "npm:left-pad@^1.3.0"
 *                   ^^^^^^   jsonLiteral(value, 13)
 */
export function jsonLiteral(value: JsonString, from = 0, to = value.text.length): Literal {
  return { span: jsonSpan(value, from, to), text: value.text.slice(from, to), encode };
}

/** The span of a stretch of a string's decoded text. */
export function jsonSpan(value: JsonString, from: number, to: number): Span {
  if (from === 0 && to === value.text.length) return value.span;
  return { start: offsetOf(value, from), end: offsetOf(value, to) };
}

/** A valid escape. An invalid one decodes to nothing, as in the scanner. */
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
    const behind = raw[at] === '\\' ? endOfMatch(wholeEscape, raw, at) : at + 1;
    if (behind > at && decoded++ === index) return span.start + at;
    at = behind > at ? behind : endOfMatch(brokenEscape, raw, at);
  }
  return span.end;
}

export type JsonValue = JsonObject | JsonArray | JsonString | JsonScalar;

/** `span` holds the braces. Properties are in the order of the text; a name may repeat. */
export interface JsonObject {
  readonly kind: 'object';
  readonly span: Span;
  readonly properties: readonly JsonProperty[];
}

export interface JsonArray {
  readonly kind: 'array';
  readonly span: Span;
  readonly items: readonly JsonValue[];
}

/** A name, and its value where one can be read: `"lodash": ` has none yet. */
export interface JsonProperty {
  readonly name: JsonString;
  readonly value?: JsonValue;
}

/** `span` lies inside the quotes, `text` is decoded. */
export interface JsonString {
  readonly kind: 'string';
  readonly span: Span;
  readonly text: string;
  /** The text as it was written, where escapes make it differ from `text`. */
  readonly raw?: string;
}

/** A number, `true`, `false` or `null`, as written. */
export interface JsonScalar {
  readonly kind: 'scalar';
  readonly span: Span;
  readonly text: string;
}

/** The properties of an object; none where the value is something else. */
export function propertiesOf(value: JsonValue | undefined): readonly JsonProperty[] {
  return value?.kind === 'object' ? value.properties : [];
}

/** The value of a property: of several with one name the last, which is the one that JSON readers take. */
export function valueAt(value: JsonValue | undefined, name: string): JsonValue | undefined {
  const properties = propertiesOf(value);
  let at = properties.length - 1;
  while (at >= 0 && properties[at]?.name.text !== name) at--;
  return properties[at]?.value;
}

/** The string that a property has. */
export function stringAt(value: JsonValue | undefined, name: string): JsonString | undefined {
  const found = valueAt(value, name);
  return found?.kind === 'string' ? found : undefined;
}

/** The items of an array; none where the value is something else. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return value?.kind === 'array' ? value.items : [];
}
