import * as l10n from '@vscode/l10n';
import type { EvaluatedDependency } from '../../../engine/model/evaluated-dependency.ts';
import type { Provenance, VersionFacts } from '../../../engine/model/facts.ts';
import { browsableAddress, hostOf } from '../../../engine/model/links.ts';
import { byRank, certaintyText } from '../../../engine/model/relations.ts';
import { attestedBy } from '../../../engine/model/signals/provenance.ts';
import { type Block, type Inline, joined, paragraph, phrase } from '../markup.ts';

/** How many of each a hover shows. */
const MAX_SHOWN = { provenances: 3, projects: 5 };

/** The source that a version was built or published from, according to its attestations. */
export function provenance(facts: VersionFacts): Block[] {
  return facts.provenances.slice(0, MAX_SHOWN.provenances).map((it) => {
    const statementUrl = browsableAddress(it.url);
    const statement: Inline[] = statementUrl
      ? [' · ', { link: l10n.t('statement ({0})', hostOf(statementUrl)), url: statementUrl }]
      : [];
    const verified = it.verified ? l10n.t('verified') : l10n.t('not verified');
    return paragraph(...originOf(it), ` (${verified})`, ...statement);
  });
}

function originOf(it: Provenance): readonly Inline[] {
  if (it.sourceRepository === '') return [l10n.t('Attestation without a source')];
  const url = browsableAddress(it.sourceRepository);
  const source: Inline = url ? { link: `${hostOf(url)}${new URL(url).pathname}`, url } : it.sourceRepository;
  const commit = it.commit === '' ? undefined : { code: it.commit.slice(0, 12) };
  switch (attestedBy(it)) {
    case 'build':
      return commit
        ? phrase(l10n.t('Built from {0} at {1}'), source, commit)
        : phrase(l10n.t('Built from {0}'), source);
    case 'publication':
      return commit
        ? phrase(l10n.t('Published from {0} at {1}'), source, commit)
        : phrase(l10n.t('Published from {0}'), source);
    case 'other':
      return commit
        ? phrase(l10n.t('Attested for {0} at {1}'), source, commit)
        : phrase(l10n.t('Attested for {0}'), source);
  }
}

/** The related projects of a version with their certainty, without the repository whose state is shown already. */
export function projects(facts: VersionFacts, { repository }: Pick<EvaluatedDependency, 'repository'>): Block[] {
  const own = repository && `${repository.host}/${repository.id}`;
  const shown = facts.projects
    .filter((it) => it.id !== '' && it.type !== 'ISSUE_TRACKER' && it.id.toLowerCase() !== own)
    .toSorted(byRank)
    .slice(0, MAX_SHOWN.projects);
  if (shown.length === 0) return [];
  const parts = shown.map((it): Inline[] => [
    { link: it.id, url: `https://${it.id}` },
    ` (${certaintyText(it.provenance)})`,
  ]);
  return [paragraph(shown.length === 1 ? l10n.t('Project') : l10n.t('Projects'), ' ', ...joined(parts, ', '))];
}
