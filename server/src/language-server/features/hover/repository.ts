import * as l10n from '@vscode/l10n';
import { dayOf } from '../../../base/dates.ts';
import type { RepositoryFacts } from '../../../model/code-host/repository.ts';
import type { EvaluatedDependency } from '../../../model/evaluated-dependency.ts';
import type { Refresh, VersionFacts } from '../../../model/facts.ts';
import { hostOf } from '../../../model/links.ts';
import { certaintyText } from '../../../model/relations.ts';
import { sameLicenses } from '../../../policy/license-expressions.ts';
import { type Block, type Inline, paragraph } from '../markup.ts';
import { ago } from './dependency.ts';

/** In ms. A younger answer needs no mention. */
const MIN_MENTIONED_AGE = 24 * 3_600_000;

/**
 * The source repository at the connected code host:
 *
 *     Repository request/request (github.com, claimed by the package): archived · last push 2020-02-11 · 128 open issues
 */
export function repositoryFacts({ repository }: EvaluatedDependency, version: VersionFacts, now: number): Block[] {
  if (!repository) return [];
  const { id, host, provenance, facts } = repository;
  const certainty = certaintyText(provenance);
  const line = (name: Inline, where: string, states: readonly string[]): Block[] => [
    paragraph(l10n.t('Repository'), ' ', name, ` (${where}, ${certainty}): ${states.join(' · ')}`),
  ];
  switch (facts.state) {
    case 'ready': {
      const { name, url } = facts.value;
      const states = [...statesOf(facts.value, version), ...age(facts.at, facts.refresh, now)];
      return line({ link: name, url }, hostOf(url), states);
    }
    case 'pending':
      return line(id, host, [l10n.t('no answer so far')]);
    case 'unknown':
      return line(id, host, [l10n.t('unknown to the code host')]);
    case 'failed':
      return line(id, host, [facts.reason]);
  }
}

function statesOf(facts: RepositoryFacts, version: VersionFacts): string[] {
  const { isArchived, isDisabled, pushedAt, openIssues, license } = facts;
  return [
    ...(isArchived ? [l10n.t('archived')] : []),
    ...(isDisabled ? [l10n.t('disabled')] : []),
    pushedAt === undefined ? l10n.t('nothing pushed') : l10n.t('last push {0}', dayOf(pushedAt)),
    ...(openIssues === undefined
      ? []
      : [openIssues === 1 ? l10n.t('1 open issue') : l10n.t('{0} open issues', openIssues)]),
    ...(license !== undefined && sameLicenses([license], version.licenses) === false
      ? [l10n.t('license there: {0}', license)]
      : []),
  ];
}

/** When an old answer was checked, or why it is not refreshed. */
function age(at: number, refresh: Refresh | undefined, now: number): string[] {
  if (typeof refresh === 'object') return [l10n.t('checked {0}, refresh failed: {1}', ago(at, now), refresh.failed)];
  return now - at < MIN_MENTIONED_AGE ? [] : [l10n.t('checked {0}', ago(at, now))];
}
