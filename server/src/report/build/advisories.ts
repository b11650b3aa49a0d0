import { byText } from '../../base/text.ts';
import type { Advisory } from '../../model/evaluated-dependency.ts';
import { ratingOf } from '../../model/severity-rating.ts';
import type { ReportedAdvisory } from '../report.ts';

/** Worst first; of equals by their identifiers. */
export function reportAdvisories(advisories: readonly Advisory[]): ReportedAdvisory[] {
  return advisories.map(reportAdvisory).sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || byText(a.id, b.id));
}

function reportAdvisory({ id, aliases, facts }: Advisory): ReportedAdvisory {
  const { title = '', url = '', score, vector } = facts.state === 'ready' ? facts.value : {};
  return {
    id,
    aliases,
    title,
    url,
    rating: ratingOf(score),
    ...(score !== undefined && { score }),
    ...(vector !== undefined && { vector }),
  };
}
