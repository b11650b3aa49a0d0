import * as l10n from '@vscode/l10n';
import type { Advisory } from '../../model/evaluated-dependency.ts';
import { ratingOf, ratingText } from '../../model/severity-rating.ts';
import type { Rule } from './rule.ts';

/** Advisories in one message. The hover shows more. */
const MAX_LISTED_ADVISORIES = 3;

/** The resolved version itself has known advisories; those of its dependencies do not count. */
export const advisory: Rule = {
  code: 'advisory',
  find(evaluated) {
    const { resolution } = evaluated;
    if (resolution.kind !== 'version' || evaluated.advisories.length === 0) return undefined;
    const worst = Math.max(...evaluated.advisories.map(scoreOf));
    const sorted = bySeverity(evaluated.advisories);
    const first = sorted.slice(0, MAX_LISTED_ADVISORIES).map(describe).join('; ');
    const list =
      sorted.length > MAX_LISTED_ADVISORIES
        ? l10n.t('{0}; and {1} more', first, sorted.length - MAX_LISTED_ADVISORIES)
        : first;
    const what = `${evaluated.linked.dependency.name} ${resolution.version}`;
    return { severity: worst >= 7 ? 'error' : 'warning', message: messageFor(what, evaluated.advisories, list) };
  },
};

function messageFor(what: string, all: readonly Advisory[], list: string): string {
  if (!isCountKnown(all)) return l10n.t('{0} has known advisories: {1}', what, list);
  if (all.length === 1) return l10n.t('{0} has 1 known advisory: {1}', what, list);
  return l10n.t('{0} has {1} known advisories: {2}', what, all.length, list);
}

/** Whether the number of vulnerabilities is known: before, aliases may be counted separately. */
export function isCountKnown(all: readonly Advisory[]): boolean {
  return all.every((it) => it.facts.state !== 'pending');
}

/** Worst first; those without a score last. */
export function bySeverity(all: readonly Advisory[]): Advisory[] {
  return [...all].sort((a, b) => scoreOf(b) - scoreOf(a) || (a.id < b.id ? -1 : 1));
}

function scoreOf({ facts }: Advisory): number {
  return facts.state === 'ready' ? (facts.value.score ?? 0) : 0;
}

function describe(it: Advisory): string {
  if (it.facts.state !== 'ready') return it.id;
  const { title, score } = it.facts.value;
  return [
    it.id,
    ...(title ? [title] : []),
    ...(score === undefined ? [] : [`(${ratingText(ratingOf(score))} ${score.toFixed(1)})`]),
  ].join(' ');
}
