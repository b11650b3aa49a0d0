import type { Ignore } from '../model/project.ts';
import { parseJson } from '../text/json.ts';
import { projectLimits } from './read.ts';

/** What to put where in a text. */
export interface Insertion {
  /** Offset in UTF-16 units. */
  readonly at: number;
  readonly text: string;
}

/**
 * Adds an ignore to a project file, as the first of its list: everything that stands there stays as it is, comments,
 * commas and line ends included.
 *
 *     { "ignores": [
 *                  ↑
 * @param text `''` where there is no such file yet
 * @returns undefined where the file is too broken to be edited, or longer than is read of it
 */
export function addIgnore(text: string, ignore: Ignore): Insertion | undefined {
  if (text.length > projectLimits.characters) return undefined;
  const { root, problems } = parseJson(text);
  const entry = onOneLine(ignore);
  if (text.trim() === '') return { at: text.length, text: `{\n  "ignores": [\n    ${entry}\n  ]\n}\n` };
  if (root?.kind !== 'object' || problems.length > 0) return undefined;
  const list = root.properties.findLast((it) => it.name.text === 'ignores')?.value;
  if (list === undefined) {
    if (root.properties.some((it) => it.name.text === 'ignores')) return undefined;
    const first = root.properties[0]?.name.span.start;
    const at = root.span.start + 1;
    return { at, text: asFirst(text, at, first, (line) => `"ignores": [${line(1)}${entry}${line(0)}]`) };
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
 * The text that makes something the first of a list or an object.
 * @param at behind the bracket
 * @param next where the one that is the first now begins; absent where there is none
 * @param write is given what begins a line, so many steps further in
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
