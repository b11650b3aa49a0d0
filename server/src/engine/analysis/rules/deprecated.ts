import * as l10n from '@vscode/l10n';
import { factsOf } from '../../model/evaluated-dependency.ts';
import { type Deprecation, deprecationOf } from '../../model/facts.ts';
import type { System } from '../../model/system.ts';
import { conflictText } from './advisory.ts';
import type { Rule } from './rule.ts';

/** The resolved version is deprecated, yanked or retracted, or its whole project is deprecated or archived. */
export const deprecated: Rule = {
  code: 'deprecated',
  find(evaluated, { recommended }) {
    const facts = factsOf(evaluated);
    const deprecation = facts && deprecationOf(facts);
    if (evaluated.resolution.kind !== 'version' || deprecation === undefined) return undefined;
    const conflict = conflictText(evaluated);
    const parts = [
      `${deprecationText(deprecation, evaluated.linked.key.system)}.`,
      // No version of an archived project is less archived.
      ...(recommended && deprecation.of === 'version' ? [l10n.t('Update to {0}.', recommended.version)] : []),
      ...(conflict ? [conflict] : []),
      ...(deprecation.reason ? [l10n.t('Reason: {0}', deprecation.reason)] : []),
    ];
    return { severity: 'warning', message: parts.join(' ') };
  },
};

/** Without a period. */
export function deprecationText({ of }: Deprecation, system: System): string {
  switch (of) {
    case 'version':
      return wordForDeprecated(system);
    case 'archived project':
      return l10n.t('Archived project');
    case 'deprecated project':
      return l10n.t('Deprecated project');
  }
}

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
