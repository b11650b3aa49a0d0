import type { Span } from '../../model/span.ts';
import type { YamlScalar } from './scalar.ts';

export type YamlValue = YamlCollection | YamlScalar | YamlAlias;
export type YamlCollection = YamlMap | YamlSequence;

/** Entries stand in the order of the text, one key as often as it was written; before them those that `<<` merges. */
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

/** A key, and its value where there is one: `react:` has none. */
export interface YamlEntry {
  readonly key: YamlScalar;
  readonly value?: YamlValue;
  /** It stands in another map, which `<<` merges into this one. */
  readonly merged?: true;
}

/** `*name`. Its target is no copy, so a walk meets it again; how often is bounded by the parser. */
export interface YamlAlias {
  readonly kind: 'alias';
  readonly span: Span;
  /** With a number where its anchor is not the first of the name: `name 2`. */
  readonly name: string;
  readonly target?: YamlCollection | YamlScalar;
}

/** The entries of a map, or of the map that an alias stands for; none where the value is something else. */
export function entriesOf(value: YamlValue | undefined): readonly YamlEntry[] {
  const map = resolved(value);
  return map?.kind === 'map' ? map.entries : [];
}

/** The value of a key: of several with one name the last. */
export function entryAt(value: YamlValue | undefined, name: string): YamlValue | undefined {
  return entriesOf(value).findLast((it) => it.key.text === name)?.value;
}

/** What an alias stands for; other values stand for themselves. */
export function resolved(value: YamlValue | undefined): YamlCollection | YamlScalar | undefined {
  return value?.kind === 'alias' ? value.target : value;
}
