import { flavorFilter, flavorOf, leadingNumbers } from '../../ecosystems/shared/flavor.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import { type HeldBack, isFlagged, type LinkedDependency, type OtherFlavor } from '../../model/evaluated-dependency.ts';
import type { PackageFacts, VersionFacts } from '../../model/facts.ts';
import type { Insights } from '../../model/ports.ts';
import { isDenied } from '../rules/license.ts';
import { rangeOf } from './resolve.ts';
import type { UpdatePolicy } from './update-policy.ts';

/** How many versions below one that is held back are looked at. */
const MAX_OLDER_CANDIDATES = 10;

/**
 * In ms. A default version that came out this long before the one in use is numbered by another scheme, and no update:
 * commons-collections has 20040616 beside 3.2.1. What is fixed in an older line comes out after the default version of
 * a newer one as well, but hardly years after. Where it is not known when they came out, a version that looks like a
 * date is no update of one that does not.
 */
export const MAX_AGE_BEHIND_CURRENT = 365 * 24 * 3_600_000;

/** The default version or the newest that keeps the flavor, or what is offered in its place while it is too young. */
export interface UpdateTarget {
  readonly version?: string;
  /** Set where the default version has another flavor than what is written. */
  readonly otherFlavor?: OtherFlavor;
  readonly heldBack?: HeldBack;
  /** To be asked for when there is a `held`, the best first. */
  readonly candidates: readonly string[];
}

/**
 * What a dependency could be moved to by the terms of its project.
 * @param current absent where no version is resolved
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
  // Whose release is the one in use, only built for something else, is no update.
  const isNewer = current === undefined || isAhead(preferred, current);
  const isFound = newest !== undefined && (current === undefined || compare(newest, current) > 0);
  const otherFlavor = { version: preferred, flavor: flavorOf(system, written) };
  const target = isFound ? targetWithinCooldown(linked, list, newest, current, policy, keeps) : { candidates: [] };
  return { ...target, ...((isFound || isNewer) && { otherFlavor }) };
}

/** The version that a requirement begins with, by which its flavor is told where nothing published meets it. */
function firstVersionIn(linked: LinkedDependency): string | undefined {
  return /\d[\w.+-]*/.exec((rangeOf(linked) ?? '').slice(0, longestRange))?.[0];
}

/** Source: what analysis/link/linker.ts takes for a requirement. */
const longestRange = 1000;

function targetWithinCooldown(
  { key }: LinkedDependency,
  list: PackageFacts,
  preferred: string,
  current: string | undefined,
  { cooldown }: UpdatePolicy,
  keeps: (version: string) => boolean,
): UpdateTarget {
  const dateOf = (version: string | undefined) => list.versions.find((it) => it.version === version)?.publishedAt;
  const publishedAt = dateOf(preferred);
  const usedSince = dateOf(current);
  const isOutOfOrder =
    publishedAt !== undefined && usedSince !== undefined
      ? usedSince - publishedAt > MAX_AGE_BEHIND_CURRENT
      : current !== undefined && looksLikeDate(preferred) && !looksLikeDate(current);
  if (isOutOfOrder) return { candidates: [] };
  if (!cooldown || publishedAt === undefined || publishedAt <= cooldown.notAfter) {
    return { version: preferred, candidates: [] };
  }
  const { compare, isStable } = versioning[key.system];
  const older = completeList(list)
    .filter((it) => !it.isDeprecated && isStable(it.version) && !isInCooldown(it.publishedAt, cooldown))
    .map((it) => it.version)
    .filter((it) => keeps(it) && compare(it, preferred) < 0 && (current === undefined || compare(it, current) > 0))
    .sort((a, b) => compare(b, a));
  return {
    heldBack: { version: preferred, publishedAt, days: cooldown.days },
    candidates: older.slice(0, MAX_OLDER_CANDIDATES),
  };
}

/** Of some versions alone nobody knows which is the newest. */
function completeList({ versions, isSample }: PackageFacts): PackageFacts['versions'] {
  return isSample ? [] : versions;
}

/** `20040616`, `20030203.000550` */
export function looksLikeDate(version: string): boolean {
  return /^(?:19|20)\d{6}(?:\D|$)/.test(version);
}

/** Whether a version is held back. One without a date is not: nobody knows how old it is. */
export function isInCooldown(publishedAt: number | undefined, cooldown: UpdatePolicy['cooldown']): boolean {
  return cooldown !== undefined && publishedAt !== undefined && publishedAt > cooldown.notAfter;
}

/** The first that is known to be sound; undefined while one before it is still unknown to us. */
export function firstSafeVersion(
  linked: LinkedDependency,
  versions: readonly string[],
  insights: Insights,
  policy: UpdatePolicy,
): VersionFacts | undefined {
  for (const version of versions) {
    const insight = insights.version({ ...linked.key, version });
    if (insight.state === 'pending') return undefined;
    if (insight.state === 'ready' && isSafe(linked, insight.value, policy)) return insight.value;
  }
  return undefined;
}

/** Whether a version may be moved to without a second thought. */
export function isSafe(linked: LinkedDependency, facts: VersionFacts, { cooldown, project }: UpdatePolicy): boolean {
  // The list may have had no date, and the version has.
  return !isFlagged(facts) && !isInCooldown(facts.publishedAt, cooldown) && !isDenied(project, linked, facts);
}
