import * as l10n from '@vscode/l10n';
import { stepOf } from '../ecosystems/shared/step.ts';
import { versioning } from '../ecosystems/versioning.ts';
import {
  type EvaluatedDependency,
  factsOf,
  isFlagged,
  type LinkedDependency,
  managedBy,
  type Sharing,
  type Target,
  type TargetKind,
} from '../model/evaluated-dependency.ts';
import { deprecationOf, usableNames, type VersionFacts } from '../model/facts.ts';
import { licensesOf } from '../model/license-policy.ts';
import { byRating, isMalware, type Rated } from '../model/severity-rating.ts';
import type { Advisory } from '../model/signals/advisory.ts';
import { losesProvenance } from '../model/signals/provenance.ts';
import type { TargetVerdict, Verdict } from '../model/verdict.ts';
import { activeAdvisories, isDeprecationIgnored } from '../policy/ignores.ts';
import { sameLicenses } from '../policy/license-expressions.ts';
import { cooldownOf, heldByService } from './evaluate/cooldown.ts';
import { isUnpublishedBuild } from './evaluate/resolve.ts';
import { firstVersionIn, resolvedAfter } from './evaluate/update-target.ts';
import { bySeverity, isCountKnown, ratedOf } from './rules/advisory.ts';
import { decisionText, isDenied, licenseDecisionOf } from './rules/license.ts';

/** The verdict is computed once for each evaluation. */
const verdicts = new WeakMap<EvaluatedDependency, Verdict>();

export function verdictOf(evaluated: EvaluatedDependency): Verdict {
  const known = verdicts.get(evaluated);
  if (known) return known;
  const verdict = judge(evaluated);
  verdicts.set(evaluated, verdict);
  return verdict;
}

function judge(evaluated: EvaluatedDependency): Verdict {
  const facts = factsOf(evaluated);
  const advisories = bySeverity(activeAdvisories(evaluated));
  const worst = isCountKnown(advisories) ? advisories[0] : undefined;
  const deprecation = facts && !isDeprecationIgnored(evaluated) ? deprecationOf(facts) : undefined;
  // Of an archived project every version is: none is better.
  const isWithdrawn = deprecation?.of === 'version';
  const isMalicious = advisories.some(isMalware);
  const needsMove = isWithdrawn || advisories.length > 0;
  // The line of the parent or BOM decides about what it manages, and has the arrow.
  const isDecidedElsewhere = !needsMove && managedBy(evaluated.linked) !== undefined;
  const targets = (isDecidedElsewhere ? [] : targetsBeside(evaluated, needsMove))
    .filter((it) => isUpdate(evaluated, it, isWithdrawn, isMalicious))
    .map((it) => judgeTarget(evaluated, it, facts));
  // What is ignored keeps its answer: accepting a problem makes no other version the better one.
  const isAffected = needsMove || evaluated.advisories.length > 0 || (facts && deprecationOf(facts))?.of === 'version';
  const own = recommend(evaluated, targets, isAffected);
  const recommended = evaluated.sharing ? sharedBy(evaluated.sharing, targets) : own;
  const fixUnknown = needsMove && own === undefined ? reasonForUnknownFix(evaluated) : undefined;
  const isWithoutSafe = needsMove && own === undefined && isSearchComplete(evaluated);
  const isBlocked = recommended === undefined && evaluated.sharing?.conflict !== undefined;
  return {
    advisories,
    isCountKnown: isCountKnown(advisories),
    ...(worst && { worst: ratedOf(worst) }),
    isMalicious,
    isDeprecated: deprecation !== undefined,
    isLicenseDenied: facts !== undefined && isDenied(evaluated.project, evaluated.linked, facts),
    needsMove,
    targets,
    ...(recommended && { recommended }),
    ...(isBlocked && own && { blocked: own }),
    isWithoutFix: isWithoutSafe && evaluated.unusualFix === undefined,
    ...(isWithoutSafe && evaluated.unusualFix && { unusualFix: evaluated.unusualFix }),
    ...(fixUnknown !== undefined && { fixUnknown }),
  };
}

/** The range of a peer says what works: it stays as long as it has a version without problems. */
function targetsBeside({ linked, resolution, targets }: EvaluatedDependency, needsMove: boolean): readonly Target[] {
  const { dependency, requirement, key } = linked;
  if (dependency.scope !== 'peer' || resolution.kind !== 'version' || requirement.kind !== 'text') return targets;
  if (!needsMove) return [];
  const within = targets.filter((it) => versioning[key.system].satisfies(it.version, requirement.text));
  return within.length > 0 ? within : targets;
}

/**
 * The nearest sound version for one with problems. Without problems, the newest one without a major step, or else the
 * default one. From a stable version no pre-release.
 */
