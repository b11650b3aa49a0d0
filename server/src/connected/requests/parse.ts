import { parseJson } from '../../engine/formats/json/parse.ts';
import type { JsonValue } from '../../engine/formats/json/tree.ts';
import type { Span } from '../../engine/model/span.ts';

/*
 * The text of a request document:
 *
 *     # Busy times of next week                     comment: a line that begins with #
 *     METHOD scheduling.events.insert               the method
 *     calendarId: primary                           a parameter a line, as it is: no quotes, no escapes
 *     eventTypes: default                           a repeatable one takes several lines
 *
 *     {                                             behind an empty line, the body as JSON
 *       "summary": "Update lodash"
 *     }
 */

export interface RequestText {
  readonly text: string;
  /** Absent where no line begins with `METHOD`. */
  readonly method?: MethodLine;
  /** In the order of the text. */
  readonly lines: readonly ParameterLine[];
  readonly body?: Body;
  /** Lines before the body that are neither of these. */
  readonly strays: readonly Span[];
  /** Where the next line of the head is inserted: behind the last one, before its line end. */
  readonly headEnd: number;
  /** The line end of the document. */
  readonly lineEnd: string;
}

/** `METHOD scheduling.events.list` */
export interface MethodLine {
  readonly keyword: Span;
  /** Empty, behind the keyword, while nothing follows it. */
  readonly span: Span;
  readonly id: string;
  /** Without its line end. */
  readonly line: Span;
}

/** `calendarId: primary` */
export interface ParameterLine {
  readonly name: string;
  readonly nameSpan: Span;
  /** Without spaces around it. */
  readonly value: string;
  /** Empty, behind the colon and its space, where there is no value. */
  readonly valueSpan: Span;
  /** Without its line end. */
  readonly line: Span;
  /** Whether it has its colon; a line without one is half typed. */
  readonly isComplete: boolean;
}

export interface Body {
  /** From its first character to its last. */
  readonly span: Span;
  /** The text up to its end, with blanks in the place of the head and of comments: offsets are those of the document. */
  readonly blanked: string;
  readonly root?: JsonValue;
  /** Where it is no JSON. */
  readonly faults: readonly Span[];
}

const methodLine = /^(\uFEFF?[ \t]*)(METHOD)(?:([ \t]+)(\S*)|)/;
const parameterLine = /^([ \t]*)([A-Za-z][\w.-]*)[ \t]*(?:(:)[ \t]*(.*?)[ \t]*)?$/;

/** Reads a request document. Never throws, whatever the text. */
export function parseRequest(text: string): RequestText {
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  let method: MethodLine | undefined;
  const lines: ParameterLine[] = [];
  const strays: Span[] = [];
  let headEnd: number | undefined;
  /** Whether an empty line has ended the head. */
  let isBehindHead = false;

  for (const line of linesOf(text)) {
    const written = text.slice(line.start, line.end);
    if (written.trim() === '') {
      if (method) isBehindHead = true;
      continue;
    }
    if (/^\s*#/.test(written)) continue;
    const found = method ? undefined : readMethod(written, line);
    const parameter = found ? undefined : readParameter(written, line);
    // No JSON begins with a bare word and a colon, so such a line is a parameter, even behind an empty line.
    const begins = /^\s*[{["]/.test(written) || (isBehindHead && !parameter?.isComplete);
    if (begins) {
      const body = readBody(text, line.start);
      return { text, ...(method && { method }), lines, body, strays, headEnd: headEnd ?? line.start, lineEnd };
    }
    if (found) method = found;
    else if (parameter && method) lines.push(parameter);
    else strays.push(line);
    if (!strays.includes(line)) headEnd = line.end;
  }
  return { text, ...(method && { method }), lines, strays, headEnd: headEnd ?? text.length, lineEnd };
}

/** The lines of a parameter. */
export function linesNamed({ lines }: RequestText, name: string): readonly ParameterLine[] {
  return lines.filter((it) => it.name === name);
}

function* linesOf(text: string): Generator<Span> {
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+|(?<=^|\n|\r)(?=\r|\n)/g))
    yield { start: index, end: index + line.length };
}

function readMethod(written: string, line: Span): MethodLine | undefined {
  const [, indent = '', keyword, space = '', id = ''] = methodLine.exec(written) ?? [];
  if (keyword === undefined) return undefined;
  const start = line.start + indent.length;
  const idStart = start + keyword.length + space.length;
  // `METHODS` is another word.
  if (space === '' && written.length > indent.length + keyword.length) return undefined;
  return {
    keyword: { start, end: start + keyword.length },
    span: { start: idStart, end: idStart + id.length },
    id,
    line,
  };
}

function readParameter(written: string, line: Span): ParameterLine | undefined {
  const [, indent = '', name, colon, value = ''] = parameterLine.exec(written) ?? [];
  if (name === undefined) return undefined;
  const nameStart = line.start + indent.length;
  const valueStart = colon === undefined ? line.end : behindColon(written, line);
  return {
    name,
    nameSpan: { start: nameStart, end: nameStart + name.length },
    value,
    valueSpan: { start: valueStart, end: valueStart + value.length },
    line,
    isComplete: colon !== undefined,
  };
}

function behindColon(written: string, line: Span): number {
  const before = /^[^:]*:[ \t]*/.exec(written)?.[0] ?? '';
  return line.start + before.length;
}

function readBody(text: string, start: number): Body {
  const trimmed = text.trimEnd();
  const end = Math.max(start, trimmed.length);
  // A line separator within a string of JSON ends no line, so `^` and `.` would find other comments.
  const content = text.slice(start, end).replace(/(?<![^\r\n])[ \t]*#[^\r\n]*/g, (it) => ' '.repeat(it.length));
  const blanked = `${text.slice(0, start).replace(/[^\r\n]/g, ' ')}${content}`;
  const { root, problems } = parseJson(blanked);
  const first = /\S/.exec(content)?.index ?? 0;
  return {
    span: { start: start + first, end },
    blanked,
    ...(root && { root }),
    faults: problems.map((it) => it.span),
  };
}
