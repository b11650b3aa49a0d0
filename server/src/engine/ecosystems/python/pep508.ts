import { truncate } from '../../base/text.ts';
import { endOfMatch } from '../../formats/text/lines.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency, Requirement, Scope, Source } from '../../model/manifest.ts';
import type { Literal, Problem, Span } from '../../model/span.ts';
import { requirementAt } from './releases.ts';
import { pypi } from './versions.ts';

/** The dependencies and problems of a file that were found so far. */
export interface ParsedDependencies {
  readonly dependencies: Dependency[];
  readonly problems: Problem[];
}

/** A list or table of dependencies, and the properties of all dependencies in it. */
export interface PythonSection {
  readonly scope: Scope;
  readonly group: string;
  readonly condition?: string;
  /** Sources by canonical name. They override the requirement. */
  readonly sources?: ReadonlyMap<string, PackageSource>;
  /** The field that such a source is in, where not every client reads it. */
  readonly fields?: ReadonlyMap<string, string>;
}

/** Where a package comes from, in the place of an index. */
export interface PackageSource {
  readonly source: Source;
  /** Empty where one of several is no address of a file. */
  readonly urls: readonly string[];
}

/** A string with one dependency specifier. Offsets are those in `text`. */
export interface SpecifierText {
  readonly text: string;
  readonly literal: (from: number, to: number) => Literal;
  readonly span: (from: number, to: number) => Span;
  /** Why a range of it cannot be edited. */
  readonly frozen?: (from: number, to: number) => string | undefined;
}

/** A specifier without escapes in the file, from `start` on. */
export function specifierAt(text: string, start: number): SpecifierText {
  const span = (from: number, to: number): Span => ({ start: start + from, end: start + to });
  return { text, span, literal: (from, to) => ({ span: span(from, to), text: text.slice(from, to), encode }) };
}

function encode(value: string): string {
  return value;
}

/**
 * Reads one string of a list.
 *
 *     "requests[socks]>=2.31 ; python_version < '3.9'"
 *      ^^^^^^^^ name   ^^^^^^ literal, when python_version < '3.9'
 */
export function addSpecifier(it: SpecifierText, section: PythonSection, found: ParsedDependencies): void {
  const { text } = it;
  if (text.trim() === '') return;
  if (/^\s*-/.test(text)) {
    addEditable(it, section, found);
    return;
  }
  const read = readPep508(text);
  if (!read) {
    found.problems.push({ span: it.span(0, text.length), message: 'not a requirement' });
    return;
  }
  const { name: at, spec, marker } = read;
  const name = text.slice(at.start, at.end);
  const key = { system: 'PYPI', name: canonicalName('PYPI', name) } as const;
  const nameSpan = it.span(at.start, at.end);
  const where = spec.kind === 'any' ? nameSpan : it.span(spec.span.start, spec.span.end);
  const url = spec.kind === 'url' ? [text.slice(spec.span.start, spec.span.end)] : undefined;
  const elsewhere = section.sources?.get(key.name);
  const source = spec.kind === 'url' ? spec.source : elsewhere?.source;
  const release = requirementAt(url ?? elsewhere?.urls ?? [], name, where);
  const written: Requirement =
    spec.kind === 'specifier' ? { kind: 'literal', at: it.literal(spec.span.start, spec.span.end) } : { kind: 'none' };
  const by = url ? undefined : section.fields?.get(key.name);
  const condition = marker && text.slice(marker.start, marker.end).replace(/\s{2,}/g, ' ');
  const extras = extrasBehind(text, at.end);
  const frozen = spec.kind === 'specifier' ? it.frozen?.(spec.span.start, spec.span.end) : undefined;
  found.dependencies.push({
    key,
    name,
    nameSpan,
    requirement: source ? { kind: 'source', source, span: where } : written,
    ...(source && by !== undefined && !release && { written: { requirement: written, by } }),
    ...release,
    ...placementOf(section, condition),
    ...(extras.length > 0 && { extras }),
    ...(frozen !== undefined && { frozen }),
  });
  for (const { span, message } of read.problems) {
    found.problems.push({ span: it.span(span.start, span.end), message });
  }
}

