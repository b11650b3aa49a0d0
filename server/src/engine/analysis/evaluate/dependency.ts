import { versioning } from '../../ecosystems/versioning.ts';
import {
  type EvaluatedDependency,
  isFlagged,
  type LinkedDependency,
  type Locked,
  managedBy,
  type OtherFlavor,
  type Resolution,
  type SourceRepository,
  type Target,
  type TargetKind,
  targetKinds,
  type UnusualFix,
} from '../../model/evaluated-dependency.ts';
import { advisoriesOf, type Insight, type PackageFacts, rowOf, type VersionFacts } from '../../model/facts.ts';
import { type PackageKey, versionOf } from '../../model/keys.ts';
import type { Insights, Wanted } from '../../model/ports.ts';
import type { HeldBack } from '../../model/registries/cooldown.ts';
import { isMalware } from '../../model/severity-rating.ts';
import { projectOf } from '../../model/signals/project.ts';
import { repositoryOf } from '../../model/signals/repository.ts';
import { factsAbout, groupAdvisories, mayBeMalicious, recordsOf } from './advisories.ts';
import { cooldownOf, heldByService } from './cooldown.ts';
import { defaultVersion, listFor, rangeOf, resolve } from './resolve.ts';
import { createSupport, supportedOf } from './support.ts';
import { fixPolicyOf, noUpdatePolicy, type UpdatePolicy } from './update-policy.ts';
import {
  firstSafeVersion,
  higherVersions,
  lowerVersions,
  newestWithin,
  resolvedAfter,
  unusualVersions,
  updateTargetOf,
} from './update-target.ts';

/** An evaluated dependency, and the facts that are missing. */
export interface Evaluation {
  readonly evaluated: EvaluatedDependency;
  readonly wanted: readonly Wanted[];
  /** Requested after everything else. */
  readonly background: readonly Wanted[];
}

/** Higher versions looked up to find the nearest without a known advisory. Two batches of the service hold them. */
const MAX_CANDIDATES = 200;
/** The first of them for a version that is only deprecated, or one of thousands in a lockfile: the next is rarely affected. */
const MAX_FIRST_CANDIDATES = 3;
/** Pre-releases, and deprecated versions, looked up where no other version is a fix. */
const MAX_UNUSUAL_CANDIDATES = 3;

/** Joins a dependency with the known facts. Called again when facts arrive, until nothing more is wanted. */
export function evaluateDependency(
  linked: LinkedDependency,
  locked: Locked | undefined,
  insights: Insights,
  background: boolean,
  policy: UpdatePolicy = noUpdatePolicy,
): Evaluation {
  const resolution = resolve(linked, locked, insights);
  return resolution.kind === 'version'
    ? evaluateVersion(linked, resolution, insights, background, policy)
    : evaluateUnresolved(linked, resolution, insights, policy);
}

type Resolved = Extract<Resolution, { readonly kind: 'version' }>;

/** Without a matching version the default version is the target; otherwise it is still open which version applies. */
function evaluateUnresolved(
  linked: LinkedDependency,
  resolution: Exclude<Resolution, Resolved>,
  insights: Insights,
  policy: UpdatePolicy,
): Evaluation {
  const { key, requirement } = linked;
  const isLookedUp = resolution.kind !== 'none' && requirement.kind !== 'pending';
  const wanted: Wanted[] = isLookedUp ? [{ kind: 'package', key }] : [];
  const known = listFor(linked, insights);
  const aim =
    resolution.kind === 'no-match' && known.state === 'ready'
      ? updateTargetOf(linked, known.value, defaultVersion(known.value), undefined, fixPolicyOf(policy))
      : undefined;
  const other = aim?.otherFlavor && { otherFlavor: aim.otherFlavor };
  if (aim?.version === undefined)
    return { evaluated: { linked, resolution, advisories: [], targets: [], ...other }, wanted, background: [] };
  wanted.push(...factsAbout({ ...key, version: aim.version }, insights));
  const targets = joinTargets(key, { default: aim.version }, known, insights).filter(
    (it) => !mayBeMalicious(it.facts, insights),
  );
  const taken = takenBy(targets, linked, resolution, known, insights, policy);
  wanted.push(...taken.wanted);
  return {
    evaluated: { linked, resolution, advisories: [], package: known, targets, ...taken.known, ...other },
    wanted,
    background: [],
  };
}

