import * as l10n from '@vscode/l10n';
import { dayOf } from '../../base/dates.ts';
import { certaintyText } from '../../model/relations.ts';
import type { Rule } from './rule.ts';

/** The source repository of the resolved version is archived: its problems are no longer fixed there. */
export const archived: Rule = {
  code: 'archived',
  find({ repository }) {
    if (repository?.facts.state !== 'ready' || !repository.facts.value.isArchived) return undefined;
    const { name, pushedAt } = repository.facts.value;
    const place = `${repository.host}/${name}`;
    const certainty = certaintyText(repository.provenance);
    return {
      severity: 'information',
      message:
        pushedAt === undefined
          ? l10n.t('Source repository archived: {0} ({1}).', place, certainty)
          : l10n.t('Source repository archived: {0} ({1}), last push {2}.', place, certainty, dayOf(pushedAt)),
    };
  },
};
