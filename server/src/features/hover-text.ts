import * as l10n from '@vscode/l10n';
import { sameLicenses } from '../licences/same.ts';
import type { VersionFacts } from '../model/facts.ts';
import { licensesOf } from '../model/licenses.ts';
import type { DeclaredLicenses } from '../model/manifest.ts';
import { rating } from '../model/rating.ts';
import { type Advisory, factsOf, type Subject } from '../model/subject.ts';
import { browsable, hostOf } from '../model/web-address.ts';
import { bySeverity, countAdvisories } from '../rules/advisory.ts';
import { wordForDeprecated } from '../rules/deprecated.ts';
import { listed } from '../rules/license-mismatch.ts';
import { cooldownText, policyText } from './policy-text.ts';
import { type Block, type Inline, item, joined, type Prose, paragraph } from './prose.ts';
import { projects, provenance } from './provenance-text.ts';
import { ago, dayOf } from './time.ts';
import { wayOut } from './way-out.ts';

/**
 * What a hover says of a dependency, in the order of what matters; parts that would be empty are left out.
 * @param required what it requires itself
 */
export function describeSubject(subject: Subject, now: number, required: Prose = []): Prose {
  const facts = factsOf(subject);
  return [
    headline(subject),
    ...standing(subject),
    ...(facts ? [summary(facts, subject.linked.dependency.declared)] : []),
    ...(facts ? deprecation(facts) : []),
    ...advisories(subject),
    ...policyText(subject, facts),
    ...defaultVersion(subject, facts),
    ...cooldownText(subject, now),
    ...required,
    ...(facts ? [...provenance(facts), ...projects(facts), ...spellings(subject, facts), ...links(facts)] : []),
    ...age(subject, now),
  ];
}

/** What is known of a version by itself: of one that is offered, for example. */
export function describeVersion(facts: VersionFacts, known: readonly Advisory[]): Prose {
  return [summary(facts), ...deprecation(facts), ...advisories({ advisories: known })];
}

/** **lodash** `^4.17.15` → **4.17.15** (package-lock.json) */
function headline({ linked, resolution }: Subject): Block {
  const { asked, constraint, dependency } = linked;
  const parts: Inline[] = [{ strong: dependency.name }];
  if (asked.kind === 'text' && asked.text !== '') parts.push(' ', { code: asked.text });
  if (asked.kind === 'text' && asked.via.length > 0) parts.push(` through ${asked.via.join(', ')}`);
  if (constraint) parts.push(' with ', { code: constraint.text }, ' from the constraints');
  if (resolution.kind === 'version') {
    const { from, lockfile } = resolution;
    const source = from === 'lockfile' ? (lockfile ?? 'lockfile') : from === 'pin' ? 'as written' : 'from the range';
    parts.push(' → ', { strong: resolution.version }, ` (${source})`);
  }
  if (dependency.condition) parts.push(' when ', { code: dependency.condition });
  return paragraph(...parts);
}

/** Why there is nothing to say, or what is still to come. */
function standing({ linked, resolution, version }: Subject): Block[] {
  const { name } = linked.dependency;
  switch (resolution.kind) {
    case 'none':
      return [paragraph(`Not looked up: ${resolution.reason}.`), ...wayOut(resolution.withheld)];
    case 'pending':
      return [paragraph('Asking the Package Insights Service…')];
    case 'unknown':
      return [paragraph(`The service does not know ${name}: private, too new, or outside what it covers.`)];
    case 'no-match':
      return [paragraph(`No published version meets ${resolution.range}.`)];
    case 'failed':
      return [paragraph(`The service could not be asked: ${resolution.reason}.`)];
    case 'version': {
      const stale = resolution.stale
        ? [
            paragraph(
              `${resolution.stale.lockfile} still has ${resolution.stale.version}: run `,
              { code: resolution.stale.update },
              '.',
            ),
          ]
        : [];
      if (version?.state === 'pending') return [...stale, paragraph('Asking the Package Insights Service…')];
      if (version?.state === 'failed')
        return [...stale, paragraph(`The service could not be asked: ${version.reason}.`)];
      if (version?.state === 'unknown')
        return [
          ...stale,
          paragraph(
            `The service does not know version ${resolution.version}: private, too new, or outside what it covers.`,
          ),
        ];
      return stale;
    }
  }
}

function summary(facts: VersionFacts, declared?: DeclaredLicenses): Block {
  const licenses = licensesOf(facts);
  const parts: Inline[][] = [[licenses.length > 0 ? `Licence ${licenses.join(', ')}` : 'Licence unknown']];
  if (declared && sameLicenses(declared.licenses, facts.licenses) !== true) {
    parts.push([l10n.t('the file declares {0}', listed(declared.licenses))]);
  }
  if (facts.publishedAt !== undefined) parts.push([`published ${dayOf(facts.publishedAt)}`]);
  if (facts.isDefault) parts.push(['the default version']);
  return paragraph(...joined(parts, ' · '));
}

function deprecation(facts: VersionFacts): Block[] {
  if (!facts.isDeprecated) return [];
  const word = wordForDeprecated[facts.key.system];
  const title = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  return [paragraph({ strong: title }, facts.deprecatedReason ? `: ${facts.deprecatedReason}` : '.')];
}

