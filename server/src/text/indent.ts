/** How far a place is indented, in characters, where nothing but white space stands before it on its line. */
export function indentOf(text: string, at: number): number | undefined {
  // Nobody indents further, and a file of nothing but spaces is not to be read over and over.
  const furthest = 200;
  let start = at;
  while (
    start > 0 &&
    at - start <= furthest &&
    (text.charCodeAt(start - 1) === 32 || text.charCodeAt(start - 1) === 9)
  ) {
    start--;
  }
  const before = text.charCodeAt(start - 1);
  return start === 0 || before === 10 || before === 13 || before === 0xfeff ? at - start : undefined;
}

/** Space, tab, and the line ends. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}
