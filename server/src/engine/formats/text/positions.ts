import type { Span } from '../../model/span.ts';

/** A position in a text: zero-based line, and character in the units of the position encoding. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** A range of a text, `end` exclusive. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** How a client counts characters. Source: Language Server Protocol 3.17, PositionEncodingKind. */
export type PositionEncoding = 'utf-16' | 'utf-8';

/** Turns UTF-16 offsets into positions and back. Line ends are LF, CRLF and CR, as in the protocol. */
export interface Positions {
  at(offset: number): Position;
  range(span: Span): Range;
  offset(position: Position): number;
}

export function positionsIn(text: string, encoding: PositionEncoding = 'utf-16'): Positions {
  const starts = lineStarts(text);
  const lineOf = (offset: number): number => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  };
  const at = (offset: number): Position => {
    const clamped = Math.max(0, Math.min(offset, text.length));
    const line = lineOf(clamped);
    const start = starts[line] ?? 0;
    return { line, character: encoding === 'utf-16' ? clamped - start : utf8Length(text, start, clamped) };
  };
  return {
    at,
    range: ({ start, end }) => ({ start: at(start), end: at(end) }),
    offset({ line, character }) {
      const start = starts[line];
      if (start === undefined) return line < 0 ? 0 : text.length;
      const end = endOfLine(text, starts[line + 1] ?? text.length, start);
      return encoding === 'utf-16'
        ? Math.min(start + Math.max(0, character), end)
        : utf8Offset(text, start, end, character);
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    return starts;
  }
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 13 && text.charCodeAt(at + 1) === 10) at++;
    if (unit === 13 || unit === 10) starts.push(at + 1);
  }
  return starts;
}

/** The end of a line without its line end. */
function endOfLine(text: string, next: number, start: number): number {
  let end = next;
  while (end > start && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
  return end;
}

function utf8Length(text: string, start: number, end: number): number {
  let length = 0;
  for (let at = start; at < end; at++) length += utf8Units(text, at);
  return length;
}

function utf8Offset(text: string, start: number, end: number, character: number): number {
  let left = character;
  let at = start;
  for (; at < end && left > 0; at++) left -= utf8Units(text, at);
  return at;
}

/** Bytes that one UTF-16 unit adds: the two halves of a pair make four together. */
function utf8Units(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}
