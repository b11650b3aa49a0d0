import type { Span } from '../../model/span.ts';
import { indentOf, isBlank } from '../text/lines.ts';

/*
 * Splits XML into tags and text, also where it is incomplete. It replaces a parser of a library: the files are edited,
 * offsets must be those of the file (not of a text with normalized line ends), and nothing may ever be expanded or fetched. A
 * tag without a `>` ends at the next `<`:
 *
 *     <artifactId
 *     <version>1.0</version>
 */

export interface ScannedAttribute {
  /** With its prefix. */
  readonly name: string;
  /** Inside the quotes; empty, behind the name, without a value. */
  readonly valueSpan: Span;
  /** `''` where the value has no quotes or its closing quote is missing. */
  readonly quote: '"' | "'" | '';
}

/** Called in the order of the text. */
export interface XmlEvents {
  /** An incomplete tag counts as `selfClosing` unless the next line is indented deeper. */
  readonly open: (tag: OpenTag) => void;
  /** `name` is empty for `</`, `complete` false for an incomplete tag. */
  readonly close: (name: string, span: Span, complete: boolean) => void;
  /** The text between two tags, or inside a CDATA section. Never empty. */
  readonly text: (start: number, end: number, cdata: boolean) => void;
  readonly problem: (start: number, end: number, message: string) => void;
}

export interface OpenTag {
  /** With its prefix. */
  readonly name: string;
  readonly nameSpan: Span;
  readonly span: Span;
  readonly attributes: readonly ScannedAttribute[];
  readonly selfClosing: boolean;
  /** False for an incomplete tag. */
  readonly complete: boolean;
}

