import * as l10n from '@vscode/l10n';
import { addTo } from '../../base/collections.ts';
import { expressionText, parseLicense } from '../../policy/license-expressions.ts';
import type { ReportedPackage } from '../report.ts';
import { jsonText } from './format.ts';
import { escapeMarkdown, sanitize } from './texts.ts';

/** Every format of license notices, one row each; the first is the default. */
export const noticeFormats = [
  { name: 'text', write: asText },
  { name: 'markdown', write: asMarkdown },
  { name: 'json', write: asJson },
] as const satisfies readonly { readonly name: string; readonly write: (groups: readonly NoticeGroup[]) => string }[];

export type NoticeFormat = (typeof noticeFormats)[number]['name'];

/** The packages with one license, or with several whose relation is not declared. */
export interface NoticeGroup {
  /** SPDX expressions with current identifiers: `MIT`, `GPL-2.0-only, MIT`; empty where none is known. */
  readonly license: string;
  /** By system, name and version. */
  readonly packages: readonly Notice[];
}

export interface Notice {
  readonly purl: string;
  readonly name: string;
  readonly version: string;
  /** The author's own texts that are not SPDX expressions. */
  readonly terms: readonly string[];
  /** The source address that the package declares. */
  readonly source?: string;
}

/** Groups packages by license: SPDX licenses first, then other terms, then unknown ones. */
export function noticesOf(packages: readonly ReportedPackage[]): NoticeGroup[] {
  const groups = new Map<string, Notice[]>();
  for (const { purl, name, version, licenses, source } of packages) {
    const terms = licenses.filter((it) => !parseLicense(it));
    const expressions = licenses.flatMap((it) => parseLicense(it) ?? []).map(expressionText);
    const license = [...expressions, ...(terms.length > 0 ? [own] : [])].join(', ');
    addTo(groups, license, { purl, name, version, terms, ...(source !== undefined && { source }) });
  }
  const rank = (license: string): number => (license === '' ? 2 : license === own ? 1 : 0);
  return [...groups]
    .map(([license, held]) => ({ license, packages: held }))
    .sort((a, b) => rank(a.license) - rank(b.license) || (a.license < b.license ? -1 : 1));
}

/** The service's value for a license that is not on the SPDX list. */
const own = 'non-standard';

function titleOf(license: string): string {
  if (license === '') return l10n.t('License unknown');
  return license === own ? l10n.t('Other terms') : license;
}

function asJson(groups: readonly NoticeGroup[]): string {
  return `${jsonText({ version: 1, licenses: groups })}\n`;
}

function asText(groups: readonly NoticeGroup[]): string {
  const parts = groups.map(({ license, packages }) => {
    const title = sanitize(titleOf(license));
    const lines = packages.map((it) => `  ${sanitize(`${it.name} ${it.version}`)}${notes(it, '\n      ', sanitize)}`);
    return [title, '-'.repeat(Math.min(title.length, 78)), ...lines].join('\n');
  });
  return `${[heading(groups), ...parts].join('\n\n')}\n`;
}

function asMarkdown(groups: readonly NoticeGroup[]): string {
  const parts = groups.map(({ license, packages }) => {
    const lines = packages.map(
      (it) => `- ${escapeMarkdown(`${it.name} ${it.version}`)}${notes(it, '  \n  ', escapeMarkdown)}`,
    );
    return [`## ${escapeMarkdown(titleOf(license))}`, lines.join('\n')].join('\n\n');
  });
  return `${[`# ${heading(groups)}`, ...parts].join('\n\n')}\n`;
}

function heading(groups: readonly NoticeGroup[]): string {
  const number = groups.reduce((sum, it) => sum + it.packages.length, 0);
  return number === 1 ? l10n.t('Licenses of 1 package') : l10n.t('Licenses of {0} packages', number);
}

/** The author's terms and the source address, each on its own line. */
function notes({ terms, source }: Notice, line: string, safe: (text: string) => string): string {
  return [...terms.map((it) => safe(it)), ...(source === undefined ? [] : [source])].map((it) => line + it).join('');
}
