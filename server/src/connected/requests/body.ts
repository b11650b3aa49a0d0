import type { JsonProperty, JsonValue } from '../../engine/formats/json/tree.ts';
import { propertiesOf } from '../../engine/formats/json/tree.ts';
import type { Span } from '../../engine/model/span.ts';
import type { MemberPath } from '../api/problem.ts';
import { type BodyType, readType, type Type, type Types } from '../api/service-method.ts';

/** A tree as the value that JSON readers have of it. Undefined where a part of it is no JSON. */
export function jsonOf(tree: JsonValue): unknown {
  switch (tree.kind) {
    case 'string':
      return tree.text;
    case 'scalar':
      return scalarOf(tree.text);
    case 'array':
      return tree.items.map(jsonOf);
    case 'object': {
      const value = {};
      for (const { name, value: it } of tree.properties) {
        // Even one named `__proto__`.
        const member = { value: it && jsonOf(it), writable: true, enumerable: true, configurable: true };
        Object.defineProperty(value, name.text, member);
      }
      return value;
    }
  }
}

function scalarOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Numbers that are no JSON: `1.2.3`, `01`. */
export function faultyScalars(tree: JsonValue): Span[] {
  switch (tree.kind) {
    case 'string':
      return [];
    case 'scalar':
      return scalarOf(tree.text) === undefined ? [tree.span] : [];
    case 'array':
      return tree.items.flatMap(faultyScalars);
    case 'object':
      return tree.properties.flatMap((it) => (it.value ? faultyScalars(it.value) : []));
  }
}

/** A place in a body. */
export interface BodyPlace {
  /** The value; absent while it is yet to be typed. */
  readonly value?: JsonValue;
  /** The property whose value it is; absent for the root and for items. */
  readonly property?: JsonProperty;
  /** How much of the path exists. */
  readonly depth: number;
}

/** The place of a path, or of as much of it as exists. */
export function placeOf(root: JsonValue | undefined, path: MemberPath): BodyPlace {
  let place: BodyPlace = { ...(root && { value: root }), depth: 0 };
  for (const step of path) {
    const { value } = place;
    if (typeof step === 'number') {
      const item = value?.kind === 'array' ? value.items[step] : undefined;
      if (item === undefined) return place;
      place = { value: item, depth: place.depth + 1 };
    } else {
      const property = propertiesOf(value).findLast((it) => it.name.text === step);
      if (property === undefined) return place;
      place = { ...(property.value && { value: property.value }), property, depth: place.depth + 1 };
    }
  }
  return place;
}

/** A value with its quotes. */
export function wholeSpan(value: JsonValue): Span {
  if (value.kind !== 'string') return value.span;
  return { start: value.span.start - 1, end: value.span.end + 1 };
}

/** The type of a place in a body; undefined where the schema does not know it. */
export function typeAt(body: BodyType, path: MemberPath, types: Types): Type | undefined {
  let type: Type | undefined = readType(body.type);
  for (const step of path) {
    if (type === undefined) return undefined;
    if (type.kind === 'list') type = typeof step === 'number' ? type.of : undefined;
    else if (type.kind === 'map') type = typeof step === 'string' ? type.of : undefined;
    else type = types.membersOf(type.name)?.find((it) => it.name === step)?.type;
  }
  return type;
}

/** `Event[]`, `{string}` */
export function typeText(type: Type): string {
  if (type.kind === 'list') return `${typeText(type.of)}[]`;
  return type.kind === 'map' ? `{${typeText(type.of)}}` : type.name;
}
