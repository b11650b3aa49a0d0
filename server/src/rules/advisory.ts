import { rating } from '../model/rating.ts';
import type { Advisory } from '../model/subject.ts';
import type { Rule } from './rule.ts';

/** A longer list belongs into the hover. */
const named = 3;

/** The resolved version has known advisories itself; those of what it depends on are not looked at. */
export const advisory: Rule = {
  code: 'advisory',
  find(subject) {
    const { resolution } = subject;
    if (resolution.kind !== 'version' || subject.advisories.length === 0) return undefined;
    const worst = Math.max(
      ...subject.advisories.map((it) => (it.facts.state === 'ready' ? (it.facts.value.score ?? 0) : 0)),
    );
    const sorted = bySeverity(subject.advisories);
    const list = sorted.slice(0, named).map(describe).join('; ');
    const more = sorted.length > named ? `; and ${sorted.length - named} more` : '';
    const { name } = subject.linked.dependency;
    return {
      severity: worst >= 7 ? 'error' : 'warning',
      message: `${name} ${resolution.version} has ${countAdvisories(subject.advisories)}: ${list}${more}`,
    };
  },
};

/** `2 known advisories`; without the number while aliases of one flaw may still be counted apart. */
export function countAdvisories(all: readonly Advisory[]): string {
  if (all.some((it) => it.facts.state === 'pending')) return 'known advisories';
  return all.length === 1 ? '1 known advisory' : `${all.length} known advisories`;
}

/** Worst first; those without a score last. */
export function bySeverity(all: readonly Advisory[]): Advisory[] {
  const score = (it: Advisory): number => (it.facts.state === 'ready' ? (it.facts.value.score ?? 0) : 0);
  return [...all].sort((a, b) => score(b) - score(a) || (a.id < b.id ? -1 : 1));
}

function describe(it: Advisory): string {
  if (it.facts.state !== 'ready') return it.id;
  const { title, score } = it.facts.value;
  return [
    it.id,
    ...(title ? [title] : []),
    ...(score === undefined ? [] : [`(${rating(score)} ${score.toFixed(1)})`]),
  ].join(' ');
}
