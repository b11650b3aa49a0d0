import * as l10n from '@vscode/l10n';
import { oneLine } from '../../engine/base/text.ts';
import type { VersionKey } from '../../engine/model/keys.ts';
import { type LinkSafety, linkNote, shownState } from '../../engine/model/links.ts';
import type { RequirementEntry, UpgradeAnswer } from '../requests/requirements.ts';

/**
 * What an update changes, as Markdown.
 *
 *     # request 2.88.0 → 2.88.2
 *
 *     ## Requires in addition
 *     - `psl` ^1.1.28
 */
export function changesText({ name, version }: VersionKey, answer: UpgradeAnswer, links?: LinkSafety): string {
  if (answer.kind !== 'found') return `# ${code(name)}\n\n${answer.reason}\n`;
  const { to, notes, missing, adds, drops, changes } = answer;
  const sections = [
    notes.flatMap(({ text, details, url }) => [
      `- ${url === undefined ? plain(text) : linkText(text, url, links)}`,
      ...details.map((it) => `  - ${plain(it)}`),
    ]),
    missing ? [plain(missing.reason)] : [],
    listed(l10n.t('Requires in addition'), adds.map(entryText)),
    listed(l10n.t('No longer requires'), drops.map(entryText)),
    listed(
      l10n.t('Requires other versions'),
      changes.map((it) => `${code(it.to.name)} ${plain(it.from)} → ${plain(it.to.requirement)}`),
    ),
  ].filter((it) => it.length > 0);
  const nothing = sections.length === 0 ? [[l10n.t('Nothing that is known.')]] : [];
  const head = [`# ${code(name)} ${plain(version)} → ${plain(to)}`];
  return `${[head, ...sections, ...nothing].map((it) => it.join('\n')).join('\n\n')}\n`;
}

/** Only a link to which nothing is known to be wrong, where links are checked. */
function linkText(text: string, url: string, links: LinkSafety | undefined): string {
  const state = shownState(url, links);
  const isLink = state === undefined || state.kind === 'checked';
  return isLink ? `[${plain(text)}](${url})` : `${plain(text)}: ${linkNote(state)}`;
}

function listed(title: string, entries: readonly string[]): readonly string[] {
  return entries.length === 0 ? [] : [`## ${title}`, ...entries.map((it) => `- ${it}`)];
}

function entryText({ name, requirement }: RequirementEntry): string {
  return `${code(name)} ${plain(requirement)}`.trim();
}

function code(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``;
}

/** Text of packages is no markup. */
function plain(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}
