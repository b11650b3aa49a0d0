/** Gets one line. Offsets are those of the text; the line end is left out. */
export type VisitLine = (start: number, end: number, indent: number) => void;

/** Visits each line that is not blank, with the number of spaces that it begins with. */
export function scanLines(text: string, visit: VisitLine): void {
  let next = text.startsWith('\uFEFF') ? 1 : 0;
  while (next < text.length) {
    const start = next;
    const feed = text.indexOf('\n', start);
    const stop = feed < 0 ? text.length : feed;
    next = stop + 1;
    const end = stop > start && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop;
    let first = start;
    while (first < end && text.charCodeAt(first) === 32) first++;
    if (first < end) visit(start, end, first - start);
  }
}

/**
 * A line of YAML as programs write it: a key, a colon, perhaps a value, each with or without quotes.
 *
 *     '@babel/core': ^7.24.0        specifier: "npm:lodash@^3"        dependencies:
 *
 * Undefined for other lines.
 */
export function readYamlLine(line: string): { readonly key: string; readonly value: string } | undefined {
  const text = line.trim();
  const quote = text[0];
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(`${quote}:`, 1);
    if (close < 0) return undefined;
    return { key: text.slice(1, close), value: unquote(text.slice(close + 2).trim()) };
  }
  const colon = text.endsWith(':') && !text.includes(': ') ? text.length - 1 : text.indexOf(': ');
  if (colon <= 0) return undefined;
  return { key: text.slice(0, colon), value: unquote(text.slice(colon + 1).trim()) };
}

/** Takes the quotes off. Escapes stay: no name and no version has them. */
export function unquote(text: string): string {
  const quote = text[0];
  return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote) ? text.slice(1, -1) : text;
}

/** In characters. Real files stay far below; the limit avoids quadratic time in a file of spaces. */
const MAX_INDENT = 200;

/** The indentation of an offset, in characters; undefined where other text precedes it on its line. */
export function indentOf(text: string, at: number): number | undefined {
  let start = at;
  while (
    start > 0 &&
    at - start <= MAX_INDENT &&
    (text.charCodeAt(start - 1) === 32 || text.charCodeAt(start - 1) === 9)
  ) {
    start--;
  }
  const before = text.charCodeAt(start - 1);
  return start === 0 || before === 10 || before === 13 || before === 0xfeff ? at - start : undefined;
}

/** Space, tab, and the line ends. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

/** The offset behind a match of a sticky pattern at `at`; `at` without a match. */
export function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
