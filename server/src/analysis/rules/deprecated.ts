import * as l10n from '@vscode/l10n';
import { factsOf } from '../../model/evaluated-dependency.ts';
import type { System } from '../../model/system.ts';
import { conflictText } from './advisory.ts';
import type { Rule } from './rule.ts';

/** The resolved version is deprecated, yanked or retracted. */
export const deprecated: Rule = {
  code: 'deprecated',
  find(evaluated, { recommended }) {
    const facts = factsOf(evaluated);
    if (evaluated.resolution.kind !== 'version' || !facts?.isDeprecated) return undefined;
    const conflict = conflictText(evaluated);
    const parts = [
      `${wordForDeprecated(facts.key.system)}.`,
      ...(recommended ? [l10n.t('Update to {0}.', recommended.version)] : []),
      ...(conflict ? [conflict] : []),
      ...(facts.deprecatedReason ? [l10n.t('Reason: {0}', facts.deprecatedReason)] : []),
    ];
    return { severity: 'warning', message: parts.join(' ') };
  },
};

/** The term of each system. */
export function wordForDeprecated(system: System): string {
  switch (system) {
    case 'GO':
      return l10n.t('Retracted or deprecated');
    case 'CARGO':
    case 'PYPI':
      return l10n.t('Yanked');
    case 'NPM':
    case 'MAVEN':
    case 'NUGET':
      return l10n.t('Deprecated');
  }
}
