import * as l10n from '@vscode/l10n';
import { type Severity, severities } from '../../model/finding.ts';
import { advisoryLink, findingPage } from '../../model/links.ts';
import type { ReportedFinding } from '../report.ts';
import type { Format } from './format.ts';
import {
  escapeMarkdown,
  failureText,
  isNew,
  oldText,
  privateDependenciesText,
  publicRegistryHints,
  sanitize,
  summaryText,
  syntaxProblemText,
  targetText,
  uncheckedText,
  unreadText,
} from './texts.ts';

/**
 * For a comment on a change, or the summary of a pipeline's run.
 *
 *     | | Where | Package | Finding | Update to |
 *     |---|---|---|---|---|
 *     | 🔴 | `package.json:3` | lodash 4.17.15 | [advisory](…): … | 4.18.1 |
 */
export const markdown: Format = {
  name: 'markdown',
  write(report, { tool }) {
    const shown = report.findings.filter(isNew);
    const sorted = severities.flatMap((severity) => shown.filter((it) => it.severity === severity));
    const rows = sorted.map((it) => `| ${cells(it, findingPage(tool.homepage, it.code)).join(' | ')} |`);
    const titles = [l10n.t('Where'), l10n.t('Package'), l10n.t('Finding'), l10n.t('Update to')];
    const table = [`| | ${titles.join(' | ')} |`, '|---|---|---|---|---|', ...rows];
    const gaps = [
      ...report.failures.map(failureText),
      ...(report.old ? [oldText(report.old, report.at)] : []),
      ...report.unread.map(unreadText),
      ...report.unclear.map(syntaxProblemText),
      ...report.withheld.map(privateDependenciesText),
      ...publicRegistryHints(report),
      ...report.unchecked.map(uncheckedText),
    ];
    const sections = [
      `### ${l10n.t('Dependencies')}`,
      `${summaryText(report)}.`,
      ...(rows.length > 0 ? [table.join('\n')] : []),
      ...(gaps.length > 0 ? [gaps.map((it) => `- ${inWords(it)}`).join('\n')] : []),
    ];
    return `${sections.join('\n\n')}\n`;
  },
};

const signs: Readonly<Record<Severity, string>> = { error: '🔴', warning: '🟠', information: '🔵', hint: '⚪' };

function cells(finding: ReportedFinding, page: string): string[] {
  const { severity, path, region, name, version, code, message, advisories } = finding;
  const links = advisories.map(({ id, url: given }) => {
    const { text, url } = advisoryLink(id, given);
    return `[${inWords(text)}](${url})`;
  });
  const also = links.length > 0 ? ` (${links.join(', ')})` : '';
  return [
    signs[severity],
    inCode(`${path}:${region.startLine}`),
    inWords(version === undefined ? name : `${name} ${version}`),
    `[${code}](${page}): ${inWords(message)}${also}`,
    inWords(targetText(finding) ?? ''),
  ];
}

/** Escapes text for a table cell. Nothing in it becomes a link. */
function inWords(text: string): string {
  return escapeMarkdown(text)
    .replace(/:(?=\/\/)/g, '&#58;')
    .replace(/(?<=\bwww)\./gi, '&#46;')
    .replace(/@/g, '&#64;');
}

/** Writes code in a table cell. A bar would end the cell even there. */
function inCode(text: string): string {
  const safe = sanitize(text).replace(/`/g, '´').replace(/\|/g, '\\|');
  return `\`${safe}\``;
}
