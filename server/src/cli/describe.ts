import * as l10n from '@vscode/l10n';
import { dayOf } from '../model/day.ts';
import type { PackageFacts, VersionFacts } from '../model/facts.ts';
import { licensesOf } from '../model/licenses.ts';
import { rating, wordForRating } from '../model/rating.ts';
import type { Advisory } from '../model/subject.ts';
import { systemNames } from '../model/system.ts';
import { browsable } from '../model/web-address.ts';
import { visible } from '../report/words.ts';

/** A heading, and below it names with what there is to say of each; names without anything are left out. */
function describeRows(heading: string, rows: readonly (readonly [string, readonly string[]])[]): string {
  const shown = rows.filter(([, values]) => values.length > 0);
  const width = Math.max(...shown.map(([name]) => name.length));
  const lines = shown.flatMap(([name, values]) =>
    values.map((value, at) => `  ${(at === 0 ? name : '').padEnd(width)}  ${visible(value)}`),
  );
  return [visible(heading), ...lines].join('\n');
}

/** What is known of a package, for a person. */
export function describePackage({ key, purl, versions, isSample }: PackageFacts): string {
  const deprecated = versions.filter((it) => it.isDeprecated).length;
  const latest = versions.filter((it) => it.isDefault);
  return describeRows(`${key.name} (${systemNames[key.system]})`, [
    ['purl', [purl]],
    [
      l10n.t('default version'),
      latest.map(({ version, publishedAt: at }) =>
        at === undefined ? version : l10n.t('{0}, published {1}', version, dayOf(at)),
      ),
    ],
    [
      l10n.t('versions'),
      [
        deprecated > 0
          ? l10n.t('{0}, {1} of them deprecated', versions.length, deprecated)
          : versions.length.toString(),
        ...(isSample ? [l10n.t('The service knows only some of its versions.')] : []),
      ],
    ],
  ]);
}

/** What is known of a version, for a person. */
export function describeVersion(facts: VersionFacts, advisories: readonly Advisory[]): string {
  const { key, isDefault, isDeprecated, deprecatedReason, links, provenances, projects, registries, publishedAt } =
    facts;
  return describeRows(`${key.name} ${key.version} (${systemNames[key.system]})`, [
    ['purl', [facts.purl]],
    [l10n.t('published'), publishedAt === undefined ? [] : [dayOf(publishedAt)]],
    [l10n.t('default version'), [isDefault ? l10n.t('yes') : l10n.t('no')]],
    [l10n.t('licences'), [licensesOf(facts).join(', ') || l10n.t('unknown')]],
    [l10n.t('deprecated'), isDeprecated ? [deprecatedReason ?? l10n.t('yes')] : []],
    [
      l10n.t('advisories'),
      advisories.length > 0 ? advisories.map(describeAdvisory) : [l10n.t('none known of this version itself')],
    ],
    [l10n.t('links'), links.flatMap(({ label, url }) => (browsable(url) ? [`${label} ${browsable(url)}`] : []))],
    [
      l10n.t('provenance'),
      provenances.map(({ sourceRepository, commit, verified }) =>
        verified
          ? l10n.t('{0} at {1}, verified', sourceRepository, commit)
          : l10n.t('{0} at {1}', sourceRepository, commit),
      ),
    ],
    [l10n.t('projects'), projects.filter((it) => it.id !== '').map((it) => `${it.id} (${it.type}, ${it.provenance})`)],
    [l10n.t('registries'), registries],
  ]);
}

function describeAdvisory({ id, aliases, facts }: Advisory): string {
  const { title = '', score } = facts.state === 'ready' ? facts.value : {};
  const others = aliases.length > 0 ? ` (${aliases.join(', ')})` : '';
  const rated = score === undefined ? '' : `, ${wordForRating(rating(score))} ${score.toFixed(1)}`;
  return `${id}${others}${title === '' ? '' : ` ${title}`}${rated}`;
}
