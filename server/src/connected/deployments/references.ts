import { type YamlScalar, yamlSpan } from '../../engine/formats/yaml/scalar.ts';
import type { YamlValue } from '../../engine/formats/yaml/tree.ts';
import type { Span } from '../../engine/model/span.ts';

/**
 * A reference to a resource of the same manifest.
 *
 *     network: $(ref.net.subnets[0].selfLink)
 *              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^  span
 *                    ^^^                       resource
 *                        ^^^^^^^  ^ ^^^^^^^^   path: subnets, 0, selfLink
 */
export interface Reference {
  readonly span: Span;
  readonly resource: string;
  readonly resourceSpan: Span;
  /** A number is an index of a list. */
  readonly path: readonly ReferenceStep[];
  /** The closing bracket is there. */
  readonly isClosed: boolean;
}

export interface ReferenceStep {
  readonly name: string | number;
  readonly span: Span;
}

/** The beginning of a reference, also of one that has just been begun. `$$(` is a literal text. */
const opening = /(?<!\$)\$\(ref\./g;
const step = /^(?:\.?([^.[\]()\s]+)|\[(\d{1,9})\])/;

/** Every reference in a value, in the order of the text. Values that are only repeated by an alias are read at their anchor. */
export function readReferences(value: YamlValue | undefined): Reference[] {
  switch (value?.kind) {
    case 'map':
      return value.entries.flatMap((it) => (it.merged ? [] : readReferences(it.value)));
    case 'sequence':
      return value.items.flatMap(readReferences);
    case 'scalar':
      return readScalarReferences(value);
    case 'alias':
    case undefined:
      return [];
  }
}

function readScalarReferences(value: YamlScalar): Reference[] {
  return [...value.text.matchAll(opening)].map((it) => readReference(value, it.index, it.index + it[0].length));
}

function readReference(value: YamlScalar, start: number, from: number): Reference {
  const { text } = value;
  const resource = /^[^.[\]()\s]*/.exec(text.slice(from))?.[0] ?? '';
  const path: ReferenceStep[] = [];
  let at = from + resource.length;
  while (at < text.length) {
    const found = step.exec(text.slice(at, at + 300));
    if (!found) break;
    const [whole, name, index] = found;
    const begin = name === undefined ? at + 1 : at + whole.length - name.length;
    const length = (name ?? index ?? '').length;
    path.push({ name: name ?? Number(index), span: yamlSpan(value, begin, begin + length) });
    at += whole.length;
  }
  // A dot at the end is a member that is not typed yet.
  if (text[at] === '.') at++;
  const isClosed = text[at] === ')';
  return {
    span: yamlSpan(value, start, isClosed ? at + 1 : at),
    resource,
    resourceSpan: yamlSpan(value, from, from + resource.length),
    path,
    isClosed,
  };
}

/** Whether a value contains what only the service can evaluate, so that its kind is unknown. */
export function isComputed(text: string): boolean {
  return /\$\(|\{\{/.test(text);
}
