import * as l10n from '@vscode/l10n';
import type { Rule } from './rule.ts';

/** The name is almost that of another package, and nothing else in the lockfile requires it. */
export const similarName: Rule = {
  code: 'similar-name',
  find({ similarName: found }) {
    if (!found) return undefined;
    return found.by === 'service'
      ? {
          severity: 'warning',
          message: l10n.t('Named almost like {0}: check that this package is the one you mean.', found.name),
        }
      : {
          severity: 'information',
          message: l10n.t(
            'Not in {0} yet, and named almost like {1}, which is: check that this package is the one you mean.',
            found.lockfile,
            found.name,
          ),
        };
  },
};
