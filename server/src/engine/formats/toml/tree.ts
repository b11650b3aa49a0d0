import type { Span } from '../../model/span.ts';
import type { TomlString } from './strings.ts';

export type TomlValue = TomlTable | TomlArray | TomlString | TomlScalar;

/**
 * A table in any notation: under a header, by dotted names, between braces. The separate parts of one table in the text are
 * one table here.
 *
 *     [dependencies]                 root
 *     serde = "1"                      dependencies
 *     tokio.version = "1"                serde, tokio { version }, syn { version }
 *     [dependencies.syn]
 *     version = "2"
 */
export interface TomlTable {
  readonly kind: 'table';
  /** Of its braces, or of the name that first opened it. */
  readonly span: Span;
  /** In the order of the text, with repeated names. */
  readonly entries: readonly TomlEntry[];
}

/** `span` includes the brackets; for `[[package]]` it is the name in the first header. */
export interface TomlArray {
  readonly kind: 'array';
  readonly span: Span;
  readonly items: readonly TomlValue[];
}

/** A number, a date, `true` or `false`, not decoded. */
export interface TomlScalar {
  readonly kind: 'scalar';
  readonly span: Span;
  readonly text: string;
}

/** A name, and its value: `serde = ` has none yet. */
export interface TomlEntry {
  readonly key: TomlKey;
  readonly value?: TomlValue;
}

/** One part of a dotted name. `span` is inside its quotes. */
export interface TomlKey {
  readonly span: Span;
  readonly text: string;
}

/** The entries of a table; none for other values. */
export function entriesOf(value: TomlValue | undefined): readonly TomlEntry[] {
  return value?.kind === 'table' ? value.entries : [];
}

/** The value at a path of names; the last one of repeated names. */
export function tomlAt(value: TomlValue | undefined, ...path: readonly string[]): TomlValue | undefined {
  let found = value;
  for (const name of path) found = entriesOf(found).findLast((it) => it.key.text === name)?.value;
  return found;
}

/** The string at a path of names. */
export function stringAt(value: TomlValue | undefined, ...path: readonly string[]): TomlString | undefined {
  const found = tomlAt(value, ...path);
  return found?.kind === 'string' ? found : undefined;
}

/** The number, date or boolean at a path of names, not decoded. */
export function scalarAt(value: TomlValue | undefined, ...path: readonly string[]): string | undefined {
  const found = tomlAt(value, ...path);
  return found?.kind === 'scalar' ? found.text : undefined;
}

/** The strings of the list at a path of names. */
export function textsAt(value: TomlValue | undefined, ...path: readonly string[]): string[] {
  return stringsAt(value, ...path).map((it) => it.text);
}

/** The same with their spans. */
export function stringsAt(value: TomlValue | undefined, ...path: readonly string[]): readonly TomlString[] {
  const list = tomlAt(value, ...path);
  return list?.kind === 'array' ? list.items.filter((it) => it.kind === 'string') : [];
}

interface MutableTable extends TomlTable {
  readonly entries: TomlEntry[];
}

interface MutableArray extends TomlArray {
  readonly items: TomlValue[];
}

/** An empty table. */
export function newTable(span: Span): MutableTable {
  return { kind: 'table', span, entries: [] };
}

/** Finds and creates the tables of headers and dotted names. */
export function tableBuilder() {
  const root = newTable({ start: 0, end: 0 });
  /** The last table or array of tables of each name: searching the entries would take quadratic time. */
  const opened = new Map<TomlTable, Map<string, MutableTable | MutableArray>>();

  function entry(table: TomlTable, key: TomlKey, value: TomlValue | undefined): void {
    // `newTable` made every table that gets here.
    (table.entries as TomlEntry[]).push({ key, ...(value && { value }) });
  }

  function remember<T extends MutableTable | MutableArray>(table: TomlTable, key: TomlKey, value: T): T {
    const names = opened.get(table) ?? new Map();
    opened.set(table, names.set(key.text, value));
    entry(table, key, value);
    return value;
  }

  function child(table: TomlTable, key: TomlKey): MutableTable {
    const known = opened.get(table)?.get(key.text);
    const last = known?.kind === 'array' ? known.items.at(-1) : known;
    return last?.kind === 'table' ? (last as MutableTable) : remember(table, key, newTable(key.span));
  }

  const descend = (table: TomlTable, path: readonly TomlKey[]): TomlTable => path.reduce(child, table);

  return {
    root: root as TomlTable,
    /** The table of a header; for a header without a name, a detached table. */
    open: (path: readonly TomlKey[]): TomlTable => (path.length > 0 ? descend(root, path) : newTable(root.span)),
    /** A new table at the end of the array of `[[name]]`. */
    append(path: readonly TomlKey[]): TomlTable {
      const key = path.at(-1);
      if (key === undefined) return newTable(root.span);
      const parent = descend(root, path.slice(0, -1));
      const known = opened.get(parent)?.get(key.text);
      const array =
        known?.kind === 'array' ? known : remember(parent, key, { kind: 'array', span: key.span, items: [] });
      const table = newTable(key.span);
      array.items.push(table);
      return table;
    },
    put(table: TomlTable, path: readonly TomlKey[], value: TomlValue | undefined): void {
      const key = path.at(-1);
      if (key !== undefined) entry(descend(table, path.slice(0, -1)), key, value);
    },
  };
}
