import type { Problem, Span } from '../../model/span.ts';
import { MAX_PROBLEMS } from '../text/limits.ts';
import { indentOf, isBlank } from '../text/lines.ts';
import { type OpenTag, type ScannedAttribute, scanXml } from './scan.ts';
import type { XmlAttribute, XmlElement } from './tree.ts';

/** An XML file as far as it can be read. */
export interface XmlDocument {
  /** The first element; absent where there is none. */
  readonly root?: XmlElement;
  readonly problems: readonly Problem[];
}

/** Selects the elements to keep of a generated file of many megabytes. */
export interface XmlSelection {
  /** The names of the elements below the root to read; all others are skipped. */
  readonly names: ReadonlySet<string>;
  /** Called with each element at its end; false leaves the element out of the children of its parent. */
  readonly keep: (element: XmlElement) => boolean;
}

const encodingDeclaration = /^\uFEFF?<\?xml\s[^>]{0,200}?\bencoding\s*=\s*["']([^"'<>]{1,100})["']/i;
/** Encodings in which the characters of markup and of names are those of ASCII, and the ones that are decoded. */
const readEncodings =
  /^(?:utf-?8|utf-?16(?:le|be)?|(?:us-)?ascii|iso-?8859-\d+|latin-?\d|(?:windows|cp)-?125\d|koi8-\w+|gbk?|gb2312|gb18030|big5|euc-\w+|s(?:hift_)?jis)$/i;

/** Nesting of elements. Higher than MAX_DEPTH, since an unclosed element contains all that follows it. */
const MAX_ELEMENT_DEPTH = 1000;

/** Elements that are moved out of unclosed elements. No edited file comes near it. */
const MAX_MOVES = 100_000;

/**
 * Reads XML and never throws. Only character references and the five entities of XML itself are expanded.
 *
 * An unclosed element ends before the first child that cannot be meant to be in it: one that is not indented deeper, one with
 * its own name or that of an element around it, or, if it has text, any child. So the elements behind a line that is being
 * typed are still found:
 *
 *     <dependency>
 *       <artifactId>core
 *     <dependency>          a sibling of the one above
 *
 * Elements that are nested too deep are skipped, up to the end of an element around them.
 *
 * @param selection skips the unused elements of a large file
 */
export function parseXml(text: string, selection?: XmlSelection): XmlDocument {
  const problems: Problem[] = [];
  const stack: OpenElement[] = [];
  const openNames = new Map<string, number>();
  let root: XmlElement | undefined;
  let moves = 0;
  let isTooDeep = false;

  scanXml(text, {
    problem,
    open(tag) {
      isTooDeep = stack.length === MAX_ELEMENT_DEPTH;
      if (isTooDeep) return problem(tag.span.start, tag.span.end, 'elements nested this deep are not read');
      const name = localName(tag.name);
      openNames.set(name, timesOpen(name) + 1);
      const wanted = stack.length === 0 || selection?.names.has(name) !== false;
      stack.push({ name, tag, wanted, children: [], pieces: [] });
      if (tag.selfClosing) pop(tag.span.end, true);
    },
    close(fullName, span, complete) {
      if (!complete) problem(span.start, span.end, '`>` is missing');
      const name = localName(fullName);
      const innermost = stack.at(-1);
      isTooDeep = false;
      if (innermost?.name === name || timesOpen(name) > 0) {
        while (stack.length > 0 && stack.at(-1)?.name !== name) pop(span.start, false);
        pop(span.end, true);
      } else if (innermost && isSlipOf(text, name, span.start, innermost)) pop(span.end, true, name);
      else problem(span.start, span.end, `\`</${fullName}\` closes nothing`);
    },
    text(start, end, cdata) {
      const open = isTooDeep ? undefined : stack.at(-1);
      const span = open?.wanted && trimSpan(text, start, end);
      if (span) open.pieces.push({ ...span, cdata });
    },
  });
  while (stack.length > 0) pop(text.length, false);
  const declared = encodingDeclaration.exec(text);
  if (declared?.[1] !== undefined && !readEncodings.test(declared[1]))
    problem(declared.index, declared.index + declared[0].length, 'this encoding is not read');
  const start = root ? -1 : text.search(/[^\s\uFEFF]/);
  if (start >= 0) problem(start, start + 1, 'there is no element');
  return { ...(root && { root }), problems };

  function timesOpen(name: string): number {
    return openNames.get(name) ?? 0;
  }

  function problem(start: number, end: number, message: string): void {
    if (problems.length < MAX_PROBLEMS) problems.push({ span: { start, end }, message });
  }

  /** @param endName the name in the end tag, which completes that of an incomplete start tag */
  function pop(end: number, closed: boolean, endName = ''): void {
    const open = stack.at(-1);
    if (!open) return;
    if (!closed) problem(open.tag.nameSpan.start, open.tag.nameSpan.end, `\`</${open.tag.name}>\` is missing`);
    const foreign = closed ? [] : takeForeign(open);
    stack.pop();
    openNames.set(open.name, timesOpen(open.name) - 1);

    const name = !open.tag.complete && endName.length > open.name.length ? endName : open.name;
    const siblings = stack.at(-1)?.children;
    if (open.wanted) {
      const element = finish(text, name, open, foreign[0]?.span.start ?? end);
      if (!siblings) root ??= element;
      else if (selection?.keep(element) !== false) siblings.push(element);
    }
    for (const it of foreign) siblings?.push(it);
  }

  /** Removes the children of an unclosed element that belong behind it. */
  function takeForeign(open: OpenElement): XmlElement[] {
    if (stack.length < 2 || moves > MAX_MOVES) return [];
    const indent = indentOf(text, open.tag.span.start);
    const first = !open.wanted || startsWithText(open) ? 0 : open.children.findIndex((it) => isForeign(it, indent));
    const foreign = first < 0 ? [] : open.children.splice(first);
    moves += foreign.length;
    return foreign;
  }

  function isForeign(child: XmlElement, indent: number | undefined): boolean {
    if (timesOpen(child.name) > 0) return true;
    const inner = indentOf(text, child.span.start);
    return indent !== undefined && inner !== undefined && inner <= indent;
  }
}

