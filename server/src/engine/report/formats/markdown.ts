import * as l10n from '@vscode/l10n';
import type { Severity } from '../../model/finding.ts';
import { advisoryLink } from '../../model/links.ts';
import { ratedText } from '../../model/severity-rating.ts';
import type { Report } from '../report.ts';
import { findingsByPackage, type PackageFindings, placesOf } from './by-package.ts';
import type { Format } from './format.ts';
import {
  belowLines,
  byHandText,
  escapeMarkdown,
  failureReasonText,
  isNew,
  isWithoutFix,
  oldText,
  privateDependenciesText,
  problemsOf,
  publicRegistryHints,
  repositoriesText,
  requiredLines,
  sanitize,
  summaryLines,
  syntaxProblemText,
  targetText,
  uncheckedText,
  unreadText,
  withoutAdvisoriesGap,
} from './texts.ts';

/**
 * Characters in a comment of GitHub; a longer one is refused. Source: the answer of its interface, “body is too long
 * (maximum is 65536 characters)”.
 */
export const MAX_LENGTH = 65_536;
/** For what is around the rows: headings, the number of rows that are missing. */
const RESERVE = 1000;
/** The share of the list of gaps, which is below the findings. */
const MAX_GAPS_LENGTH = MAX_LENGTH / 4;
/** In one row. Further ones are counted. */
const MAX_PLACES = 5;
const MAX_ADVISORIES = 5;

/**
 * For a comment on a change, or the summary of a pipeline's run: one row a package, worst first. What does not fit is
 * counted.
 *
 *     | | Package | Finding | Update to | Where |
 *     |---|---|---|---|---|
 *     | 🔴 | lodash 4.17.15 | high 7.4 · 1 vulnerability: [GHSA-…](…) | 4.17.21 (patch) | `package.json:3` |
 */
export const markdown: Format = {
  name: 'markdown',
  write(report) {
    const head = [`### ${l10n.t('Dependencies')}`, ...summaryLines(report).map((it) => `${inWords(it)}.`)];
    const gaps = fitting(
      gapTexts(report).map((it) => `- ${inWords(it)}`),
      MAX_GAPS_LENGTH,
    );
    const packages = findingsByPackage(report.findings.filter(isNew));
    const rows = packages.map((it) => `| ${cells(it).join(' | ')} |`);
    const taken = [...head, ...gaps.shown].reduce((sum, it) => sum + it.length + 1, RESERVE);
    const listed = fitting(rows, MAX_LENGTH - taken);
    const titles = [l10n.t('Package'), l10n.t('Finding'), l10n.t('Update to'), l10n.t('Where')];
    const table = [`| | ${titles.join(' | ')} |`, '|---|---|---|---|---|', ...listed.shown];
    const sections = [
      ...head,
      ...(rows.length > 0 ? [table.join('\n')] : []),
      ...(listed.left > 0 ? [`**${packagesLeftText(listed.left)}**`] : []),
      ...(gaps.shown.length > 0 ? [gaps.shown.join('\n')] : []),
      ...(gaps.left > 0 ? [`**${l10n.t('{0} more notes not shown.', gaps.left)}**`] : []),
    ];
    return `${sections.join('\n\n')}\n`;
  },
};

/** The first lines that fit into a number of characters together, and the number of the others. */
function fitting(lines: readonly string[], room: number): { readonly shown: readonly string[]; readonly left: number } {
  let length = 0;
  let count = 0;
  for (const it of lines) {
    length += it.length + 1;
    if (length > room) break;
    count++;
  }
  return { shown: lines.slice(0, count), left: lines.length - count };
}

function packagesLeftText(count: number): string {
  const said =
    count === 1
      ? l10n.t('1 more package with findings not shown')
      : l10n.t('{0} more packages with findings not shown', count);
  return `${said} (${l10n.t('GitHub allows {0} characters in a comment', MAX_LENGTH)}).`;
}

function gapTexts(report: Report): string[] {
  return [
    ...report.failures.map(failureReasonText),
    ...(report.repositories ?? []).map(repositoriesText),
    ...(report.old ? [oldText(report.old, report.at)] : []),
    ...report.unread.map(unreadText),
    ...report.unclear.map(syntaxProblemText),
    ...report.withheld.map(privateDependenciesText),
    ...publicRegistryHints(report),
    ...withoutAdvisoriesGap(report),
    ...report.unchecked.map(uncheckedText),
  ];
}

const signs: Readonly<Record<Severity, string>> = { error: '🔴', warning: '🟠', information: '🔵', hint: '⚪' };

function cells(found: PackageFindings): string[] {
  const { subject, severity, answers } = found;
  const places = placesOf(found).map(({ path, region, condition }) => {
    const place = inCode(`${path}:${region.startLine}`);
    return condition === undefined ? place : `${place} ${l10n.t('when {0}', inCode(condition))}`;
  });
  const targets = answers.flatMap(({ fix }) => {
    if (fix === undefined) return [];
    const refused = fix.refused === undefined ? [] : [byHandText(fix.refused)];
    return [inWords([targetText(fix), ...refused].join(', '))];
  });
  return [
    signs[severity],
    inWords(subject),
    findingCell(found),
    targets.length === 0 && isWithoutFix(found) ? l10n.t('no fixed version') : [...new Set(targets)].join('; '),
    shortList([...new Set(places)], MAX_PLACES),
  ];
}

/** `high 7.4 · 3 vulnerabilities: [GHSA-…](…), … · deprecated: use another` */
function findingCell(found: PackageFindings): string {
  const { advisories, findings } = found;
  const [worst] = advisories;
  const links = advisories.map(({ id, url: given }) => {
    const { text, url } = advisoryLink(id, given);
    return `[${inWords(text)}](${url})`;
  });
  const parts = problemsOf(found).map(({ code, text }) => {
    const reasons = new Set(findings.flatMap((it) => (it.code === code && it.reason) || []));
    const brought = new Set(findings.flatMap((it) => (it.code === code ? belowLines(it) : [])));
    if (brought.size > 0) return `${text}: ${[...brought].map(inWords).join('; ')}`;
    if (code === 'advisory') return `${text}: ${shortList(links, MAX_ADVISORIES)}`;
    return reasons.size === 0 ? text : `${text}: ${[...reasons].map(inWords).join('; ')}`;
  });
  const required = requiredLines(findings).map(inWords);
  return [...(worst ? [ratedText(worst)] : []), ...parts, ...required].join(' · ');
}

function shortList(all: readonly string[], max: number): string {
  const more = all.length - max;
  return [...all.slice(0, max), ...(more > 0 ? [l10n.t('{0} more', more)] : [])].join(', ');
}

/**
 * Escapes text for a table cell. Nothing in it becomes a link. A comment splits what code hosts look for in the rendered
 * text: the name of an account, which would be notified, and the number of an issue.
 */
function inWords(text: string): string {
  return escapeMarkdown(text)
    .replace(/\\?:(?=\/\/)/g, '&#58;')
    .replace(/(?<=www)\\?\./gi, '&#46;')
    .replace(/\\?@/g, '&#64;')
    .replace(/&#64;(?=[\w-])|\\#(?=\d)/g, '$&<!-- -->');
}

/** Writes code in a table cell. A bar would end the cell even there. */
function inCode(text: string): string {
  const safe = sanitize(text).replace(/`/g, '´').replace(/\|/g, '\\|');
  return `\`${safe}\``;
}
