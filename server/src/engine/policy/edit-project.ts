import { parseJson } from '../formats/json/parse.ts';
import { itemsOf, type JsonValue, stringAt, valueAt } from '../formats/json/tree.ts';
import { withoutItem } from '../formats/text/remove.ts';
import type { TextEdit } from '../model/graph/override.ts';
import type { Ignore } from '../model/project.ts';
import type { Span } from '../model/span.ts';
import { MAX_PROJECT_FILE_LENGTH } from './project-file.ts';

/** Adds an ignore to a project file, as in `addEntry`. */
export function addIgnore(text: string, ignore: Ignore): TextEdit | undefined {
  return addEntry(text, 'ignores', onOneLine(ignore));
}

/** Adds a pattern of private packages to a project file, as in `addEntry`. */
export function addPrivate(text: string, pattern: string): TextEdit | undefined {
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
function addEntry(text: string, name: 'ignores' | 'private', entry: string): TextEdit | undefined {
  if (text.length > MAX_PROJECT_FILE_LENGTH) return undefined;
  const { root, problems } = parseJson(text);
  if (text.trim() === '') return insertion(text.length, `{\n  "${name}": [\n    ${entry}\n  ]\n}\n`);
  if (root?.kind !== 'object' || problems.length > 0) return undefined;
  const list = root.properties.findLast((it) => it.name.text === name)?.value;
  if (list === undefined) {
    if (root.properties.some((it) => it.name.text === name)) return undefined;
    const first = root.properties[0]?.name.span.start;
    const at = root.span.start + 1;
    return insertion(
      at,
      asFirst(text, at, first, (line) => `"${name}": [${line(1)}${entry}${line(0)}]`),
    );
  }
  if (list.kind !== 'array') return undefined;
  const at = list.span.start + 1;
  return insertion(
    at,
    asFirst(text, at, list.items[0]?.span.start, () => entry),
  );
}

function insertion(at: number, newText: string): TextEdit {
  return { span: { start: at, end: at }, newText };
}

/**
 * Removes an ignore from a project file, with its comma and its line. The rest of the text stays as it is.
 * @returns undefined where the file has syntax errors, or no such ignore any more
 */
export function removeIgnore(text: string, ignore: IgnoreKey): readonly TextEdit[] | undefined {
  if (text.length > MAX_PROJECT_FILE_LENGTH) return undefined;
  const { root, problems } = parseJson(text);
  const items = itemsOf(valueAt(root, 'ignores'));
  const at = items.findIndex((it) => isIgnore(it, ignore));
  if (at < 0 || problems.length > 0) return undefined;
  return withoutItem(
    text,
    items.map((it) => it.span),
    at,
  );
}

/** Where an ignore stands in a project file; undefined if it is not there any more. */
export function spanOfIgnore(text: string, ignore: IgnoreKey): Span | undefined {
  const items = itemsOf(valueAt(parseJson(text.slice(0, MAX_PROJECT_FILE_LENGTH)).root, 'ignores'));
  return items.find((it) => isIgnore(it, ignore))?.span;
}

/** What tells one ignore of a file from another. */
export type IgnoreKey = Pick<Ignore, 'id' | 'package'>;

function isIgnore(item: JsonValue, { id, package: about }: IgnoreKey): boolean {
  return stringAt(item, 'id')?.text === id && stringAt(item, 'package')?.text === about;
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
