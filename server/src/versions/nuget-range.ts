import { compareNuGetVersions, type NuGetVersion, parseNuGetVersion } from './nuget-version.ts';
import { remembered } from './remembered.ts';

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
  /** What the labels of a pre-release begin with; undefined where only stable versions are meant. */
  readonly prefix: string | undefined;
}

/** Undefined for text that is no range. */
export const parseNuGetRange = remembered((text): NuGetRange | undefined => {
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
  // An empty label is none, and 0 is the lowest there is. NuGet overlooks that in `1.0.0-a-b.*`, which it refuses.
  const isOpen = prefix === '' || (prefix?.endsWith('.') && (floats || !prefix.includes('-')));
  const labels = prefix === undefined ? '' : `-${prefix}${isOpen ? '0' : ''}`;
  const version = parseNuGetVersion(`${floats ? `${numbers.slice(0, -1)}0` : numbers}${labels}`);
  if (!version) return undefined;
  const fixed = floats ? numbers.split('.').length - 1 : 4;
  // With a 0 in the asterisk's place, as NuGet has it, `1.2*` is `1.*` from 1.20 on, and `1*` is 10 and no float.
  if (fixed === 0 && prefix === undefined && numbers !== '*') return { version };
  return { version, float: { fixed, prefix } };
}
