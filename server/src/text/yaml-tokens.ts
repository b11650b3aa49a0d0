import { type CST, Lexer, Parser } from 'yaml';

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

const limits = {
  /** No manifest comes near it, and the call stack holds it many times over. */
  depth: 200,
  /** Quotes that are never closed: each makes the text be read once more. */
  runaways: 4,
};

/** Tabs cannot indent. Read as one space each they do, and every offset stays; mixed with spaces they may mislead. */
const tabbed = /^\uFEFF? *\t[ \t]*(?=[^\s#])/gm;

/** Never throws, whatever the text. */
export function readYamlTokens(text: string): YamlTokens {
  const unclosed = new Set<number>();
  const tab = text.search(tabbed);
  // The parser would take a sequence behind a byte order mark for something else.
  let source = text.replace(/^\uFEFF/, '\n').replace(tabbed, (it) => ' '.repeat(it.length));
  let read = readOnce(source);
  while (read.runaway !== undefined && unclosed.size < limits.runaways) {
    // A quote that runs to the end of the file was meant to end on its line. As a plain letter it does.
    unclosed.add(read.runaway);
    source = `${source.slice(0, read.runaway)}_${source.slice(read.runaway + 1)}`;
    read = readOnce(source);
  }
  const { document, tooDeep } = read;
  return {
    ...(document?.value && { root: document.value }),
    before: document?.start ?? [],
    ...(tooDeep !== undefined && { tooDeep }),
    ...(tab >= 0 && { tab: text.indexOf('\t', tab) }),
    unclosed,
  };
}

interface Read {
  readonly document: CST.Document | undefined;
  readonly tooDeep: number | undefined;
  /** Where a quote stands that nothing closes before the end of the file. */
  readonly runaway: number | undefined;
}

function readOnce(text: string): Read {
  const parser = new Parser();
  let document: CST.Document | undefined;
  const take = (tokens: Iterable<CST.Token>): void => {
    for (const it of tokens) if (it.type === 'document' && it.value && !document) document = it;
  };
  let tooDeep: number | undefined;
  let runaway: number | undefined;
  for (const lexeme of new Lexer().lex(text)) {
    if (isRunaway(lexeme)) runaway = parser.offset;
    take(parser.next(lexeme));
    if (parser.stack.length <= limits.depth) continue;
    tooDeep = parser.offset;
    break;
  }
  take(parser.end());
  return { document, tooDeep, runaway };
}

function isRunaway(lexeme: string): boolean {
  const quote = lexeme[0];
  return (quote === '"' || quote === "'") && lexeme.includes('\n') && !lexeme.endsWith(quote);
}
