import * as l10n from '@vscode/l10n';
import { fixesFor } from '../../../analysis/fixes.ts';
import { licenseList } from '../../../analysis/rules/license-mismatch.ts';
import { dayOf } from '../../../base/dates.ts';
import {
  type Advisory,
  aliasedName,
  type EvaluatedDependency,
  factsOf,
  type Locked,
  type Published,
} from '../../../model/evaluated-dependency.ts';
import type { VersionFacts } from '../../../model/facts.ts';
import { licensesOf } from '../../../model/license-policy.ts';
import { addressLabeled, hostOf } from '../../../model/links.ts';
import type { DeclaredLicenses } from '../../../model/manifest.ts';
import type { Registry } from '../../../model/registry.ts';
import type { System } from '../../../model/system.ts';
import { sameLicenses } from '../../../policy/license-expressions.ts';
import { type Block, type Inline, joined, type Markup, paragraph, phrase } from '../markup.ts';
import { advisories } from './advisories.ts';
import { cooldownText, policyText } from './license.ts';
import { projects, provenance } from './provenance.ts';

/**
 * The hover of a dependency, most important parts first.
 * @param required its own requirements
 * @param closed why the settings stop all requests, if they do
 */
export function describeDependency(
  evaluated: EvaluatedDependency,
  now: number,
  required: Markup = [],
  closed?: string,
): Markup {
  const facts = factsOf(evaluated);
  return [
    headline(evaluated),
    ...lookupStatus(evaluated, closed),
    ...(facts ? [summary(facts, evaluated.linked.dependency.declared)] : []),
    ...(facts ? deprecation(facts) : []),
    ...advisories(evaluated),
    ...policyText(evaluated, facts),
    ...defaultVersion(evaluated, facts),
    ...cooldownText(evaluated, now),
    ...sampleNote(evaluated),
    ...refusal(evaluated),
    ...required,
    ...(facts ? [...provenance(facts), ...projects(facts), ...spellings(evaluated, facts), ...links(facts)] : []),
    ...age(evaluated, now),
  ];
}

/** The facts of a version without a dependency: of a completion item, for example. */
export function describeVersion(facts: VersionFacts, known: readonly Advisory[]): Markup {
  return [summary(facts), ...deprecation(facts), ...advisories({ advisories: known })];
}

/** **lodash** `^4.17.15` → **4.17.15** (package-lock.json); **react** (preact) … where a name stands for another package */
function headline({ linked, resolution }: EvaluatedDependency): Block {
  const { requirement, constraint, dependency } = linked;
  const parts: Inline[] = [{ strong: dependency.name }];
  const meant = aliasedName(linked);
  if (meant !== undefined) parts.push(` (${meant})`);
  if (requirement.kind === 'text' && requirement.text !== '') parts.push(' ', { code: requirement.text });
  if (requirement.kind === 'text' && requirement.via.length > 0)
    parts.push(' ', l10n.t('through {0}', requirement.via.join(', ')));
  if (constraint) parts.push(' ', ...phrase(l10n.t('with {0} from the constraints'), { code: constraint.text }));
  if (resolution.kind === 'version') {
    const { from, lockfile } = resolution;
    const managedBy = requirement.kind === 'text' ? requirement.managedBy : undefined;
    const pin = managedBy ? managedText(managedBy) : l10n.t('as written');
    const found = { lockfile: lockfile ?? 'lockfile', pin, range: l10n.t('from the range') };
    parts.push(' → ', { strong: resolution.version }, ` (${found[from]})`);
  }
  if (dependency.condition) parts.push(' ', ...phrase(l10n.t('when {0}'), { code: dependency.condition }));
  return paragraph(...parts);
}

/** The published package that defines the version, and the dependency to update for another. */
function managedText({ key, through }: Published): string {
  return key.name === through
    ? l10n.t('managed by {0} {1}', key.name, key.version)
    : l10n.t('managed by {0} {1} through {2}', key.name, key.version, through);
}

/** Why facts are missing. */
function lookupStatus({ linked, resolution, version }: EvaluatedDependency, closed: string | undefined): Block[] {
  const { name } = linked.dependency;
  switch (resolution.kind) {
    case 'none':
      return [
        paragraph(l10n.t('Not looked up: {0}.', resolution.reason)),
        ...privateRegistryAdvice(resolution.withheld, resolution.isPublicHostUnknown),
      ];
    case 'pending':
      return [paragraph(l10n.t('Requesting data from the Package Insights Service…'))];
    case 'unknown':
      return [paragraph(l10n.t('{0} is unknown to the service: it may be private, too new, or not covered.', name))];
    case 'no-match':
      return [paragraph(l10n.t('No published version meets {0}.', resolution.range))];
    case 'unlisted':
      return [paragraph(unlistedText(name, resolution.range))];
    case 'failed':
      return [notAsked(resolution.reason, closed)];
    case 'version':
      return [...staleLockfile(resolution.stale), ...versionStatus(resolution.version, version, closed)];
  }
}

