import { advisoryRating } from '../../analysis/rules/advisory.ts';
import { byText } from '../../base/text.ts';
import type { Advisory } from '../../model/evaluated-dependency.ts';
import type { ReportedAdvisory } from '../report.ts';

/** Worst first; of equals by their identifiers. */
export function reportAdvisories(advisories: readonly Advisory[]): ReportedAdvisory[] {
  return advisories.map(reportAdvisory).sort((a, b) => worse(a, b) || byText(a.id, b.id));
}

/** The worse one first: malware, which has no score, before all. */
export function worse(a: ReportedAdvisory, b: ReportedAdvisory): number {
  const malicious = (it: ReportedAdvisory): number => Number(it.rating === 'malicious');
  return malicious(b) - malicious(a) || (b.score ?? 0) - (a.score ?? 0);
}

function reportAdvisory({ id, aliases, facts }: Advisory): ReportedAdvisory {
  const { title = '', url = '', score, vector } = facts.state === 'ready' ? facts.value : {};
  return {
    id,
    aliases,
    title,
    url,
    rating: advisoryRating({ id, aliases, facts }),
    ...(score !== undefined && { score }),
    ...(vector !== undefined && { vector }),
  };
}
