import {
  flavorFilter,
  flavorOf,
  isStateOfSources,
  keepsFlavor,
  leadingNumbers,
} from '../../ecosystems/shared/flavor.ts';
import { isSameRelease, stepOf } from '../../ecosystems/shared/step.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import {
  isFlagged,
  type LinkedDependency,
  type OtherFlavor,
  type Resolution,
} from '../../model/evaluated-dependency.ts';
import { type PackageFacts, rowOf, rowsOf, type VersionFacts, type VersionSummary } from '../../model/facts.ts';
import type { Taking } from '../../model/manifest.ts';
import type { Insights } from '../../model/ports.ts';
import type { HeldBack } from '../../model/registries/cooldown.ts';
import type { Versioning } from '../../model/versioning.ts';
import { MAX_REQUIREMENT_LENGTH } from '../link/definitions.ts';
import { isDenied } from '../rules/license.ts';
import { cooldownOf, heldByService } from './cooldown.ts';
import { choose, rangeOf, systemsThatTakeHigher } from './resolve.ts';
import { boundedRangesFor, noUpdatePolicy, type UpdatePolicy } from './update-policy.ts';

/** Lower versions looked up as alternatives to a version in its cooldown. */
const MAX_OLDER_CANDIDATES = 10;

/**
 * In ms. A default version that came out this long before the one in use is numbered by another scheme, and no update:
 * commons-collections has 20040616 beside 3.2.1. What is fixed in an older line comes out after the default version of
 * a newer one as well, but hardly years after. Where it is not known when they came out, a version that looks like a
 * date is no update of one that does not.
 */
export const MAX_AGE_BEHIND_CURRENT = 365 * 24 * 3_600_000;

/** The default version or the newest of the same flavor, or the alternatives during its cooldown. */
export interface UpdateTarget {
  readonly version?: string;
  /** Set if the default version has another flavor than the written one. */
  readonly otherFlavor?: OtherFlavor;
  readonly heldBack?: HeldBack;
  /** Alternatives to look up with `heldBack`, best first. */
  readonly candidates: readonly string[];
}

/**
 * The version that a dependency can move to under the policy of its project.
 * @param current absent if no version is resolved
 */
export function updateTargetOf(
  linked: LinkedDependency,
  list: PackageFacts,
  preferred: string | undefined,
  current: string | undefined,
  policy: UpdatePolicy,
): UpdateTarget {
  if (preferred === undefined || preferred === current) return { candidates: [] };
  const { system } = linked.key;
  const written = current ?? firstVersionIn(linked);
  const keeps = written === undefined ? () => true : flavorFilter(system, written, preferred);
  if (written === undefined || keeps(preferred))
    return targetWithinCooldown(linked, list, preferred, current, policy, keeps);

  const { compare, isStable } = versioning[system];
  const isAhead = (it: string, of: string): boolean => compare(leadingNumbers(it), leadingNumbers(of)) > 0;
  const [newest] = completeList(list)
    .filter((it) => !it.isDeprecated && isStable(it.version) && keeps(it.version) && !isAhead(it.version, preferred))
    .map((it) => it.version)
    .sort((a, b) => compare(b, a));
  // The same release built for another platform is not an update.
  const isNewer = current === undefined || isAhead(preferred, current);
  const isFound = newest !== undefined && (current === undefined || compare(newest, current) > 0);
  const otherFlavor = { version: preferred, flavor: flavorOf(system, written) };
  const target = isFound ? targetWithinCooldown(linked, list, newest, current, policy, keeps) : { candidates: [] };
  return { ...target, ...((isFound || isNewer) && { otherFlavor }) };
}

/** The first version in a requirement: where no version matches, it determines the flavor and the direction of a move. */
export function firstVersionIn(linked: LinkedDependency): string | undefined {
  return /\d[\w.+-]*/.exec((rangeOf(linked) ?? '').slice(0, MAX_REQUIREMENT_LENGTH))?.[0];
}

