import * as l10n from '@vscode/l10n';
import type { Advisory } from '../model/subject.ts';
import { areCounted } from '../rules/advisory.ts';

/** `1 advisory`, `2 advisories`; `advisories` while aliases of one flaw may still be counted apart. */
export function advisoriesInShort(advisories: readonly Advisory[]): string {
  if (!areCounted(advisories)) return l10n.t('advisories');
  return advisories.length === 1 ? l10n.t('1 advisory') : l10n.t('{0} advisories', advisories.length);
}
