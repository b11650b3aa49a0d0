import * as l10n from '@vscode/l10n';
import { aboutOf, isAccepted, rulesFor } from '../../../engine/analysis/findings.ts';
import { fixesFor } from '../../../engine/analysis/fixes.ts';
import { type ManagingFixes, noManagingFixes } from '../../../engine/analysis/managing-fixes.ts';
import { deprecationText } from '../../../engine/analysis/rules/deprecated.ts';
import { licenseList } from '../../../engine/analysis/rules/license-mismatch.ts';
import { verdictOf } from '../../../engine/analysis/verdict.ts';
import { managerInVainText, refusalText } from '../../../engine/analysis/verdict-text.ts';
import { dayOf } from '../../../engine/base/dates.ts';
import { oneLine } from '../../../engine/base/text.ts';
import {
  aliasedName,
  conflictOf,
  type EvaluatedDependency,
  factsOf,
  isAssumed,
  type LinkedDependency,
  type Published,
  type Resolution,
} from '../../../engine/model/evaluated-dependency.ts';
import { deprecationOf, type VersionFacts } from '../../../engine/model/facts.ts';
import type { FindingCode } from '../../../engine/model/finding.ts';
import { licensesOf } from '../../../engine/model/license-policy.ts';
import { addressLabeled, hostOf } from '../../../engine/model/links.ts';
import type { DeclaredLicenses } from '../../../engine/model/manifest.ts';
import { relationText } from '../../../engine/model/relations.ts';
import { advisoriesAsOfText, advisoriesUnknownText } from '../../../engine/model/severity-rating.ts';
import type { Advisory } from '../../../engine/model/signals/advisory.ts';
import { sameLicenses } from '../../../engine/policy/license-expressions.ts';
import { type Block, type Inline, joined, type Markup, paragraph, phrase, rule, withAddressesKept } from '../markup.ts';
import { advisories, beyondFinding } from './advisories.ts';
import { ago } from './ago.ts';
import { advisorySource, lookupStatus } from './lookup-status.ts';
import { cooldownText, ignoresText } from './project.ts';
import { projects, provenance } from './provenance.ts';
import { repositoryFacts } from './repository.ts';
import { scoreLine, worstCheckLines } from './score.ts';

/** What a hover of a dependency shows besides its facts. */
export interface HoverOptions {
  /** In ms since the epoch. */
  readonly now: number;
  /** What it brings, and its own requirements. */
  readonly required?: Markup;
  /** Why the settings stop all requests, if they do. */
  readonly closed?: string | undefined;
  /** Whether private registries are not asked because of the settings. */
  readonly mayOfferAsking?: boolean;
  /** The versions that it has under different conditions. */
  readonly alternatives?: Markup;
  /** Links to its actions. */
  readonly actions?: Markup;
  /** Whether the client shows the findings beside the hover, which does not repeat them. */
  readonly isBesideFindings?: boolean;
  /** The updates of what manages it, which are among the actions. */
  readonly managing?: ManagingFixes;
}

/** In blocks, which are lines unless they are long. The rest follows below a rule. */
const MAX_FIRST_BLOCKS = 12;

/**
 * The hover of a dependency: what is wrong, what to do, then the facts.
 *
 *     lodash ^4.17.15 → 4.17.15 (package-lock.json)
 *     3 known advisories, worst high 7.4. Fixed in 4.17.21.
 *     Update to 4.17.21 (patch) · 4.18.1 (minor, default version) · What changes · Ignore…
 *     - GHSA-35jh-r3h4-6jhm high 7.2: Command Injection in lodash
 *     License MIT · published 2019-07-19
 *     Source · Homepage
 */
