import { byText } from '../../base/text.ts';
import { flavorFilter } from '../../ecosystems/shared/flavor.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import {
  type Advisory,
  type EvaluatedDependency,
  isFlagged,
  type LinkedDependency,
  type Locked,
  type Resolution,
} from '../../model/evaluated-dependency.ts';
import type { Insight, PackageFacts } from '../../model/facts.ts';
import { type AdvisoryId, versionOf } from '../../model/keys.ts';
import type { Insights, Wanted } from '../../model/ports.ts';
import { defaultVersion, resolve } from './resolve.ts';
import { noUpdatePolicy, type UpdatePolicy } from './update-policy.ts';
import { firstSafeVersion, isInCooldown, isSafe, updateTargetOf } from './update-target.ts';

/** An evaluated dependency, and the facts that are missing. */
export interface Evaluation {
  readonly evaluated: EvaluatedDependency;
  readonly wanted: readonly Wanted[];
  /** Requested after everything else. */
  readonly background: readonly Wanted[];
}

/** Higher versions looked up to find the nearest without a known advisory. Two batches of the service hold them. */
const MAX_CANDIDATES = 200;

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
  const known = insights.package(key);
  const aim =
    resolution.kind === 'no-match' && known.state === 'ready'
      ? updateTargetOf(linked, known.value, defaultVersion(known.value), undefined, policy)
      : undefined;
  const preferred = aim?.version;
  const other = aim?.otherFlavor && { otherFlavor: aim.otherFlavor };
  if (preferred === undefined)
    return { evaluated: { linked, resolution, advisories: [], ...other }, wanted, background: [] };
  const target = { ...key, version: preferred };
  wanted.push({ kind: 'version', key: target });
  const facts = insights.version(target);
  const evaluated = {
    linked,
    resolution,
    advisories: [],
    package: known,
    target: { version: preferred, facts },
    ...other,
  };
  return { evaluated, wanted, background: [] };
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
    isEnough && resolution.from !== 'range' ? { state: 'pending' } : insights.package(key);
  if (resolution.from === 'range' || version.state === 'unknown') wanted.push(packageRequest);
  // The target can wait if the version has no problem.
  const next = flagged ? wanted : later;
  if (facts && !facts.isDefault && (flagged || background)) next.push(packageRequest);

  const advisories = facts ? groupAdvisories(facts.advisories, insights) : [];
  for (const id of facts?.advisories ?? []) wanted.push({ kind: 'advisory', id });

  const aim =
    list.state === 'ready'
      ? updateTargetOf(linked, list.value, defaultVersion(list.value), resolution.version, policy)
      : undefined;
  const target = aim?.version === undefined ? undefined : { ...key, version: aim.version };
  const targetFacts = target && insights.version(target);
  if (target) next.push({ kind: 'version', key: target });
  // The hover names the advisories that an update fixes and adds.
  if (flagged && targetFacts?.state === 'ready') {
    for (const id of targetFacts.value.advisories) wanted.push({ kind: 'advisory', id });
  }

  for (const it of aim?.candidates ?? []) next.push({ kind: 'version', key: { ...key, version: it } });
  const matureVersion = aim && firstSafeVersion(linked, aim.candidates, insights, policy);

  // A version that is only deprecated moves to the default version, unless that one has problems.
  const isAffected = facts !== undefined && facts.advisories.length > 0;
  const isStuck = flagged && targetFacts?.state === 'ready' && !isSafe(linked, targetFacts.value, policy);
  const higher =
    (isAffected || isStuck) && !linked.isRecorded && list.state === 'ready'
      ? higherVersions(list.value, resolution.version, policy)
      : [];
  for (const it of higher) wanted.push({ kind: 'version', key: { ...key, version: it } });
  const nearestSafe = firstSafeVersion(linked, higher, insights, policy);

  return {
    evaluated: {
      linked,
      resolution,
      version,
      ...(list.state !== 'pending' && { package: list }),
      advisories,
      ...(target && targetFacts && { target: { version: target.version, facts: targetFacts } }),
      ...(aim?.otherFlavor && { otherFlavor: aim.otherFlavor }),
      ...(aim?.heldBack && { heldBack: aim.heldBack }),
      ...(matureVersion && { matureVersion }),
      ...(nearestSafe && { nearestSafe }),
    },
    wanted,
    background: later,
  };
}

/** The suitable stable versions above the current one, nearest first. */
function higherVersions(list: PackageFacts, current: string, { cooldown }: UpdatePolicy): string[] {
  const { key, versions } = list;
  const { compare, isStable } = versioning[key.system];
  // A sample may lack the nearest version.
  if (list.isSample) return [];
  const keeps = flavorFilter(key.system, current, defaultVersion(list));
  return versions
    .filter((it) => !it.isDeprecated && !isInCooldown(it.publishedAt, cooldown))
    .map((it) => it.version)
    .filter((it) => isStable(it) && compare(it, current) > 0 && keeps(it))
    .sort(compare)
    .slice(0, MAX_CANDIDATES);
}

/** Joins the identifiers of one vulnerability by their aliases. */
export function groupAdvisories(ids: readonly AdvisoryId[], insights: Pick<Insights, 'advisory'>): Advisory[] {
  if (ids.length === 0) return [];
  const groups = new Set<Set<AdvisoryId>>();
  const groupOf = new Map<AdvisoryId, Set<AdvisoryId>>();
  for (const id of ids) {
    const insight = insights.advisory(id);
    const names = [id, ...(insight.state === 'ready' ? insight.value.aliases : [])];
    const related = new Set(names.flatMap((it) => groupOf.get(it) ?? []));
    // The smaller groups join the largest, so that thousands of mutual aliases are grouped quickly.
    const [group = new Set<AdvisoryId>(), ...others] = [...related].sort((a, b) => b.size - a.size);
    for (const name of [...others.flatMap((it) => [...it]), ...names]) {
      group.add(name);
      groupOf.set(name, group);
    }
    for (const it of [group, ...others]) groups.delete(it);
    groups.add(group);
  }
  const known = new Set(ids);
  return [...groups].map((names) => {
    // Only listed identifiers have a record to show; CVE numbers are aliases.
    const listed = [...names].filter((it) => known.has(it)).sort(byPrecedence);
    const best = listed.find((it) => insights.advisory(it).state === 'ready') ?? listed[0] ?? '';
    return { id: best, aliases: [...names].filter((it) => it !== best).sort(), facts: insights.advisory(best) };
  });
}

/** GHSA first, whose records are maintained best; then by name, so that the order is stable. */
function byPrecedence(a: AdvisoryId, b: AdvisoryId): number {
  return Number(b.startsWith('GHSA-')) - Number(a.startsWith('GHSA-')) || byText(a, b);
}