function evaluateVersion(
  linked: LinkedDependency,
  resolution: Resolved,
  insights: Insights,
  background: boolean,
  policy: UpdatePolicy,
): Evaluation {
  const wanted: Wanted[] = [];
  const later: Wanted[] = [];
  const { key } = linked;
  const packageRequest: Wanted = { kind: 'package', key };
  const current = versionOf(key, resolution.version);
  const { by } = linked.dependency;
  wanted.push({ kind: 'version', key: current, ...(by && { by }) });
  const version = insights.version(current);
  const facts = version.state === 'ready' ? version.value : undefined;
  const flagged = facts !== undefined && isFlagged(facts);
  // A default version without problems, and a pending version, need no list.
  const isEnough = version.state === 'pending' || (facts?.isDefault === true && !flagged);
  const list: Insight<PackageFacts> =
    isEnough && resolution.from !== 'range' ? { state: 'pending' } : listFor(linked, insights);
  if (resolution.from === 'range' || version.state === 'unknown') wanted.push(packageRequest);
  // The target can wait if the version has no problem.
  const next = flagged ? wanted : later;
  // A managed version without a problem has no target: the line of its parent or BOM has one.
  const mayHaveTarget = flagged || (background && managedBy(linked) === undefined);
  if (facts && (flagged || !facts.isDefault) && mayHaveTarget) next.push(packageRequest);

  const advisories = groupAdvisories(advisoriesOf(version), insights);
  for (const id of facts?.advisories ?? []) wanted.push({ kind: 'advisory', id });

  const isMalicious = advisories.some(isMalware);
  const choice =
    list.state === 'ready' ? chooseTargets(linked, list.value, resolution, facts, isMalicious, insights, policy) : none;
  const { otherFlavor, heldBack, heldFix, isSearchingSafe, isWithoutSafe, unusualFix } = choice;
  // The name of the repository of a private package stays with its registry.
  const repository = facts && key.registry === undefined ? sourceOf(facts, insights) : undefined;
  // The thousands of packages in a lockfile or SBOM are looked up when a person looks at one.
  if (repository && insights.codeHost?.()?.looksAhead && !linked.isRecorded)
    wanted.push({ kind: 'repository', id: repository.id });
  const signals = facts && signalsOf(linked, facts, insights);
  for (const it of signals?.wanted ?? []) wanted.push(it);
  for (const it of choice.candidates) wanted.push({ kind: 'version', key: { ...key, version: it } });
  next.push(...(choice.asked ?? []));
  for (const it of choice.substitutes) next.push({ kind: 'version', key: { ...key, version: it } });
  const all = joinTargets(key, choice.versions, list, insights);
  const sound = all.filter((it) => !mayBeMalicious(it.facts, insights));
  const byService = sound.flatMap(({ kinds, facts: it }) =>
    kinds.includes('safe') || it.state !== 'ready' ? [] : (heldByService(policy.cooldown, it.value) ?? []),
  );
  const targets = sound.filter((it) => !byService.some(({ version }) => version === it.version));
  const held = heldBack ?? byService.at(-1);
  const suggested = flagged ? targets : suggestedOf(targets);
  for (const it of suggested) next.push({ kind: 'version', key: { ...key, version: it.version } });
  // Nothing leads to malware, and the hover names the advisories that an update fixes and adds.
  for (const { facts: known } of all) next.push(...recordsOf(known));
  const taken = takenBy(targets, linked, resolution, list, insights, policy);
  next.push(...taken.wanted);

  return {
    evaluated: {
      linked,
      resolution,
      version,
      ...(list.state !== 'pending' && { package: list }),
      advisories,
      ...(repository && { repository }),
      ...signals?.known,
      targets,
      ...taken.known,
      ...(isSearchingSafe && { isSearchingSafe }),
      ...(isWithoutSafe && { isWithoutSafe }),
      ...(unusualFix && { unusualFix }),
      ...(otherFlavor && { otherFlavor }),
      ...(held && { heldBack: held }),
      ...(heldFix && { heldFix }),
      ...youngIn(facts, policy),
      ...(policy.cooldown && { cooldown: policy.cooldown }),
    },
    wanted,
    background: later,
  };
}

function youngIn(facts: VersionFacts | undefined, { cooldown }: UpdatePolicy): Pick<EvaluatedDependency, 'young'> {
  if (facts === undefined) return {};
  const young = cooldownOf(cooldown, facts.key).heldBack(facts.version, facts.publishedAt);
  // What is not configured, or cannot be read, is no finding.
  return young && !young.rule.isDefault && young.limit.kind !== 'unclear' ? { young } : {};
}

/**
 * What a person has chosen to look up besides. Never for a package of a private registry: the name of its project is as
 * private as its own.
 */
