import * as l10n from '@vscode/l10n';
import { groupBy } from '../base/collections.ts';
import { sameUri } from '../base/uri.ts';
import { versioning } from '../ecosystems/versioning.ts';
import {
  type EvaluatedDependency,
  factsOf,
  isFlagged,
  type Place,
  placeOf,
  type SharedConflict,
  type Target,
  targetFor,
  targetKinds,
} from '../model/evaluated-dependency.ts';
import type { Insight, PackageFacts, VersionFacts } from '../model/facts.ts';
import { type PackageKey, packageId, versionOf } from '../model/keys.ts';
import type { Insights, Wanted } from '../model/ports.ts';
import { factsAbout, mayBeMalicious } from './evaluate/advisories.ts';
import { defaultVersion, systemsThatTakeHigher } from './evaluate/resolve.ts';
import { boundedRangesFor, fixPolicyOf, type UpdatePolicy } from './evaluate/update-policy.ts';
import { higherVersions, isSafe, takenBy } from './evaluate/update-target.ts';
import { verdictOf } from './verdict.ts';

/*
 * The version that several packages move to together, because one written version is that of all of them:
 *
 *     org.lib:first   1.0, affected, fixed in 1.1     1.0  1.1  1.2
 *     org.lib:second  1.0                             1.0       1.2   → 1.2
 */

/** Versions that are checked for all packages. */
const MAX_SHARED_CANDIDATES = 20;
/** Of them at a time: the first one is nearly always published for all packages. */
const CANDIDATES_AT_ONCE = 3;
/** Packages named in one text. */
const MAX_NAMED = 3;

export interface SharedChoice {
  /** Absent while it is open, if no version suits all, and if no package needs another version. */
  readonly target?: Target;
  /** Set if it is known that no version suits all. */
  readonly conflict?: SharedConflict;
  readonly isSearching: boolean;
  readonly missing: readonly Wanted[];
  /** The names of the packages of which nothing is known in the target version. */
  readonly unchecked: readonly string[];
}

/** Dependencies with the version for all that share theirs, and the facts that are missing to choose it. */
export interface SharedTargets {
  readonly dependencies: readonly EvaluatedDependency[];
  readonly wanted: readonly Wanted[];
  readonly background: readonly Wanted[];
}

/**
 * Adds to each dependency what suits the other packages that share its version, as far as the document knows them: its own,
 * and those behind its definitions.
 * @param siblings those that may share a version with them, themselves included
 * @param definitions of the same document
 */
export function withSharedTargets(
  dependencies: readonly EvaluatedDependency[],
  siblings: readonly EvaluatedDependency[],
  definitions: readonly EvaluatedDependency[],
  insights: Known,
  policy: UpdatePolicy,
): SharedTargets {
  const wanted: Wanted[] = [];
  const background: Wanted[] = [];
  const sharing = groupBy(siblings, (it) => placeId(placeOf(it.linked)));
  sharing.delete('');
  const known = new Map(definitions.map((it) => [placeId(placeOf(it.linked)), it]));
  const choices = new Map<string, SharedChoice | undefined>();
  const choiceAt = (place: string): SharedChoice | undefined => {
    const definition = known.get(place);
    if (definition) return choiceOf(definition);
    const users = eachPackageOnce(sharing.get(place) ?? []);
    if (users.length < 2) return undefined;
    const choice = chooseSharedTarget(users, insights, policy);
    const next = users.some((it) => verdictOf(it).needsMove) ? wanted : background;
    next.push(...choice.missing);
    return choice;
  };
  const shared = dependencies.map((it) => {
    const place = placeId(placeOf(it.linked));
    if (place === '' || it.linked.isRecorded || it.resolution.kind !== 'version') return it;
    if (!choices.has(place)) choices.set(place, choiceAt(place));
    const choice = choices.get(place);
    return choice ? withChoice(it, choice, insights) : it;
  });
  return { dependencies: shared, wanted, background };
}

/** `''` for a version that is part of the dependency itself. */
function placeId(place: Place | undefined): string {
  return place?.definition === undefined ? '' : `${sameUri(place.uri)} ${place.at.span.start}`;
}

