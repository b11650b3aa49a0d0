import * as l10n from '@vscode/l10n';
import { versioning } from '../../ecosystems/versioning.ts';
import type { EffectiveRequirement, LinkedDependency, Locked, Resolution } from '../../model/evaluated-dependency.ts';
import {
  advisoriesOf,
  type Insight,
  listOf,
  type PackageFacts,
  rowOf,
  rowsOf,
  usableNames,
} from '../../model/facts.ts';
import { type PackageKey, versionOf } from '../../model/keys.ts';
import type { Taking } from '../../model/manifest.ts';
import type { Insights } from '../../model/ports.ts';
import type { System } from '../../model/system.ts';
import type { Versioning } from '../../model/versioning.ts';

/** The range of a dependency and its constraint together; undefined if neither has a text. */
export function rangeOf(linked: LinkedDependency): string | undefined {
  const own = linked.installedBy ?? (linked.requirement.kind === 'text' ? linked.requirement.text : undefined);
  const narrowed = linked.constraint?.text;
  if (own === undefined || own === '') return narrowed ?? own;
  return narrowed === undefined ? own : `${own},${narrowed}`;
}

/** The exact version in a requirement: `1.2.3` of `==1.2.3`. */
export function pinnedVersion(linked: LinkedDependency): string | undefined {
  const reading = versioning[linked.key.system].read(rangeOf(linked) ?? '');
  return reading.kind === 'pin' ? reading.version : undefined;
}

/**
 * The version that a dependency resolves to: the lockfile's if it satisfies the requirement, otherwise that of the
 * range. Reads facts and requests none: `pending` if the list of versions is not there yet.
 */
export function resolve(linked: LinkedDependency, locked: Locked | undefined, insights: Insights): Resolution {
  if (linked.requirement.kind === 'pending') return { kind: 'pending' };
  const none = reasonNotToResolve(linked.requirement);
  if (none !== undefined && !linked.constraint) return { kind: 'none', reason: none };
  const rules: Versioning = versioning[linked.key.system];
  const range = rangeOf(linked) ?? '';
  const reading = rules.read(range);
  if (reading.kind === 'invalid') {
    const isRefused = range !== '' && !placeholder.test(range);
    return { kind: 'none', reason: reasonForInvalid(range), ...(isRefused && { refused: range }) };
  }

  const open = reading.kind === 'any' || reading.kind === 'tag';
  if (locked && (open || rules.keeps(locked.version, range))) {
    return { kind: 'version', version: locked.version, from: 'lockfile', lockfile: locked.lockfile };
  }
  const stale = locked && { stale: locked };
  const pinned = reading.kind === 'pin' ? reading : undefined;
  const isRefused = pinned && linked.dependency.rejected?.some((it) => rules.compare(it, pinned.version) === 0);
  const known = pinned && !isRefused ? insights.version(versionOf(linked.key, pinned.version)) : undefined;
  // Malware is withdrawn, and installed all the same where a mirror or a cache still has it.
  if (pinned && known && (known.state !== 'unknown' || advisoriesOf(known).length > 0)) {
    return { kind: 'version', version: pinned.version, from: 'pin', ...stale };
  }

  const list = listFor(linked, insights);
  switch (list.state) {
    case 'pending':
      return { kind: 'pending' };
    case 'unknown':
      return { kind: 'unknown' };
    case 'failed':
      return { kind: 'failed', reason: list.reason };
    case 'ready': {
      if (reading.kind === 'tag') return fromTag(range, list.value);
      const { isSample } = list.value;
      const taking = linked.dependency;
      const version = isSample
        ? chooseFromSample(rules, pinned ? undefined : range, list.value, taking)
        : (chooseJoined(linked, range, list.value) ??
          choose(rules, pinned?.exact && !ignoresBuilds(rules) ? undefined : range, list.value, taking));
      if (version !== undefined) return { kind: 'version', version, from: 'range', ...stale };
      if (pinned && isUnpublishedBuild(linked.key, pinned.version))
        return { kind: 'none', reason: l10n.t('{0} is a build that no public registry has', pinned.version) };
      return { kind: isSample ? 'unlisted' : 'no-match', range };
    }
  }
}

