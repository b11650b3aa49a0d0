/** One assignment of a file of settings. */
export interface Assignment {
  /** The section it stands in; `''` before the first. */
  readonly section: string;
  /** Without quotes, like the value. */
  readonly key: string;
  /** The lines that continue it are joined by a space. */
  readonly value: string;
}

/**
 * Reads what npm, pip and Go write alike: `key = value` below `[section]`, comments on lines of their own.
 *
 *     [global]
 *     extra-index-url =
 *         https://a.example/simple
 *         https://b.example/simple
 *
 * @param separators those between a key and its value; Python knows a colon, too
 */
export function readAssignments(text: string, separators: RegExp = /=/): readonly Assignment[] {
  const found: { section: string; key: string; values: string[] }[] = [];
  let section = '';
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#') || bare.startsWith(';')) continue;
    const equals = bare.search(separators);
    const last = found.at(-1);
    if (bare.startsWith('[') && bare.endsWith(']') && equals < 0) section = bare.slice(1, -1).trim();
    else if (/^\s/.test(line) && last?.section === section && !/^(["']?)[\w@:.-]+\1\s*=/.test(bare))
      last.values.push(bare);
    else if (equals > 0) {
      found.push({ section, key: unquoted(bare.slice(0, equals).trim()), values: [bare.slice(equals + 1).trim()] });
    }
  }
  return found.map(({ section, key, values }) => ({ section, key, value: unquoted(values.join(' ').trim()) }));
}

function unquoted(value: string): string {
  return /^(["']).*\1$/s.test(value) ? value.slice(1, -1) : value;
}
