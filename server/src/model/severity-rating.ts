import * as l10n from '@vscode/l10n';

/**
 * The qualitative severity ratings of CVSS v3, from the worst down: the least score of each.
 * Source: Common Vulnerability Scoring System v3.1, specification document, section 5.
 */
export const ratings = [
  { name: 'critical', from: 9 },
  { name: 'high', from: 7 },
  { name: 'medium', from: 4 },
  { name: 'low', from: 0.1 },
] as const;

export type Rating = (typeof ratings)[number]['name'] | 'unrated';

/** @param score CVSS v3 base score, 0 to 10; undefined where none was given */
export function ratingOf(score: number | undefined): Rating {
  return ratings.find((it) => score !== undefined && score >= it.from)?.name ?? 'unrated';
}

/** A rating in the reader's language. */
export function ratingText(rating: Rating): string {
  switch (rating) {
    case 'critical':
      return l10n.t('critical');
    case 'high':
      return l10n.t('high');
    case 'medium':
      return l10n.t('medium');
    case 'low':
      return l10n.t('low');
    case 'unrated':
      return l10n.t('unrated');
  }
}