function targetWithinCooldown(
  linked: LinkedDependency,
  list: PackageFacts,
  preferred: string,
  current: string | undefined,
  { cooldown }: UpdatePolicy,
  keeps: (version: string) => boolean,
): UpdateTarget {
  const { key } = linked;
  const dateOf = (version: string | undefined) =>
    version === undefined ? undefined : rowOf(list.versions, version)?.publishedAt;
  const publishedAt = dateOf(preferred);
  const inUse = current ?? firstVersionIn(linked);
  const usedSince = dateOf(current);
  const isOutOfOrder =
    publishedAt !== undefined && usedSince !== undefined
      ? usedSince - publishedAt > MAX_AGE_BEHIND_CURRENT
      : inUse !== undefined && looksLikeDate(preferred) && !looksLikeDate(inUse);
  if (isOutOfOrder) return { candidates: [] };
  const { heldBack } = cooldownOf(cooldown, key);
  const held = heldBack(preferred, publishedAt, current);
  if (!held) return { version: preferred, candidates: [] };
  const { compare, isStable } = versioning[key.system];
  const older = completeList(list)
    .filter((it) => !it.isDeprecated && isStable(it.version) && !heldBack(it.version, it.publishedAt, current))
    .map((it) => it.version)
    .filter((it) => keeps(it) && compare(it, preferred) < 0 && (current === undefined || compare(it, current) > 0))
    .sort((a, b) => compare(b, a));
  return {
    heldBack: held,
    candidates: older.slice(0, MAX_OLDER_CANDIDATES),
  };
}

/** A sample may lack the newest version. */
function completeList({ versions, isSample }: PackageFacts): readonly VersionSummary[] {
  return isSample ? [] : rowsOf(versions);
}

/** `20040616`, `20030203.000550` */
export function looksLikeDate(version: string): boolean {
  return /^(?:19|20)\d{6}(?:\D|$)/.test(version);
}

/**
 * The stable versions above the current one that are not deprecated, nearest first. If there is none, from a pre-release
 * the newer ones of the same release. A sample may lack the nearest.
 */
export function higherVersions(
  list: PackageFacts,
  current: string,
  preferred: string | undefined,
  policy: UpdatePolicy,
): string[] {
  const { compare, isStable } = versioning[list.key.system];
  const isAbove = (it: string): boolean => compare(it, current) > 0;
  const stable = suitableVersions(list, current, preferred, policy, isStable).filter(isAbove);
  if (stable.length > 0 || isStable(current)) return stable;
  // A stable one that has to wait is still what comes next.
  const isNext = suitableVersions(list, current, preferred, noUpdatePolicy, isStable).some(isAbove);
  return isNext ? [] : suitableVersions(list, current, preferred, policy, stepsWith(list, current)).filter(isAbove);
}

/** Those below the current one, nearest first: the way back from malware. From a pre-release also to one of the same release. */
export function lowerVersions(
  list: PackageFacts,
  current: string,
  preferred: string | undefined,
  policy: UpdatePolicy,
): string[] {
  const { compare, isStable } = versioning[list.key.system];
  const isStep = stepsWith(list, current);
  const isUsual = isStable(current) ? isStable : (it: string) => isStable(it) || isStep(it);
  return suitableVersions(list, current, preferred, policy, isUsual)
    .filter((it) => compare(it, current) < 0)
    .reverse();
}

/** Whether a version is a step towards the release that a pre-release leads to. Source: Renovate, “ignoreUnstable”. */
function stepsWith({ key: { system } }: PackageFacts, current: string): (version: string) => boolean {
  return (it) => isSameRelease(current, it) && keepsFlavor(system, current, it) && !isStateOfSources(system, it);
}

/** In ascending order. */
function suitableVersions(
  list: PackageFacts,
  current: string,
  preferred: string | undefined,
  { cooldown }: UpdatePolicy,
  isUsual: (version: string) => boolean,
): string[] {
  const { system } = list.key;
  const keeps = flavorFilter(system, current, preferred);
  const { heldBack } = cooldownOf(cooldown, list.key);
  const isSuitable = ({ version, publishedAt, isDeprecated }: VersionSummary): boolean =>
    !isDeprecated && !heldBack(version, publishedAt, current) && isUsual(version) && keeps(version);
  return rowsOf(list.versions)
    .filter(isSuitable)
    .map((it) => it.version)
    .sort(versioning[system].compare);
}

/**
 * The pre-releases, and the deprecated stable versions, above the current one, newest first. Not those that a cooldown
 * excludes.
 */
export function unusualVersions(
  list: PackageFacts,
  current: string,
  preferred: string | undefined,
  { cooldown }: UpdatePolicy,
): { readonly preReleases: readonly string[]; readonly deprecated: readonly string[] } {
  const { system } = list.key;
  const { compare, isStable } = versioning[system];
  const keeps = flavorFilter(system, current, preferred);
  const { heldBack } = cooldownOf(cooldown, list.key);
  const higher = completeList(list)
    .filter((it) => compare(it.version, current) > 0 && keeps(it.version))
    .filter((it) => !heldBack(it.version, it.publishedAt, current))
    .sort((a, b) => compare(b.version, a.version));
  const versionsOf = (some: readonly VersionSummary[]): string[] => some.map((it) => it.version);
  return {
    preReleases: versionsOf(higher.filter((it) => !isStable(it.version) && !it.isDeprecated)),
    deprecated: versionsOf(higher.filter((it) => isStable(it.version) && it.isDeprecated)),
  };
}