/** What a definition has chosen already; undefined if one package uses it. */
function choiceOf({ shared, targets: [target], isSearchingSafe }: EvaluatedDependency): SharedChoice | undefined {
  if (shared === undefined || shared.users.length < 2) return undefined;
  const { conflict, unchecked } = shared;
  return {
    ...(target && { target }),
    ...(conflict && { conflict }),
    isSearching: isSearchingSafe === true,
    missing: [],
    unchecked,
  };
}

/** The last of those that are the same. */
export function eachPackageOnce(all: readonly EvaluatedDependency[]): EvaluatedDependency[] {
  return [...new Map([...all].reverse().map((it) => [idOf(it), it])).values()].reverse();
}

function idOf({ linked: { key }, resolution }: EvaluatedDependency): string {
  return `${packageId(key)} ${resolution.kind === 'version' ? resolution.version : resolution.kind}`;
}

function withChoice(
  evaluated: EvaluatedDependency,
  { target, conflict, isSearching }: SharedChoice,
  insights: Known,
): EvaluatedDependency {
  // It has no version to move to itself.
  if (hasNoFix(evaluated)) return evaluated;
  const { needsMove } = verdictOf(evaluated);
  return {
    ...evaluated,
    targets: target ? withTarget(evaluated, target, insights) : evaluated.targets,
    ...(isSearching && needsMove && { isSearchingSafe: true }),
    sharing: { ...(target && { version: target.version }), ...(conflict && { conflict }) },
  };
}

/** The shared target in place of the own safe one. */
function withTarget(evaluated: EvaluatedDependency, shared: Target, insights: Known): readonly Target[] {
  const { linked, targets } = evaluated;
  const { version, publishedAt } = shared;
  const own = targets.find((it) => it.version === version);
  const { needsMove } = verdictOf(evaluated);
  if (own && !needsMove) return targets;
  const others = targets.flatMap((it): Target[] => {
    const kinds = it.kinds.filter((kind) => !needsMove || kind !== 'safe');
    return it === own || kinds.length === 0 ? [] : [{ ...it, kinds }];
  });
  const facts = insights.version(versionOf(linked.key, version));
  const kinds = targetKinds.filter((it) => it === 'safe' || own?.kinds.includes(it));
  return [
    own ? { ...own, kinds } : { version, kinds, facts, ...(publishedAt !== undefined && { publishedAt }) },
    ...others,
  ];
}

type Known = Pick<Insights, 'version' | 'package' | 'advisory'>;

/**
 * The nearest version that is safe for those with problems, or the newest, if it is published for all packages.
 * @param users each package once
 */
