import { remembered } from './remembered.ts';

/** `1.2.3.4-beta.1+build`, parsed. Build metadata takes no part in anything and is left out. */
export interface NuGetVersion {
  /** Always four: absent ones are zero. */
  readonly numbers: readonly [number, number, number, number];
  /** `beta`, `1`; empty for a stable version. */
  readonly labels: readonly string[];
}

/** White space is skipped at the ends and around the dots of the numbers, as NuGet skips it. */
const shape =
  /^\s*(\d+)(?:\s*\.\s*(\d+))?(?:\s*\.\s*(\d+))?(?:\s*\.\s*(\d+))?(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?\s*$/;

/** Numbers are .NET's `System.Version` components, which are signed 32-bit integers. */
const largest = 2 ** 31 - 1;

const digits = /^\d+$/;

/** Reads one to four numbers with pre-release labels; undefined for anything else. Leading zeros of numbers count for nothing. */
export const parseNuGetVersion = remembered((text): NuGetVersion | undefined => {
  const match = shape.exec(text);
  if (!match) return undefined;
  const numbers = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0), Number(match[4] ?? 0)] as const;
  if (numbers.some((it) => it > largest)) return undefined;
  const labels = match[5]?.split('.') ?? [];
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

/** Numeric labels stand before others. One that is no 32-bit integer compares as text, as NuGet has it. */
function compareLabels(a: string, b: string): number {
  const aNumber = digits.test(a) && Number(a) <= largest;
  const bNumber = digits.test(b) && Number(b) <= largest;
  if (aNumber && bNumber) return Number(a) - Number(b);
  if (aNumber !== bNumber) return aNumber ? -1 : 1;
  const aText = a.toLowerCase();
  const bText = b.toLowerCase();
  return aText < bText ? -1 : aText > bText ? 1 : 0;
}