/** A requirement that only a list of all versions could resolve. */
export function unlistedText(name: string, range: string): string {
  return l10n.t('The service knows only some versions of {0}, so {1} cannot be resolved.', name, range);
}

/** A lockfile that the requirement no longer allows. */
function staleLockfile(stale: Locked | undefined): Block[] {
  if (stale === undefined) return [];
  const { lockfile, version, update } = stale;
  return [paragraph(...phrase(l10n.t('{0} still contains {1}: run {2}.'), lockfile, version, { code: update }))];
}

function versionStatus(version: string, known: EvaluatedDependency['version'], closed: string | undefined): Block[] {
  switch (known?.state) {
    case 'pending':
      return [paragraph(l10n.t('Requesting data from the Package Insights Service…'))];
    case 'failed':
      return [notAsked(known.reason, closed)];
    case 'unknown':
      return [
        paragraph(
          l10n.t('Version {0} is unknown to the service: it may be private, too new, or not covered.', version),
        ),
      ];
    default:
      return [];
  }
}

function notAsked(reason: string, closed: string | undefined): Block {
  return paragraph(
    closed === undefined ? l10n.t('Lookup failed: {0}.', reason) : l10n.t('Not looked up: {0}.', closed),
  );
}

function summary(facts: VersionFacts, declared?: DeclaredLicenses): Block {
  const licenses = licensesOf(facts);
  const parts: Inline[][] = [
    [licenses.length > 0 ? l10n.t('License {0}', licenses.join(', ')) : l10n.t('License unknown')],
  ];
  if (declared && sameLicenses(declared.licenses, facts.licenses) !== true) {
    parts.push([l10n.t('declared in the file: {0}', licenseList(declared.licenses))]);
  }
  if (facts.publishedAt !== undefined) parts.push([l10n.t('published {0}', dayOf(facts.publishedAt))]);
  if (facts.isDefault) parts.push([l10n.t('the default version')]);
  return paragraph(...joined(parts, ' · '));
}

function deprecation(facts: VersionFacts): Block[] {
  if (!facts.isDeprecated) return [];
  const title = wordForDeprecated(facts.key.system);
  return [paragraph({ strong: title }, facts.deprecatedReason ? `: ${facts.deprecatedReason}` : '.')];
}

/** The term of each system. */
function wordForDeprecated(system: System): string {
  switch (system) {
    case 'GO':
      return l10n.t('Retracted or deprecated');
    case 'CARGO':
    case 'PYPI':
      return l10n.t('Yanked');
    case 'NPM':
    case 'MAVEN':
    case 'NUGET':
      return l10n.t('Deprecated');
  }
}

/** The changes of an update to the default version. */
function defaultVersion(evaluated: EvaluatedDependency, current: VersionFacts | undefined): Block[] {
  const target = evaluated.target;
  if (!target) return [];
  const flavor = evaluated.otherFlavor?.flavor;
  const version = { strong: target.version };
  const parts =
    flavor === undefined
      ? phrase(l10n.t('Default version {0}'), version)
      : phrase(l10n.t('Newest version for {0}: {1}'), flavor, version);
  if (target.facts.state !== 'ready') return [paragraph(...parts)];
  const facts = target.facts.value;
  if (facts.publishedAt !== undefined) parts.push(` (${l10n.t('published {0}', dayOf(facts.publishedAt))})`);
  const changes = changesBetween(evaluated, current, facts);
  if (changes.length > 0) parts.push(`: ${changes.join(', ')}`);
  return [paragraph(...parts)];
}

/** Newer versions may exist although none is suggested. */
function sampleNote({ package: list, resolution }: EvaluatedDependency): Block[] {
  if (resolution.kind !== 'version' || list?.state !== 'ready' || !list.value.isSample) return [];
  return [paragraph(l10n.t('The service knows only some versions of this package.'))];
}

/** Why no action updates it: an editor may hide disabled ones. Records are never edited. */
function refusal(evaluated: EvaluatedDependency): Block[] {
  if (evaluated.linked.isRecorded) return [];
  const moves = fixesFor(evaluated).map((it) => it.move);
  const refused = moves.find((it) => !it.ok);
  if (!refused || refused.ok || moves.some((it) => it.ok)) return [];
  return [paragraph(l10n.t('Cannot be updated: {0}', refused.reason))];
}

