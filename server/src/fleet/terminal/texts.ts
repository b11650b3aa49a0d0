import * as l10n from '@vscode/l10n';
import { ratingOf, ratingText } from '../../engine/model/severity-rating.ts';
import {
  dependenciesIn,
  listedText,
  manifestsIn,
  sanitize,
  withheldTexts,
  wordFor,
} from '../../engine/report/formats/texts.ts';
import type { AnswerRow } from '../answers/answer-row.ts';
import type { Change, ChangedRow } from '../answers/changes.ts';
import { packageText } from '../answers/columns.ts';
import type { Group, Grouping } from '../answers/groups.ts';
import type { NotChecked, Summary } from '../answers/summary.ts';
import { isWholeFleet } from '../answers/summary.ts';
import type { FleetFix } from '../results/result.ts';

/** Items of a list in a line. Further ones are counted; the formats for programs have all. */
const MAX_LISTED = 5;
/** Repositories that are not checked, listed with their reasons. Further ones are counted. */
const MAX_NOT_CHECKED = 20;
/** Lines of a table in a terminal. Further ones are counted. */
const MAX_LINES = 200;

/**
 * For people: each place of a package, and who fixes it.
 *
 *     npm:lodash 4.17.15  shop
 *         app/package.json:3  high 7.4  → 4.17.21 in this line  @org/shop
 *         package-lock.json:120  brought by express  → update express to 4.19.0  @org/shop
 */
export function rowLines(rows: readonly (AnswerRow | ChangedRow)[]): string[] {
  const lines: string[] = [];
  let heading = '';
  for (const it of rows.slice(0, MAX_LINES)) {
    const next = sanitize(
      [it.repository, `${packageText(it)}${it.version === undefined ? '' : ` ${it.version}`}`].join('  '),
    );
    if (next !== heading) lines.push(next);
    heading = next;
    lines.push(`    ${sanitize(rowText(it))}`);
  }
  return [...lines, ...moreText(rows.length - MAX_LINES)];
}

function rowText(it: AnswerRow | ChangedRow): string {
  const parts = [
    ...('change' in it ? [changeText(it)] : []),
    `${it.path}:${it.line}`,
    ...(it.via === undefined ? [] : [l10n.t('brought by {0}', it.via)]),
    ...(it.code === undefined ? [] : [it.code]),
    ...(it.score === undefined ? [] : [scoreText(it.score)]),
    ...(it.advisories.length === 0 ? [] : [listed(it.advisories)]),
    ...(it.code === undefined && it.licenses ? [it.licenses.join(', ')] : []),
    [fixText(it.fix, it.via), ...(it.fixAt ? [`(${it.fixAt.path}:${it.fixAt.line})`] : [])].join(' '),
    it.owners.length === 0 ? l10n.t('no owner') : listed(it.owners),
  ];
  return parts.join('  ');
}

function changeText(it: ChangedRow): string {
  return it.before === undefined ? changeName(it.change) : l10n.t('moved from {0}', it.before);
}

function changeName(change: Change): string {
  switch (change) {
    case 'new':
      return l10n.t('new');
    case 'fixed':
      return l10n.t('fixed');
    case 'moved':
      return l10n.t('moved');
    case 'not checked':
      return l10n.t('not checked again');
  }
}

/** Who fixes it: the line, a dependency, or a person. */
function fixText(fix: FleetFix, via: string | undefined): string {
  switch (fix.by) {
    case 'line':
      if (fix.version === undefined) return l10n.t('in this line');
      return fix.refused === undefined
        ? l10n.t('→ {0} in this line', fix.version)
        : l10n.t('→ {0} by hand: {1}', fix.version, fix.refused);
    case 'dependency':
      return l10n.t('→ update {0} to {1}', via ?? '', fix.version);
    case 'lock':
      return l10n.t('→ lock {0}', fix.version);
    case 'override':
      return l10n.t('→ override with {0}', fix.version);
    case 'dependency-unsearched':
      return via === undefined ? l10n.t('by an update of what requires it') : l10n.t('by an update of {0}', via);
    case 'none':
      return l10n.t('no fixed version');
  }
}

/**
 * `npm:lodash  high 7.4  120 repositories, 341 places  4.17.15, 4.17.20 → 4.17.21  @org/shop, @org/web and 12 more`
 */
export function groupLines(groups: readonly Group[], by: Grouping): string[] {
  const none = by === 'license' ? l10n.t('license unknown') : l10n.t('no owner');
  const lines = groups.slice(0, MAX_LINES).map((it) => {
    const badge = badgeOf(it);
    const targets = it.targets.length === 0 ? '' : ` → ${listed(it.targets)}`;
    const parts = [
      it.key === '' ? none : it.key,
      ...badge,
      `${repositoriesText(it.repositories)}, ${placesText(it.places)}`,
      ...(it.versions.length > 0 ? [`${listed(it.versions)}${targets}`] : []),
      ...(it.advisories.length > 0 ? [listed(it.advisories)] : []),
      ...(it.owners.length > 0 ? [listed(it.owners)] : []),
    ];
    return sanitize(parts.join('  '));
  });
  return [...lines, ...moreText(groups.length - MAX_LINES)];
}

/**
 * What was checked, and on further lines what was not.
 *
 *     Run 20260101T120000Z-4f2a9c: 990 of 1000 repositories checked, 12,345 dependencies in 3,210 manifests
 *     341 places in 120 repositories
 *     Not checked: 6 partly, 3 failed, 1 set aside; 2 lines of the list
 *         shop: no such file or folder
 */
