import { byText } from '../../base/text.ts';
/**
 * A version of Semantic Versioning 2.0, taken apart. Numbers stay text, since what Go and Cargo accept is larger than a
 * number of JavaScript holds exactly; without leading zeros the longer one is the larger.
 */
export interface Semantic {
  readonly numbers: readonly [string, string, string];
  /** `rc`, `1`; empty for a release. */
  readonly labels: readonly string[];
  /** The parts behind the `+`. */
  readonly build: readonly string[];
}

const digits = /^\d+$/;

/**
 * The parts of `rc.1`, none without a text; undefined where one of them is empty. A pattern with a repeated group would
 * exhaust the stack for a long text, so the text is split.
 */
export function readParts(text: string | undefined): readonly string[] | undefined {
  const parts = text?.split('.') ?? [];
  return parts.includes('') ? undefined : parts;
}

/** The same parts; undefined where one is a number with leading zeros, which no version may have, though build metadata may. */
export function readLabels(text: string | undefined): readonly string[] | undefined {
  const labels = readParts(text);
  return labels?.some((it) => it.length > 1 && it.startsWith('0') && digits.test(it)) ? undefined : labels;
}

/** The precedence of Semantic Versioning, in which build metadata takes no part. */
export function compareSemantic(a: Semantic, b: Semantic): number {
  const order = compareReleases(a, b);
  if (order !== 0) return order;
  if (a.labels.length === 0 || b.labels.length === 0) return b.labels.length - a.labels.length;
  return compareLabels(a.labels, b.labels);
}

/** The order of the numbers alone, of all three or of the first. */
export function compareReleases(a: Semantic, b: Semantic, count = 3): number {
  const at = a.numbers.slice(0, count).findIndex((it, index) => it !== b.numbers[index]);
  return at < 0 ? 0 : compareNumbers(a.numbers[at] ?? '', b.numbers[at] ?? '');
}

/**
 * The order of labels: numbers before words, less before more. Numbers with leading zeros, which build metadata may
 * have, come after those without.
 */
export function compareLabels(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((it, index) => it !== b[index]);
  const one = a[at];
  const other = b[at];
  if (one === undefined || other === undefined) return a.length - b.length;
  const isNumber = digits.test(one);
  if (isNumber !== digits.test(other)) return isNumber ? -1 : 1;
  if (!isNumber) return one < other ? -1 : 1;
  return compareNumbers(one.replace(/^0+/, ''), other.replace(/^0+/, '')) || one.length - other.length;
}

function compareNumbers(a: string, b: string): number {
  return a.length - b.length || byText(a, b);
}
