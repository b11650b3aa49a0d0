import { eastAsianWidth } from 'get-east-asian-width';

/** Characters that combine with the one before. */
const combining = /\p{Mn}|\p{Me}/u;

/** The width of a text in columns of a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const it of text) width += combining.test(it) ? 0 : eastAsianWidth(it.codePointAt(0) ?? 0);
  return width;
}

/** Pads a text with spaces to a width. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Breaks a text between words into lines of limited width. A longer word has a line of its own. */
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

/** Ends a text with `…` where it is wider. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const it of text) {
    width += widthOf(it);
    if (width > columns - 1) break;
    kept += it;
  }
  return `${kept.trimEnd()}…`;
}
