import * as l10n from '@vscode/l10n';
import { dayOf } from '../base/dates.ts';

/**
 * The qualitative severity ratings of CVSS, from the worst down: the least score of each.
 * Source: Common Vulnerability Scoring System, specification documents: v3.1, section 5; v4.0, section 6.
 */
export const ratings = [
  { name: 'critical', from: 9 },
  { name: 'high', from: 7 },
  { name: 'medium', from: 4 },
  { name: 'low', from: 0.1 },
] as const;

/** A level that can be given. */
export type Level = (typeof ratings)[number]['name'];

/** Worst first. */
export const levels: readonly Level[] = ratings.map((it) => it.name);

/** `malicious` is above all others: the version is malware. Its records never have a score. */
export type Rating = 'malicious' | Level | 'unrated';

/** Worst first. */
export const allRatings: readonly Rating[] = ['malicious', ...levels, 'unrated'];

/** What an advisory without a rating counts as in a check by default. */
export const defaultUnrated: Level = 'high';

/** The gravest of some levels; undefined without any. */
export function gravestOf(given: readonly (Level | undefined)[]): Level | undefined {
  return levels.find((it) => given.includes(it));
}

/** Whether one of the identifiers of a vulnerability is that of malware. Source: OSV, records of malicious packages. */
export function isMalware({ id, aliases }: { readonly id: string; readonly aliases: readonly string[] }): boolean {
  return isMalwareId(id) || aliases.some(isMalwareId);
}

export function isMalwareId(id: string): boolean {
  return /^MAL-/i.test(id) || isSuspicion(id);
}

/** What says that a version is malware where no record of a vulnerability does: each in place of an identifier. */
export const suspicions = {
  /** The index has taken its whole project out of circulation. Source: PEP 792, “Status markers”. */
  quarantined: 'pypi:quarantined',
  /** The service itself finds that it is malware. */
  found: 'service:malicious',
} as const;

export function isSuspicion(id: string): boolean {
  return id === suspicions.quarantined || id === suspicions.found;
}

/** The fact in the reader's language, without a period. */
export function suspicionText(id: string): string {
  return id === suspicions.quarantined
    ? l10n.t('Malware suspected: quarantined by PyPI')
    : l10n.t('Malicious, as the service finds');
}

/** @param score CVSS base score, 0 to 10; undefined where none was given */
export function ratingOf(score: number | undefined): Rating {
  return ratings.find((it) => score !== undefined && score >= it.from)?.name ?? 'unrated';
}

/** A level by the word for it: `HIGH`, and `MODERATE` as GitHub's advisories have it; undefined for other words. */
export function levelOf(word: string): Level | undefined {
  const name = word.toLowerCase();
  return levels.find((it) => it === (name === 'moderate' ? 'medium' : name));
}

/** How bad an advisory is. */
export interface Rated {
  readonly rating: Rating;
  /** CVSS base score; absent where the rating is a word alone, and without one. */
  readonly score?: number;
  /** Whether attacks are known. */
  readonly exploited?: true;
}

/** The worse one first: by rating, of equals what is exploited, then by score. */
export function byRating(a: Rated, b: Rated): number {
  return (
    allRatings.indexOf(a.rating) - allRatings.indexOf(b.rating) ||
    Number(b.exploited ?? false) - Number(a.exploited ?? false) ||
    (b.score ?? 0) - (a.score ?? 0)
  );
}

/** `high 7.4`, `unrated`, `critical 9.8, exploited` */
export function ratedText({ rating, score, exploited }: Rated): string {
  const word = score === undefined ? ratingText(rating) : `${ratingText(rating)} ${score.toFixed(1)}`;
  return exploited ? l10n.t('{0}, exploited', word) : word;
}

/** A rating in the reader's language. */
export function ratingText(rating: Rating): string {
  switch (rating) {
    case 'malicious':
      return l10n.t('malicious');
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

/**
 * Up to when the vulnerabilities of a version are known.
 * @param at in ms since the epoch
 */
export function advisoriesAsOfText(at: number): string {
  return l10n.t('vulnerabilities as of {0}', dayOf(at));
}

/** Of a version that the service knows without its vulnerabilities. */
export function advisoriesUnknownText(): string {
  return l10n.t('vulnerabilities not checked');
}

/**
 * The same as a sentence, with the reason.
 * @param registries the addresses that the service has the version from
 */
export function advisoriesUnknownReason([registry = '']: readonly string[]): string {
  const host = URL.parse(registry)?.host ?? '';
  return host === ''
    ? l10n.t('Vulnerabilities: not checked (the service does not know them)')
    : l10n.t('Vulnerabilities: not checked ({0} does not know them)', host);
}
