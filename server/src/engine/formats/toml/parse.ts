import type { Problem, Span } from '../../model/span.ts';
import { MAX_DEPTH, MAX_PROBLEMS } from '../text/limits.ts';
import { endOfMatch } from '../text/lines.ts';
import { readTomlString, type TomlString } from './strings.ts';
import { newTable, type TomlKey, type TomlTable, type TomlValue, tableBuilder } from './tree.ts';

/** A TOML text as far as it can be read. A broken line is left out; so are, for an open bracket, the lines up to the next key. */
export interface TomlDocument {
  readonly root: TomlTable;
  readonly problems: readonly Problem[];
}

const blanks = /[ \t]*/y;
const blanksAndLines = /[ \t\r\n]*/y;
const bareKey = /[A-Za-z0-9_-]+/y;
const bareValue = /\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]*|[^\s,[\]{}#="']+/y;
const knownScalar = /^(?:true|false|[+-]?(?:inf|nan)|[+-]?\d[\w.:+-]*(?: [\d:.+Zz-]+)?)$/;
/** A line in an unclosed array that must be a header or an assignment. */
const statement = /\[{1,2}[ \t]*(?!true|false|inf|nan)[A-Za-z_][\w-]*[ \t]*[.\]]|[A-Za-z0-9_-]+[ \t]*=/y;

/** Never throws. A byte order mark is skipped. */
export function parseToml(text: string): TomlDocument {
  const problems: Problem[] = [];
  const tables = tableBuilder();
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let table = tables.root;

  skipLines();
  while (at < text.length) {
    if (text[at] === '[') header();
    else assignment(table, 0);
    endLine();
    skipLines();
  }
  return { root: tables.root, problems };

  function header(): void {
    const close = text[at + 1] === '[' ? ']]' : ']';
    const start = at;
    at += close.length;
    const path = keyPath();
    if (text.startsWith(close, at)) at += close.length;
    else problem('the closing bracket is missing', { start, end: at });
    if (path.length === 0) problem('a name is missing', { start, end: at });
    table = close === ']]' ? tables.append(path) : tables.open(path);
  }

  /** `a.b = 1`, in a table or between the braces of one. */
  function assignment(into: TomlTable, depth: number): void {
    const start = at;
    const path = keyPath();
    if (path.length === 0) {
      problem('a name is missing', { start, end: endOfLine() });
      at = endOfLine();
      return;
    }
    const span = { start, end: path.at(-1)?.span.end ?? at };
    if (text[at] === '=') {
      at++;
      skip(blanks);
      const before = at;
      const read = value(depth);
      tables.put(into, path, read);
      if (read === undefined && at === before) problem('a value is missing', span);
    } else {
      tables.put(into, path, undefined);
      problem('an equals sign and a value are missing', span);
    }
  }

  /** The parts of a dotted name, and the blanks behind it. `a.` has one part. */
  function keyPath(): TomlKey[] {
    const path: TomlKey[] = [];
    const start = at;
    for (;;) {
      skip(blanks);
      const part = key();
      if (part === undefined) break;
      // One part too many shows that there are too many.
      if (path.length <= MAX_DEPTH) path.push(part);
      skip(blanks);
      if (text[at] !== '.') break;
      at++;
    }
    if (path.length <= MAX_DEPTH) return path;
    problem('names of this many parts are not read', { start, end: at });
    return [];
  }

  function key(): TomlKey | undefined {
    if (text[at] === '"' || text[at] === "'") return string();
    const start = at;
    skip(bareKey);
    return at > start ? { span: { start, end: at }, text: text.slice(start, at) } : undefined;
  }

  function value(depth: number): TomlValue | undefined {
    switch (text[at]) {
      case '"':
      case "'":
        return string();
      case '[':
        return depth < MAX_DEPTH ? array(depth) : tooDeep();
      case '{':
        return depth < MAX_DEPTH ? inlineTable(depth) : tooDeep();
      default:
        return scalar();
    }
  }

  function string(): TomlString {
    const start = at;
    const read = readTomlString(text, at);
    at = read.end;
    if (read.isUnterminated) problem('the closing quote is missing', { start, end: at });
    if (read.hasUnknownEscape) problem('the string has an escape that TOML does not know', read.value.span);
    return read.value;
  }

  function scalar(): TomlValue | undefined {
    const start = at;
    skip(bareValue);
    if (at === start) return undefined;
    const span = { start, end: at };
    const written = text.slice(start, at);
    if (knownScalar.test(written)) return { kind: 'scalar', span, text: written };
    problem('a value is missing its quotes', span);
    return undefined;
  }

  function array(depth: number): TomlValue {
    const start = at++;
    const items: TomlValue[] = [];
    let owesComma = false;
    for (;;) {
      const end = at;
      const crossed = skipLines();
      if (
        at >= text.length ||
        text[at] === ']' ||
        text[at] === '}' ||
        (crossed && endOfMatch(statement, text, at) > at)
      ) {
        return { kind: 'array', span: { start, end: close(']', start, end, crossed) }, items };
      }
      if (text[at] === ',') {
        at++;
        owesComma = false;
        continue;
      }
      if (owesComma) problem('a comma is missing', { start: end, end });
      const before = at;
      const item = value(depth + 1);
      if (item) items.push(item);
      else if (at === before) problem('not understood', { start: at, end: ++at });
      owesComma = item !== undefined;
    }
  }

  function inlineTable(depth: number): TomlTable {
    const start = at++;
    const inline = newTable({ start, end: at });
    for (;;) {
      const end = at;
      const crossed = skipLines();
      // A new line begins with the next assignment or header: the closing brace is missing.
      const left = crossed && (text[at - 1] === '\n' || text[at] === '[');
      if (text[at] === '}' || left || at >= text.length) {
        return { ...inline, span: { start, end: close('}', start, end, crossed) } };
      }
      assignment(inline, depth + 1);
      skip(blanks);
      if (text[at] === ',') at++;
      else if (text[at] !== '}') return { ...inline, span: { start, end: close('}', start, at, skipLines()) } };
    }
  }

  /** Skips a closing bracket; without one, parsing continues behind the last item inside. */
  function close(bracket: string, start: number, end: number, crossed: boolean): number {
    if (text[at] === bracket) return ++at;
    problem(`the closing ${bracket === ']' ? 'bracket' : 'brace'} is missing`, { start, end: start + 1 });
    if (crossed || at >= text.length) at = end;
    return end;
  }

  function tooDeep(): undefined {
    problem('values nested this deep are not read', { start: at, end: at + 1 });
    at = endOfLine();
  }

  /** Only a comment may follow on a line. */
  function endLine(): void {
    skip(blanks);
    const end = endOfLine();
    if (at < end && text[at] !== '#') problem('not understood', { start: at, end });
    at = end;
  }

  /** Skips blanks, comments and line ends. Returns whether it skipped a line end. */
  function skipLines(): boolean {
    const start = at;
    skip(blanksAndLines);
    while (text[at] === '#') {
      at = endOfLine();
      skip(blanksAndLines);
    }
    return text.slice(start, at).includes('\n');
  }

  function endOfLine(): number {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    return end > at && text[end - 1] === '\r' ? end - 1 : end;
  }

  function skip(pattern: RegExp): void {
    at = endOfMatch(pattern, text, at);
  }

  function problem(message: string, span: Span): void {
    if (problems.length < MAX_PROBLEMS) problems.push({ span, message });
  }
}