function extrasBehind(text: string, nameEnd: number): string[] {
  const start = endOfMatch(spaces, text, nameEnd);
  if (text[start] !== '[') return [];
  const all = text.slice(start + 1, endOfMatch(extrasPattern, text, start)).split(',');
  return all.map((it) => it.trim()).filter((it) => it !== '');
}

/** `-e file:///${PROJECT_ROOT}/lib#egg=lib`: PDM accepts it in the list. Without a name it is left out. */
function addEditable(it: SpecifierText, section: PythonSection, found: ParsedDependencies): void {
  const [, option = '', address = ''] = /^(\s*(?:-e|--editable)[\s=]+)(\S+)/.exec(it.text) ?? [];
  const egg = eggFragment(address);
  if (!egg) return;
  const { name } = egg;
  const start = option.length + egg.start;
  const requirement: Requirement = {
    kind: 'source',
    source: sourceOfUrl(address),
    span: it.span(option.length, option.length + address.length),
  };
  const key = { system: 'PYPI', name: canonicalName('PYPI', name) } as const;
  const nameSpan = it.span(start, start + name.length);
  found.dependencies.push({ key, name, nameSpan, requirement, ...placementOf(section, undefined) });
}

/**
 * The scope, group and condition of a dependency in a section.
 * @param own the dependency's own condition
 */
export function placementOf(
  { scope, group, condition }: PythonSection,
  own: string | undefined,
): Pick<Dependency, 'scope' | 'group' | 'condition'> {
  const conditions = [condition && truncate(condition), own].filter((it) => it !== undefined);
  return { scope, group, ...(conditions.length > 0 && { condition: conditions.join(' and ') }) };
}

/**
 * A dependency specifier (PEP 508), as far as it can be parsed. Spans are offsets in its text.
 *
 *     requests [socks] (>=2.31, <3) ; python_version >= "3.8"
 *     ^^^^^^^^ name     ^^^^^^^^^^ asks  ^^^^^^^^^^^^^^^^^^^^^^^ marker
 */
export interface Pep508 {
  readonly name: Span;
  readonly spec:
    | { readonly kind: 'any' }
    /** From the first operator to the last version. */
    | { readonly kind: 'specifier'; readonly span: Span }
    /** `name @ https://…`: the package comes from a URL and is not looked up. */
    | { readonly kind: 'url'; readonly span: Span; readonly source: Source };
  /** The environment marker, without the semicolon. */
  readonly marker?: Span;
  readonly problems: readonly Problem[];
}