export function chooseSharedTarget(
  users: readonly EvaluatedDependency[],
  insights: Known,
  given: UpdatePolicy,
): SharedChoice {
  const looked = users.filter((it) => it.resolution.kind === 'version' && factsOf(it) !== undefined);
  const affected = users.filter((it) => verdictOf(it).needsMove);
  const policy = affected.some((it) => verdictOf(it).advisories.length > 0) ? fixPolicyOf(given) : given;
  const unchecked = users.filter((it) => !looked.includes(it)).map((it) => it.linked.dependency.name);
  // They move along unchecked, but not to malware.
  const others = users
    .filter(({ resolution: { kind } }) => kind === 'version' || kind === 'no-match')
    .filter((it) => !looked.includes(it));
  const nothing = { isSearching: affected.some((it) => it.isSearchingSafe === true), missing: [], unchecked };
  if (nothing.isSearching) return nothing;
  const { versions, isComplete } = candidatesFor(looked, affected, insights, policy);
  const [wanted] = versions;
  const missing: Wanted[] = [];
  let open = 0;
  for (const version of versions.slice(0, MAX_SHARED_CANDIDATES)) {
    const asked = looked.map((it) => ({ it, key: versionOf(it.linked.key, version) }));
    // Asked again for what is there, which keeps it.
    for (const { key } of asked) missing.push({ kind: 'version', key });
    const all = asked.map(({ it, key }) => ({ it, insight: insights.version(key) }));
    const along = others.map((it) => versionOf(it.linked.key, version));
    for (const key of along) missing.push(...factsAbout(key, insights));
    if (along.some((key) => mayBeMalicious(insights.version(key), insights))) continue;
    const moved = { version, written: writtenAt(users, version, policy) };
    for (const { linked } of [...looked, ...others]) missing.push(...factsOfMove(linked.key, moved, insights));
    const taken = [...looked, ...others].map(({ linked }) => takesMalware(linked.key, moved, insights));
    if (taken.includes(true)) continue;
    if (all.some(({ it, insight }) => isUnsuitable(it, insight, policy, insights))) {
      // The whole lists lead to a version that all have, or say which one is the newest.
      // Whether it is malware, for those that no version is sound for.
      for (const { it, key } of asked) if (hasNoFix(it)) missing.push(...factsAbout(key, insights));
      if (version === wanted)
        missing.push(...looked.map(({ linked }): Wanted => ({ kind: 'package', key: linked.key })));
      continue;
    }
    if (taken.includes('pending') || all.some(({ insight }) => insight.state === 'pending')) open++;
    if (open >= CANDIDATES_AT_ONCE) break;
    const facts = all.flatMap(({ insight }) => (insight.state === 'ready' ? [insight.value] : []));
    const [one, ...rest] = facts;
    if (open > 0 || one === undefined) continue;
    const failed = all.flatMap(({ it, insight }) => (insight.state === 'failed' ? [it.linked.dependency.name] : []));
    return {
      target: joinTarget(version, [one, ...rest], looked, affected),
      isSearching: false,
      missing,
      unchecked: [...unchecked, ...failed],
    };
  }
  if (open > 0 || wanted === undefined || looked.length < 2) return { ...nothing, isSearching: open > 0, missing };
  const isListed = looked.every((it) => insights.package(it.linked.key).state !== 'pending');
  if (!isListed) return { ...nothing, isSearching: affected.length > 0, missing };
  if (!isComplete || versions.length > MAX_SHARED_CANDIDATES) return { ...nothing, missing };
  return { ...nothing, conflict: conflictAt(wanted, looked, insights, policy), missing };
}

/** How a version suits a package that moves to it along with another one. */
export type Fit = 'sound' | 'malicious' | 'lacking' | 'worse' | 'lower' | 'unchecked';

/** The version that a place moves to, and the text that is written there: a range may take a higher one. */
export interface MovedPlace {
  readonly version: string;
  readonly written: string;
}

/** What a package takes at a place, where that is another version: known, or not before its list is. */
function takenInstead(
  key: PackageKey,
  { version, written }: MovedPlace,
  facts: Pick<Known, 'version' | 'package'>,
): { readonly version?: string } | undefined {
  const reading = versioning[key.system].read(written);
  const isPublished = facts.version(versionOf(key, version)).state !== 'unknown';
  const isExact = reading.kind === 'pin' && (reading.exact || isPublished || !systemsThatTakeHigher.has(key.system));
  if (isExact) return undefined;
  const list = facts.package(key);
  if (list.state === 'pending') return {};
  const taken = list.state === 'ready' && !list.value.isSample ? takenBy(written, version, list.value) : undefined;
  return taken === undefined || taken === version ? undefined : { version: taken };
}

/** The facts that say how a package suits a place. */
export function factsOfMove(key: PackageKey, moved: MovedPlace, facts: Known): Wanted[] {
  const taken = takenInstead(key, moved, facts);
  const versions = [moved.version, ...(taken?.version === undefined ? [] : [taken.version])];
  const wanted = versions.flatMap((it) => factsAbout(versionOf(key, it), facts));
  return taken === undefined ? wanted : [...wanted, { kind: 'package', key }];
}

/** Whether a package would take malware at a place, or that is not known yet. */
function takesMalware(key: PackageKey, moved: MovedPlace, facts: Known): boolean | 'pending' {
  const taken = takenInstead(key, moved, facts);
  if (taken === undefined) return false;
  const insight = taken.version === undefined ? undefined : facts.version(versionOf(key, taken.version));
  if (insight === undefined || insight.state === 'pending') return 'pending';
  return mayBeMalicious(insight, facts);
}

