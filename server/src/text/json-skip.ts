import { closeBrace, closeBracket, openBrace, openBracket, quote } from './json-marks.ts';
import { closingQuote } from './json-quote.ts';

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
