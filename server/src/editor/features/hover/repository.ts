import * as l10n from '@vscode/l10n';
import { repositoryStates } from '../../../engine/analysis/repository-text.ts';
import type { EvaluatedDependency } from '../../../engine/model/evaluated-dependency.ts';
import type { Refresh, VersionFacts } from '../../../engine/model/facts.ts';
import { hostOf } from '../../../engine/model/links.ts';
import { certaintyText } from '../../../engine/model/relations.ts';
import { type Block, type Inline, paragraph } from '../markup.ts';
import { ago } from './ago.ts';

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
      const states = [...repositoryStates(facts.value, version), ...age(facts.at, facts.refresh, now)];
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

/** When an old answer was checked, or why it is not refreshed. */
function age(at: number, refresh: Refresh | undefined, now: number): string[] {
  if (typeof refresh === 'object') return [l10n.t('checked {0}, refresh failed: {1}', ago(at, now), refresh.failed)];
  return now - at < MIN_MENTIONED_AGE ? [] : [l10n.t('checked {0}', ago(at, now))];
}
