import type { PackageFacts, VersionFacts } from '../model/facts.ts';
import { licensesOf } from '../model/licenses.ts';
import { rating } from '../model/rating.ts';
import type { Advisory } from '../model/subject.ts';
import { visible } from '../report/words.ts';

/** A heading, and below it names with what there is to say of each; names without anything are left out. */
export function describeRows(heading: string, rows: readonly (readonly [string, readonly string[]])[]): string {
  const shown = rows.filter(([, values]) => values.length > 0);
  const width = Math.max(...shown.map(([name]) => name.length));
  const lines = shown.flatMap(([name, values]) =>
    values.map((value, at) => `  ${(at === 0 ? name : '').padEnd(width)}  ${visible(value)}`),
  );
  return [visible(heading), ...lines].join('\n');
}

/** What is known of a package, for a person. */
export function describePackage({ key, purl, versions }: PackageFacts): string {
  const deprecated = versions.filter((it) => it.isDeprecated).length;
  const latest = versions.filter((it) => it.isDefault);
  return describeRows(`${key.name} (${key.system})`, [
    ['purl', [purl]],
    ['default version', latest.map((it) => [it.version, ...published(it)].join(', '))],
    ['versions', [[`${versions.length}`, ...(deprecated > 0 ? [`${deprecated} of them deprecated`] : [])].join(', ')]],
  ]);
}

/** What is known of a version, for a person. */
export function describeVersion(facts: VersionFacts, advisories: readonly Advisory[]): string {
  const { key, isDefault, isDeprecated, deprecatedReason, links, provenances, projects, registries } = facts;
  return describeRows(`${key.name} ${key.version} (${key.system})`, [
    ['purl', [facts.purl]],
    ['published', published(facts).map((it) => it.replace('published ', ''))],
    ['default version', [isDefault ? 'yes' : 'no']],
    ['licences', [licensesOf(facts).join(', ') || 'unknown']],
    ['deprecated', isDeprecated ? [deprecatedReason ?? 'yes'] : []],
    ['advisories', advisories.length > 0 ? advisories.map(describeAdvisory) : ['none known of this version itself']],
    ['links', links.map((it) => `${it.label} ${it.url}`)],
    ['provenance', provenances.map((it) => `${it.sourceRepository} at ${it.commit}${it.verified ? ', verified' : ''}`)],
    ['projects', projects.filter((it) => it.id !== '').map((it) => `${it.id} (${it.type}, ${it.provenance})`)],
    ['registries', registries],
  ]);
}

function published({ publishedAt }: { readonly publishedAt?: number }): string[] {
  return publishedAt === undefined ? [] : [`published ${new Date(publishedAt).toISOString().slice(0, 10)}`];
}

function describeAdvisory({ id, aliases, facts }: Advisory): string {
  const { title = '', score = undefined } = facts.state === 'ready' ? facts.value : {};
  const others = aliases.length > 0 ? ` (${aliases.join(', ')})` : '';
  const rated = score === undefined ? '' : `, ${rating(score)} ${score.toFixed(1)}`;
  return `${id}${others}${title === '' ? '' : ` ${title}`}${rated}`;
}
