import { CST, Lexer, Parser } from 'yaml';
import type { Problem } from '../../model/span.ts';
import { MAX_DEPTH, MAX_PROBLEMS } from '../text/limits.ts';
import { readScalar, type YamlScalar } from './scalar.ts';
import {
  entriesOf,
  type YamlAlias,
  type YamlCollection,
  type YamlEntry,
  type YamlMap,
  type YamlSequence,
  type YamlValue,
} from './tree.ts';

/** The first document of a YAML text, as far as it can be read. */
export interface YamlDocument {
  readonly root?: YamlValue;
  readonly problems: readonly Problem[];
}

/** Values that aliases may repeat in total: a few lines of YAML can represent billions. */
const MAX_ALIASED_VALUES = 10_000;

/** In characters. People write a hundredth of that, and the tokens of a megabyte take hundreds of megabytes. */
const MAX_LENGTH = 1024 * 1024;

/** Never throws. A byte order mark is skipped. Text beyond MAX_LENGTH is left out. */
export function parseYaml(text: string): YamlDocument {
  const start = text.slice(0, MAX_LENGTH);
  const document = compose(start, readYamlTokens(start));
  if (start.length === text.length) return document;
  const span = { start: start.length, end: text.length };
  return {
    ...document,
    problems: [...document.problems, { span, message: 'a text this long is not read to its end' }],
  };
}

function compose(text: string, tokens: YamlTokens): YamlDocument {
  const { unclosed } = tokens;
  const problems: Problem[] = [];
  const anchors = new Map<string, Anchored>();
  let values = 0;
  let repeated = 0;

  const root = tokens.root && read(tokens.root, tokens.before, false);
  if (tokens.tooDeep !== undefined) problem('values nested this deep are not read', tokens.tooDeep, tokens.tooDeep);
  if (tokens.tab !== undefined) problem('a tab cannot indent', tokens.tab, tokens.tab + 1);
  return { ...(root && { root }), problems };

  function problem(message: string, start: number, end: number): void {
    if (problems.length < MAX_PROBLEMS) problems.push({ span: { start, end }, message });
  }

  /** @param before the tokens before it, among them an anchor */
  function read(token: CST.Token, before: readonly CST.SourceToken[], flow: boolean): YamlValue | undefined {
    const sizeBefore = values + repeated;
    values++;
    const value = readBare(token, flow);
    const anchor = before.findLast((it) => it.type === 'anchor')?.source.slice(1);
    if (anchor !== undefined && value && value.kind !== 'alias') {
      const count = (anchors.get(anchor)?.count ?? 0) + 1;
      anchors.set(anchor, { value, count, size: values + repeated - sizeBefore });
    }
    return value;
  }

  function readBare(token: CST.Token, flow: boolean): YamlValue | undefined {
    switch (token.type) {
      case 'alias':
        return aliasOf(token);
      case 'scalar':
      case 'single-quoted-scalar':
      case 'double-quoted-scalar':
      case 'block-scalar':
        return readScalar(text, token, flow, unclosed, problem);
      case 'block-map':
        return mapOf(token.offset, token.items, flow);
      case 'flow-collection':
        if (token.end.length === 0) problem('the closing bracket is missing', token.offset, token.offset + 1);
        if (token.start.source === '{') return mapOf(token.offset, token.items, true);
        return sequenceOf(token.offset, token.items, true);
      case 'block-seq':
        return sequenceOf(token.offset, token.items, flow);
      default:
        problem(
          'this does not belong here',
          token.offset,
          token.offset + ('source' in token ? token.source.length : 0),
        );
        return undefined;
    }
  }

  function mapOf(offset: number, items: readonly CST.CollectionItem[], flow: boolean): YamlMap {
    const entries: YamlEntry[] = [];
    const others: YamlEntry[] = [];
    for (const item of items) {
      const key = item.key && read(item.key, item.start, flow);
      if (key?.kind !== 'scalar') {
        if (item.value) read(item.value, item.sep ?? [], flow);
        continue;
      }
      const name = flow ? key : lastLineOf(key);
      if (!item.sep?.some((it) => it.type === 'map-value-ind')) {
        problem('a colon and a value are missing', name.span.start, name.span.end);
      }
      const value = item.value && read(item.value, item.sep ?? [], flow);
      if (name.text === '<<' && name.style === 'plain') others.push(...merged(value));
      else entries.push({ key: name, ...(value && { value }) });
    }
    // Its own entries override merged ones in any order.
    return {
      kind: 'map',
      span: { start: offset, end: endOf(entries, offset) },
      entries: [...others, ...entries],
    };
  }

  /**
   * The key of a block map is on one line, so the lines above are half-typed:
   *
   *     lod
   *     vue: ^3.4.0
   */
  function lastLineOf(key: YamlScalar): YamlScalar {
    const line = text.slice(key.span.start, key.span.end);
    const at = key.style === 'plain' ? line.lastIndexOf('\n') : -1;
    if (at < 0) return key;
    problem('a colon and a value are missing', key.span.start, key.span.start + line.trimEnd().search(/\r?\n|$/));
    const name = line.slice(at).trimStart();
    const { raw: _, ...last } = key;
    return { ...last, span: { start: key.span.end - name.length, end: key.span.end }, text: name };
  }

  /** The first of several maps overrides the others. */
  function merged(value: YamlValue | undefined): YamlEntry[] {
    const maps = value?.kind === 'sequence' ? value.items.toReversed() : [value];
    return maps.flatMap((map) => entriesOf(map).map((it): YamlEntry => ({ ...it, merged: true })));
  }

  function sequenceOf(offset: number, items: readonly CST.CollectionItem[], flow: boolean): YamlSequence {
    const values: YamlValue[] = [];
    for (const it of items) {
      const pair = it.key ? mapOf(it.key.offset, [it], flow) : undefined;
      const value = pair ?? (it.value && read(it.value, it.start, flow));
      if (value) values.push(value);
    }
    return {
      kind: 'sequence',
      span: { start: offset, end: values.at(-1)?.span.end ?? offset + 1 },
      items: values,
    };
  }

  function aliasOf(token: CST.FlowScalar): YamlAlias {
    const name = token.source.slice(1);
    const span = { start: token.offset, end: token.offset + token.source.length };
    const found = anchors.get(name);
    if (!found) problem(`no anchor is called ${name}`, span.start, span.end);
    else if (repeated + found.size > MAX_ALIASED_VALUES) problem('too much is repeated', span.start, span.end);
    else {
      repeated += found.size;
      return { kind: 'alias', span, name: found.count === 1 ? name : `${name} ${found.count}`, target: found.value };
    }
    return { kind: 'alias', span, name };
  }
}

