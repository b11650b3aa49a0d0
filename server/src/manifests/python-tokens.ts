/** A piece of Python's source. Spaces and comments are left out; a line end counts outside brackets alone. */
export type PythonToken = PythonString | PythonWord | PythonSign;

/** `start` and `end` lie inside the quotes, `text` is as written, escapes and all. */
export interface PythonString {
  readonly kind: 'string';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** It has parts that are put in when the program runs, or is no text. */
  readonly computed: boolean;
  /** Its closing quotes are missing. */
  readonly open: boolean;
}

interface PythonWord {
  readonly kind: 'word';
  readonly text: string;
}

interface PythonSign {
  readonly kind: 'sign';
  /** One character; `'\n'` is a line end. */
  readonly text: string;
}

export interface PythonTokens {
  readonly tokens: readonly PythonToken[];
  /** For an opening bracket where its closing one stands; where none does, the end of what may be inside. */
  readonly close: readonly (number | undefined)[];
}

/** Scripts that people write stay below 5000 tokens. What stands behind this many is left out. */
const mostTokens = 200_000;

const blanks = /[ \t\f\r]+|\\\r?\n|#[^\n]*/y;
const quotes = /([bBfFrRtTuU]{0,2})('''|"""|'|")/y;
const word = /[\w\u0080-\ufffe]+/y;
const openers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Takes source apart. Never throws: what is broken gives odd tokens. */
export function pythonTokens(text: string): PythonTokens {
  const tokens: PythonToken[] = [];
  const close: (number | undefined)[] = [];
  const opened: number[] = [];
  /** How many of each bracket are open: a closing one without its like is passed over at once. */
  const counts: Record<string, number> = { '(': 0, '[': 0, '{': 0 };
  let at = text.startsWith('\uFEFF') ? 1 : 0;

  while (at < text.length && tokens.length < mostTokens) {
    const behind = skip(blanks, text, at);
    if (behind > at) {
      at = behind;
      continue;
    }
    quotes.lastIndex = at;
    const [mark, prefix = '', quote = ''] = quotes.exec(text) ?? [];
    if (mark !== undefined) {
      const start = at + mark.length;
      const end = endOfString(text, start, quote);
      const inner = text.slice(start, end);
      const open = !text.startsWith(quote, end);
      tokens.push({ kind: 'string', text: inner, start, end, computed: isComputed(prefix, inner), open });
      close.push(undefined);
      at = open ? end : end + quote.length;
      continue;
    }
    const end = skip(word, text, at);
    if (end > at) {
      tokens.push({ kind: 'word', text: text.slice(at, end) });
      close.push(undefined);
    } else sign(text[at] ?? '');
    at = Math.max(end, at + 1);
  }
  for (const it of opened) close[it] = tokens.length;
  return { tokens, close };

  function sign(character: string): void {
    if (character === '\n' && (opened.length > 0 || tokens.at(-1)?.text === '\n')) return;
    const opener = openers[character];
    if (opener !== undefined && counts[opener] === 0) return;
    while (opener !== undefined) {
      const last = opened.pop();
      const open = last === undefined ? undefined : tokens[last];
      if (last === undefined || open === undefined) break;
      close[last] = tokens.length;
      counts[open.text] = (counts[open.text] ?? 1) - 1;
      if (open.text === opener) break;
    }
    if (counts[character] !== undefined) {
      opened.push(tokens.length);
      counts[character]++;
    }
    tokens.push({ kind: 'sign', text: character });
    close.push(undefined);
  }
}

/** Where the closing quotes stand; without them, one line's string ends with its line, several lines' with the text. */
function endOfString(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(quote, at)) return at;
    else if (text[at] === '\n' && quote.length === 1) return text[at - 1] === '\r' && at > start ? at - 1 : at;
  }
  return text.length;
}

function isComputed(prefix: string, text: string): boolean {
  return /b/i.test(prefix) || (/[ft]/i.test(prefix) && text.includes('{'));
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