/**
 * The newest of some higher versions in the range of a dependency, and without a major step.
 * @param higher nearest first
 */
export function newestWithin(
  { key }: LinkedDependency,
  higher: readonly string[],
  current: string,
  preferred: string | undefined,
  range: string | undefined,
): { readonly inRange?: string; readonly inMajor?: string; readonly newest?: string } {
  const { compare, satisfies } = versioning[key.system];
  // Nothing newer than the default version is suggested, unless that is behind already.
  const last = preferred !== undefined && compare(preferred, current) >= 0 ? preferred : undefined;
  const suitable = higher.filter(
    (it) => (last === undefined || compare(it, last) <= 0) && looksLikeDate(it) === looksLikeDate(current),
  );
  const inMajor = suitable.findLast((it) => {
    const step = stepOf(key.system, current, it);
    return step !== undefined && step !== 'major';
  });
  const inRange = range === undefined ? undefined : suitable.findLast((it) => satisfies(it, range));
  const newest = suitable.at(-1);
  return {
    ...(inRange !== undefined && { inRange }),
    ...(inMajor !== undefined && { inMajor }),
    ...(newest !== undefined && { newest }),
  };
}

/**
 * The first version without problems; `pending` while one before it may have none.
 * @param isKept whether the moved requirement resolves to a version without problems, too; absent for those that do
 */
export function firstSafeVersion(
  linked: LinkedDependency,
  versions: readonly string[],
  insights: Insights,
  policy: UpdatePolicy,
  isKept: (version: string) => boolean | 'pending' = () => true,
): VersionFacts | 'pending' | undefined {
  for (const version of versions) {
    const insight = insights.version({ ...linked.key, version });
    if (insight.state === 'pending') return 'pending';
    if (insight.state !== 'ready' || !isSafe(linked, insight.value, policy)) continue;
    const kept = isKept(version);
    if (kept === 'pending') return 'pending';
    if (kept) return insight.value;
  }
  return undefined;
}

/**
 * The version that a dependency resolves to once its requirement was moved: a range takes the newest that it allows.
 * Undefined if it cannot be moved.
 */
export function resolvedAfter(
  linked: LinkedDependency,
  resolution: Resolution,
  version: string,
  list: PackageFacts,
  { boundedRanges }: Pick<UpdatePolicy, 'boundedRanges'>,
): string | undefined {
  const rules: Versioning = versioning[linked.key.system];
  const { requirement, constraint } = linked;
  if (requirement.kind !== 'text' || requirement.text === '' || constraint || list.isSample) return version;
  const bounded = boundedRangesFor(boundedRanges, linked, resolution, true);
  const known = resolvedMoves.get(list) ?? new Map<string, string | undefined>();
  resolvedMoves.set(list, known);
  const { preReleases, takesDeprecated, takesLowest } = linked.dependency;
  const id = JSON.stringify([requirement.text, version, bounded, preReleases, takesDeprecated, takesLowest]);
  if (known.has(id)) return known.get(id);
  const moved = rules.rewrite(requirement.text, version, bounded);
  const resolved = moved.ok ? takenBy(moved.text, version, list, linked.dependency) : undefined;
  known.set(id, resolved);
  return resolved;
}

/**
 * The version that a package takes once a text moves it to a version: by a range the newest one, and in place of one that
 * does not exist the one that its client takes instead, as NuGet the next higher one.
 */
export function takenBy(text: string, version: string, list: PackageFacts, taking?: Taking): string | undefined {
  const rules: Versioning = versioning[list.key.system];
  const reading = rules.read(text);
  const isReplaced =
    reading.kind === 'pin' &&
    !reading.exact &&
    systemsThatTakeHigher.has(list.key.system) &&
    !list.versions.names.includes(version);
  return reading.kind === 'range' || isReplaced ? choose(rules, text, list, taking) : version;
}

/** What `resolvedAfter` has found for each list: evaluations ask again whenever facts arrive. */
const resolvedMoves = new WeakMap<PackageFacts, Map<string, string | undefined>>();

/** Whether a version has no problem under the policy. */
export function isSafe(linked: LinkedDependency, facts: VersionFacts, { cooldown, project }: UpdatePolicy): boolean {
  if (
    isFlagged(facts) ||
    facts.areAdvisoriesUnknown ||
    isDenied(project, linked, facts) ||
    heldByService(cooldown, facts)
  )
    return false;
  // The list may lack the date that the version has.
  const { version } = facts.key;
  return cooldownOf(cooldown, linked.key).heldBack(version, facts.publishedAt) === undefined;
}