function recommend(
  { isSearchingSafe }: EvaluatedDependency,
  targets: readonly TargetVerdict[],
  needsMove: boolean,
): TargetVerdict | undefined {
  const sound = targets.filter((it) => it.flaw === undefined && !it.isPreRelease);
  if (!needsMove) {
    // Only of what shares a version is the safe one there.
    const kinds: readonly TargetKind[] = ['in-major', 'stable', 'default', 'safe'];
    return kinds.flatMap((kind) => sound.find((it) => it.kinds.includes(kind)) ?? [])[0];
  }
  if (isSearchingSafe) return undefined;
  return (
    targets.find((it) => it.kinds.includes('safe')) ?? sound.find((it) => it.isChecked && !it.areAdvisoriesUnknown)
  );
}

/** The version for all packages that share one, unless this one has a problem in it. */
function sharedBy({ version }: Sharing, targets: readonly TargetVerdict[]): TargetVerdict | undefined {
  return targets.find((it) => it.version === version && it.flaw === undefined);
}

/** Whether the whole list of versions was known and checked. What a cooldown holds back was not. */
function isSearchComplete(evaluated: EvaluatedDependency): boolean {
  const { package: list, isWithoutSafe, heldBack, targets } = evaluated;
  if (isBuild(evaluated) || !isWithoutSafe || heldBack || list?.state !== 'ready' || list.value.isSample) return false;
  return targets.every((it) => it.facts.state === 'ready');
}

/** Whether the resolved version is a build that only an index of builds has. */
function isBuild({ linked, resolution }: EvaluatedDependency): boolean {
  return resolution.kind === 'version' && isUnpublishedBuild(linked.key, resolution.version);
}

/** What happens if a dependency moves to a version without problems that is not one of its targets. */
export function judgeVersion(evaluated: EvaluatedDependency, value: VersionFacts): TargetVerdict {
  const target: Target = { version: value.key.version, kinds: ['safe'], facts: { state: 'ready', value, at: 0 } };
  return judgeTarget(evaluated, target, factsOf(evaluated));
}

/** Without the whole list of versions no fix can be found, and none excluded. */
function reasonForUnknownFix(evaluated: EvaluatedDependency): string | undefined {
  const { package: list, resolution } = evaluated;
  if (isBuild(evaluated) && resolution.kind === 'version')
    return l10n.t('no public registry lists builds such as {0}', resolution.version);
  switch (list?.state) {
    case 'ready':
      return list.value.isSample ? l10n.t('the service knows only some versions') : undefined;
    case 'failed':
      return l10n.t('the list of versions was not loaded: {0}', list.reason);
    case 'unknown':
      return l10n.t('the service has no list of versions');
    default:
      return undefined;
  }
}

function judgeTarget(evaluated: EvaluatedDependency, target: Target, from: VersionFacts | undefined): TargetVerdict {
  const { resolution, linked, advisories } = evaluated;
  const { version, kinds } = target;
  const current = inUseOrWritten(evaluated);
  const { system } = linked.key;
  const step = current === undefined ? undefined : stepOf(system, current, version);
  const { isStable } = versioning[system];
  const isPreRelease = current !== undefined && isStable(current) && !isStable(version);
  const facts = target.facts.state === 'ready' ? target.facts.value : undefined;
  const publishedAt = facts?.publishedAt ?? target.publishedAt;
  const { cooldown } = evaluated;
  const inUse = resolution.kind === 'version' ? resolution.version : undefined;
  const held = cooldownOf(cooldown, linked.key).heldBack(version, publishedAt, inUse);
  const isYoung = held !== undefined || (facts !== undefined && heldByService(cooldown, facts) !== undefined);
  const known = new Set(advisories.flatMap((it) => [it.id, ...it.aliases]));
  const flaw = facts && flawOf(evaluated, facts);
  const license = facts && from && licenseChange(from, facts);
  const active = activeAdvisories(evaluated);
  const fixedBy = (all: readonly Advisory[]): readonly Advisory[] =>
    facts && !facts.areAdvisoriesUnknown ? all.filter((it) => !isAffectedBy(facts, it)) : [];
  const ignored = fixedBy(advisories.filter((it) => !active.includes(it))).length;
  return {
    version,
    kinds,
    ...(step && { step }),
    ...(isPreRelease && { isPreRelease }),
    isDowngrade: current !== undefined && versioning[system].compare(version, current) < 0,
    ...(publishedAt !== undefined && { publishedAt }),
    ...(isYoung && cooldown && publishedAt !== undefined && { age: Math.max(0, cooldown.now - publishedAt) }),
    isChecked: facts !== undefined,
    ...(facts?.areAdvisoriesUnknown && { areAdvisoriesUnknown: true }),
    fixed: fixedBy(active).length,
    ...(ignored > 0 && { fixedIgnored: ignored }),
    added: facts ? facts.advisories.filter((it) => !known.has(it)) : [],
    ...(flaw !== undefined && { flaw }),
    ...(license && { license }),
    ...(from && facts && losesProvenance(from, facts) && { losesProvenance: true }),
  };
}

