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
 * lines, and are skipped.
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
export function readTomlPackages(text: string, array: string, origin: readonly string[]): readonly TomlPackage[] {
  const packages: TomlPackage[] = [];
  let current: MutablePackage | undefined;
  let prefix = '';

  for (const { index, 0: whole, 1: brackets, 2: path, 3: key, 4: value = '' } of text.matchAll(line)) {
    if (path === array && brackets === '[[') {
      current = { name: undefined, version: undefined, origin: new Map() };
      packages.push(current);
      prefix = '';
    } else if (path?.startsWith(`${array}.`)) {
      const inner = path.slice(array.length + 1);
      keep(inner, '');
      prefix = `${inner}.`;
    } else if (path !== undefined) current = undefined;
    else if (key !== undefined && current) {
      const string = quoted(text, index + whole.length - value.length, value);
      // Of a repeated name, after a merge perhaps, the first counts.
      if (prefix === '' && key === 'name') current.name ??= string;
      else if (prefix === '' && key === 'version') current.version ??= string;
      else keep(prefix + key, string?.text ?? value);
    }
  }
  return packages;

  function keep(name: string, value: string): void {
    // `archive.url = …` creates a table `archive`.
    for (const it of [name, name.split('.', 1)[0] ?? '']) {
      if (origin.includes(it) && current?.origin.has(it) === false) current.origin.set(it, it === name ? value : '');
    }
  }
}

interface MutablePackage {
  name: Literal | undefined;
  version: Literal | undefined;
  readonly origin: Map<string, string>;
}

/** A string without its quotes. Names and versions have no escapes. */
function quoted(text: string, at: number, value: string): Literal | undefined {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return undefined;
  const end = value.indexOf(quote, 1);
  return verbatim(text, at + 1, at + (end < 0 ? value.length : end));
}
