import * as l10n from '@vscode/l10n';
import { dayOf } from '../base/dates.ts';
import { type EvaluatedDependency, factsOf } from '../model/evaluated-dependency.ts';
import type { VersionFacts } from '../model/facts.ts';
import { certaintyText } from '../model/relations.ts';
import type { RepositoryFacts } from '../model/signals/repository.ts';
import { sameLicenses } from '../policy/license-expressions.ts';

/** What is to be said of a repository, at least one thing: `archived`, `last push 2020-02-11`, `128 open issues`, `license there: Apache-2.0`. */
export function repositoryStates(facts: RepositoryFacts, { licenses }: Pick<VersionFacts, 'licenses'>): string[] {
  const { isArchived, isDisabled, pushedAt, openIssues, license } = facts;
  const states = [
    ...(isArchived ? [l10n.t('archived')] : []),
    ...(isDisabled ? [l10n.t('disabled')] : []),
    ...(pushedAt === undefined ? [] : [l10n.t('last push {0}', dayOf(pushedAt))]),
    ...(openIssues === undefined
      ? []
      : [openIssues === 1 ? l10n.t('1 open issue') : l10n.t('{0} open issues', openIssues)]),
    ...(license !== undefined && sameLicenses([license], licenses) === false
      ? [l10n.t('license there: {0}', license)]
      : []),
  ];
  return states.length > 0 ? states : [l10n.t('not archived')];
}

/** `request/request (claimed by the package): archived · last push 2020-02-11`; undefined while nothing is known. */
export function repositoryLine(evaluated: EvaluatedDependency): string | undefined {
  const { repository } = evaluated;
  const version = factsOf(evaluated);
  if (version === undefined || repository?.facts.state !== 'ready') return undefined;
  const { value } = repository.facts;
  return `${value.name} (${certaintyText(repository.provenance)}): ${repositoryStates(value, version).join(' · ')}`;
}