/** @param before the facts of its version now; absent if they are not known */
export function fitOf(key: PackageKey, moved: MovedPlace, before: VersionFacts | undefined, facts: Known): Fit {
  const { version } = moved;
  const taken = takesMalware(key, moved, facts);
  if (taken) return taken === 'pending' ? 'unchecked' : 'malicious';
  const insight = facts.version(versionOf(key, version));
  // Of a package that the service does not know, no version is known: its list decides.
  if (insight.state === 'unknown' && before !== undefined) return 'lacking';
  if (insight.state === 'ready') {
    const [is, was] = [isFlagged(insight.value), before !== undefined && isFlagged(before)];
    if (mayBeMalicious(insight, facts)) return 'malicious';
    if (is && !was) return 'worse';
    // A withdrawn release without a higher one leads down.
    const isRepaired = was && !is;
    const isLower = before !== undefined && versioning[key.system].compare(version, before.key.version) < 0;
    return isLower && !isRepaired ? 'lower' : 'sound';
  }
  const list = facts.package(key);
  const isListed = list.state !== 'ready' || list.value.isSample || list.value.versions.names.includes(version);
  return isListed ? 'unchecked' : 'lacking';
}

/** What is written where some packages share a version: it moves for all as for the first. */
function writtenAt([first]: readonly EvaluatedDependency[], version: string, policy: UpdatePolicy): string {
  const { requirement } = first?.linked ?? {};
  if (first === undefined || requirement?.kind !== 'text' || requirement.text === '') return version;
  const bounded = boundedRangesFor(policy.boundedRanges, first.linked, first.resolution, true);
  const moved = versioning[first.linked.key.system].rewrite(requirement.text, version, bounded);
  return moved.ok ? moved.text : version;
}

function hasNoFix(evaluated: EvaluatedDependency): boolean {
  const { isWithoutFix, unusualFix } = verdictOf(evaluated);
  return isWithoutFix || unusualFix !== undefined;
}

function isUnsuitable(
  user: EvaluatedDependency,
  insight: Insight<VersionFacts>,
  policy: UpdatePolicy,
  insights: Known,
): boolean {
  if (insight.state === 'unknown' || mayBeMalicious(insight, insights)) return true;
  return insight.state === 'ready' && !hasNoFix(user) && !isSafe(user.linked, insight.value, policy);
}

interface Candidates {
  /** Best first. */
  readonly versions: readonly string[];
  /** Whether no other version may suit all. */
  readonly isComplete: boolean;
}

function candidatesFor(
  looked: readonly EvaluatedDependency[],
  affected: readonly EvaluatedDependency[],
  insights: Known,
  policy: UpdatePolicy,
): Candidates {
  const recommended = (affected.length > 0 ? affected : looked).flatMap((it) => {
    const { recommended } = verdictOf(it);
    return recommended && !recommended.isDowngrade ? [{ it, version: recommended.version }] : [];
  });
  const [some] = recommended;
  if (some === undefined) return { versions: [], isComplete: false };
  const { compare } = versioning[some.it.linked.key.system];
  recommended.sort((a, b) => compare(b.version, a.version));
  const [highest = some] = recommended;
  const others = looked.filter((it) => it !== highest.it);
  const list = completeListOf(highest.it, insights);
  const isPublished = publishedForAll(others, insights);
  const above = list ? higherVersions(list, highest.version, defaultVersion(list), policy).filter(isPublished) : [];
  // Everything below leaves a problem.
  if (affected.length > 0) return { versions: [highest.version, ...above], isComplete: list !== undefined };
  const current = highest.it.resolution.kind === 'version' ? highest.it.resolution.version : highest.version;
  const below = list ? higherVersions(list, current, defaultVersion(list), policy).reverse().filter(isPublished) : [];
  const versions = [...recommended.map((it) => it.version), ...below.filter((it) => compare(it, highest.version) < 0)];
  return { versions: [...new Set(versions)], isComplete: list !== undefined };
}

