import type { Problem } from '../../model/span.ts';
import { MAX_DEPTH, MAX_PROBLEMS } from '../text/limits.ts';
import {
  closeBrace,
  closeBracket,
  closingQuote,
  colon,
  lineFeed,
  openBrace,
  openBracket,
  quote,
  space,
} from './scan.ts';

/**
 * A JSON text in which brackets that are missing or too many are put right where its indentation tells which, without
 * moving anything: a bracket is added in the place of a blank, and taken away by a blank. Without that, one lost brace of
 * a lockfile would make everything behind it a part of one package. A text whose brackets match stays as it is, as does
 * one whose indentation is of no help: it is of one line, or cut off.
 *
 *     "a": {                      "a": {
 *       "version": "1.0.0"          "version": "1.0.0"
 *     "b": {                     }"b": {
 */
export function mend(text: string): Mended {
  const before = unmatched(text);
  if (before === 0 || !text.includes('\n')) return { text, problems: [] };
  const better = byIndentation(text);
  return unmatched(better.text) < before ? better : { text, problems: [] };
}

/** A text of the same length, and where it differs from the one that was given. */
interface Mended {
  readonly text: string;
  readonly problems: Problem[];
}

/**
 * How many brackets have no other half; none where a string lacks its quote, which may have swallowed some, or where
 * they nest so deep that nobody meant it.
 */
function unmatched(text: string): number {
  const open: number[] = [];
  let strays = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = closingQuote(text, at);
      if (text.charCodeAt(at) !== quote) return 0;
    } else if (code === openBrace || code === openBracket) {
      if (open.push(code) > MAX_DEPTH) return 0;
    } else if ((code === closeBrace || code === closeBracket) && open.pop() !== openerOf(code)) strays++;
  }
  return strays + open.length;
}

function openerOf(code: number): number {
  return code === closeBrace ? openBrace : openBracket;
}

/** A bracket that is open, with how far its line is indented, and the lines of what stands in it. */
interface Open {
  readonly code: number;
  readonly indent: number;
  inner?: number;
}

/** How many brackets a line may be meant to close. Real files are not nested that deep. */
const mostClosed = 32;

function byIndentation(text: string): Mended {
  const open: Open[] = [];
  const pieces: string[] = [];
  const problems: Problem[] = [];
  let kept = 0;
  let lineStart = 0;
  let indent = 0;
  let isFirst = true;

  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === lineFeed) {
      lineStart = at + 1;
      isFirst = true;
    }
    if (code <= space) continue;
    const isClosing = code === closeBrace || code === closeBracket;
    const isOpening = code === openBrace || code === openBracket;
    if (isFirst && (isClosing || isOpening || code === quote)) {
      const outer = indent;
      indent = at - lineStart;
      if (isClosing) closeDownTo((it) => it.indent === indent && it.code === openerOf(code), at);
      else place(at, isName(at) ? openBrace : openBracket);
      if (indent > outer && isName(at)) openBehindColon(at, outer);
    }
    isFirst = false;
    if (code === quote) at = closingQuote(text, at);
    else if (isOpening && isStray(at)) replace(at, ' ');
    else if (isOpening) open.push({ code, indent });
    // What it closes stands in the same line, or begins in one that is indented alike.
    else if (isClosing && (open.at(-1)?.indent !== indent || open.at(-1)?.code !== openerOf(code))) replace(at, ' ');
    else if (isClosing) open.pop();
  }
  return { text: pieces.join('') + text.slice(kept), problems };

  /** Whether a string is followed by a colon. */
  function isName(at: number): boolean {
    if (text.charCodeAt(at) !== quote) return false;
    const end = closingQuote(text, at) + 1;
    return /^\s*:/.test(text.slice(end, end + 9));
  }

  /** In an object a bracket opens behind a colon, or where a name has lost it. */
  function isStray(at: number): boolean {
    const before = text.charCodeAt(behind(at) - 1);
    return open.at(-1)?.code === openBrace && before !== colon && before !== quote;
  }

  /** A line stands in a bracket of its kind whose other lines are indented alike: those that are deeper were not closed. */
  function place(line: number, kind: number): void {
    const top = open.at(-1);
    if (top && top.inner === undefined && top.indent < indent) top.inner = indent;
    if (top?.inner !== indent) closeDownTo((it) => it.inner === indent && it.code === kind, line);
  }

  /** Closes what was opened behind the bracket that is meant, in front of a line. */
  function closeDownTo(isMeant: (it: Open) => boolean, line: number): void {
    const from = Math.max(0, open.length - mostClosed);
    const meant = open.slice(from).findLastIndex(isMeant);
    const deeper = meant < 0 ? [] : open.splice(from + meant + 1).reverse();
    // In the place of what indents the line, as long as there is room for all.
    let blanks = Math.max(behind(line), line - deeper.length);
    for (const it of deeper) if (blanks < line) replace(blanks++, it.code === openBrace ? '}' : ']');
  }

  /** A name that stands where a value should is in an object that nothing opened. */
  function openBehindColon(name: number, outer: number): void {
    const blanks = behind(name);
    if (text.charCodeAt(blanks - 1) !== colon) return;
    replace(blanks, '{');
    open.push({ code: openBrace, indent: outer, inner: indent });
  }

  /** Where the blanks in front of an offset begin. */
  function behind(at: number): number {
    let blanks = at;
    while (text.charCodeAt(blanks - 1) <= space) blanks--;
    return blanks;
  }

  function replace(at: number, by: string): void {
    // A blank has room for one bracket.
    if (at < kept) return;
    const message = by === ' ' ? 'a bracket too many' : `\`${by}\` is missing`;
    if (problems.length < MAX_PROBLEMS) problems.push({ span: { start: at, end: at + 1 }, message });
    pieces.push(text.slice(kept, at), by);
    kept = at + 1;
  }
}