/** Some versions have hundreds of advisories: the worst come first. */
const mostAdvisories = 10;

function advisories(subject: Pick<Subject, 'advisories'>): Block[] {
  if (subject.advisories.length === 0) return [];
  const count = countAdvisories(subject.advisories);
  const more = subject.advisories.length - mostAdvisories;
  return [
    paragraph(
      { strong: `${count.charAt(0).toUpperCase()}${count.slice(1)}` },
      ' of this version itself (not of what it depends on):',
    ),
    ...bySeverity(subject.advisories).slice(0, mostAdvisories).map(advisory),
    ...(more > 0 ? [item(`and ${more} more`)] : []),
  ];
}

function advisory({ id, aliases, facts }: Advisory): Block {
  if (facts.state !== 'ready') return item({ link: id, url: recordOf(id) });
  const { title, url, score } = facts.value;
  const parts: Inline[] = [{ link: id, url: browsable(url) ?? recordOf(id) }];
  parts.push(score === undefined ? ' unrated' : ` ${rating(score)} ${score.toFixed(1)}`);
  if (title) parts.push(`: ${title}`);
  if (aliases.length > 0) parts.push(` (also ${aliases.join(', ')})`);
  return item(...parts);
}

/** Where the public record of an OSV identifier is shown. Source: osv.dev, which serves every identifier at this path. */
function recordOf(id: string): string {
  // Half a surrogate pair cannot be encoded.
  return `https://osv.dev/vulnerability/${encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'))}`;
}

/** What moving to the default version would change. */
function defaultVersion(subject: Subject, current: VersionFacts | undefined): Block[] {
  const target = subject.default;
  if (!target) return [];
  const parts: Inline[] = ['Default version ', { strong: target.version }];
  if (target.facts.state !== 'ready') return [paragraph(...parts)];
  const facts = target.facts.value;
  if (facts.publishedAt !== undefined) parts.push(` (published ${dayOf(facts.publishedAt)})`);
  const changes = current ? changesBetween(subject, current, facts) : [];
  if (changes.length > 0) parts.push(`: ${changes.join(', ')}`);
  return [paragraph(...parts)];
}

function changesBetween(subject: Subject, from: VersionFacts, to: VersionFacts): string[] {
  const fixed = subject.advisories.filter(
    (it) => !to.advisories.includes(it.id) && !it.aliases.some((alias) => to.advisories.includes(alias)),
  );
  const known = new Set(subject.advisories.flatMap((it) => [it.id, ...it.aliases]));
  const added = to.advisories.filter((it) => !known.has(it));
  const before = licensesOf(from).join(', ') || 'unknown';
  const after = licensesOf(to).join(', ') || 'unknown';
  return [
    ...(fixed.length > 0
      ? [
          `fixes ${fixed.length === subject.advisories.length ? (fixed.length === 1 ? 'the advisory' : 'all advisories') : fixed.length === 1 ? '1 advisory' : `${fixed.length} advisories`}`,
        ]
      : []),
    ...(added.length > 0 ? [`has ${added.join(', ')}`] : []),
    ...(from.isDeprecated && !to.isDeprecated ? ['not deprecated'] : []),
    ...(to.isDeprecated ? ['is deprecated itself'] : []),
    ...(before !== after ? [`licence ${before} → ${after}`] : []),
  ];
}

/** Spellings that differ from what the file has, and the registries that offer the version. */
function spellings({ linked }: Subject, facts: VersionFacts): Block[] {
  const others = facts.upstream
    .filter((it) => it.packageName !== linked.dependency.name || it.versionString !== facts.version)
    .map((it) => `${it.packageName} ${it.versionString}`.trim());
  const hosts = [...new Set(facts.registries.map(hostOf).filter((it) => it !== ''))];
  return [
    ...(others.length > 0 ? [paragraph(`Published as ${[...new Set(others)].join(', ')}`)] : []),
    ...(hosts.length > 0 ? [paragraph(`Offered by ${hosts.join(', ')}`)] : []),
  ];
}

/** Labels worth a link, in this order. */
const labels: Readonly<Record<string, string>> = {
  SOURCE_REPO: 'Source',
  HOMEPAGE: 'Homepage',
  DOCUMENTATION: 'Documentation',
  ISSUE_TRACKER: 'Issues',
};

function links(facts: VersionFacts): Block[] {
  const parts = Object.entries(labels).flatMap(([label, word]) => {
    const url = facts.links
      .filter((it) => it.label === label)
      .map((it) => browsable(it.url))
      .find((it) => it !== undefined);
    return url ? [[{ link: `${word} (${hostOf(url)})`, url }]] : [];
  });
  return parts.length > 0 ? [paragraph(...joined(parts, ' · '))] : [];
}

function age({ version }: Subject, now: number): Block[] {
  if (version?.state !== 'ready') return [];
  const state =
    version.refresh === 'pending'
      ? ', asking again'
      : version.refresh
        ? `, asking again failed: ${version.refresh.failed}`
        : '';
  return [paragraph(`Checked ${ago(version.at, now)}${state}`)];
}
