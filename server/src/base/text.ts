/**
 * In characters, of what is said of many dependencies at once: the name of a catalog, a condition, a path of packages. No
 * name comes near it. Megabytes of it, put together anew for each of thousands, would take all memory there is.
 */
export const MAX_SHARED_LENGTH = 1000;

/** What is kept of a text that many dependencies share. One that is cut ends as no name does, so it is nobody else's. */
export function truncate(text: string): string {
  return text.length <= MAX_SHARED_LENGTH ? text : `${text.slice(0, MAX_SHARED_LENGTH)}…`;
}

/** More of one text than this is nothing that a line could show. */
const MAX_LINE_LENGTH = 500;

/** Nothing in it is hidden, and it is on one line: what most texts are. */
const isPlainLine = /^ ?[!-~]+(?: [!-~]+)* ?$/;

/**
 * What a stranger wrote, as one line that says what it seems to say: without control characters, without those that
 * turn the direction of writing or take no room, without halves of characters, and without heaps of marks. A space at
 * either end stays.
 * @param most characters that are kept; what was longer ends with `…`
 */
export function oneLine(text: string, most = MAX_LINE_LENGTH): string {
  if (text.length <= most && isPlainLine.test(text)) return text;
  const start = text.length > most ? detached(text.slice(0, most)) : text;
  const clean = withoutHidden(start, ' ').replace(/\s+/g, ' ').trim();
  const spaced = /^\s/.test(text) ? ` ${clean}` : clean;
  return (/\s$/.test(text) && clean !== '' ? `${spaced} ` : spaced) + (text.length > most ? '…' : '');
}

/**
 * The one place that knows which characters make a text look like another.
 * @param replacement takes the place of each that is hidden
 */
export function withoutHidden(text: string, replacement: string): string {
  return text.replace(selectors, '').replace(hidden, replacement).replace(heaped, '');
}

/** They choose a form of the character before them, and are nothing by themselves. */
const selectors = /[\u034f\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Control characters, those of format, ends of lines, halves of characters, and what Unicode has shown as nothing. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Marks on one letter beyond what any script writes; the four are those of Hebrew and Vietnamese with room to spare. */
const heaped = /(?<=\p{M}{4})\p{M}/gu;

/**
 * A copy of a short text that was cut from a long one. V8 keeps the whole of the long one in memory for as long as a
 * piece of it is kept: a reason of a line would hold an answer of 32 MiB.
 */
export function detached(text: string): string {
  return text.split('').join('');
}

/** What an error says; of what is thrown and is no error, its text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a value that strangers wrote is an object with names in it: neither a list nor null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Orders texts by their code units: the same on every machine. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
