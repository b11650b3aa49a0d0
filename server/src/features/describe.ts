import type { Advisory } from '../model/subject.ts';

/** `1 advisory`, `2 advisories`; `advisories` while aliases of one flaw may still be counted apart. */
export function advisoriesInShort(advisories: readonly Advisory[]): string {
  if (advisories.some((it) => it.facts.state === 'pending')) return 'advisories';
  return advisories.length === 1 ? '1 advisory' : `${advisories.length} advisories`;
}
