/** What takes two columns of a terminal. Source: Unicode Standard Annex #11, “East Asian Width”, W and F. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** What stands on the character before it. */
const combining = /\p{Mn}|\p{Me}/u;

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const it of text) width += wide.test(it) ? 2 : combining.test(it) ? 0 : 1;
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
