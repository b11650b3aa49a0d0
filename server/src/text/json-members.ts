import type { JsonProperty, JsonString } from './json-tree.ts';

/**
 * A member as nearly all of a manifest are: two strings on one line, of all characters from the space on but quotes
 * and backslashes, with the comma behind it where another name follows.
 */
const plain = /"([ !#-[\]-\uffff]*)"([ \t]*:[ \t]*)"([ !#-[\]-\uffff]*)"([ \t\r\n]*,[ \t\r\n]*(?="))?/y;

/** Where plain members ended. */
export interface PlainMembers {
  /** Behind the text of the last value. */
  readonly end: number;
  /** Where to read on. */
  readonly next: number;
  /** Whether the comma behind the last one is read. */
  readonly isSeparated: boolean;
}

/**
 * Reads plain members one after another, many times as fast as token by token: the expression is machine code from the
 * second one on, when all else has yet to be compiled.
 * @param from where the first name's quote stands
 * @param found takes them
 * @returns undefined where the first one is not plain
 */
export function readPlainMembers(text: string, from: number, found: JsonProperty[]): PlainMembers | undefined {
  let [at, end, isSeparated] = [from, from, true];
  while (isSeparated) {
    plain.lastIndex = at;
    const [whole, name, colon, value, comma] = plain.exec(text) ?? [];
    if (whole === undefined || name === undefined || colon === undefined || value === undefined) break;
    const valueStart = at + name.length + colon.length + 3;
    found.push({ name: string(name, at + 1), value: string(value, valueStart) });
    at += whole.length;
    end = valueStart + value.length;
    isSeparated = comma !== undefined;
  }
  return at === from ? undefined : { end, next: at, isSeparated };
}

function string(text: string, start: number): JsonString {
  return { kind: 'string', span: { start, end: start + text.length }, text };
}
