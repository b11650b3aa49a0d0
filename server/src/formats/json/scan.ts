/** Where the object or array that begins at an offset ends, its bracket included; the end of the text where it is never closed. */
export function behindBracket(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = closingQuote(text, at);
        break;
      case openBrace:
      case openBracket:
        open++;
        break;
      case closeBrace:
      case closeBracket:
        open--;
        if (open === 0) return at + 1;
    }
  }
  return text.length;
}

/**
 * Where the string that begins at a quote ends. One that is never closed goes to the end of its line, where what follows
 * its next quote shows that to be the first of another string, or that one is escaped and on another line; else to the
 * end of the text.
 */
export function closingQuote(text: string, from: number): number {
  let start = from + 1;
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', start)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    const isEscaped = slashes % 2 === 1;
    if (!isEscaped && isFollowed(text, end + 1)) return end;
    const line = endOfLine(text, start, end);
    if (!isEscaped || line < end) return line;
    start = end + 1;
  }
  return text.length;
}

/** Whether something stands there that may stand behind a string. */
function isFollowed(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= space) at++;
  switch (text.charCodeAt(at)) {
    case comma:
    case colon:
    case closeBrace:
    case closeBracket:
      return true;
    default:
      return at >= text.length;
  }
}

/** The end of the line, if that is not after `end`. */
function endOfLine(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || code === carriageReturn) return at;
  }
  return end;
}

/* The characters that JSON is made of, as what scanners that read millions of them compare with. */
export const lineFeed = '\n'.charCodeAt(0);
export const carriageReturn = '\r'.charCodeAt(0);
export const space = ' '.charCodeAt(0);
export const quote = '"'.charCodeAt(0);
export const backslash = '\\'.charCodeAt(0);
export const colon = ':'.charCodeAt(0);
export const comma = ','.charCodeAt(0);
export const openBrace = '{'.charCodeAt(0);
export const closeBrace = '}'.charCodeAt(0);
export const openBracket = '['.charCodeAt(0);
export const closeBracket = ']'.charCodeAt(0);
