import type { Span } from '../../model/span.ts';
import type { YamlScalar } from './scalar.ts';

export type YamlValue = YamlCollection | YamlScalar | YamlAlias;
export type YamlCollection = YamlMap | YamlSequence;

/** Entries are in the order of the text, with repeated keys; those that `<<` merges come first. */
export interface YamlMap {
  readonly kind: 'map';
  readonly span: Span;
  readonly entries: readonly YamlEntry[];
}

export interface YamlSequence {
  readonly kind: 'sequence';
  readonly span: Span;
  readonly items: readonly YamlValue[];
}

/** A key, and its value: `react:` has none. */
export interface YamlEntry {
  readonly key: YamlScalar;
  readonly value?: YamlValue;
  /** It is in another map, which `<<` merges into this one. */
  readonly merged?: true;
}

/** `*name`. Its target is not copied, so a walk visits it again; the parser limits the total. */
export interface YamlAlias {
  readonly kind: 'alias';
  readonly span: Span;
  /** With a number if its anchor is not the first of the name: `name 2`. */
  readonly name: string;
  readonly target?: YamlCollection | YamlScalar;
}

/** The entries of a map, or of the map that an alias refers to; none for other values. */
export function entriesOf(value: YamlValue | undefined): readonly YamlEntry[] {
  const map = resolved(value);
  return map?.kind === 'map' ? map.entries : [];
}

/** The value of a key; the last one of repeated keys. */
export function entryAt(value: YamlValue | undefined, name: string): YamlValue | undefined {
  return entriesOf(value).findLast((it) => it.key.text === name)?.value;
}

/** The target of an alias; other values unchanged. */
export function resolved(value: YamlValue | undefined): YamlCollection | YamlScalar | undefined {
  return value?.kind === 'alias' ? value.target : value;
}
