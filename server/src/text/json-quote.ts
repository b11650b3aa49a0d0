import { backslash, closeBrace, closeBracket, colon, comma, space } from './json-marks.ts';

/**
 * Where the string that begins at a quote ends. One that is never closed goes to the end of its line, where what follows
 * its next quote shows that to be the first of another string; else to the end of the text.
 */
export function closingQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return isFollowed(text, end + 1) ? end : endOfLine(text, from, end);
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
  const line = /[^\r\n]*/.exec(text.slice(from, end))?.[0] ?? '';
  return from + line.length;
}
