/**
 * Matches `*` with any characters and `?` with one. A character class (`[ab]`) matches any one character: more than it should,
 * and never less. Each `*` is matched once, from left to right, so that the time is bounded.
 */
export function compileWildcard(pattern: string): (name: string) => boolean {
  const pieces = pattern
    .replace(/\[[^\][]*\]/g, '?')
    .replace(/\\(.)/g, '$1')
    .split(/\*+/);
  const [first = '', ...others] = pieces;
  return (name) => {
    if (!fits(name, first, 0)) return false;
    let at = first.length;
    for (const [index, piece] of others.entries()) {
      const isLast = index === others.length - 1;
      const last = name.length - piece.length;
      if (isLast) at = last >= at && fits(name, piece, last) ? name.length : -1;
      else {
        while (at <= last && !fits(name, piece, at)) at++;
        at = at <= last ? at + piece.length : -1;
      }
      if (at < 0) return false;
    }
    return at === name.length;
  };
}

function fits(name: string, piece: string, at: number): boolean {
  for (let i = 0; i < piece.length; i++) if (piece[i] !== '?' && piece[i] !== name[at + i]) return false;
  return at + piece.length <= name.length;
}