/** @param from absent if no version is resolved */
function changesBetween(evaluated: EvaluatedDependency, from: VersionFacts | undefined, to: VersionFacts): string[] {
  const fixed = evaluated.advisories.filter(
    (it) => !to.advisories.includes(it.id) && !it.aliases.some((alias) => to.advisories.includes(alias)),
  );
  const known = new Set(evaluated.advisories.flatMap((it) => [it.id, ...it.aliases]));
  const added = to.advisories.filter((it) => !known.has(it));
  const licensesIn = (it: VersionFacts): string => licensesOf(it).join(', ') || l10n.t('unknown');
  const before = licensesIn(from ?? to);
  const after = licensesIn(to);
  return [
    ...(fixed.length > 0 ? [fixedText(fixed.length, evaluated.advisories.length)] : []),
    ...(added.length > 0 ? [l10n.t('has {0}', added.join(', '))] : []),
    ...(from?.isDeprecated && !to.isDeprecated ? [l10n.t('not deprecated')] : []),
    ...(to.isDeprecated ? [l10n.t('deprecated, too')] : []),
    ...(before !== after ? [l10n.t('license {0} → {1}', before, after)] : []),
  ];
}

function fixedText(fixed: number, all: number): string {
  if (fixed === all) return all === 1 ? l10n.t('fixes the advisory') : l10n.t('fixes all advisories');
  return fixed === 1 ? l10n.t('fixes 1 advisory') : l10n.t('fixes {0} advisories', fixed);
}

/** Other spellings than the file's, and the registries that offer the version. */
function spellings({ linked }: EvaluatedDependency, facts: VersionFacts): Block[] {
  const others = facts.upstream
    .filter((it) => it.packageName !== linked.dependency.name || it.versionString !== facts.version)
    .map((it) => `${it.packageName} ${it.versionString}`.trim());
  const hosts = [...new Set(facts.registries.map(hostOf).filter((it) => it !== ''))];
  return [
    ...(others.length > 0 ? [paragraph(l10n.t('Published as {0}', [...new Set(others)].join(', ')))] : []),
    ...(hosts.length > 0 ? [paragraph(l10n.t('Available from {0}', hosts.join(', ')))] : []),
  ];
}

function links(facts: VersionFacts): Block[] {
  /** Labels worth a link, in this order. */
  const labels = {
    SOURCE_REPO: l10n.t('Source'),
    HOMEPAGE: l10n.t('Homepage'),
    DOCUMENTATION: l10n.t('Documentation'),
    ISSUE_TRACKER: l10n.t('Issues'),
  };
  const parts = Object.entries(labels).flatMap(([label, word]) => {
    const url = addressLabeled(facts.links, label);
    return url ? [[{ link: `${word} (${hostOf(url)})`, url }]] : [];
  });
  return parts.length > 0 ? [paragraph(...joined(parts, ' · '))] : [];
}

function age({ version }: EvaluatedDependency, now: number): Block[] {
  if (version?.state !== 'ready') return [];
  const { refresh } = version;
  const when = ago(version.at, now);
  if (refresh === undefined) return [paragraph(l10n.t('Checked {0}', when))];
  return [
    paragraph(
      refresh === 'pending'
        ? l10n.t('Checked {0}, refreshing', when)
        : l10n.t('Checked {0}, refresh failed: {1}', when, refresh.failed),
    ),
  ];
}

/**
 * How to have the packages of a private registry looked up.
 * @param isPublicUnsaid the service does not report the public registries, so this one may be public
 */
export function privateRegistryAdvice(registry: Registry | undefined, isPublicUnsaid = false): Block[] {
  if (registry === undefined) return [];
  const { host } = registry;
  if (host === undefined) return [paragraph(l10n.t('The name stays on this machine.'))];
  const setting = 'packageInsights.publicRegistries';
  return [
    paragraph(
      isPublicUnsaid
        ? l10n.t(
            'The name stays on this machine: the service reports no public registries. If {0} is public, add it to {1}.',
            host,
            setting,
          )
        : l10n.t('The name stays on this machine. If {0} contains only public packages, add it to {1}.', host, setting),
    ),
  ];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A relative time: `just now`, `5 min ago`, `3 h ago`, `2 days ago`. */
export function ago(at: number, now: number): string {
  const passed = Math.max(0, now - at);
  if (passed < MINUTE_MS) return l10n.t('just now');
  if (passed < HOUR_MS) return l10n.t('{0} min ago', Math.floor(passed / MINUTE_MS));
  if (passed < DAY_MS) return l10n.t('{0} h ago', Math.floor(passed / HOUR_MS));
  const days = Math.floor(passed / DAY_MS);
  return days === 1 ? l10n.t('yesterday') : l10n.t('{0} days ago', days);
}
