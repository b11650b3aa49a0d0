import type { LicenseDetail, VersionFacts } from './facts.ts';

/** The licences as words, to be joined by a comma: expressions, and the author's own text for `non-standard`. */
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
