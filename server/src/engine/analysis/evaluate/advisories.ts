import { byText } from '../../base/text.ts';
import { type AdvisoryFacts, advisoriesOf, type Insight, type VersionFacts } from '../../model/facts.ts';
import type { AdvisoryId, VersionKey } from '../../model/keys.ts';
import type { Insights, Wanted } from '../../model/ports.ts';
import { isMalware } from '../../model/severity-rating.ts';
import type { Advisory } from '../../model/signals/advisory.ts';

/** Whether a version is malware, or an advisory of it is not known yet: only its aliases may tell. */
export function mayBeMalicious(facts: Insight<VersionFacts>, insights: Pick<Insights, 'advisory'>): boolean {
  return groupAdvisories(advisoriesOf(facts), insights).some((it) => isMalware(it) || it.facts.state !== 'ready');
}

/** The facts of a version and, once they name some, its advisories. */
export function factsAbout(key: VersionKey, insights: Pick<Insights, 'version'>): Wanted[] {
  return [{ kind: 'version', key }, ...recordsOf(insights.version(key))];
}

export function recordsOf(facts: Insight<VersionFacts>): Wanted[] {
  return facts.state === 'ready' ? facts.value.advisories.map((id) => ({ kind: 'advisory', id })) : [];
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
    const facts = joinRatings(listed, insights.advisory(best), insights);
    return { id: best, aliases: [...names].filter((it) => it !== best).sort(), facts };
  });
}

/** What the record that is shown does not say of the severity or of a fix, another one of the same vulnerability may say. */
function joinRatings(
  listed: readonly AdvisoryId[],
  facts: Insight<AdvisoryFacts>,
  insights: Pick<Insights, 'advisory'>,
): Insight<AdvisoryFacts> {
  if (facts.state !== 'ready' || listed.length === 1) return facts;
  const others = listed.flatMap((it) => {
    const other = insights.advisory(it);
    return other.state === 'ready' ? other.value : [];
  });
  const isRated = ({ score, level }: AdvisoryFacts): boolean => score !== undefined || level !== undefined;
  const rated = isRated(facts.value) ? undefined : others.find(isRated);
  const isExploited = !facts.value.isExploited && others.some((it) => it.isExploited);
  const fixed = facts.value.fixed ?? others.find((it) => it.fixed)?.fixed;
  if (rated === undefined && !isExploited && fixed === facts.value.fixed) return facts;
  const { score, vector, level } = rated ?? facts.value;
  const rating = {
    ...(score !== undefined && { score }),
    ...(vector !== undefined && { vector }),
    ...(level !== undefined && { level }),
  };
  return {
    ...facts,
    value: { ...facts.value, ...rating, ...(isExploited && { isExploited: true }), ...(fixed && { fixed }) },
  };
}

/** GHSA first, whose records are maintained best; then by name, so that the order is stable. */
function byPrecedence(a: AdvisoryId, b: AdvisoryId): number {
  return Number(b.startsWith('GHSA-')) - Number(a.startsWith('GHSA-')) || byText(a, b);
}
