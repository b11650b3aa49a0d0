import * as l10n from '@vscode/l10n';
import {
  type BoundedRanges,
  type RangeReading,
  type Rewrite,
  refuse,
  type Versioning,
} from '../../model/versioning.ts';
import { compareParsed } from '../shared/parsed-versions.ts';
import { numbersAbove, refuseBounded } from '../shared/range-bounds.ts';
import {
  type Bound,
  compareNuGetVersions,
  type Float,
  floatCovers,
  formatNuGetVersion,
  type NuGetRange,
  type NuGetVersion,
  parseNuGetRange,
  parseNuGetVersion,
} from './range.ts';

/**
 * NuGet's versions and ranges.
 *
 * Pre-releases, as NuGet documents them: a range includes them (`[1.0,2.0)` is met by `2.0.0-beta`, which is below
 * `2.0`), and so may a lockfile hold one. A floating version includes only those that it names (`1.*-*`). But where a version
 * is chosen from a list, NuGet passes over pre-releases unless a bound is one itself: `1.0` is never answered by
 * `1.1.0-beta`.
 */
export const nuget: Versioning = {
  system: 'NUGET',
  compare,
  satisfies,
  keeps,
  read,
  pick,
  isStable: (version) => parseNuGetVersion(version)?.labels.length === 0,
  canonical,
  rewrite,
};

function compare(a: string, b: string): number {
  return compareParsed(a, b, parseNuGetVersion, compareNuGetVersions);
}

function canonical(version: string): string {
  const parsed = parseNuGetVersion(version.trim());
  return parsed ? formatNuGetVersion(parsed) : version;
}

function satisfies(version: string, text: string): boolean {
  const parsed = parseNuGetVersion(version);
  if (!parsed) return false;
  if (text.trim() === '') return true;
  const range = parseNuGetRange(text);
  return range !== undefined && includes(range, parsed);
}

/**
 * A locked version is compared with the bounds only. An asterisk may cover versions that were published after the
 * lockfile was written. Source: NuGet compares the requested range with that of the lockfile,
 * and never the resolved version with it.
 */
function keeps(version: string, text: string): boolean {
  const parsed = parseNuGetVersion(version);
  if (!parsed) return false;
  if (text.trim() === '') return true;
  const range = parseNuGetRange(text);
  if (!range) return false;
  const { float: _, ...bounds } = range;
  return includes(bounds, parsed);
}

function includes({ floor, ceiling, float }: NuGetRange, version: NuGetVersion): boolean {
  if (floor && !isAbove(floor, version)) return false;
  if (floor && float && !floatCovers(floor.version, float, version)) return false;
  return !ceiling || isBelow(ceiling, version);
}

function isAbove(floor: Bound, version: NuGetVersion): boolean {
  const order = compareNuGetVersions(version, floor.version);
  return floor.inclusive ? order >= 0 : order > 0;
}

function isBelow(ceiling: Bound, version: NuGetVersion): boolean {
  const order = compareNuGetVersions(version, ceiling.version);
  return ceiling.inclusive ? order <= 0 : order < 0;
}

function read(text: string): RangeReading {
  if (text.trim() === '') return { kind: 'any' };
  const range = parseNuGetRange(text);
  if (!range) return { kind: 'invalid' };
  const { floor, ceiling, float, exact } = range;
  if (float) {
    const isAny = float.fixed === 0 && floor?.version.numbers[0] === 0 && !ceiling && !float.prefix;
    return { kind: isAny ? 'any' : 'range' };
  }
  if (!floor) return { kind: ceiling ? 'range' : 'any' };
  if (!floor.inclusive) return { kind: 'range' };
  const only = exact || (ceiling && compareNuGetVersions(floor.version, ceiling.version) === 0);
  return { kind: 'pin', version: formatNuGetVersion(floor.version), exact: Boolean(only) };
}

/**
 * The lowest that satisfies; of what an asterisk covers, the highest. Where it covers none, NuGet takes the next one
 * above, as it does for a version that was never published: `1.*` is answered by 2.0.0.
 */
function pick(text: string, versions: readonly string[]): string | undefined {
  const range: NuGetRange | undefined = text.trim() === '' ? { exact: false, bracketed: false } : parseNuGetRange(text);
  if (!range) return undefined;
  const { float, ...bounds } = range;
  if (!float) return first(bounds, versions, -1);
  return first(range, versions, 1) ?? first(bounds, versions, -1);
}

/** The highest (`sign` 1) or lowest (-1) version of a range. Pre-releases count where one of its bounds is one. */
function first(range: NuGetRange, versions: readonly string[], sign: 1 | -1): string | undefined {
  const preReleases = [range.floor, range.ceiling].some((it) => it !== undefined && it.version.labels.length > 0);
  let best: { readonly text: string; readonly version: NuGetVersion } | undefined;
  for (const candidate of versions) {
    const version = parseNuGetVersion(candidate);
    if (!version || (version.labels.length > 0 && !preReleases) || !includes(range, version)) continue;
    if (!best || sign * compareNuGetVersions(version, best.version) > 0) best = { text: candidate, version };
  }
  return best?.text;
}

