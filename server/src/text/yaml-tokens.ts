import { CST, Lexer, Parser } from 'yaml';
import { deepest } from './limits.ts';

/** The first document of a YAML text, as tokens. */
export interface YamlTokens {
  readonly root?: CST.Token;
  /** What stands before it: an anchor perhaps. */
  readonly before: readonly CST.SourceToken[];
  /** Where nesting became too deep and the reading ended. */
  readonly tooDeep?: number;
  /** Where a tab indents for the first time. */
  readonly tab?: number;
  /** Where quotes stand that were read as plain letters, because nothing closes them. */
  readonly unclosed: ReadonlySet<number>;
}

/** Quotes that are never closed: each makes the text be cut up once more. */
const mostRunaways = 4;

/** Tabs cannot indent. Read as one space each they do, and every offset stays; mixed with spaces they may mislead. */
const tabbed = /^\uFEFF? *\t[ \t]*(?=[^\s#])/gm;

/** Never throws, whatever the text. */
export function readYamlTokens(text: string): YamlTokens {
  const unclosed = new Set<number>();
  const tab = text.search(tabbed);
  // The parser would take a sequence behind a byte order mark for something else.
  let source = text.replace(/^\uFEFF/, '\n').replace(tabbed, (it) => ' '.repeat(it.length));
  let { lexemes, runaway } = cutUp(source);
  while (runaway !== undefined && unclosed.size < mostRunaways) {
    // A quote that runs to the end of the file was meant to end on its line. As a plain letter it does.
    unclosed.add(runaway);
    source = `${source.slice(0, runaway)}_${source.slice(runaway + 1)}`;
    ({ lexemes, runaway } = cutUp(source));
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

interface CutUp {
  readonly lexemes: readonly string[];
  /** Where a quote stands that nothing closes before the end of the file. */
  readonly runaway: number | undefined;
}

function cutUp(text: string): CutUp {
  const lexemes: string[] = [];
  let offset = 0;
  let runaway: number | undefined;
  for (const it of new Lexer().lex(text)) {
    if (isRunaway(it)) runaway = offset;
    if (lexemes.at(-1) === CST.SCALAR || !isSign(it)) offset += it.length;
    lexemes.push(it);
  }
  return { lexemes, runaway };
}

/** Stands for nothing in the text: the lexer says by it what follows. */
function isSign(lexeme: string): boolean {
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
    if (parser.stack.length <= deepest) continue;
    tooDeep = parser.offset;
    break;
  }
  take(parser.end());
  return { ...(document && { document }), ...(tooDeep !== undefined && { tooDeep }) };
}

function isRunaway(lexeme: string): boolean {
  const quote = lexeme[0];
  return (quote === '"' || quote === "'") && lexeme.includes('\n') && !lexeme.endsWith(quote);
}
