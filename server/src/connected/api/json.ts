import { excessOf } from '../../engine/base/json-depth.ts';

/** A text as a value of JSON. */
export type ReadJson =
  | { readonly kind: 'value'; readonly value: unknown }
  /** `JSON.stringify` would end with a stack overflow, even for a short text. */
  | { readonly kind: 'deep' }
  /** `at`: `line 3 column 7`. The message of the parser repeats a part of the text, which may be confidential. */
  | { readonly kind: 'invalid'; readonly at?: string };

export function readJson(text: string): ReadJson {
  if (excessOf(text, Number.POSITIVE_INFINITY, 0) !== undefined) return { kind: 'deep' };
  try {
    return { kind: 'value', value: JSON.parse(text) };
  } catch (error) {
    const at = /line \d+ column \d+/.exec(String(error))?.[0];
    return { kind: 'invalid', ...(at !== undefined && { at }) };
  }
}
