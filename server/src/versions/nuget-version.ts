import { remembered } from './remembered.ts';

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
const largest = 2 ** 31 - 1;

const digits = /^\d+$/;
const signedDigits = /^-?\d+$/;

/** Reads one to four numbers with pre-release labels; undefined for anything else. Leading zeros of numbers count for nothing. */
export const parseNuGetVersion = remembered((text): NuGetVersion | undefined => {
  const match = shape.exec(text.trim());
  if (!match) return undefined;
  const numbers = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0), Number(match[4] ?? 0)] as const;
  if (numbers.some((it) => it > largest)) return undefined;
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

/** Numeric labels stand before others. */
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
  return value >= -largest - 1 && value <= largest ? value : undefined;
}
