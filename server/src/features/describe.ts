import type { LicenseDetail, VersionFacts } from '../model/facts.ts';
import type { Subject } from '../model/subject.ts';

/** The licences as words: expressions joined by a comma, the author's own text for `non-standard`. */
export function licensesOf(facts: Pick<VersionFacts, 'licenses' | 'licenseDetails'>): string[] {
  const own = facts.licenseDetails.filter(isOwnText);
  const shown = facts.licenses.filter((it) => it !== 'non-standard');
  const unnamed = facts.licenses.includes('non-standard');
  if (!unnamed) return shown;
  return [...shown, ...(own.length > 0 ? own.map((it) => it.license) : ['non-standard'])];
}

function isOwnText(it: LicenseDetail): boolean {
  return it.spdx === 'non-standard' && it.license.trim() !== '';
}

/** `1 advisory`, `2 advisories`; `advisories` while aliases of one flaw may still be counted apart. */
export function advisoriesInShort({ advisories }: Pick<Subject, 'advisories'>): string {
  if (advisories.some((it) => it.facts.state === 'pending')) return 'advisories';
  return advisories.length === 1 ? '1 advisory' : `${advisories.length} advisories`;
}
