import type { Literal, Span } from '../../model/span.ts';
import { verbatim } from './literal.ts';

/** A property of a file as `java.util.Properties` reads it. */
export interface Property {
  readonly name: string;
  readonly span: Span;
  /** A part of the value, by offsets in its text; the whole of it from 0. */
  readonly value: (from: number, to?: number) => Literal;
}

/** A name, the first blank, colon or equals sign, and a value. */
const plainLine = /^([ \t\f\uFEFF]*)([^\s:=]+)(?:[ \t\f]*[:=][ \t\f]*|[ \t\f]+)(.*)$/s;
const comment = /^[ \t\f\uFEFF]*[#!]/;

/**
 * The properties of a file, with their escapes: a backslash at the end of a line continues it. Blanks at the end of a value
 * are left out.
 */
export function* propertiesIn(text: string): Generator<Property> {
  for (let at = 0; at < text.length; ) {
    let end = lineEnd(text, at);
    if (!comment.test(text.slice(at, end)))
      while (end < text.length && isContinued(text, at, end)) end = lineEnd(text, behindBreak(text, end));
    const line = text.slice(at, end);
    const found = line.includes('\\') ? escaped(text, at, end) : plain(text, line, at);
    if (found) yield found;
    at = behindBreak(text, end);
  }
}

function lineEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end++;
  return end;
}

function behindBreak(text: string, at: number): number {
  return at + (text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1);
}

/** Whether an odd number of backslashes stands before the end of the line. */
function isContinued(text: string, from: number, end: number): boolean {
  let at = end;
  while (at > from && text[at - 1] === '\\') at--;
  return (end - at) % 2 === 1;
}

function plain(text: string, line: string, start: number): Property | undefined {
  const [, before = '', name = '', value = ''] = comment.test(line) ? [] : (plainLine.exec(line) ?? []);
  if (name === '') return undefined;
  const nameStart = start + before.length;
  const from = start + line.length - value.length;
  const length = value.trimEnd().length;
  return {
    name,
    span: { start: nameStart, end: nameStart + name.length },
    value: (begin, end = length) => verbatim(text, from + begin, from + end),
  };
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['t', '\t'],
  ['n', '\n'],
  ['r', '\r'],
  ['f', '\f'],
]);

/** A character with its place, and whether it is escaped: then it separates nothing. */
interface Character extends Span {
  readonly text: string;
  readonly isEscaped: boolean;
}

function escaped(text: string, start: number, end: number): Property | undefined {
  const all = charactersIn(text, start, end);
  const isBlank = (it: Character | undefined) => it !== undefined && !it.isEscaped && /[ \t\f\uFEFF]/.test(it.text);
  const isMark = (it: Character | undefined) => it !== undefined && !it.isEscaped && /[:=]/.test(it.text);
  let at = 0;
  while (isBlank(all[at])) at++;
  const nameFrom = at;
  if (!all[at] || (!all[at]?.isEscaped && /[#!]/.test(all[at]?.text ?? ''))) return undefined;
  while (all[at] && !isBlank(all[at]) && !isMark(all[at])) at++;
  const name = all.slice(nameFrom, at);
  while (isBlank(all[at])) at++;
  if (isMark(all[at])) at++;
  while (isBlank(all[at])) at++;
  const value = all.slice(at);
  while (isBlank(value.at(-1))) value.pop();
  return {
    name: name.map((it) => it.text).join(''),
    span: { start: name[0]?.start ?? start, end: name.at(-1)?.end ?? start },
    value(from, to = value.length) {
      const part = value.slice(from, to);
      const span = { start: part[0]?.start ?? end, end: part.at(-1)?.end ?? end };
      return { span, text: part.map((it) => it.text).join(''), encode: (it) => it.replaceAll('\\', '\\\\') };
    },
  };
}

function charactersIn(text: string, start: number, end: number): readonly Character[] {
  const all: Character[] = [];
  for (let at = start; at < end; ) {
    const from = at;
    const char = text[at] ?? '';
    if (char !== '\\') {
      all.push({ text: char, start: from, end: ++at, isEscaped: false });
      continue;
    }
    const next = text[at + 1] ?? '';
    if (next === '\n' || next === '\r') {
      at = behindBreak(text, at + 1);
      while (at < end && /[ \t\f]/.test(text[at] ?? '')) at++;
      continue;
    }
    const code = next === 'u' ? /^[\da-f]{4}/i.exec(text.slice(at + 2, at + 6))?.[0] : undefined;
    at += code === undefined ? 2 : 6;
    if (next === '') continue;
    const said = code === undefined ? (escapes.get(next) ?? next) : String.fromCharCode(Number.parseInt(code, 16));
    all.push({ text: said, start: from, end: at, isEscaped: true });
  }
  return all;
}
