import { scanLines, unquote } from '../text/lines.ts';

/** Gets the fields of a lockfile in their order. */
export interface PackageFields {
  /** Begins a package. */
  begin(): void;
  /**
   * @param table the table inside the package, `''` for the package itself; the whole path outside of packages
   * @param value undecoded: of an array that spans lines, all of them
   */
  field(table: string, key: string, value: string, isInPackage: boolean): void;
}

/** A key at the start of a line; hashes and lists of files are indented. */
const assignment = /^("[^"]*"|'[^']*'|[\w.-]+)[ \t]*=[ \t]*(.*)$/;

/**
 * Reads the fields of a lockfile line by line, in the layout of the tools:
 *
 *     [[package]]
 *     dependencies = [                  '', 'dependencies', '[{ name = "click" },]'
 *         { name = "click" },
 *     ]
 *     [package.extras]
 *     socks = ["PySocks (>=1.5.6)"]     'extras', 'socks', '["PySocks (>=1.5.6)"]'
 */
export function scanPackageFields(text: string, array: string, { begin, field }: PackageFields): void {
  let table = '';
  let isInPackage = false;
  let open: { readonly key: string; readonly lines: string[] } | undefined;
  scanLines(text, (start, end, indent) => {
    const line = text.slice(start + indent, end).trimEnd();
    if (indent > 0 || line === ']') {
      open?.lines.push(line);
      if (line === ']') close();
      return;
    }
    close();
    if (line[0] === '[') {
      const path = line.replace(/^\[+|\]+$/g, '');
      isInPackage = path === array || path.startsWith(`${array}.`);
      table = isInPackage ? path.slice(array.length + 1) : path;
      if (path === array) begin();
      return;
    }
    const [, key = '', value = ''] = assignment.exec(line) ?? [];
    if (key === '') return;
    if (value[0] === '[' && !value.endsWith(']')) open = { key: unquote(key), lines: [value] };
    else field(table, unquote(key), value, isInPackage);
  });
  close();

  /** Ends an array, which a cut text leaves open. */
  function close(): void {
    if (open) field(table, open.key, open.lines.join(''), isInPackage);
    open = undefined;
  }
}

/** The strings of an array: `["a", 'b']`. */
export function stringsIn(array: string): string[] {
  return Array.from(array.matchAll(quoted), ([it]) => decoded(it));
}

/** The tables of an array, or one alone: `[{ name = "a" }, { name = "b" }]`. */
export function tablesIn(array: string): string[] {
  return array.match(/\{(?:[^{}"']|"(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)|\{[^{}]*\})*\}/g) ?? [];
}

/** The values of a table by key, undecoded: `{ name = "a", optional = true }`. */
export function valuesIn(table: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [, name = '', value = ''] of table.matchAll(entry)) if (!values.has(name)) values.set(name, value);
  return values;
}

/** A string without its quotes; undefined for other values. */
export function stringOf(value: string | undefined): string | undefined {
  return value !== undefined && /^["']/.test(value) ? decoded(value) : undefined;
}

/* Each takes an open string or array to the end of the text, and a name only from its start: else it takes quadratic time. */
const quoted = /"(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)/g;
const entry =
  /(?<![\w-])([\w-]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)|\[[^\]]*(?:\]|$)|\{[^{}]*\}|[\w.+-]+)/g;

function decoded(literal: string): string {
  const text = literal.slice(1, -1);
  return literal[0] === '"' ? text.replace(/\\(.)/g, '$1') : text;
}