interface Anchored {
  readonly value: YamlCollection | YamlScalar;
  /** The number of anchors of this name so far, since a name may be used again. */
  readonly count: number;
  /** The number of values in it. */
  readonly size: number;
}

function endOf(entries: readonly YamlEntry[], offset: number): number {
  const last = entries.at(-1);
  return last?.value?.span.end ?? last?.key.span.end ?? offset + 1;
}

/** The first document of a YAML text, as tokens. */
export interface YamlTokens {
  readonly root?: CST.Token;
  /** The tokens before it: an anchor perhaps. */
  readonly before: readonly CST.SourceToken[];
  /** The offset where nesting became too deep and the parser stopped. */
  readonly tooDeep?: number;
  /** The offset of the first indentation with a tab. */
  readonly tab?: number;
  /** The offsets of unterminated quotes, which were read as plain letters. */
  readonly unclosed: ReadonlySet<number>;
}

/** Each unterminated quote requires another run of the lexer. */
const MAX_UNTERMINATED_QUOTES = 4;

/** YAML forbids tabs in indentation. Each is read as one space, which keeps the offsets. */
const tabIndent = /^\uFEFF? *\t[ \t]*(?=[^\s#])/gm;

/** Never throws. */
export function readYamlTokens(text: string): YamlTokens {
  const unclosed = new Set<number>();
  const tab = text.search(tabIndent);
  // The parser would misread a sequence behind a byte order mark.
  let source = text.replace(/^\uFEFF/, '\n').replace(tabIndent, (it) => ' '.repeat(it.length));
  let { lexemes, unterminated } = lex(source);
  while (unterminated !== undefined && unclosed.size < MAX_UNTERMINATED_QUOTES) {
    // An unterminated quote was meant to end on its line. As a plain letter it does.
    unclosed.add(unterminated);
    source = `${source.slice(0, unterminated)}_${source.slice(unterminated + 1)}`;
    ({ lexemes, unterminated } = lex(source));
  }
  const { document, tooDeep } = build(lexemes);
  return {
    ...(document?.value && { root: document.value }),
    before: document?.start ?? [],
    ...(tooDeep !== undefined && { tooDeep }),
    ...(tab >= 0 && { tab: text.indexOf('\t', tab) }),
    unclosed,
  };
}

interface Lexed {
  readonly lexemes: readonly string[];
  /** The offset of an unterminated quote. */
  readonly unterminated: number | undefined;
}

function lex(text: string): Lexed {
  const lexemes: string[] = [];
  let offset = 0;
  let unterminated: number | undefined;
  for (const it of new Lexer().lex(text)) {
    if (isUnterminated(it)) unterminated = offset;
    if (lexemes.at(-1) === CST.SCALAR || !isControl(it)) offset += it.length;
    lexemes.push(it);
  }
  return { lexemes, unterminated };
}

/** A control character of the lexer, which has no text. */
function isControl(lexeme: string): boolean {
  return lexeme === CST.DOCUMENT || lexeme === CST.FLOW_END || lexeme === CST.SCALAR;
}

function build(lexemes: readonly string[]): Pick<YamlTokens, 'tooDeep'> & { readonly document?: CST.Document } {
  const parser = new Parser();
  let document: CST.Document | undefined;
  const take = (tokens: Iterable<CST.Token>): void => {
    for (const it of tokens) if (it.type === 'document' && it.value && !document) document = it;
  };
  let tooDeep: number | undefined;
  for (const it of lexemes) {
    take(parser.next(it));
    if (parser.stack.length <= MAX_DEPTH) continue;
    tooDeep = parser.offset;
    break;
  }
  take(parser.end());
  return { ...(document && { document }), ...(tooDeep !== undefined && { tooDeep }) };
}

function isUnterminated(lexeme: string): boolean {
  const quote = lexeme[0];
  return (quote === '"' || quote === "'") && lexeme.includes('\n') && !lexeme.endsWith(quote);
}
