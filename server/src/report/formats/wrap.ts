import { eastAsianWidth } from 'get-east-asian-width';

/** What stands on the character before it. */
const combining = /\p{Mn}|\p{Me}/u;

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const it of text) width += combining.test(it) ? 0 : eastAsianWidth(it.codePointAt(0) ?? 0);
  return width;
}

/** A text with spaces behind it, up to a width. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** A text in lines of so many columns at most, broken between words. A longer word has a line to itself. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const word of text.split(' ')) {
    const more = widthOf(word);
    if (line !== '' && width + 1 + more > columns) {
      lines.push(line);
      line = word;
      width = more;
    } else {
      width += line === '' ? more : 1 + more;
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
