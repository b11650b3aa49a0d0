import { isTooDeep } from '../../base/json-depth.ts';
import { parseJson } from './parse.ts';
import type { JsonValue } from './tree.ts';

/** A JSON text as `JSON.parse` gives it; of a broken text as much as can be read. */
export function readPlainJson(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (isTooDeep(json)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    // This takes ten times as long.
    const { root } = parseJson(text);
    return root && plainOf(root);
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
