import { memoize } from '../shared/parsed-versions.ts';

/** `1.2.3.4-beta.1+build`, parsed. Build metadata takes no part in anything and is left out. */
export interface NuGetVersion {
  /** Always four: absent ones are zero. */
  readonly numbers: readonly [number, number, number, number];
  /** `beta`, `1`; empty for a stable version. */
  readonly labels: readonly string[];
}

/**
 * White space is skipped at the ends and around each number, as NuGet skips it. Labels are told apart afterwards: a group
 * that repeats takes the stack along, and the text may be of any length.
 */
const shape =
  /^(\d+)(?:\s*\.\s*(\d+))?(?:\s*\.\s*(\d+))?(?:\s*\.\s*(\d+))?\s*(?:-([\dA-Za-z.-]+))?(?:\+([\dA-Za-z.-]+))?$/;

/** Numbers are .NET's `System.Version` components, which are signed 32-bit integers. */
const MAX_INT32 = 2 ** 31 - 1;

const digits = /^\d+$/;
const signedDigits = /^-?\d+$/;

/** Reads one to four numbers with pre-release labels; undefined for anything else. Leading zeros of numbers count for nothing. */
export const parseNuGetVersion = memoize((text): NuGetVersion | undefined => {
  const match = shape.exec(text.trim());
  if (!match) return undefined;
  const numbers = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0), Number(match[4] ?? 0)] as const;
  if (numbers.some((it) => it > MAX_INT32)) return undefined;
  const labels = match[5]?.split('.') ?? [];
  if (labels.includes('') || match[6]?.split('.').includes('')) return undefined;
  // SemVer has no leading zeros in numeric labels, and NuGet refuses such a version.
  if (labels.some((it) => it.length > 1 && it.startsWith('0') && digits.test(it))) return undefined;
  return { numbers, labels };
});

/** SemVer 2 precedence with a fourth number; labels compare without regard to case. */
export function compareNuGetVersions(a: NuGetVersion, b: NuGetVersion): number {
  for (let index = 0; index < 4; index++) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.labels.length === 0 || b.labels.length === 0) return b.labels.length - a.labels.length;
  const shared = Math.min(a.labels.length, b.labels.length);
  for (let index = 0; index < shared; index++) {
    const difference = compareLabels(a.labels[index] ?? '', b.labels[index] ?? '');
    if (difference !== 0) return difference;
  }
  return a.labels.length - b.labels.length;
}

/** The spelling of NuGet 3.4 and later: `1` → `1.0.0`, `1.01.0.0` → `1.1.0`, `1.0.0.4+build` → `1.0.0.4`. */
export function formatNuGetVersion({ numbers, labels }: NuGetVersion): string {
  const shown = numbers[3] === 0 ? numbers.slice(0, 3) : numbers;
  return labels.length === 0 ? shown.join('.') : `${shown.join('.')}-${labels.join('.')}`;
}

/** Numeric labels come before others. */
function compareLabels(a: string, b: string): number {
  const aNumber = numericLabel(a);
  const bNumber = numericLabel(b);
  if (aNumber !== undefined && bNumber !== undefined) return aNumber - bNumber;
  if (aNumber !== undefined || bNumber !== undefined) return aNumber !== undefined ? -1 : 1;
  const aText = a.toLowerCase();
  const bText = b.toLowerCase();
  return aText < bText ? -1 : aText > bText ? 1 : 0;
}

/** NuGet asks .NET for a 32-bit integer, to whom `-5` is one, and ten billion is text. */
function numericLabel(label: string): number | undefined {
  if (!signedDigits.test(label)) return undefined;
  const value = Number(label);
  return value >= -MAX_INT32 - 1 && value <= MAX_INT32 ? value : undefined;
}

/** `[1.*, 2.0)`, parsed. A range without brackets is a floor, inclusive. */
export interface NuGetRange {
  readonly floor?: Bound;
  readonly ceiling?: Bound;
  /** Set where the floor has an asterisk in it: the highest version that it covers is taken, not the lowest. */
  readonly float?: Float;
  /** `[1.0]`: floor and ceiling are one text. */
  readonly exact: boolean;
  readonly bracketed: boolean;
}

export interface Bound {
  readonly version: NuGetVersion;
  readonly inclusive: boolean;
  /** As written, without the white space around it. */
  readonly text: string;
  /** Offset of `text` in the range. */
  readonly start: number;
}

export interface Float {
  /** How many numbers are fixed: 0 for `*`, 2 for `1.2.*`, 4 for `1.2.3-beta*`, whose numbers do not float. */
  readonly fixed: number;
  /** The beginning of the labels of a pre-release; undefined for stable versions only. */
  readonly prefix: string | undefined;
}