function rewrite(text: string, target: string, bounded: BoundedRanges = 'widen'): Rewrite {
  const version = parseNuGetVersion(target);
  if (!version) return refuse(l10n.t('invalid NuGet version: {0}', target));
  const published = withoutBuild(target);
  const range = parseNuGetRange(text);
  if (!range) return refuse(text.trim() === '' ? l10n.t('no version is specified') : l10n.t('invalid NuGet range'));
  const { floor, ceiling, float, exact, bracketed } = range;
  if (floor && exact) return { ok: true, text: replace(text, floor, atPrecision(floor.text, published)) };
  if (floor && !bracketed && !float) return { ok: true, text: replace(text, floor, published) };

  if (ceiling && !isBelow(ceiling, version)) {
    const bracket = ceiling.inclusive ? ']' : ')';
    if (bounded === 'never') return refuseBounded(ceiling.text + bracket, published);
    const raised = rewrite(replace(text, ceiling, endAbove(ceiling, version, published)), target, bounded);
    return raised.ok ? { ...raised, end: 'replaced' } : raised;
  }
  if (floor && float) return moveFloat(text, floor, float, range, version, published);
  if (floor && ceiling && !isAbove(floor, version) && compareNuGetVersions(version, floor.version) !== 0) {
    return refuse(l10n.t('its lower bound is {0}', floor.text));
  }
  return { ok: true, text: moveFloor(text, floor, published) };
}

/** `2.0)` → `4.0)`, `2.0]` → `3.1.4]` */
function endAbove({ text, inclusive }: Bound, version: NuGetVersion, published: string): string {
  if (inclusive) return atPrecision(text, published);
  const [numbers = ''] = text.split(/[-+]/, 1);
  const written = numbers.split('.').map((it) => it.trim());
  return numbersAbove(written, version.numbers.map(String)).join('.') + text.slice(numbers.length);
}

/** NuGet takes the lowest version of an interval, so its floor is where it is moved, and the floor must be included. */
function moveFloor(text: string, floor: Bound | undefined, published: string): string {
  const open = text.search(/[[(]/);
  const rest = floor ? text.slice(floor.start + floor.text.length) : text.slice(text.indexOf(','));
  const space = floor ? text.slice(open + 1, floor.start) : '';
  return `${text.slice(0, open)}[${space}${published}${rest}`;
}

/** `1.2.*` → `2.3.*`: the numbers that are fixed, and no more, become those of the target. */
function moveFloat(
  text: string,
  floor: Bound,
  float: Float,
  range: NuGetRange,
  version: NuGetVersion,
  published: string,
): Rewrite {
  if (includes(range, version)) return refuse(l10n.t('it already allows {0}', published));
  const { fixed, prefix } = float;
  const asterisk = floor.text.indexOf(fixed === 4 ? '-' : '*');
  const count = fixed === 4 ? floor.text.slice(0, asterisk).split('.').length : fixed;
  // `1.0-*` cannot say 2.3.4 with two numbers, so the form with fixed numbers grows as needed.
  const needed = fixed === 4 ? Math.max(count, version.numbers.findLastIndex((it) => it !== 0) + 1) : count;
  const numbers = version.numbers.slice(0, needed).join('.');
  const moved = `${numbers}${fixed === 4 || needed === 0 ? '' : '.'}${floor.text.slice(asterisk)}`;
  const rewritten = replace(text, floor, moved);
  if (satisfies(published, rewritten)) return { ok: true, text: rewritten };
  if (prefix) return refuse(l10n.t('it only allows pre-releases that begin with {0}', prefix));
  return refuse(
    version.labels.length > 0 ? l10n.t('it does not allow pre-releases') : l10n.t('it does not allow {0}', published),
  );
}

/** The target with no more zeros at its end than the text had before: `1.0`, `2.0.0` → `2.0`. */
function atPrecision(before: string, published: string): string {
  const [numbers = '', ...labels] = published.split('-');
  const parts = numbers.split('.');
  const wanted = before.split(/[-+]/, 1)[0]?.split('.').length ?? 0;
  while (parts.length > wanted && Number(parts.at(-1)) === 0) parts.pop();
  return [parts.join('.'), ...labels].join('-');
}

function replace(text: string, bound: Bound, replacement: string): string {
  return text.slice(0, bound.start) + replacement + text.slice(bound.start + bound.text.length);
}

/** Build metadata is no part of a version's identity: NuGet leaves it out where it writes a version. */
function withoutBuild(version: string): string {
  return version.split('+', 1)[0] ?? version;
}
