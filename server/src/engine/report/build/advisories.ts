import { ratedOf } from '../../analysis/rules/advisory.ts';
import { byText } from '../../base/text.ts';
import { byRating } from '../../model/severity-rating.ts';
import type { Advisory } from '../../model/signals/advisory.ts';
import type { ReportedAdvisory } from '../report.ts';

/** Worst first; of equals by their identifiers. */
export function reportAdvisories(advisories: readonly Advisory[]): ReportedAdvisory[] {
  return advisories.map(reportAdvisory).sort((a, b) => byRating(a, b) || byText(a.id, b.id));
}

function reportAdvisory({ id, aliases, facts }: Advisory): ReportedAdvisory {
  const { title = '', url = '', vector } = facts.state === 'ready' ? facts.value : {};
  return {
    id,
    aliases,
    title,
    url,
    ...ratedOf({ id, aliases, facts }),
    ...(vector !== undefined && { vector }),
  };
}
