import { byText } from '../../base/text.ts';

/** In characters. A longer text is no version or range that occurs twice. */
const MAX_KEY_LENGTH = 200;
/** The versions of some large packages, or the requirements of some large workspaces. */
const MAX_GENERATION_SIZE = 10_000;

/**
 * Keeps what a parser returns for each text: the same few versions are compared over and over. The results are shared, so
 * they must never be changed. When a generation is full, it becomes the old one and the previous old one is dropped; a text
 * of the old generation that is parsed again moves into the new one.
 */
export function memoize<T>(parse: (text: string) => T): (text: string) => T {
  let young = new Map<string, T>();
  let old: ReadonlyMap<string, T> = new Map();
  return (text) => {
    const known = young.get(text);
    if (known !== undefined || young.has(text)) return known as T;
    const before = old.get(text);
    const value = before !== undefined || old.has(text) ? (before as T) : parse(text);
    if (text.length > MAX_KEY_LENGTH) return value;
    if (young.size >= MAX_GENERATION_SIZE) {
      old = young;
      young = new Map();
    }
    young.set(text, value);
    return value;
  };
}

/** Compares two texts as versions. A text that is no version comes before all that are, in the order of the texts. */
export function compareParsed<Version>(
  a: string,
  b: string,
  parse: (text: string) => Version | null | undefined,
  compare: (a: Version, b: Version) => number,
): number {
  const left = parse(a);
  const right = parse(b);
  if (left && right) return compare(left, right);
  return left ? 1 : right ? -1 : byText(a, b);
}
