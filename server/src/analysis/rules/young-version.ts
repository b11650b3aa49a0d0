import * as l10n from '@vscode/l10n';
import { dayOf } from '../../base/dates.ts';
import type { Rule } from './rule.ts';

const DAY_MS = 24 * 3_600_000;

/** The version in use is younger than the cooldown: a malicious release is mostly found within days. */
export const youngVersion: Rule = {
  code: 'young-version',
  find({ young }) {
    if (!young) return undefined;
    const { publishedAt, days } = young;
    const end = dayOf(publishedAt + days * DAY_MS);
    return {
      severity: 'warning',
      message: l10n.t('Published {0}, within the cooldown of {1} days, which ends {2}.', dayOf(publishedAt), days, end),
    };
  },
};