/** The version that several lines agree on; undefined for one line alone, or where they do not. */
function chooseJoined(
  { dependency, joined, key }: LinkedDependency,
  range: string,
  facts: PackageFacts,
): string | undefined {
  if (joined === undefined) return undefined;
  return choose(versioning[key.system], range === '' ? joined : `${range},${joined}`, facts, dependency);
}

/** Whether `=2.1.1` means `2.1.1+build.5`, too. Source: The Cargo Book, “Specifying Dependencies”. */
function ignoresBuilds({ system }: Versioning): boolean {
  return system === 'CARGO';
}

/**
 * Whether a version is a build that public registries do not take: `2.1.0+cu118` of PyPI, a snapshot, a rebuild of a
 * vendor. Sources: PEP 440, “Local version identifiers”; the requirements of Maven Central; Red Hat's naming of builds.
 */
export function isUnpublishedBuild({ system }: PackageKey, version: string): boolean {
  if (system === 'PYPI') return version.includes('+');
  return system === 'MAVEN' && /(?:-SNAPSHOT|[.-]redhat-\d+)$/i.test(version);
}

function reasonForInvalid(range: string): string {
  if (range === '') return l10n.t('no version is specified');
  return placeholder.test(range)
    ? l10n.t('{0} is a placeholder that a build replaces', range)
    : l10n.t('invalid requirement “{0}”', range);
}

/** As in the templates of a build. Source: Apache Maven, “Resource filtering”, delimiters `@…@`. */
const placeholder = /@[\w.-]+@/;

function reasonNotToResolve(asked: EffectiveRequirement): string | undefined {
  switch (asked.kind) {
    case 'source':
      return {
        path: l10n.t('it comes from a folder'),
        git: l10n.t('it comes from a repository'),
        url: l10n.t('it comes from a URL'),
        workspace: l10n.t('a member of this workspace'),
        undeployed: l10n.t('the program contains no file of it'),
        removed: l10n.t('an override of the project takes it out'),
      }[asked.source];
    case 'unresolved':
      return asked.reason;
    case 'text':
    case 'any':
    case 'pending':
      return undefined;
  }
}

/** Systems whose tools skip deprecated, yanked or retracted versions if another one satisfies. */
const systemsThatSkipDeprecated: ReadonlySet<System> = new Set(['NPM', 'PYPI', 'CARGO', 'GO']);

/**
 * Systems whose tools take the next higher version in place of one that does not exist.
 * Source: NuGet, “How NuGet resolves package dependencies”, lowest applicable version.
 */
export const systemsThatTakeHigher: ReadonlySet<System> = new Set(['NUGET']);

/** The version of a whole list that a range resolves to. */
export function choose(
  rules: Versioning,
  range: string | undefined,
  facts: PackageFacts,
  taking: Taking = {},
): string | undefined {
  if (range === undefined) return undefined;
  if (taking.preReleases !== undefined || taking.takesLowest) return chooseBy(taking, rules, range, facts);
  const preferred = defaultVersion(facts);
  // As `pick` decides for npm, without a look at thousands of other versions.
  const isUsable =
    !taking.takesDeprecated &&
    rules.system === 'NPM' &&
    preferred !== undefined &&
    rowOf(facts.versions, preferred)?.isDeprecated === false;
  if (isUsable && rules.pick(range, [preferred], preferred) !== undefined) return preferred;
  const { names } = facts.versions;
  if (taking.takesDeprecated || !systemsThatSkipDeprecated.has(rules.system))
    return rules.pick(range, names, preferred);
  // Without an alternative npm takes the highest deprecated version. pip and Cargo take none, but the finding that the
  // version was withdrawn is more helpful.
  return rules.pick(range, usableNames(facts.versions), preferred) ?? rules.pick(range, names);
}

