import * as l10n from '@vscode/l10n';
import { dayOf } from '../../base/dates.ts';
import { heldBackText } from './cooldown-text.ts';
import type { Rule } from './rule.ts';

/** The version in use is younger than the cooldown: a malicious release is mostly found within days. */
export const youngVersion: Rule = {
  code: 'young-version',
  find({ young }) {
    if (!young) return undefined;
    const { publishedAt, limit } = young;
    const published = dayOf(publishedAt);
    const why = heldBackText(young);
    return {
      severity: 'warning',
      message:
        limit.kind === 'age'
          ? l10n.t('Published {0}, {1}, which ends {2}.', published, why, dayOf(publishedAt + limit.age))
          : l10n.t('Published {0}, {1}.', published, why),
    };
  },
};
