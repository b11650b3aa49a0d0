import type { YamlScalar } from '../../engine/formats/yaml/scalar.ts';
import { resolved, type YamlEntry, type YamlMap, type YamlValue } from '../../engine/formats/yaml/tree.ts';
import { contains } from '../../engine/model/span.ts';

/** Where in a YAML text an offset is. */
export interface Position {
  /** The keys and indices down to it, its own key included: `['resources', 0, 'properties', 'zone']`. */
  readonly path: readonly (string | number)[];
  readonly scalar: YamlScalar;
  /** The scalar is a key of this map. */
  readonly key?: { readonly map: YamlMap; readonly entry: YamlEntry };
}

/** The scalar at an offset: a key or a value. */
export function positionAt(root: YamlValue | undefined, offset: number): Position | undefined {
  return find(root, (it) => contains(it.span, offset), []);
}

/** The scalar that contains a text. */
export function positionOf(root: YamlValue | undefined, text: string): Position | undefined {
  return find(root, (it) => it.text.includes(text), []);
}

function find(
  value: YamlValue | undefined,
  isIt: (scalar: YamlScalar) => boolean,
  path: readonly (string | number)[],
): Position | undefined {
  switch (value?.kind) {
    case 'scalar':
      return isIt(value) ? { path, scalar: value } : undefined;
    case 'map':
      for (const entry of value.entries) {
        if (entry.merged) continue;
        const own = [...path, entry.key.text];
        if (isIt(entry.key)) return { path: own, scalar: entry.key, key: { map: value, entry } };
        const found = find(entry.value, isIt, own);
        if (found) return found;
      }
      return undefined;
    case 'sequence':
      for (const [index, it] of value.items.entries()) {
        const found = find(it, isIt, [...path, index]);
        if (found) return found;
      }
      return undefined;
    case 'alias':
    case undefined:
      return undefined;
  }
}

/** The maps in a list, in the order of their resources: an index in a path counts every element. */
export function elementAt(list: YamlValue | undefined, index: number): YamlValue | undefined {
  const target = resolved(list);
  return target?.kind === 'sequence' ? target.items[index] : undefined;
}