function signalsOf(
  { key, isRecorded }: LinkedDependency,
  facts: VersionFacts,
  insights: Insights,
): { readonly known: Pick<EvaluatedDependency, 'sourceProject' | 'similar'>; readonly wanted: Wanted[] } | undefined {
  const choice = insights.signals?.();
  if (!choice || key.registry !== undefined || isRecorded) return undefined;
  const wanted: Wanted[] = [];
  const project = choice.projects ? projectOf(facts) : undefined;
  if (project) wanted.push({ kind: 'project', id: project.id });
  if (choice.similarNames) wanted.push({ kind: 'similar', key });
  const projectFacts = project && insights.project?.(project.id);
  const similar = choice.similarNames ? insights.similar?.(key) : undefined;
  return {
    known: {
      ...(project && projectFacts && { sourceProject: { ...project, facts: projectFacts, minScore: choice.minScore } }),
      ...(similar && { similar }),
    },
    wanted,
  };
}

function sourceOf(facts: VersionFacts, insights: Insights): SourceRepository | undefined {
  const host = insights.codeHost?.()?.host;
  const named = host === undefined ? undefined : repositoryOf(facts, host);
  if (host === undefined || named === undefined) return undefined;
  return { ...named, host, facts: insights.repository?.(named.id) ?? { state: 'pending' } };
}

/** The target of a version without problems that is suggested: the default one if the newest of its major has a problem. */
function suggestedOf(targets: readonly Target[]): readonly Target[] {
  const inMajor = targets.find((it) => it.kinds.includes('in-major'));
  const stable = targets.filter((it) => it.kinds.includes('stable'));
  const byDefault = stable.length > 0 ? stable : targets.filter((it) => it.kinds.includes('default'));
  if (inMajor === undefined) return byDefault;
  const isSound = inMajor.facts.state !== 'ready' || !isFlagged(inMajor.facts.value);
  return isSound ? [inMajor] : [inMajor, ...byDefault];
}

/** The targets of a version, and the versions to look up to find them. */
interface TargetChoice {
  readonly versions: Partial<Readonly<Record<TargetKind, string>>>;
  /** Looked up to find the safe target. */
  readonly candidates: readonly string[];
  readonly isSearchingSafe?: true;
  readonly isWithoutSafe?: true;
  readonly unusualFix?: UnusualFix;
  /** Looked up to find a version in place of `heldBack`. */
  readonly substitutes: readonly string[];
  readonly otherFlavor?: OtherFlavor;
  readonly heldBack?: HeldBack;
  readonly heldFix?: HeldBack;
  /** What fixes are for. */
  readonly asked?: readonly Wanted[];
}

const none: TargetChoice = { versions: {}, candidates: [], substitutes: [] };

/** The malware that ranges would take once they are moved to the targets. */
function takenBy(
  targets: readonly Target[],
  linked: LinkedDependency,
  resolution: Resolution,
  list: Insight<PackageFacts>,
  insights: Insights,
  policy: UpdatePolicy,
): { readonly known: Pick<EvaluatedDependency, 'malicious'>; readonly wanted: readonly Wanted[] } {
  if (list.state !== 'ready' || linked.isRecorded) return { known: {}, wanted: [] };
  const taken = targets.flatMap((it) => resolvedAfter(linked, resolution, it.version, list.value, policy) ?? []);
  const others = [...new Set(taken)].filter((it) => !targets.some(({ version }) => version === it));
  const keys = others.map((it) => versionOf(linked.key, it));
  const malicious = keys.filter((it) => mayBeMalicious(insights.version(it), insights)).map((it) => it.version);
  return {
    known: malicious.length > 0 ? { malicious } : {},
    wanted: keys.flatMap((it) => factsAbout(it, insights)),
  };
}

