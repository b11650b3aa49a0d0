/** How a text is written, for what is added to it. */

/** The line end that a text uses: that of its first line. */
export function lineEndOf(text: string): '\r\n' | '\n' {
  return /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
}

/** One step of indentation: that of the first indented line. */
export function indentStepOf(text: string): string {
  return /\n([\t ]+)\S/.exec(text)?.[1] ?? '  ';
}

/** The blanks that the line of an offset begins with. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(start, offset).replace('\uFEFF', '');
  return /^[\t ]*/.exec(line)?.[0] ?? '';
}

/** The end of the line of an offset, without its line end. */
export function endOfLineAt(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' && end > offset ? end - 1 : end;
}
