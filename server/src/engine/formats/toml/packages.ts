import type { Literal } from '../../model/span.ts';
import { verbatim } from '../text/literal.ts';

/** One package of a lockfile, perhaps incomplete. */
export interface TomlPackage {
  /** Undefined where it is missing, or no string. */
  readonly name: Literal | undefined;
  readonly version: Literal | undefined;
  /** The values that name its origin, by key: strings without their quotes, other values undecoded. */
  readonly origin: ReadonlyMap<string, string>;
}

/** A header, `[package.source]`, or an assignment at the start of a line. No tool writes anything else there. */
const line = /^\uFEFF?(?:(\[{1,2})([\w.-]+)\]|([A-Za-z][\w.-]*)[ \t]*=[ \t]*([^\r\n]*))/gm;

/**
 * Reads the packages of a lockfile line by line, in the layout of the tools: hashes and lists of files are on indented
 * lines, and are skipped. One package at a time: a manifest needs the versions alone, and most of the cost of thousands
 * is to keep them.
 *
 *     [[package]]                name and version
 *     name = "flask"
 *     version = "3.0.3"
 *     [package.source]           origin: { 'source': '', 'source.type': 'git' }
 *     type = "git"
 *
 * @param array the name of the list: `package`
 * @param origin the other keys to keep: `source`, `source.type`; for an inner table, `source`, its presence
 */
export function* readTomlPackages(text: string, array: string, origin: readonly string[]): Iterable<TomlPackage> {
  let current: MutablePackage | undefined;
  let prefix = '';

  for (const { index, 0: whole, 1: brackets, 2: path, 3: key, 4: value = '' } of text.matchAll(line)) {
    if (path === array && brackets === '[[') {
      if (current) yield current;
      current = { name: undefined, version: undefined, origin: new Map() };
      prefix = '';
    } else if (path?.startsWith(`${array}.`)) {
      const inner = path.slice(array.length + 1);
      keep(inner, '');
      prefix = `${inner}.`;
    } else if (path !== undefined) {
      if (current) yield current;
      current = undefined;
    } else if (key !== undefined && current) {
      const field = prefix + key;
      const start = index + whole.length - value.length;
      // Of a repeated name, after a merge perhaps, the first counts.
      if (field === 'name') current.name ??= literalOf(text, start, value);
      else if (field === 'version') current.version ??= literalOf(text, start, value);
      else keep(field, value === '[' ? listAt(text, start) : value);
    }
  }
  if (current) yield current;

  function keep(name: string, value: string): void {
    const dot = name.indexOf('.');
    // `archive.url = …` creates a table `archive`.
    if (dot >= 0) keepFirst(name.slice(0, dot), '');
    keepFirst(name, value);
  }

  function keepFirst(name: string, value: string): void {
    if (origin.includes(name) && current?.origin.has(name) === false) {
      current.origin.set(name, unquoted(value) ?? value);
    }
  }
}

interface MutablePackage {
  name: Literal | undefined;
  version: Literal | undefined;
  readonly origin: Map<string, string>;
}

/** A list over several lines, which tools close at the start of one. */
function listAt(text: string, start: number): string {
  const end = text.indexOf('\n]', start);
  return end < 0 ? '[' : text.slice(start, end + 2);
}

function literalOf(text: string, at: number, value: string): Literal | undefined {
  const string = unquoted(value);
  return string === undefined ? undefined : verbatim(text, at + 1, at + 1 + string.length);
}

/** A string without its quotes; undefined for other values. Escapes stay: names and versions have none. */
function unquoted(value: string): string | undefined {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return undefined;
  let end = value.indexOf(quote, 1);
  while (quote === '"' && value[end - 1] === '\\') end = value.indexOf(quote, end + 1);
  return value.slice(1, end < 0 ? value.length : end);
}