/** Undefined for text that is no range. */
export const parseNuGetRange = memoize((text): NuGetRange | undefined => {
  const open = text.length - text.trimStart().length;
  const close = text.trimEnd().length - 1;
  const first = text[open];
  if (first !== '[' && first !== '(') return parsePlain(text.trim(), open);

  const last = text[close];
  if (close <= open || (last !== ']' && last !== ')')) return undefined;
  const parts = text.slice(open + 1, close).split(',', 3);
  const [low = '', high] = parts;
  // `(,)` says nothing at all, whereas NuGet lets `(, )` stand for every version. It reads `[ ]` likewise, but that is
  // half typed for all that anybody can see, and no range here.
  if (parts.length > 2 || parts.every((it) => it === '')) return undefined;
  if (high === undefined) {
    if (first !== '[' || last !== ']') return undefined;
    const bound = parseBound(low, open + 1, true);
    return bound && { floor: bound, ceiling: bound, exact: true, bracketed: true };
  }

  const range = { exact: false, bracketed: true };
  const floor = low.trim() === '' ? 'none' : parseFloor(low, open + 1, first === '[');
  const ceiling = high.trim() === '' ? 'none' : parseBound(high, open + low.length + 2, last === ']');
  if (floor === undefined || ceiling === undefined) return undefined;
  if (ceiling === 'none') return floor === 'none' ? range : { ...range, ...floor };
  if (floor === 'none') return { ...range, ceiling };
  const order = compareNuGetVersions(floor.floor.version, ceiling.version);
  if (order > 0 || (order === 0 && floor.floor.inclusive !== ceiling.inclusive)) return undefined;
  return { ...range, ...floor, ceiling };
});

/** Whether the numbers and labels that an asterisk leaves fixed are those of the version. */
export function floatCovers(floor: NuGetVersion, { fixed, prefix }: Float, { numbers, labels }: NuGetVersion): boolean {
  for (let index = 0; index < fixed; index++) if (floor.numbers[index] !== numbers[index]) return false;
  if (labels.length === 0) return true;
  return prefix !== undefined && labels.join('.').toLowerCase().startsWith(prefix.toLowerCase());
}

function parsePlain(text: string, start: number): NuGetRange | undefined {
  const floor = parseFloor(text, start, true);
  return floor && { ...floor, exact: false, bracketed: false };
}

function parseFloor(
  text: string,
  start: number,
  inclusive: boolean,
): { readonly floor: Bound; readonly float?: Float } | undefined {
  if (!text.includes('*')) {
    const floor = parseBound(text, start, inclusive);
    return floor && { floor };
  }
  const floating = parseFloating(text);
  if (!floating) return undefined;
  const { version, float } = floating;
  const trimmed = text.trim();
  const floor = { version, inclusive, text: trimmed, start: start + text.indexOf(trimmed) };
  return float ? { floor, float } : { floor };
}

function parseBound(text: string, start: number, inclusive: boolean): Bound | undefined {
  const trimmed = text.trim();
  const version = parseNuGetVersion(trimmed);
  return version && { version, inclusive, text: trimmed, start: start + text.indexOf(trimmed) };
}

/**
 * An asterisk stands for one whole number and all after it, or for the end of the labels, or both: `*`, `1.2.*`,
 * `1.0.0-*`, `1.0.0-beta.*`, `1.*-rc*`. The lowest version it covers is its floor. Nothing stands behind it, not even a
 * blank: `[1.* , 2.0)` is no range.
 */
function parseFloating(text: string): { readonly version: NuGetVersion; readonly float?: Float } | undefined {
  if (!text.endsWith('*') || text.includes('+')) return undefined;
  const dash = text.indexOf('-');
  const numbers = dash < 0 ? text : text.slice(0, dash);
  const prefix = dash < 0 ? undefined : text.slice(dash + 1, -1);
  const floats = numbers.endsWith('*');
  // An empty label is invalid, and 0 is the lowest label. NuGet does not apply this to `1.0.0-a-b.*`, which it refuses.
  const isOpen = prefix === '' || (prefix?.endsWith('.') && (floats || !prefix.includes('-')));
  const labels = prefix === undefined ? '' : `-${prefix}${isOpen ? '0' : ''}`;
  const version = parseNuGetVersion(`${floats ? `${numbers.slice(0, -1)}0` : numbers}${labels}`);
  if (!version) return undefined;
  const fixed = floats ? numbers.split('.').length - 1 : 4;
  // With a 0 in the asterisk's place, as NuGet has it, `1.2*` is `1.*` from 1.20 on, and `1*` is 10 and no float.
  if (fixed === 0 && prefix === undefined && numbers !== '*') return { version };
  return { version, float: { fixed, prefix } };
}