/** @param facts of the resolved version; absent while they are missing */
function chooseTargets(
  linked: LinkedDependency,
  list: PackageFacts,
  resolution: Resolved,
  facts: VersionFacts | undefined,
  isMalicious: boolean,
  insights: Insights,
  policy: UpdatePolicy,
): TargetChoice {
  const { version: current, from } = resolution;
  const preferred = defaultVersion(list);
  // What fixes an advisory waits for nothing but the package manager.
  const fixPolicy = facts && facts.advisories.length > 0 ? fixPolicyOf(policy) : policy;
  const aim = updateTargetOf(linked, list, preferred, current, policy);
  const mature = firstSafeVersion(linked, aim.candidates, insights, policy);
  const byDefault = aim.version ?? (typeof mature === 'object' ? mature.version : undefined);
  const common = {
    substitutes: aim.candidates,
    ...(aim.otherFlavor && { otherFlavor: aim.otherFlavor }),
    ...(aim.heldBack && { heldBack: aim.heldBack }),
  };
  const named = byDefault === undefined ? {} : { default: byDefault };
  const isHealthy = facts === undefined || !isFlagged(facts);
  // The thousands of packages in a lockfile or SBOM are not updated one by one, and a sample may lack the newest.
  const isNewestNamed = !linked.isRecorded && !list.isSample;
  // Of a version without problems only updates are named, and none is newer than the default version.
  const higher =
    !isNewestNamed || (isHealthy && current === preferred) ? [] : higherVersions(list, current, preferred, policy);
  // The newest version in a range is the resolved one already, except where the lowest is chosen.
  const range =
    from === 'lockfile' || (from === 'range' && linked.key.system === 'NUGET') ? rangeOf(linked) : undefined;
  const { inRange, inMajor, newest: highest } = newestWithin(linked, higher, current, preferred, range);
  const { isStable } = versioning[linked.key.system];
  const isAheadOfStable = byDefault !== undefined && !isStable(byDefault) && isStable(current);
  const others = {
    ...named,
    ...(inRange !== undefined && { 'in-range': inRange }),
    ...(inMajor !== undefined && { 'in-major': inMajor }),
    ...(isAheadOfStable && highest !== undefined && { stable: highest }),
  };
  if (isHealthy) return { ...common, versions: others, candidates: [] };

  const fixes = higherVersions(list, current, preferred, fixPolicy);
  const newest = new Set<string>();
  const isKept = (version: string): boolean | 'pending' => {
    if (linked.isRecorded) return true;
    const moved = resolvedAfter(linked, resolution, version, list, policy);
    if (moved === undefined || moved === version) return true;
    newest.add(moved);
    const insight = insights.version({ ...linked.key, version: moved });
    if (insight.state === 'pending') return 'pending';
    // No range is written that would take malware.
    return insight.state !== 'ready' || !isFlagged(insight.value) || mayBeMalicious(insight, insights);
  };
  const isLongSearch = facts.advisories.length > 0 && !linked.isRecorded;
  let candidates = fixes.slice(0, isLongSearch ? MAX_CANDIDATES : MAX_FIRST_CANDIDATES);
  const support = createSupport(linked, insights);
  const isFit = (version: string): boolean | 'pending' => {
    const kept = isKept(version);
    return kept === true ? support.isSupported(version) : kept;
  };
  let safe = firstSafeVersion(linked, candidates, insights, fixPolicy, isFit);
  if (safe === undefined && candidates.length < Math.min(fixes.length, MAX_CANDIDATES)) {
    candidates = fixes.slice(0, MAX_CANDIDATES);
    safe = firstSafeVersion(linked, candidates, insights, fixPolicy, isFit);
  }
  // Where each range ends at a version with problems, the nearest one is sound at least as long as it is locked.
  safe ??= firstSafeVersion(linked, candidates, insights, fixPolicy, support.isSupported);
  const { unsupported } = support;
  let isWithoutSafe =
    safe === undefined &&
    (unsupported !== undefined || (!list.isSample && isEachFlagged(linked, list, current, candidates, insights)));
  if (safe === undefined && isMalicious) {
    // Several versions are often stolen in a row.
    const lower = lowerVersions(list, current, preferred, fixPolicy).slice(0, MAX_CANDIDATES);
    const first = lower.slice(0, MAX_FIRST_CANDIDATES);
    safe = firstSafeVersion(linked, first, insights, fixPolicy);
    const looked = safe === undefined ? lower : first;
    safe ??= firstSafeVersion(linked, lower, insights, fixPolicy);
    candidates = [...candidates, ...looked];
    isWithoutSafe &&= safe === undefined;
  }
  const { heldFix, candidates: refused } =
    safe === undefined ? findHeldFix(linked, list, current, fixes, insights, policy) : nothingHeld;
  const unusual: UnusualChoice = unsupported
    ? { candidates: [], ...(isWithoutSafe && { found: unsupported }) }
    : isWithoutSafe
      ? findUnusualFix(linked, list, current, facts, candidates, insights, fixPolicy)
      : nothingUnusual;
  return {
    ...common,
    versions: {
      ...supportedOf(others, support),
      ...(typeof safe === 'object' && { safe: safe.version }),
    },
    asked: support.wanted,
    candidates: [...new Set([...candidates, ...newest, ...refused, ...unusual.candidates])],
    ...(heldFix && { heldFix }),
    ...((safe === 'pending' || unusual.found === 'pending') && { isSearchingSafe: true }),
    ...(isWithoutSafe && { isWithoutSafe: true }),
    ...(typeof unusual.found === 'object' && { unusualFix: unusual.found }),
  };
}