/** Undefined for one that is not known, or only in part. */
function completeListOf({ linked }: EvaluatedDependency, insights: Known): PackageFacts | undefined {
  const list = insights.package(linked.key);
  return list.state === 'ready' && !list.value.isSample ? list.value : undefined;
}

/** Whether a version is in the list of each package; of one without a whole list that is open. */
function publishedForAll(users: readonly EvaluatedDependency[], insights: Known): (version: string) => boolean {
  const lists = users.flatMap((it) => {
    const list = completeListOf(it, insights);
    return list ? [new Set(list.versions.names)] : [];
  });
  return (version) => lists.every((it) => it.has(version));
}

/** @param version the lowest one that those with problems need, or the newest */
function conflictAt(
  version: string,
  looked: readonly EvaluatedDependency[],
  insights: Known,
  policy: UpdatePolicy,
): SharedConflict {
  const found = looked.map((it) => ({ it, insight: insights.version(versionOf(it.linked.key, version)) }));
  const lacking = found.filter(({ insight }) => insight.state === 'unknown');
  const flawed = found.filter(
    ({ it, insight }) => insight.state === 'ready' && isUnsuitable(it, insight, policy, insights),
  );
  const namesOf = (some: typeof found): string => namesInShort(some.map(({ it }) => it.linked.dependency.name));
  const newest = newestForAll(looked, insights);
  const both = looked.length === 2 ? l10n.t('newest of both: {0}', newest ?? '') : undefined;
  return {
    version,
    reason: [
      ...(lacking.length > 0
        ? [
            lacking.length === 1
              ? l10n.t('{0} has no {1}', namesOf(lacking), version)
              : l10n.t('{0} have no {1}', namesOf(lacking), version),
          ]
        : []),
      ...(flawed.length > 0 ? [l10n.t('{0} {1} has a problem', namesOf(flawed), version)] : []),
      ...(newest === undefined ? [] : [both ?? l10n.t('newest of all {0}: {1}', looked.length, newest)]),
    ].join('; '),
  };
}

/** `a:core, a:inline, a:other, 2 more` */
export function namesInShort(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return [...names.slice(0, MAX_NAMED), ...(more > 0 ? [l10n.t('{0} more', more)] : [])].join(', ');
}

/** The newest stable version that each package has; undefined if that is not known. */
function newestForAll(looked: readonly EvaluatedDependency[], insights: Known): string | undefined {
  const [first, ...others] = looked;
  const list = first && completeListOf(first, insights);
  if (list === undefined || others.some((it) => completeListOf(it, insights) === undefined)) return undefined;
  const { compare, isStable } = versioning[list.key.system];
  return list.versions.names
    .filter((it) => isStable(it))
    .filter(publishedForAll(others, insights))
    .sort(compare)
    .at(-1);
}

function joinTarget(
  version: string,
  [first, ...others]: readonly [VersionFacts, ...VersionFacts[]],
  users: readonly EvaluatedDependency[],
  affected: readonly EvaluatedDependency[],
): Target {
  const facts = [first, ...others];
  const isSame = facts.every((it) => it.licenses.join() === first.licenses.join());
  const value: VersionFacts = {
    ...first,
    isDeprecated: facts.some((it) => it.isDeprecated),
    advisories: [...new Set(facts.flatMap((it) => it.advisories))],
    ...(!isSame && { licenses: [], licenseDetails: [] }),
  };
  const publishedAt = Math.max(...facts.map((it) => it.publishedAt ?? 0));
  // It is the default one, or the newest of something, only if it is that for all.
  const common = targetKinds.filter((kind) => users.every((it) => targetFor(it, kind)?.version === version));
  const isSafe = affected.length > 0 || common.length === 0;
  return {
    version,
    kinds: targetKinds.filter((it) => (it === 'safe' ? isSafe : common.includes(it))),
    facts: { state: 'ready', value, at: 0 },
    ...(publishedAt > 0 && { publishedAt }),
  };
}
