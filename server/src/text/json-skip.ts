import { closingQuote } from './json-walk.ts';

/** Where the object or array that begins at an offset ends, its bracket included; the end of the text where it is never closed. */
export function behindBracket(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = closingQuote(text, at);
        break;
      case '{':
      case '[':
        open++;
        break;
      case '}':
      case ']':
        open--;
        if (open === 0) return at + 1;
    }
  }
  return text.length;
}
