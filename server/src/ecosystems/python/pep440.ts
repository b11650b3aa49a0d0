import { byText } from '../../base/text.ts';
import { memoize } from '../shared/parsed-versions.ts';

/** Exact for any number of digits: builds are numbered by dates and times beyond what a double holds. */
type Count = number | bigint;

/** A version of PyPI, taken apart. Source: PEP 440, "Public version identifiers" and "Local version identifiers". */
export interface Pep440 {
  readonly epoch: Count;
  /** Never empty. */
  readonly release: readonly Count[];
  readonly pre?: { readonly phase: 'a' | 'b' | 'rc'; readonly count: Count };
  readonly post?: Count;
  readonly dev?: Count;
  /** Empty where there is no local part. */
  readonly local: readonly (string | Count)[];
}

/** No text longer than this is read as a version. The longest published ones stay below 100. */
const longest = 500;

/** The spellings of PEP 440, appendix B, and what they are normalised to. */
const pattern =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|rc|c)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/i;

const phases: Readonly<Record<string, 'a' | 'b' | 'rc'>> = {
  a: 'a',
  alpha: 'a',
  b: 'b',
  beta: 'b',
  c: 'rc',
  rc: 'rc',
  pre: 'rc',
  preview: 'rc',
};

/** Takes a version apart: `1.0-alpha` is 1, 0 and the pre-release a0. Undefined for text that is no version. */
export const parsePep440 = memoize((text): Pep440 | undefined => {
  const trimmed = text.trim();
  const found = trimmed.length > longest ? null : pattern.exec(trimmed);
  if (found === null) return undefined;
  const [, epoch, release = '', letters, preCount, bareCount, postWord, postCount, devWord, devCount, local] = found;
  const phase = letters === undefined ? undefined : phases[letters.toLowerCase()];
  return {
    epoch: count(epoch),
    release: release.split('.').map(count),
    ...(phase && { pre: { phase, count: count(preCount) } }),
    ...((bareCount !== undefined || postWord !== undefined) && { post: count(bareCount ?? postCount) }),
    ...(devWord !== undefined && { dev: count(devCount) }),
    local:
      local === undefined ? [] : local.split(/[-_.]/).map((it) => (/^\d+$/.test(it) ? count(it) : it.toLowerCase())),
  };
});

/** Pre-releases and dev releases; a dev release of a post-release is one too. */
export function isPrerelease(version: Pep440): boolean {
  return version.pre !== undefined || version.dev !== undefined;
}

/** Negative, zero or positive. `1.0` and `1.0.0` are one version. */
export function comparePep440(a: Pep440, b: Pep440): number {
  return (
    order(a.epoch, b.epoch) ||
    compareReleases(a, b) ||
    order(phaseRank(a), phaseRank(b)) ||
    order(a.pre?.count ?? 0, b.pre?.count ?? 0) ||
    order(a.post ?? -1, b.post ?? -1) ||
    order(a.dev ?? Number.POSITIVE_INFINITY, b.dev ?? Number.POSITIVE_INFINITY) ||
    compareLocals(a.local, b.local)
  );
}

/** Whether a version begins with the first `length` numbers of another: `1.4.2` with the 2 of `1.4`. Missing numbers are 0. */
export function startsWithRelease(version: Pep440, start: Pep440, length: number): boolean {
  if (order(version.epoch, start.epoch) !== 0) return false;
  for (let at = 0; at < length; at++) {
    if (order(version.release[at] ?? 0, start.release[at] ?? 0) !== 0) return false;
  }
  return true;
}

/** The version without its local part. */
export function publicPart(version: Pep440): Pep440 {
  return version.local.length === 0 ? version : { ...version, local: [] };
}

/**
 * The normal form of PEP 440, with at least `length` numbers: `1.0-Alpha` → `1.0a0`, or `1.0.0a0` with 3.
 */
export function printPep440(version: Pep440, length = 1): string {
  const { pre, post, dev, local } = version;
  const suffix = `${pre ? `${pre.phase}${pre.count}` : ''}${post === undefined ? '' : `.post${post}`}${dev === undefined ? '' : `.dev${dev}`}`;
  return `${printRelease(version, Math.max(length, version.release.length))}${suffix}${local.length > 0 ? `+${local.join('.')}` : ''}`;
}

/** Epoch and exactly `length` numbers: `1!2.0` for the 2 numbers of `1!2.0.3rc1`. */
export function printRelease(version: Pep440, length: number): string {
  const numbers = Array.from({ length }, (_, at) => version.release[at] ?? 0);
  return `${order(version.epoch, 0) === 0 ? '' : `${version.epoch}!`}${numbers.join('.')}`;
}

function count(digits: string | undefined): Count {
  if (digits === undefined || digits === '') return 0;
  return digits.length < 16 ? Number(digits) : BigInt(digits);
}

function order(a: Count, b: Count): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareReleases(a: Pep440, b: Pep440): number {
  const length = Math.max(a.release.length, b.release.length);
  for (let at = 0; at < length; at++) {
    const ordered = order(a.release[at] ?? 0, b.release[at] ?? 0);
    if (ordered !== 0) return ordered;
  }
  return 0;
}

/** `1.0.dev1` comes before `1.0a1`, which comes before `1.0` and `1.0.post1.dev1`. */
function phaseRank({ pre, post, dev }: Pep440): number {
  if (pre) return { a: 1, b: 2, rc: 3 }[pre.phase];
  return post === undefined && dev !== undefined ? 0 : 4;
}

function compareLocals(a: Pep440['local'], b: Pep440['local']): number {
  for (const [at, one] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const ordered = compareLocalParts(one, other);
    if (ordered !== 0) return ordered;
  }
  return a.length - b.length;
}

/** Words before numbers. */
function compareLocalParts(a: string | Count, b: string | Count): number {
  if (typeof a === 'string') return typeof b === 'string' ? byText(a, b) : -1;
  return typeof b === 'string' ? 1 : order(a, b);
}
