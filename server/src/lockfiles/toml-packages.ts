/** One table of an array in a lockfile, with the values that were asked for, unquoted where they are strings. */
export type LockedFields = ReadonlyMap<string, string>;

/** A header, `[package.source]`, or an assignment at the start of a line, where no tool puts anything else. */
const line = /^(?:(\[{1,2})([\w.-]+)\]|([A-Za-z][\w.-]*)[ \t]*=[ \t]*([^\r\n]*))/gm;

/**
 * Reads the tables of an array line by line, as programs write them: hashes and lists of files stand on lines that are
 * indented, and are passed over.
 *
 *     [[package]]               { name: 'flask', version: '3.0.3', 'source.type': 'git' }
 *     name = "flask"
 *     version = "3.0.3"
 *     [package.source]
 *     type = "git"
 *
 * @param wanted the names to keep: `version`, `source.type`; that of an inner table, `source`, is kept as an empty text
 */
export function lockedPackages(text: string, array: string, wanted: ReadonlySet<string>): LockedFields[] {
  const packages: LockedFields[] = [];
  let current: Map<string, string> | undefined;
  let prefix = '';
  const keep = (name: string, value: string): void => {
    // Of a name that stands twice, after a merge perhaps, the first counts.
    if (wanted.has(name) && current?.has(name) === false) current.set(name, value);
  };
  for (const [, brackets, path, key, value] of text.replace(/^\uFEFF/, '').matchAll(line)) {
    if (path === array && brackets === '[[') {
      current = new Map();
      packages.push(current);
      prefix = '';
    } else if (path?.startsWith(`${array}.`)) {
      const inner = path.slice(array.length + 1);
      keep(inner, '');
      prefix = `${inner}.`;
    } else if (path !== undefined) current = undefined;
    else if (key !== undefined && value !== undefined) {
      keep(prefix + key, unquoted(value));
      // `archive.url = …` makes a table `archive`.
      if (key.includes('.')) keep(prefix + key.slice(0, key.indexOf('.')), '');
    }
  }
  return packages;
}

/** No name and no version has an escape. */
function unquoted(value: string): string {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return value;
  const end = value.indexOf(quote, 1);
  return end < 0 ? value.slice(1) : value.slice(1, end);
}