/** The same where the rule of the system for pre-releases, or for the highest version, does not apply. */
function chooseBy(
  { preReleases = 'last', takesLowest }: Taking,
  { compare, isStable, keeps, satisfies }: Versioning,
  range: string,
  { versions }: PackageFacts,
): string | undefined {
  const all = (): boolean => true;
  const preferred: Readonly<Record<NonNullable<Taking['preReleases']>, readonly ((version: string) => boolean)[]>> = {
    any: [all],
    last: [isStable, all],
    named: [isStable, (version) => satisfies(version, range)],
    none: [isStable],
  };
  for (const names of [usableNames(versions), versions.names]) {
    const fitting = names.filter((it) => keeps(it, range));
    for (const isTaken of preferred[preReleases]) {
      const [first, ...others] = fitting.filter(isTaken);
      const better = (it: string, best: string): boolean => compare(it, best) > 0 !== (takesLowest === true);
      if (first !== undefined) return others.reduce((best, it) => (better(it, best) ? it : best), first);
    }
  }
  return undefined;
}

/** Systems whose tools take the default version if it satisfies: npm always, the others since it is the highest. */
const systemsThatPreferDefault: ReadonlySet<System> = new Set(['NPM', 'PYPI', 'CARGO']);

/** A sample determines neither the highest nor the lowest version, only whether the default one satisfies. */
function chooseFromSample(
  rules: Versioning,
  range: string | undefined,
  facts: PackageFacts,
  { preReleases, takesLowest }: Taking,
): string | undefined {
  const preferred = defaultVersion(facts);
  if (
    preReleases === 'any' ||
    takesLowest ||
    range === undefined ||
    preferred === undefined ||
    !systemsThatPreferDefault.has(rules.system)
  )
    return undefined;
  return rules.pick(range, [preferred], preferred);
}

/** `latest` is the default version; only the registry knows other tags. */
function fromTag(tag: string, facts: PackageFacts): Resolution {
  const version = tag === 'latest' ? defaultVersion(facts) : undefined;
  return version === undefined
    ? { kind: 'none', reason: l10n.t('only the registry can resolve “{0}”', tag) }
    : { kind: 'version', version, from: 'range' };
}

/**
 * The versions that a project may take: without those that it refuses, or that are made for another version than it has of
 * something else, the highest stable one is the default.
 */
export function listFor({ key, dependency, leading }: LinkedDependency, insights: Insights): Insight<PackageFacts> {
  const { rejected = [], preReleases } = dependency;
  const isStableOnly = preReleases === 'none';
  const all = insights.package(key);
  if ((rejected.length === 0 && !isStableOnly && leading === undefined) || all.state !== 'ready') return all;
  const known = accepted.get(all.value) ?? new Map<string, PackageFacts>();
  accepted.set(all.value, known);
  const id = `${isStableOnly} ${leading} ${rejected.join('\n')}`;
  const value = known.get(id) ?? withoutRejected(all.value, rejected, isStableOnly, leading);
  known.set(id, value);
  return { ...all, value };
}

/** By list and what is refused: evaluations ask again whenever facts arrive. */
const accepted = new WeakMap<PackageFacts, Map<string, PackageFacts>>();

function withoutRejected(
  facts: PackageFacts,
  rejected: readonly string[],
  isStableOnly: boolean,
  leading: string | undefined,
): PackageFacts {
  const { compare, isStable, satisfies, read } = versioning[facts.key.system];
  const isRejected = (version: string): boolean =>
    (isStableOnly && !isStable(version)) ||
    (leading !== undefined && !version.startsWith(`${leading}-`)) ||
    rejected.some((it) => (read(it).kind === 'pin' ? compare(version, it) === 0 : satisfies(version, it)));
  const rows = rowsOf(facts.versions).filter((it) => !isRejected(it.version));
  const isKept = rows.some((it) => it.isDefault);
  const [best] = rows
    .filter((it) => !isKept && !it.isDeprecated && isStable(it.version))
    .sort((a, b) => compare(b.version, a.version));
  return { ...facts, versions: listOf(rows.map((it) => (it === best ? { ...it, isDefault: true } : it))) };
}

/** The version installed without a requirement. If the service marks several, the highest. */
export function defaultVersion({ key, versions: { names, defaults } }: PackageFacts): string | undefined {
  const marked = defaults.flatMap((place) => names[place] ?? []);
  return marked.length > 1 ? marked.sort(versioning[key.system].compare).at(-1) : marked[0];
}
