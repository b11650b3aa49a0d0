import * as l10n from '@vscode/l10n';
import { factsOf } from '../../model/evaluated-dependency.ts';
import type { System } from '../../model/system.ts';
import type { Rule } from './rule.ts';

/** The resolved version is deprecated, yanked or retracted. */
export const deprecated: Rule = {
  code: 'deprecated',
  find(evaluated) {
    const facts = factsOf(evaluated);
    const { resolution } = evaluated;
    if (resolution.kind !== 'version' || !facts?.isDeprecated) return undefined;
    const reason = facts.deprecatedReason ? `: ${facts.deprecatedReason}` : '';
    const fact = factFor(facts.key.system, evaluated.linked.dependency.name, resolution.version);
    return { severity: 'warning', message: fact + reason };
  },
};

/** In the word of each system. */
function factFor(system: System, name: string, version: string): string {
  switch (system) {
    case 'GO':
      return l10n.t('{0} {1} is retracted or deprecated', name, version);
    case 'CARGO':
    case 'PYPI':
      return l10n.t('{0} {1} is yanked', name, version);
    case 'NPM':
    case 'MAVEN':
    case 'NUGET':
      return l10n.t('{0} {1} is deprecated', name, version);
  }
}