export function describeDependency(evaluated: EvaluatedDependency, options: HoverOptions): Markup {
  const { now, required = [], closed, alternatives = [], actions = [], isBesideFindings = false } = options;
  const facts = factsOf(evaluated);
  const before = [
    headline(evaluated),
    ...(isBesideFindings && (evaluated.isNewName || evaluated.resolution.kind === 'unknown')
      ? []
      : lookupStatus(evaluated, closed, options.mayOfferAsking)),
    ...(isBesideFindings ? [] : problems(evaluated)),
    ...alternatives,
    ...actions,
  ];
  const after = [
    ...ignoresText(evaluated),
    ...cooldownText(evaluated, now),
    ...unknownFix(evaluated),
    ...refusal(evaluated, options.managing),
    ...advisorySource(evaluated),
    ...(facts
      ? [
          summary(facts, evaluated.linked.dependency.declared),
          ...links(facts),
          ...repositoryFacts(evaluated, facts, now),
          ...scoreLine(evaluated),
        ]
      : []),
  ];
  const room = Math.max(MIN_ADVISORIES, MAX_FIRST_BLOCKS - before.length - after.length);
  const { first, more } = advisories(beyondFinding(evaluated), room);
  const rest = [
    ...more,
    ...required,
    ...worstCheckLines(evaluated),
    ...sampleNote(evaluated),
    ...(facts ? [...provenance(facts), ...projects(facts, evaluated), ...spellings(evaluated, facts)] : []),
    ...age(evaluated, now),
  ];
  const all = [...before, ...first, ...after, ...(rest.length > 0 ? [rule, ...rest] : [])];
  return evaluated.linked.key.registry === undefined ? all : withAddressesKept(all);
}

/** However long the rest is. */
const MIN_ADVISORIES = 2;

/** The findings of a dependency in the words of the Problems view, worst first. */
export function problems(evaluated: EvaluatedDependency): Block[] {
  const verdict = verdictOf(evaluated);
  const shown: readonly FindingCode[] = [
    'malicious',
    'advisory',
    'deprecated',
    'license',
    'advisory-below',
    'young-version',
    'provenance-lost',
    'similar-name',
  ];
  const active = { ...evaluated, advisories: verdict.advisories };
  return rulesFor(active)
    .filter(({ code }) => shown.includes(code) && !isAccepted(evaluated, code))
    .flatMap((it) => it.find(aboutOf(it.code, active), verdict)?.message ?? [])
    .map((it) => {
      const [, first = it, others = ''] = /^(.*?\.)(?= |$)(.*)$/.exec(oneLine(it)) ?? [];
      return paragraph({ strong: first }, others);
    });
}

/** The facts of a version without a dependency: of a completion item, for example. */
export function describeVersion(facts: VersionFacts, known: readonly Advisory[]): Markup {
  const { first, more } = advisories({ advisories: known }, MAX_FIRST_BLOCKS);
  const asOf = facts.advisoriesAsOf;
  const checked = facts.areAdvisoriesUnknown
    ? [paragraph(advisoriesUnknownText())]
    : asOf === undefined
      ? []
      : [paragraph(advisoriesAsOfText(asOf))];
  return [summary(facts), ...deprecation(facts), ...first, ...checked, ...more];
}

/** **lodash** `^4.17.15` → **4.17.15** (package-lock.json); **react** (preact) … where a name stands for another package */
function headline({ linked, resolution, version }: EvaluatedDependency): Block {
  const { requirement, constraint, dependency } = linked;
  const parts: Inline[] = [{ strong: dependency.name }];
  const meant = aliasedName(linked);
  if (meant !== undefined) parts.push(` (${meant})`);
  const text = requirement.kind === 'text' ? requirement.text : '';
  const isPlain = resolution.kind === 'version' && resolution.version === text;
  if (text !== '' && !isPlain) parts.push(' ', { code: text });
  if (requirement.kind === 'text' && requirement.via.length > 0)
    parts.push(' ', l10n.t('through {0}', requirement.via.join(', ')));
  if (constraint) parts.push(' ', ...phrase(l10n.t('with {0} from the constraints'), { code: constraint.text }));
  if (resolution.kind === 'version') {
    parts.push(isPlain ? ' ' : ' → ', { strong: resolution.version });
    const origin = originOf(linked, resolution);
    if (origin !== undefined) parts.push(` (${origin})`);
  }
  if (dependency.condition) parts.push(' ', ...phrase(l10n.t('when {0}'), { code: dependency.condition }));
  if (version?.state === 'ready' && version.value.isDefault) parts.push(` · ${l10n.t('latest')}`);
  return paragraph(...parts);
}

/** The place that decided on the version; undefined for the requirement itself. */
function originOf(
  { requirement }: LinkedDependency,
  { from, lockfile }: Extract<Resolution, { readonly kind: 'version' }>,
): string | undefined {
  switch (from) {
    case 'lockfile':
      return lockfile ?? 'lockfile';
    case 'range':
      return l10n.t('from the range');
    case 'pin':
      return requirement.kind === 'text' && requirement.managedBy ? managedText(requirement.managedBy) : undefined;
  }
}

