import type { Source } from '../../model/manifest.ts';
import type { Problem, Span } from '../../model/span.ts';
import { pypi } from './versions.ts';

/**
 * A dependency specifier of Python, as far as it can be read. Spans are offsets into its text.
 *
 *     requests [socks] (>=2.31, <3) ; python_version >= "3.8"
 *     ^^^^^^^^ name     ^^^^^^^^^^ asks  ^^^^^^^^^^^^^^^^^^^^^^^ marker
 */
export interface Pep508 {
  readonly name: Span;
  readonly asks:
    | { readonly kind: 'any' }
    /** From the first operator to the last version. */
    | { readonly kind: 'specifier'; readonly span: Span }
    /** `name @ https://…`: not looked up, but taken from an address. */
    | { readonly kind: 'address'; readonly span: Span; readonly source: Source };
  /** The environment marker, without the semicolon. */
  readonly marker?: Span;
  readonly problems: readonly Problem[];
}

const namePattern = /[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?/iy;
const extras = /\[[\w.,\s-]*/y;
const operator = /(?:===|~=|==|!=|<=|>=|<|>)\s*/y;
const versionText = /[^\s,;()]+/y;
const comma = /\s*,\s*/y;
const spaces = /\s*/y;
const address = /\S+/y;

/** Reads a specifier from a name on; undefined where none stands at the start. Half of one gives what is there. */
export function readPep508(text: string): Pep508 | undefined {
  const problems: Problem[] = [];
  const start = skip(spaces, text, 0);
  const nameEnd = skip(namePattern, text, start);
  if (nameEnd === start) return undefined;
  let at = skip(spaces, text, nameEnd);
  if (text[at] === '[') at = readExtras(text, at, problems);
  const { asks, end } = readAsks(text, at, problems);
  const marker = readMarker(text, end, problems);
  return { name: { start, end: nameEnd }, asks, ...(marker && { marker }), problems };
}

/** What an address is: `git+https://…` a repository, `file:///…` and a bare path a folder or file, else a url. */
export function sourceOf(text: string): Source {
  if (/^(?:git|hg|svn|bzr)(?:\+|:\/\/)/i.test(text)) return 'git';
  return /^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.test(text) || text.startsWith('$') ? 'url' : 'path';
}

function readExtras(text: string, start: number, problems: Problem[]): number {
  const end = skip(extras, text, start);
  if (text[end] === ']') return skip(spaces, text, end + 1);
  problems.push({ span: { start, end }, message: 'the list of extras is not closed' });
  return end;
}

interface Read {
  readonly asks: Pep508['asks'];
  readonly end: number;
}

function readAsks(text: string, at: number, problems: Problem[]): Read {
  if (text[at] === '@') return readAddress(text, at, problems);
  if (text[at] !== '(') {
    const semicolon = text.indexOf(';', at);
    return readSpecifier(text, at, semicolon < 0 ? text.length : semicolon, problems);
  }
  const close = text.indexOf(')', at);
  if (close >= 0) return { ...readSpecifier(text, at + 1, close, problems), end: close + 1 };
  problems.push({ span: { start: at, end: at + 1 }, message: 'the parenthesis is not closed' });
  return readSpecifier(text, at + 1, text.length, problems);
}

function readAddress(text: string, at: number, problems: Problem[]): Read {
  const start = skip(spaces, text, at + 1);
  const end = skip(address, text, start);
  if (end > start) {
    const span = { start, end };
    return { asks: { kind: 'address', span, source: sourceOf(text.slice(start, end)) }, end };
  }
  const span = { start: at, end: at + 1 };
  problems.push({ span, message: 'an address is missing' });
  return { asks: { kind: 'address', span, source: 'url' }, end };
}

/** Clauses between `from` and `to`. What cannot be read is a problem, and all of it where nothing else is there. */
function readSpecifier(text: string, from: number, to: number, problems: Problem[]): Read {
  const region = text.slice(0, to).trimEnd();
  const start = skip(spaces, region, from);
  if (start >= region.length) return { asks: { kind: 'any' }, end: to };
  const { end, rest } = readClauses(region, start);
  const left = { start: rest, end: region.length };
  if (end === start) {
    const message = region[start] === '=' ? 'a single = is no operator: == pins a version' : 'not a version specifier';
    problems.push({ span: left, message });
    return { asks: { kind: 'specifier', span: left }, end: to };
  }
  if (rest < region.length) problems.push({ span: left, message: 'not understood' });
  const span = { start, end };
  if (pypi.read(region.slice(start, end)).kind === 'invalid')
    problems.push({ span, message: 'not a version specifier' });
  return { asks: { kind: 'specifier', span }, end: to };
}

/** `end`: of the last version, or of an operator that lacks one. `rest`: where what is not understood begins. */
function readClauses(region: string, start: number): { readonly end: number; readonly rest: number } {
  let end = start;
  let at = start;
  for (;;) {
    const version = skip(operator, region, at);
    if (version === at) return { end, rest: at };
    end = skip(versionText, region, version);
    if (end === version) end = region.slice(at, version).trimEnd().length + at;
    at = skip(comma, region, end);
    if (at === end) return { end, rest: skip(spaces, region, end) };
  }
}

function readMarker(text: string, from: number, problems: Problem[]): Span | undefined {
  const at = skip(spaces, text, from);
  if (at >= text.length) return undefined;
  const end = text.trimEnd().length;
  if (text[at] !== ';') {
    problems.push({ span: { start: at, end }, message: 'not understood' });
    return undefined;
  }
  const start = skip(spaces, text, at + 1);
  if (start < end) return { start, end };
  problems.push({ span: { start: at, end: at + 1 }, message: 'an environment marker is missing' });
  return undefined;
}

/** The offset behind what a sticky pattern matches at `at`; `at` itself where it does not match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