/** Whether an end tag without an open element is a typo of one: `</versio>`, or `</` behind a value. */
function isSlipOf(text: string, name: string, at: number, open: OpenElement): boolean {
  const indent = indentOf(text, at);
  const startIndent = indentOf(text, open.tag.span.start);
  const fits = indent === undefined || startIndent === undefined || indent === startIndent;
  if (name === '') return startsWithText(open) ? open.children.length === 0 : fits && indent !== undefined;
  return fits && (open.name.startsWith(name) || name.startsWith(open.name));
}

/** An element before its end. */
interface OpenElement {
  readonly name: string;
  readonly tag: OpenTag;
  /** False for elements outside of the selection. */
  readonly wanted: boolean;
  readonly children: XmlElement[];
  readonly pieces: TextPiece[];
}

/** Trimmed text between two pieces of markup. */
interface TextPiece extends Span {
  readonly cdata: boolean;
}

function startsWithText({ pieces, children }: OpenElement): boolean {
  const text = pieces[0];
  const child = children[0];
  return text !== undefined && (child === undefined || text.start < child.span.start);
}

function finish(text: string, name: string, { tag, children, pieces }: OpenElement, end: number): XmlElement {
  const decoded = pieces.map((it) => decode(text.slice(it.start, it.end), it.cdata));
  const textSpan = { start: pieces[0]?.start ?? tag.span.end, end: pieces.at(-1)?.end ?? tag.span.end };
  const value = decoded.map((it) => it.text).join('');
  const isBlank = pieces.length === 0 && children.length === 0 && !tag.selfClosing;
  const encode = pieces[0]?.cdata ? encodeCdata : encodeText;
  return {
    name,
    nameSpan: localSpan(tag.nameSpan, tag.name),
    span: { start: tag.span.start, end },
    attributes: tag.attributes.map((it) => attribute(text, it)),
    children,
    text: value,
    textSpan,
    ...(isBlank && { blank: { span: textSpan, text: '', encode } }),
    ...(pieces.length === 1 && decoded[0]?.complete && { literal: { span: textSpan, text: value, encode } }),
  };
}

function attribute(text: string, scanned: ScannedAttribute): XmlAttribute {
  const { valueSpan, quote } = scanned;
  const name = localName(scanned.name);
  const value = decode(text.slice(valueSpan.start, valueSpan.end).replace(/\r\n|[\r\n\t]/g, ' '), false);
  const encode = quote === '"' ? encodeDouble : encodeSingle;
  return {
    name,
    value: value.text,
    valueSpan,
    ...(quote !== '' && value.complete && { literal: { span: valueSpan, text: value.text, encode } }),
  };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function localSpan({ start, end }: Span, name: string): Span {
  return { start: start + name.indexOf(':') + 1, end };
}

function trimSpan(text: string, from: number, to: number): Span | undefined {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (start < end && isBlank(text.charCodeAt(end - 1))) end--;
  return start < end ? { start, end } : undefined;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The decoded text, with line ends as LF. `complete` is false where an entity stays undecoded, because only the file itself
 * could define it.
 */
export function decode(raw: string, cdata: boolean): { readonly text: string; readonly complete: boolean } {
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
  if (cdata || !text.includes('&')) return { text, complete: true };
  let complete = true;
  const decoded = text.replace(
    /&(?:#([0-9]{1,8})|#x([0-9a-fA-F]{1,8})|([a-zA-Z_][\w.-]*));/g,
    (whole, ten, sixteen, name) => {
      const code = ten ? Number.parseInt(ten, 10) : sixteen ? Number.parseInt(sixteen, 16) : -1;
      if (code >= 0 && code <= 0x10ffff) return String.fromCodePoint(code);
      const character = Object.hasOwn(entities, name ?? '') ? entities[name] : undefined;
      if (character === undefined) complete = false;
      return character ?? whole;
    },
  );
  return { text: decoded, complete };
}

/** For text between tags. */
export function encodeText(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;');
}

/** For an attribute in double quotes. */
export function encodeDouble(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** For an attribute in single quotes. */
export function encodeSingle(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;');
}

/** For the inside of a CDATA section. */
export function encodeCdata(value: string): string {
  return value.replaceAll(']]>', ']]]]><![CDATA[>');
}
