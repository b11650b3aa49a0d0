import { parseJson } from '../formats/json/parse.ts';
import type { Ignore } from '../model/project.ts';
import { MAX_PROJECT_FILE_LENGTH } from './project-file.ts';

/** Text to insert, and where. */
export interface Insertion {
  /** Offset in UTF-16 units. */
  readonly at: number;
  readonly text: string;
}

/** Adds an ignore to a project file, as in `addEntry`. */
export function addIgnore(text: string, ignore: Ignore): Insertion | undefined {
  return addEntry(text, 'ignores', onOneLine(ignore));
}

/** Adds a pattern of private packages to a project file, as in `addEntry`. */
export function addPrivate(text: string, pattern: string): Insertion | undefined {
  return addEntry(text, 'private', JSON.stringify(pattern));
}

/**
 * Adds an entry to a list of a project file, as its first. The rest of the text stays as it is, with comments, commas
 * and line ends.
 *
 *     { "ignores": [
 *                  ↑
 * @param text `''` where there is no such file yet
 * @returns undefined where the file has syntax errors or is too long
 */
function addEntry(text: string, name: 'ignores' | 'private', entry: string): Insertion | undefined {
  if (text.length > MAX_PROJECT_FILE_LENGTH) return undefined;
  const { root, problems } = parseJson(text);
  if (text.trim() === '') return { at: text.length, text: `{\n  "${name}": [\n    ${entry}\n  ]\n}\n` };
  if (root?.kind !== 'object' || problems.length > 0) return undefined;
  const list = root.properties.findLast((it) => it.name.text === name)?.value;
  if (list === undefined) {
    if (root.properties.some((it) => it.name.text === name)) return undefined;
    const first = root.properties[0]?.name.span.start;
    const at = root.span.start + 1;
    return { at, text: asFirst(text, at, first, (line) => `"${name}": [${line(1)}${entry}${line(0)}]`) };
  }
  if (list.kind !== 'array') return undefined;
  const at = list.span.start + 1;
  return { at, text: asFirst(text, at, list.items[0]?.span.start, () => entry) };
}

function onOneLine(ignore: Ignore): string {
  const parts = Object.entries(ignore).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{ ${parts.join(', ')} }`;
}

/**
 * The text that inserts a first item into a list or an object.
 * @param at the offset after the bracket
 * @param next the start of the present first item; absent for an empty list
 * @param write writes the item; its argument returns a line break with so many further steps of indentation
 */
function asFirst(
  text: string,
  at: number,
  next: number | undefined,
  write: (line: (steps: number) => string) => string,
) {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const step = /\n([\t ]+)\S/.exec(text)?.[1] ?? '  ';
  const around =
    /^[\t \uFEFF]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))?.[0].replace('\uFEFF', '') ?? '';
  const line = (steps: number): string => `${end}${around}${step}${step.repeat(steps)}`;
  const isOnOneLine = next !== undefined && !text.slice(at, next).includes('\n');
  if (isOnOneLine) return `${write(line)},`;
  return `${line(0)}${write(line)}${next === undefined ? `${end}${around}` : ','}`;
}