const namePattern = /[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?/iy;
const extrasPattern = /\[[\w.,\s-]*/y;
const operatorPattern = /(?:===|~=|==|!=|<=|>=|<|>)\s*/y;
const versionPattern = /[^\s,;()]+/y;
const comma = /\s*,\s*/y;
const spaces = /\s*/y;
const urlPattern = /\S+/y;

/** Parses a specifier, also an incomplete one; undefined for a text without a name at the start. */
export function readPep508(text: string): Pep508 | undefined {
  const problems: Problem[] = [];
  const start = endOfMatch(spaces, text, 0);
  const nameEnd = endOfMatch(namePattern, text, start);
  if (nameEnd === start) return undefined;
  let at = endOfMatch(spaces, text, nameEnd);
  if (text[at] === '[') at = readExtras(text, at, problems);
  const { spec, end } = readSpec(text, at, problems);
  const marker = readMarker(text, end, problems);
  return { name: { start, end: nameEnd }, spec, ...(marker && { marker }), problems };
}

/** The source of an address: `git+https://…` is a repository, `file:///…` and a bare path a folder or file, others a URL. */
export function sourceOfUrl(text: string): Source {
  if (/^(?:git|hg|svn|bzr)(?:\+|:\/\/)/i.test(text)) return 'git';
  return /^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.test(text) || text.startsWith('$') ? 'url' : 'path';
}

function readExtras(text: string, start: number, problems: Problem[]): number {
  const end = endOfMatch(extrasPattern, text, start);
  if (text[end] === ']') return endOfMatch(spaces, text, end + 1);
  problems.push({ span: { start, end }, message: 'the list of extras is not closed' });
  return end;
}

interface SpecReading {
  readonly spec: Pep508['spec'];
  readonly end: number;
}

function readSpec(text: string, at: number, problems: Problem[]): SpecReading {
  if (text[at] === '@') return readUrl(text, at, problems);
  if (text[at] !== '(') {
    const semicolon = text.indexOf(';', at);
    return readVersionSpec(text, at, semicolon < 0 ? text.length : semicolon, problems);
  }
  const close = text.indexOf(')', at);
  if (close >= 0) return { ...readVersionSpec(text, at + 1, close, problems), end: close + 1 };
  problems.push({ span: { start: at, end: at + 1 }, message: 'the parenthesis is not closed' });
  return readVersionSpec(text, at + 1, text.length, problems);
}

function readUrl(text: string, at: number, problems: Problem[]): SpecReading {
  const start = endOfMatch(spaces, text, at + 1);
  const end = endOfMatch(urlPattern, text, start);
  if (end > start) {
    const span = { start, end };
    return { spec: { kind: 'url', span, source: sourceOfUrl(text.slice(start, end)) }, end };
  }
  const span = { start: at, end: at + 1 };
  problems.push({ span, message: 'an address is missing' });
  return { spec: { kind: 'url', span, source: 'url' }, end };
}

/** The clauses between `from` and `to`. An unreadable rest is a problem; without any clause the whole text is one. */
function readVersionSpec(text: string, from: number, to: number, problems: Problem[]): SpecReading {
  const region = text.slice(0, to).trimEnd();
  const start = endOfMatch(spaces, region, from);
  if (start >= region.length) return { spec: { kind: 'any' }, end: to };
  const { end, rest } = readClauses(region, start);
  const left = { start: rest, end: region.length };
  if (end === start) {
    const message = region[start] === '=' ? 'a single = is no operator: == pins a version' : 'not a version specifier';
    problems.push({ span: left, message });
    return { spec: { kind: 'specifier', span: left }, end: to };
  }
  if (rest < region.length) problems.push({ span: left, message: 'not understood' });
  const span = { start, end };
  if (pypi.read(region.slice(start, end)).kind === 'invalid')
    problems.push({ span, message: 'not a version specifier' });
  return { spec: { kind: 'specifier', span }, end: to };
}

/** `end`: of the last version, or of an operator without one. `rest`: the start of the unreadable rest. */
function readClauses(region: string, start: number): { readonly end: number; readonly rest: number } {
  let end = start;
  let at = start;
  for (;;) {
    const version = endOfMatch(operatorPattern, region, at);
    if (version === at) return { end, rest: at };
    end = endOfMatch(versionPattern, region, version);
    if (end === version) end = region.slice(at, version).trimEnd().length + at;
    at = endOfMatch(comma, region, end);
    if (at === end) return { end, rest: endOfMatch(spaces, region, end) };
  }
}

function readMarker(text: string, from: number, problems: Problem[]): Span | undefined {
  const at = endOfMatch(spaces, text, from);
  if (at >= text.length) return undefined;
  const end = text.trimEnd().length;
  if (text[at] !== ';') {
    problems.push({ span: { start: at, end }, message: 'not understood' });
    return undefined;
  }
  const start = endOfMatch(spaces, text, at + 1);
  if (start < end) return { start, end };
  problems.push({ span: { start: at, end: at + 1 }, message: 'an environment marker is missing' });
  return undefined;
}

/** The package that the fragment of an address names: `git+https://…/lib.git#egg=lib`. */
export function eggFragment(address: string): { readonly name: string; readonly start: number } | undefined {
  const fragment = address.indexOf('#');
  if (fragment < 0) return undefined;
  const egg = /[#&]egg=([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)/i.exec(address.slice(fragment));
  return egg?.[1] === undefined ? undefined : { name: egg[1], start: fragment + egg.index + '#egg='.length };
}
