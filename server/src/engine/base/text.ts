/**
 * In characters, of a text that many dependencies share: the name of a catalog, a condition, a path of packages. Real ones
 * are far shorter. Megabytes, combined anew for each of thousands of dependencies, would exhaust the memory.
 */
export const MAX_SHARED_LENGTH = 1000;

/** Limits a text that many dependencies share. A cut text ends in `…`, as no name does, so it matches nothing else. */
export function truncate(text: string): string {
  return text.length <= MAX_SHARED_LENGTH ? text : `${text.slice(0, MAX_SHARED_LENGTH)}…`;
}

/** In characters: more than a line can show. */
const MAX_LINE_LENGTH = 500;

/** Most texts: one line without hidden characters. */
const plainLine = /^ ?[!-~]+(?: [!-~]+)* ?$/;

/**
 * A text of unknown origin as one line that shows everything it contains: without control characters, without characters
 * that change the direction of writing or have no width, without halves of characters, and without heaps of marks. A
 * space at either end stays.
 * @param maxLength in characters; a longer text ends with `…`
 */
export function oneLine(text: string, maxLength = MAX_LINE_LENGTH): string {
  if (text.length <= maxLength && plainLine.test(text)) return text;
  const start = text.length > maxLength ? detached(text.slice(0, maxLength)) : text;
  const clean = withoutHidden(start, ' ').replace(/\s+/g, ' ').trim();
  const spaced = /^\s/.test(text) ? ` ${clean}` : clean;
  return (/\s$/.test(text) && clean !== '' ? `${spaced} ` : spaced) + (text.length > maxLength ? '…' : '');
}

/**
 * The one place that knows which characters make a text look like another.
 * @param replacement takes the place of each that is hidden
 */
export function withoutHidden(text: string, replacement: string): string {
  return text.replace(selectors, '').replace(hidden, replacement).replace(heaped, '');
}

/** They select a form of the character before them, and show nothing by themselves. */
const selectors = /[\u034f\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Control and format characters, line ends, halves of characters, and characters that Unicode makes invisible. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** More marks on one letter than any script uses; Hebrew and Vietnamese need fewer than four. */
const heaped = /(?<=\p{M}{4})\p{M}/gu;

/**
 * Copies a short text that was cut from a long one. V8 keeps the long text in memory as long as a piece of it is used: a
 * one-line reason would keep a response of 32 MiB.
 */
export function detached(text: string): string {
  return text.split('').join('');
}

/** The message of an error; of any other thrown value, its text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a value of unknown origin is an object: neither an array nor null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compares texts by their code units, so the order is the same on every machine. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