const nothingHeld: Pick<TargetChoice, 'candidates' | 'heldFix'> = { candidates: [] };

/**
 * The nearest fix that is kept back, and the versions to look up to find it.
 * @param free the higher versions that are not kept back
 */
function findHeldFix(
  linked: LinkedDependency,
  list: PackageFacts,
  current: string,
  free: readonly string[],
  insights: Insights,
  { project, cooldown }: UpdatePolicy,
): Pick<TargetChoice, 'candidates' | 'heldFix'> {
  const known = new Set(free);
  const higher = higherVersions(list, current, defaultVersion(list), noUpdatePolicy).filter((it) => !known.has(it));
  const candidates = higher.slice(0, MAX_CANDIDATES);
  const fix = firstSafeVersion(linked, candidates, insights, { ...noUpdatePolicy, ...(project && { project }) });
  if (fix === undefined || fix === 'pending') return { candidates };
  const publishedAt = fix.publishedAt ?? rowOf(list.versions, fix.version)?.publishedAt;
  const heldFix = cooldownOf(cooldown, linked.key).heldBack(fix.version, publishedAt, current);
  return { candidates, ...(heldFix && { heldFix }) };
}

/**
 * Whether each higher version was looked up and has a problem of its own. One in its cooldown was not looked up, and one
 * whose license is denied may be a fixed version.
 */
function isEachFlagged(
  { key }: LinkedDependency,
  list: PackageFacts,
  current: string,
  candidates: readonly string[],
  insights: Insights,
): boolean {
  if (higherVersions(list, current, defaultVersion(list), noUpdatePolicy).length > candidates.length) return false;
  return candidates.every((version) => {
    const insight = insights.version({ ...key, version });
    return insight.state === 'ready' && isFlagged(insight.value);
  });
}

interface UnusualChoice {
  /** To look up. */
  readonly candidates: readonly string[];
  readonly found?: UnusualFix | 'pending';
}

const nothingUnusual: UnusualChoice = { candidates: [] };

/**
 * A pre-release without problems, or else a deprecated version without advisories.
 * @param facts of the version in use
 * @param known the higher versions that were looked up: one of them may be deprecated without being marked in the list
 */
function findUnusualFix(
  { key }: LinkedDependency,
  list: PackageFacts,
  current: string,
  facts: VersionFacts,
  known: readonly string[],
  insights: Insights,
  policy: UpdatePolicy,
): UnusualChoice {
  const unusual = unusualVersions(list, current, defaultVersion(list), policy);
  const preReleases = unusual.preReleases.slice(0, MAX_UNUSUAL_CANDIDATES);
  const isFixedByDeprecated = facts.advisories.length > 0;
  const deprecated = isFixedByDeprecated ? [...known, ...unusual.deprecated.slice(0, MAX_UNUSUAL_CANDIDATES)] : [];
  const candidates = [...preReleases, ...deprecated];
  const read = (version: string) => insights.version({ ...key, version });
  if (candidates.some((it) => read(it).state === 'pending')) return { candidates, found: 'pending' };
  const isFixed = (version: string, isSound: (it: VersionFacts) => boolean): boolean => {
    const insight = read(version);
    return insight.state === 'ready' && isSound(insight.value);
  };
  const preRelease = preReleases.find((it) => isFixed(it, (value) => !isFlagged(value)));
  if (preRelease !== undefined) return { candidates, found: { version: preRelease, kind: 'pre-release' } };
  const last = deprecated.find((it) => isFixed(it, (value) => value.advisories.length === 0));
  return { candidates, ...(last !== undefined && { found: { version: last, kind: 'deprecated' } }) };
}

/** One target for each version, with all its kinds. */
function joinTargets(
  key: PackageKey,
  versions: TargetChoice['versions'],
  list: Insight<PackageFacts>,
  insights: Insights,
): Target[] {
  const kindsOf = new Map<string, TargetKind[]>();
  for (const kind of targetKinds) {
    const version = versions[kind];
    if (version !== undefined) kindsOf.set(version, [...(kindsOf.get(version) ?? []), kind]);
  }
  return [...kindsOf].map(([version, kinds]): Target => {
    const publishedAt = list.state === 'ready' ? rowOf(list.value.versions, version)?.publishedAt : undefined;
    const facts = insights.version(versionOf(key, version));
    return { version, kinds, facts, ...(publishedAt !== undefined && { publishedAt }) };
  });
}