/** Where no version meets a requirement, what is written tells how far a move leads, and whether it leads back. */
function inUseOrWritten(evaluated: EvaluatedDependency): string | undefined {
  const { resolution } = evaluated;
  return resolution.kind === 'version' ? resolution.version : firstVersionIn(evaluated.linked);
}

function isAffectedBy(facts: VersionFacts, { id, aliases }: Advisory): boolean {
  return facts.advisories.includes(id) || aliases.some((it) => facts.advisories.includes(it));
}

/**
 * Whether a target is an update. Versions move up, except for a requirement without a match, for a withdrawn version
 * without a higher one (a release by mistake), and for malware, which move down to a version without problems.
 */
function isUpdate(
  evaluated: EvaluatedDependency,
  { version, kinds, facts }: Target,
  isDeprecated: boolean,
  isMalicious: boolean,
): boolean {
  const { resolution, linked } = evaluated;
  const isSound = facts.state === 'ready' && !isFlagged(facts.value);
  if (resolution.kind !== 'version')
    return resolution.kind === 'no-match' && (isSound || !isBelowWritten(linked, version));
  const isAbove = (it: string): boolean => versioning[linked.key.system].compare(it, resolution.version) > 0;
  if (isAbove(version)) return true;
  const list = evaluated.package;
  if (isMalicious && isSound && kinds.includes('safe')) return true;
  if (!isDeprecated || !isSound || list?.state !== 'ready' || list.value.isSample) return false;
  if (usableNames(list.value.versions).some(isAbove)) return false;
  // A range without an end takes the withdrawn version again.
  return resolvedAfter(linked, resolution, version, list.value, evaluated) !== resolution.version;
}

function isBelowWritten(linked: LinkedDependency, version: string): boolean {
  const written = firstVersionIn(linked);
  return written !== undefined && versioning[linked.key.system].compare(version, written) < 0;
}

function flawOf({ project, linked }: EvaluatedDependency, facts: VersionFacts): string | undefined {
  const decision = licenseDecisionOf(project, linked, facts);
  const parts = [
    ...(facts.isDeprecated ? [l10n.t('deprecated')] : []),
    ...(facts.advisories.length > 0 ? [l10n.t('has known vulnerabilities')] : []),
    ...(decision?.verdict === 'deny' ? decision.because.map((it) => decisionText(it, facts)) : []),
  ];
  return parts.length > 0 ? parts.join(', ') : undefined;
}

/** In characters. A longer license is a full text, of which the hover of the version shows more. */
const MAX_LICENSE_LENGTH = 20;

/** The licenses of a version on little room; `''` if they are unknown. */
export function licenseInShort(facts: VersionFacts): string {
  const licenses = licensesOf(facts).join(', ');
  return licenses.length > MAX_LICENSE_LENGTH ? `${licenses.slice(0, MAX_LICENSE_LENGTH)}…` : licenses;
}

/** An unknown license is no change: nothing is known about it. */
function licenseChange(from: VersionFacts, to: VersionFacts): TargetVerdict['license'] {
  const [before, after] = [licensesOf(from), licensesOf(to)];
  if (before.length === 0 || after.length === 0) return undefined;
  if (before.join() === after.join() || sameLicenses(from.licenses, to.licenses)) return undefined;
  return { from: licenseInShort(from), to: licenseInShort(to) };
}

/*
 * A dependency may have several versions, each under a condition:
 *
 *     <V Condition="'$(TargetFramework)' == 'net48'">12.0.1</V>   ⚠ high
 *     <V Condition="'$(TargetFramework)' != 'net48'">13.0.3</V>
 *     <PackageReference Include="Newtonsoft.Json" Version="$(V)" />   evaluated twice, next to each other
 */

/** All versions that a dependency has under different conditions, worst first: itself if it has one. */
export function alternativesOf(
  evaluated: EvaluatedDependency,
  all: readonly EvaluatedDependency[],
): readonly EvaluatedDependency[] {
  const { of } = evaluated.linked;
  return of === undefined ? [evaluated] : worstFirst(all.filter((it) => it.linked.of === of));
}

/** Each dependency once, with its worst version. */
export function worstOfEach(all: readonly EvaluatedDependency[]): readonly EvaluatedDependency[] {
  if (all.every((it) => it.linked.of === undefined)) return all;
  return all.flatMap((it, at) => {
    const { of } = it.linked;
    if (of === undefined) return [it];
    if (all[at - 1]?.linked.of === of) return [];
    return alternativesOf(it, all).slice(0, 1);
  });
}

/** The worst first; those without facts last. */
export function worstFirst(some: readonly EvaluatedDependency[]): EvaluatedDependency[] {
  const weight = (it: EvaluatedDependency): number =>
    factsOf(it) === undefined ? 0 : 1 + Number(verdictOf(it).needsMove);
  const worst = (it: EvaluatedDependency): Rated => verdictOf(it).worst ?? { rating: 'unrated' };
  return [...some].sort((a, b) => weight(b) - weight(a) || byRating(worst(a), worst(b)));
}
