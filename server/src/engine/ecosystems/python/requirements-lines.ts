import type { Span } from '../../model/span.ts';

/**
 * One requirement or option of a requirements file: its continuation lines joined, its comment left out.
 *
 *     requests==2.31.0 \        text: `requests==2.31.0     --hash=sha256:58cd…`
 *         --hash=sha256:58cd…
 */
export interface LogicalLine {
  readonly text: string;
  /** The span of a range of `text` in the file. */
  readonly spanOf: (start: number, end: number) => Span;
  /** Whether a range of `text` covers several lines of the file. */
  readonly isSplit: (start: number, end: number) => boolean;
}

/** A part of the file in a logical line. */
interface Piece {
  /** Its offset in the joined text. */
  readonly at: number;
  /** Its offset in the file. */
  readonly from: number;
}

/** The lines as pip joins them: a backslash at the very end continues a line, and a line of comment ends it. */
export function logicalLines(text: string): LogicalLine[] {
  const lines: LogicalLine[] = [];
  let pieces: Piece[] = [];
  let texts: string[] = [];
  let length = 0;
  const finish = () => {
    if (pieces.length > 0) lines.push(logicalLine(texts.join(''), pieces));
    pieces = [];
    texts = [];
    length = 0;
  };
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  while (start < text.length) {
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    if (line === '' || /^\s*#/.test(line)) {
      finish();
    } else {
      const kept = line.endsWith('\\') ? line.slice(0, -1) : line;
      pieces.push({ at: length, from: start });
      texts.push(kept);
      length += kept.length;
      if (kept === line) finish();
    }
    start = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
  finish();
  return lines;
}

/** The end of a line for Python's `str.splitlines`, and so for pip: also at form feeds and separators. */
function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x1e && unit < 0x85) continue;
    if ((unit >= 0x0a && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x1e)) return at;
    if (unit === 0x85 || unit === 0x2028 || unit === 0x2029) return at;
  }
  return text.length;
}

function logicalLine(joined: string, pieces: readonly Piece[]): LogicalLine {
  const pieceOf = (offset: number): Piece => {
    let low = 0;
    let high = pieces.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((pieces[middle]?.at ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return pieces[low] ?? { at: 0, from: 0 };
  };
  const offsetInFile = (offset: number): number => pieceOf(offset).from + offset - pieceOf(offset).at;
  // The end of a range belongs to the piece of its last character, not to the piece that begins there.
  const endInFile = (start: number, end: number): number =>
    end > start ? offsetInFile(end - 1) + 1 : offsetInFile(start);
  return {
    text: joined.slice(0, commentStart(joined)),
    spanOf: (start, end) => ({ start: offsetInFile(start), end: endInFile(start, end) }),
    isSplit: (start, end) => end > start && pieceOf(start) !== pieceOf(end - 1),
  };
}

/** A `#` begins a comment at the start and after a space: in `git+https://…#egg=x` it does not. */
function commentStart(text: string): number {
  for (let at = text.indexOf('#'); at >= 0; at = text.indexOf('#', at + 1)) {
    if (at === 0 || /\s/.test(text[at - 1] ?? '')) return at;
  }
  return text.length;
}
