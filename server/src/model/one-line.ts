/** More of one text than this is nothing that a line could show. */
const longest = 500;

/**
 * What a stranger wrote, as one line that says what it seems to say: without control characters, without those that
 * turn the direction of writing or take no room, and without halves of characters. A space at either end stays.
 * @param most characters that are kept; what was longer ends with `…`
 */
export function oneLine(text: string, most = longest): string {
  const clean = text
    .slice(0, most)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const spaced = /^\s/.test(text) ? ` ${clean}` : clean;
  return (/\s$/.test(text) && clean !== '' ? `${spaced} ` : spaced) + (text.length > most ? '…' : '');
}
