import type { VersionFacts } from '../model/facts.ts';
import { browsable, hostOf } from '../model/web-address.ts';
import { type Block, type Inline, joined, paragraph } from './prose.ts';

/** How many of each a hover shows. */
const most = { provenances: 3, projects: 5 };

/** Where a version was built, as its attestations say. */
export function provenance(facts: VersionFacts): Block[] {
  return facts.provenances.slice(0, most.provenances).map((it) => {
    const url = browsable(it.sourceRepository);
    const source: Inline = url ? { link: `${hostOf(url)}${new URL(url).pathname}`, url } : it.sourceRepository;
    const statementUrl = browsable(it.url);
    const statement: Inline[] = statementUrl
      ? [' · ', { link: `statement (${hostOf(statementUrl)})`, url: statementUrl }]
      : [];
    const commit: Inline[] = it.commit ? [' at ', { code: it.commit.slice(0, 12) }] : [];
    return paragraph('Built from ', source, ...commit, it.verified ? ' (verified)' : ' (not verified)', ...statement);
  });
}

/** How sure the service is of a related project. Source: its contract, relationProvenance. */
const certainty: ReadonlyMap<string, string> = new Map([
  ['SLSA_ATTESTATION', 'attested'],
  ['GO_ORIGIN', 'origin of the module'],
  ['UNVERIFIED_METADATA', 'claimed by the package'],
]);

/** The projects that a version is said to come from, with how sure that is. */
export function projects(facts: VersionFacts): Block[] {
  const shown = facts.projects.filter((it) => it.id !== '' && it.type !== 'ISSUE_TRACKER').slice(0, most.projects);
  if (shown.length === 0) return [];
  const parts = shown.map((it): Inline[] => [
    { link: it.id, url: `https://${it.id}` },
    ` (${certainty.get(it.provenance) ?? it.provenance.toLowerCase().replaceAll('_', ' ')})`,
  ]);
  return [paragraph(shown.length === 1 ? 'Project ' : 'Projects ', ...joined(parts, ', '))];
}
