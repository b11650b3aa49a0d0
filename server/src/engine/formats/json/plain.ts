import { isTooDeep } from '../../base/json-depth.ts';
import { isRecord } from '../../base/text.ts';
import { parseJson } from './parse.ts';
import type { JsonValue } from './tree.ts';

/** A JSON text as `JSON.parse` gives it; of a broken text as much as can be read. */
export function readPlainJson(text: string): unknown {
  const plain = parsePlainJson(text);
  if (plain) return plain.value;
  // This takes ten times as long.
  const { root } = parseJson(text);
  return root && plainOf(root);
}

/** The value of a text that `JSON.parse` accepts, undefined where it is nested too deep; no result for a broken text. */
export function parsePlainJson(text: string): { readonly value: unknown } | undefined {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (isTooDeep(json)) return { value: undefined };
  try {
    return { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

/** The value as JSON.parse would give it; nesting is bounded by the reader. */
function plainOf(value: JsonValue): unknown {
  switch (value.kind) {
    case 'object':
      return Object.fromEntries(value.properties.map((it) => [it.name.text, it.value && plainOf(it.value)]));
    case 'array':
      return value.items.map(plainOf);
    case 'string':
    case 'scalar':
      return value.text;
  }
}

/** The object of a text, as much of it as can be read. */
export function readPlainRecord(text: string): {
  readonly root: Readonly<Record<string, unknown>>;
  /** Whether some of it cannot be read. */
  readonly isBroken: boolean;
} {
  const parsed = parsePlainJson(text);
  const value = parsed ? parsed.value : readPlainJson(text);
  return { root: isRecord(value) ? value : {}, isBroken: parsed === undefined || !isRecord(value) };
}

/** A property that the file has, not one of all objects. */
export function ownOf(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The object at a key; an empty one where it is missing, or something else. */
export function recordAt(record: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  const value = ownOf(record, key);
  return isRecord(value) ? value : {};
}