/** The published package that defines the version, and the dependency to update for another. */
function managedText(manager: Published): string {
  const { key, through } = manager;
  if (isAssumed(manager)) return l10n.t('assumed to be managed by {0} {1}', key.name, key.version);
  return key.name === through
    ? l10n.t('managed by {0} {1}', key.name, key.version)
    : l10n.t('managed by {0} {1} through {2}', key.name, key.version, through);
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
  return paragraph(...joined(parts, ' · '));
}

function deprecation(facts: VersionFacts): Block[] {
  const found = deprecationOf(facts);
  if (found === undefined) return [];
  const title = deprecationText(found, facts.key.system);
  return [paragraph({ strong: title }, found.reason ? `: ${found.reason}` : '.')];
}

function unknownFix(evaluated: EvaluatedDependency): Block[] {
  const { fixUnknown } = verdictOf(evaluated);
  return fixUnknown === undefined ? [] : [paragraph(l10n.t('Fix unknown: {0}.', fixUnknown))];
}

/** Newer versions may exist although none is suggested. */
function sampleNote(evaluated: EvaluatedDependency): Block[] {
  const { package: list, resolution } = evaluated;
  const { fixUnknown, recommended } = verdictOf(evaluated);
  // A fix that is the nearest known one says so itself.
  if (fixUnknown !== undefined || recommended?.kinds.includes('safe')) return [];
  if (resolution.kind !== 'version' || list?.state !== 'ready' || !list.value.isSample) return [];
  return [paragraph(l10n.t('The service knows only some versions of this package.'))];
}

/** Why no action updates it: an editor may hide disabled ones. Records are never edited. */
function refusal(evaluated: EvaluatedDependency, managing = noManagingFixes): Block[] {
  if (evaluated.linked.isRecorded || managing.fixes.length > 0) return [];
  const inVain = managerInVainText(evaluated, managing);
  if (inVain !== undefined) return [paragraph(`${inVain}.`)];
  // A finding says it already.
  if (conflictOf(evaluated) && verdictOf(evaluated).needsMove) return [];
  const moves = fixesFor(evaluated).map((it) => it.move);
  const refused = moves.find((it) => !it.ok);
  if (!refused || refused.ok || moves.some((it) => it.ok)) return [];
  return [paragraph(l10n.t('Cannot be updated: {0}', refusalText(evaluated, refused.reason, managing)))];
}

/** Other spellings than the file's. */
function spellings({ linked }: EvaluatedDependency, facts: VersionFacts): Block[] {
  const others = facts.upstream
    .filter((it) => it.packageName !== linked.dependency.name || it.versionString !== facts.version)
    .map((it) => `${it.packageName} ${it.versionString}`.trim());
  return others.length > 0 ? [paragraph(l10n.t('Published as {0}', [...new Set(others)].join(', ')))] : [];
}

/** Labels worth a link, in this order. */
const linkedLabels = ['SOURCE_REPO', 'HOMEPAGE', 'DOCUMENTATION', 'ISSUE_TRACKER'];

function links(facts: VersionFacts): Block[] {
  const parts = linkedLabels.flatMap((label) => {
    const url = addressLabeled(facts.links, label);
    return url ? [[{ link: `${relationText(label)} (${hostOf(url)})`, url }]] : [];
  });
  return parts.length > 0 ? [paragraph(...joined(parts, ' · '))] : [];
}

/** In ms. A younger answer needs no mention. */
const MIN_MENTIONED_AGE = 3_600_000;

/** When an old answer was checked, or why it is not refreshed. */
function age({ version }: EvaluatedDependency, now: number): Block[] {
  if (version?.state !== 'ready') return [];
  const { refresh } = version;
  const when = ago(version.at, now);
  if (refresh === undefined)
    return now - version.at < MIN_MENTIONED_AGE ? [] : [paragraph(l10n.t('Checked {0}', when))];
  return [
    paragraph(
      refresh === 'pending'
        ? l10n.t('Checked {0}, refreshing', when)
        : l10n.t('Checked {0}, refresh failed: {1}', when, refresh.failed),
    ),
  ];
}
