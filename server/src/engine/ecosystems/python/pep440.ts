import { byText } from '../../base/text.ts';
import { memoize } from '../shared/parsed-versions.ts';

/** Exact for any number of digits: some build numbers are dates and times beyond the precision of a double. */
type Integer = number | bigint;

/** A parsed version of PyPI. Source: PEP 440, "Public version identifiers" and "Local version identifiers". */
export interface Pep440 {
  readonly epoch: Integer;
  /** Never empty. */
  readonly release: readonly Integer[];
  readonly pre?: { readonly phase: 'a' | 'b' | 'rc'; readonly count: Integer };
  readonly post?: Integer;
  readonly dev?: Integer;
  /** Empty without a local part. */
  readonly local: readonly (string | Integer)[];
}

/** In characters. A longer text is not a version; the longest published ones stay below 100. */
const MAX_VERSION_LENGTH = 500;

/** The spellings of PEP 440, appendix B. */
const versionPattern =
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

/** Parses a version: `1.0-alpha` is 1, 0 and the pre-release a0. Undefined for other texts. */
export const parsePep440 = memoize((text): Pep440 | undefined => {
  const trimmed = text.trim();
  const found = trimmed.length > MAX_VERSION_LENGTH ? null : versionPattern.exec(trimmed);
  if (found === null) return undefined;
  const [, epoch, release = '', letters, preCount, bareCount, postWord, postCount, devWord, devCount, local] = found;
  const phase = letters === undefined ? undefined : phases[letters.toLowerCase()];
  return {
    epoch: parseInteger(epoch),
    release: release.split('.').map(parseInteger),
    ...(phase && { pre: { phase, count: parseInteger(preCount) } }),
    ...((bareCount !== undefined || postWord !== undefined) && { post: parseInteger(bareCount ?? postCount) }),
    ...(devWord !== undefined && { dev: parseInteger(devCount) }),
    local:
      local === undefined
        ? []
        : local.split(/[-_.]/).map((it) => (/^\d+$/.test(it) ? parseInteger(it) : it.toLowerCase())),
  };
});

/** Whether it is a pre-release or a dev release, that of a post-release included. */
export function isPrerelease(version: Pep440): boolean {
  return version.pre !== undefined || version.dev !== undefined;
}

/** Negative, zero or positive. `1.0` and `1.0.0` are one version. */
export function comparePep440(a: Pep440, b: Pep440): number {
  return (
    compareIntegers(a.epoch, b.epoch) ||
    compareReleases(a, b) ||
    compareIntegers(phaseRank(a), phaseRank(b)) ||
    compareIntegers(a.pre?.count ?? 0, b.pre?.count ?? 0) ||
    compareIntegers(a.post ?? -1, b.post ?? -1) ||
    compareIntegers(a.dev ?? Number.POSITIVE_INFINITY, b.dev ?? Number.POSITIVE_INFINITY) ||
    compareLocals(a.local, b.local)
  );
}

/** Whether a version begins with the first `length` numbers of another: `1.4.2` with the 2 of `1.4`. Missing numbers are 0. */
export function startsWithRelease(version: Pep440, start: Pep440, length: number): boolean {
  if (compareIntegers(version.epoch, start.epoch) !== 0) return false;
  for (let at = 0; at < length; at++) {
    if (compareIntegers(version.release[at] ?? 0, start.release[at] ?? 0) !== 0) return false;
  }
  return true;
}

/** The version without its local part. */
export function publicVersion(version: Pep440): Pep440 {
  return version.local.length === 0 ? version : { ...version, local: [] };
}

/**
 * The normal form of PEP 440, with at least `length` numbers: `1.0-Alpha` → `1.0a0`, or `1.0.0a0` with 3.
 */
export function formatPep440(version: Pep440, length = 1): string {
  const { pre, post, dev, local } = version;
  const suffix = `${pre ? `${pre.phase}${pre.count}` : ''}${post === undefined ? '' : `.post${post}`}${dev === undefined ? '' : `.dev${dev}`}`;
  return `${formatRelease(version, Math.max(length, version.release.length))}${suffix}${local.length > 0 ? `+${local.join('.')}` : ''}`;
}

/** Epoch and exactly `length` numbers: `1!2.0` for the 2 numbers of `1!2.0.3rc1`. */
export function formatRelease(version: Pep440, length: number): string {
  const numbers = Array.from({ length }, (_, at) => version.release[at] ?? 0);
  return `${compareIntegers(version.epoch, 0) === 0 ? '' : `${version.epoch}!`}${numbers.join('.')}`;
}

function parseInteger(digits: string | undefined): Integer {
  if (digits === undefined || digits === '') return 0;
  return digits.length < 16 ? Number(digits) : BigInt(digits);
}

function compareIntegers(a: Integer, b: Integer): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareReleases(a: Pep440, b: Pep440): number {
  const length = Math.max(a.release.length, b.release.length);
  for (let at = 0; at < length; at++) {
    const order = compareIntegers(a.release[at] ?? 0, b.release[at] ?? 0);
    if (order !== 0) return order;
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
    const order = compareLocalParts(one, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Words before numbers. */
function compareLocalParts(a: string | Integer, b: string | Integer): number {
  if (typeof a === 'string') return typeof b === 'string' ? byText(a, b) : -1;
  return typeof b === 'string' ? 1 : compareIntegers(a, b);
}
