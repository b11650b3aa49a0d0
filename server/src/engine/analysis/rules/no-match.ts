import * as l10n from '@vscode/l10n';
import type { Exchanged } from '../../model/evaluated-dependency.ts';
import type { TargetVerdict } from '../../model/verdict.ts';
import type { Rule } from './rule.ts';

/**
 * The package is known, and none of its published versions meets the requirement; or nothing could meet it; or the lockfile
 * has something else in its place.
 */
export const noMatch: Rule = {
  code: 'no-match',
  find({ linked, resolution }, { recommended }) {
    if (resolution.kind === 'none' && resolution.refused !== undefined && !linked.isRecorded)
      return { severity: 'error', message: l10n.t('Invalid requirement “{0}”.', resolution.refused) };
    if (resolution.kind !== 'no-match')
      return linked.exchanged && { severity: 'warning', message: exchangedText(linked.exchanged) };
    return {
      severity: 'error',
      message: [
        l10n.t('No published version meets {0}.', resolution.range),
        ...(recommended ? [wayText(recommended)] : []),
      ].join(' '),
    };
  },
};

/** `package-lock.json takes it from elsewhere: evil 1.0.0.` */
export function exchangedText({ lockfile, text }: Exchanged): string {
  return l10n.t('{0} takes it from elsewhere: {1}.', lockfile, text);
}

function wayText({ version, isDowngrade }: TargetVerdict): string {
  return isDowngrade ? l10n.t('Go back to {0}.', version) : l10n.t('Update to {0}.', version);
}
