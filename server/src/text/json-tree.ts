import type { Span } from '../model/span.ts';

export type JsonValue = JsonObject | JsonArray | JsonString | JsonScalar;

/** `span` holds the braces. Properties stand in the order of the text, one name as often as it was written. */
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
