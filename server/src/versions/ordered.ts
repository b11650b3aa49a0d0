import { byText } from '../model/by-text.ts';

/** Orders two texts as the versions that they are; what is none comes before all that are, by its text. */
export function ordered<Version>(
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