/** Linear in the length of the text, and without a stack: nesting is left to the caller. */
export function scanXml(text: string, on: XmlEvents): void {
  const find = memoizedIndexOf(text);
  // False once the rest of the text has no end of a declaration: the next one would search all of it again.
  let declarationsEnd = true;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let textStart = at;
  while (at < text.length) {
    const open = find('<', at);
    const end = open < 0 ? text.length : markupEnd(open);
    if (end === undefined) {
      at = open + 1;
      continue;
    }
    if (open < 0) break;
    at = textStart = end;
  }
  if (textStart < text.length) on.text(textStart, text.length, false);

  /** Reads and reports the markup at `open`; undefined where the `<` is an ordinary character. */
  function markupEnd(open: number): number | undefined {
    const next = text.charCodeAt(open + 1);
    const isMarkup = next === slash || next === bang || next === question || isNameStart(next);
    if (!isMarkup) {
      if (text.charCodeAt(open - 1) !== less) on.problem(open, open + 1, 'this opens no tag');
      return undefined;
    }
    if (textStart < open) on.text(textStart, open, false);
    if (next === slash) return endTag(open);
    if (next === question) return skipTo('?>', open, 2);
    if (next !== bang) return startTag(open);
    if (text.startsWith('<!--', open)) return skipTo('-->', open, 4);
    if (text.startsWith('<![CDATA[', open)) return cdata(open);
    return declaration(open);
  }

  /** A comment or instruction. One without an end ends with its line, so that the rest of the file still counts. */
  function skipTo(terminator: string, open: number, from: number): number {
    const end = find(terminator, open + from);
    if (end >= 0) return end + terminator.length;
    const line = lineEnd(open);
    on.problem(open, line, `\`${terminator}\` is missing`);
    return line;
  }

  function cdata(open: number): number {
    const start = open + '<![CDATA['.length;
    const closed = find(']]>', start);
    const end = closed >= 0 ? closed : orEnd(find('<', start));
    if (closed < 0) on.problem(open, start, '`]]>` is missing');
    if (start < end) on.text(start, end, true);
    return closed >= 0 ? end + 3 : end;
  }

  /** `<!DOCTYPE …>` with its declarations, which are skipped. Entities may stand for any text, and are never expanded. */
  function declaration(open: number): number {
    if (!declarationsEnd) return brokenDeclaration(open);
    let depth = 0;
    for (let i = open + 2; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === doubleQuote || code === singleQuote) {
        const end = find(code === doubleQuote ? '"' : "'", i + 1);
        if (end < 0) break;
        i = end;
      } else if (text.startsWith('<!--', i)) {
        const end = find('-->', i + 4);
        if (end < 0) break;
        i = end + 2;
      } else if (code === openBracket) depth++;
      else if (code === closeBracket) depth--;
      else if (text.startsWith('<!ENTITY', i)) on.problem(i, i + '<!ENTITY'.length, 'entities are not expanded');
      else if (code === greater && depth <= 0) return i + 1;
    }
    declarationsEnd = false;
    return brokenDeclaration(open);
  }

  function brokenDeclaration(open: number): number {
    const line = lineEnd(open);
    on.problem(open, line, 'the declaration does not end');
    return line;
  }

  function endTag(open: number): number {
    const nameEnd = endOfName(open + 2);
    let at = skipBlank(nameEnd);
    const complete = text.charCodeAt(at) === greater;
    if (complete) at++;
    else at = nameEnd;
    on.close(text.slice(open + 2, nameEnd), { start: open, end: at }, complete);
    return at;
  }

  function startTag(open: number): number {
    const nameEnd = endOfName(open + 1);
    const attributes: ScannedAttribute[] = [];
    let at = nameEnd;
    let lastEnd = nameEnd;
    for (;;) {
      at = skipBlank(at);
      const code = text.charCodeAt(at);
      const selfClosing = code === slash && text.charCodeAt(at + 1) === greater;
      if (selfClosing || code === greater) return finishTag(at + (selfClosing ? 2 : 1), selfClosing, true);
      if (at >= text.length || code === less) {
        on.problem(open, lastEnd, '`>` is missing');
        return finishTag(lastEnd, !isInside(at, open), false);
      }
      const nameStart = at;
      at = endOfName(at);
      if (at === nameStart) {
        // A stray quote, `=` or `/`.
        lastEnd = ++at;
        continue;
      }
      const attribute = attributeFrom(nameStart, at);
      attributes.push(attribute);
      at = lastEnd = attribute.valueSpan.end + attribute.quote.length;
    }

    function finishTag(end: number, selfClosing: boolean, complete: boolean): number {
      const nameSpan = { start: open + 1, end: nameEnd };
      const name = text.slice(nameSpan.start, nameSpan.end);
      on.open({ name, nameSpan, span: { start: open, end }, attributes, selfClosing, complete });
      return end;
    }
  }

  function isInside(at: number, open: number): boolean {
    const outer = indentOf(text, open);
    const inner = indentOf(text, at);
    return outer !== undefined && inner !== undefined && inner > outer;
  }

  function attributeFrom(nameStart: number, nameEnd: number): ScannedAttribute {
    const name = text.slice(nameStart, nameEnd);
    const equals = skipBlank(nameEnd);
    if (text.charCodeAt(equals) !== equal) return { name, valueSpan: { start: nameEnd, end: nameEnd }, quote: '' };
    const start = skipBlank(equals + 1);
    const code = text.charCodeAt(start);
    const quote = code === doubleQuote ? '"' : code === singleQuote ? "'" : '';
    if (quote === '') {
      const valueEnd = isNameChar(code) ? endOfName(start) : equals + 1;
      return { name, valueSpan: { start: Math.min(start, valueEnd), end: valueEnd }, quote };
    }
    const end = find(quote, start + 1);
    const next = orEnd(find('<', start + 1));
    // No value holds a `<`: where one comes first, the closing quote is missing and the other belongs to a later tag.
    if (end >= 0 && end < next) return { name, valueSpan: { start: start + 1, end }, quote };
    on.problem(start, start + 1, 'the closing quote is missing');
    const stop = /[/?]?>|[\r\n<]/g;
    stop.lastIndex = start + 1;
    return { name, valueSpan: { start: start + 1, end: stop.exec(text)?.index ?? text.length }, quote: '' };
  }

  function endOfName(from: number): number {
    let at = from;
    while (isNameChar(text.charCodeAt(at))) at++;
    return at;
  }

  function skipBlank(from: number): number {
    let at = from;
    while (isBlank(text.charCodeAt(at))) at++;
    return at;
  }

  function lineEnd(from: number): number {
    return orEnd(find('\n', from));
  }

  function orEnd(at: number): number {
    return at < 0 ? text.length : at;
  }
}

const bang = 33;
const doubleQuote = 34;
const singleQuote = 39;
const slash = 47;
const less = 60;
const equal = 61;
const greater = 62;
const question = 63;
const openBracket = 91;
const closeBracket = 93;

function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 58 || code > 127;
}

/** More characters than in XML's own names, so that a name with a typo is still one name. False at the end of the text. */
function isNameChar(code: number): boolean {
  if (code === less || code === greater || code === slash || code === equal) return false;
  return code > 32 && code !== doubleQuote && code !== singleQuote;
}

/** `indexOf` that does not search the same text again: it keeps the last result for each needle. */
export function memoizedIndexOf(text: string): (needle: string, from: number) => number {
  const last = new Map<string, { from: number; at: number }>();
  return (needle, from) => {
    const known = last.get(needle);
    if (known && known.from <= from && (known.at < 0 || from <= known.at)) return known.at;
    const at = text.indexOf(needle, from);
    last.set(needle, { from, at });
    return at;
  };
}
