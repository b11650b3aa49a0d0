import * as l10n from '@vscode/l10n';
import type { Rule } from './rule.ts';

/** The package is known, and none of its published versions meets the requirement. */
export const noMatch: Rule = {
  code: 'no-match',
  find({ linked, resolution }) {
    if (resolution.kind !== 'no-match') return undefined;
    return {
      severity: 'error',
      message: l10n.t('No version of {0} meets {1}', linked.dependency.name, resolution.range),
    };
  },
};
