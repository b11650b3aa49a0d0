import * as l10n from '@vscode/l10n';
import { certaintyText } from '../../model/relations.ts';
import { worstChecks } from '../../model/signals/project.ts';
import type { Rule } from './rule.ts';

/** A hover has more. */
const MAX_NAMED_CHECKS = 3;

/** The OpenSSF Scorecard of its source project is below the score that the person chose. */
export const lowScore: Rule = {
  code: 'low-score',
  find({ sourceProject }) {
    if (sourceProject?.facts.state !== 'ready') return undefined;
    const { id, provenance, minScore } = sourceProject;
    const { score } = sourceProject.facts.value;
    if (score === undefined || score >= minScore) return undefined;
    const worst = worstChecks(sourceProject.facts.value, MAX_NAMED_CHECKS);
    const project = `${id} (${certaintyText(provenance)})`;
    const checks = worst.map((it) => `${it.name} ${it.score}`).join(', ');
    return {
      severity: 'information',
      message:
        worst.length === 0
          ? l10n.t('Scorecard {0} of 10, below {1}: {2}.', score.toFixed(1), minScore, project)
          : l10n.t('Scorecard {0} of 10, below {1}: {2}. Lowest: {3}.', score.toFixed(1), minScore, project, checks),
      details: worst.map((it) => `${it.name} ${it.score}: ${it.reason}`),
    };
  },
};