export function summaryTexts(summary: Summary): string[] {
  const { repositories, coverage, manifests, run } = summary;
  const checked = l10n.t(
    'Run {0}: {1} of {2} repositories checked, {3} in {4}',
    run,
    repositories.checked,
    repositories.total,
    dependenciesIn(coverage.total),
    manifestsIn(manifests),
  );
  const found =
    summary.places === 0
      ? l10n.t('Nothing found')
      : l10n.t('{0} in {1}', placesText(summary.places), repositoriesText(summary.affected));
  return [
    isWholeFleet(summary) ? checked : l10n.t('Incomplete: {0}', checked),
    found,
    ...gapTexts(summary),
    ...notCheckedLines(summary.notChecked),
  ];
}

function gapTexts({ repositories, badLines, withoutManifests, withoutVersion, coverage }: Summary): string[] {
  const {
    withoutAdvisories = 0,
    listed = 0,
    fromWorkspace = 0,
    unknown,
    failed,
    unchecked,
    unread,
    unclear,
    leftOut,
    old,
    below,
  } = coverage;
  const count = (n: number, text: () => string): string[] => (n > 0 ? [text()] : []);
  const wholes = [
    ...count(repositories.incomplete, () => l10n.t('{0} partly', repositories.incomplete)),
    ...count(repositories.failed, () => l10n.t('{0} not read', repositories.failed)),
    ...count(repositories['set-aside'], () => l10n.t('{0} set aside', repositories['set-aside'])),
    ...count(repositories.pending, () => l10n.t('{0} without a result', repositories.pending)),
    ...count(badLines, () =>
      badLines === 1 ? l10n.t('1 invalid line of the list') : l10n.t('{0} invalid lines of the list', badLines),
    ),
  ];
  const dependencies = [
    ...withheldTexts(coverage),
    ...count(withoutAdvisories, () =>
      l10n.t('{0} from private registries, vulnerabilities not checked', withoutAdvisories),
    ),
    ...count(listed, () => listedText(listed)),
    ...count(unknown, () => l10n.t('{0} unknown to the service', unknown)),
    ...count(failed, () => l10n.t({ message: '{0} failed', args: [failed], comment: 'a number of dependencies' })),
    ...count(unchecked, () => l10n.t('{0} without a known version', unchecked)),
    ...count(old, () => l10n.t('{0} outdated answers', old)),
  ];
  const files = [
    ...count(unread, () => (unread === 1 ? l10n.t('1 manifest not read') : l10n.t('{0} manifests not read', unread))),
    ...count(unclear, () =>
      unclear === 1 ? l10n.t('1 manifest partly read') : l10n.t('{0} manifests partly read', unclear),
    ),
    ...count(leftOut, () => l10n.t({ message: 'skipped: {0}', args: [leftOut], comment: 'a number of manifests' })),
  ];
  const brought = below.withheld + below.unknown + (below.listed ?? 0) + below.failed + (below.off ?? 0);
  return [
    ...(wholes.length > 0 ? [l10n.t('Repositories not checked: {0}', wholes.join(', '))] : []),
    ...(dependencies.length > 0 ? [l10n.t('Dependencies not checked: {0}', dependencies.join(', '))] : []),
    ...(files.length > 0 ? [l10n.t('Files: {0}', files.join(', '))] : []),
    ...count(fromWorkspace, () => l10n.t('{0} taken from the workspace', fromWorkspace)),
    ...(brought > 0 ? [l10n.t('{0} of {1} that dependencies bring not checked', brought, below.total)] : []),
    ...(withoutVersion > 0 ? [l10n.t('{0} without a known version, which may match', placesText(withoutVersion))] : []),
    ...(withoutManifests > 0 ? [l10n.t('{0} without a manifest', repositoriesText(withoutManifests))] : []),
  ];
}

function notCheckedLines(all: readonly NotChecked[]): string[] {
  const lines = all.slice(0, MAX_NOT_CHECKED).map(({ repository, state, reasons }) => {
    const reason = state === 'pending' ? l10n.t('no result') : reasons.join('; ');
    return `    ${sanitize(`${repository}: ${reason}`)}`;
  });
  const more = all.length - MAX_NOT_CHECKED;
  return more > 0 ? [...lines, `    ${l10n.t('{0} more', more)}`] : lines;
}

export function placesText(count: number): string {
  return count === 1 ? l10n.t('1 place') : l10n.t('{0} places', count);
}

export function repositoriesText(count: number): string {
  return count === 1 ? l10n.t('1 repository') : l10n.t('{0} repositories', count);
}

function badgeOf({ isMalicious, score, severity }: Group): readonly string[] {
  if (isMalicious) return [ratingText('malicious')];
  if (score !== undefined) return [scoreText(score)];
  return severity === undefined ? [] : [wordFor(severity)];
}

/** `high 7.4` */
function scoreText(score: number): string {
  return `${ratingText(ratingOf(score))} ${score}`;
}

/** `stolen 1.0.1 (shop)`: each package once in each repository. */
export function maliciousTexts(rows: readonly AnswerRow[]): readonly string[] {
  const found = rows.filter((it) => it.code === 'malicious');
  return [
    ...new Set(
      found.map(({ name, version, repository }) => sanitize(`${[name, version].join(' ').trim()} (${repository})`)),
    ),
  ];
}

export function listed(all: readonly string[]): string {
  const more = all.length - MAX_LISTED;
  const some = all.slice(0, MAX_LISTED).join(', ');
  return more > 0 ? l10n.t('{0} and {1} more', some, more) : some;
}

function moreText(count: number): string[] {
  return count > 0 ? [l10n.t('{0} more; other formats have all', count)] : [];
}
