import * as vscode from 'vscode';
import type { DependencySummary } from '../../server/src/language-server/requests/summary.ts';
import type { GroupScope } from '../../server/src/lookup/requirement-groups.ts';
import { plainText } from './escape.ts';
import { type Change, type EntryNode, hasUpgrade, isCycle, type Node } from './requirements-node.ts';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** Groups that are expanded at first. */
const open: ReadonlySet<GroupScope> = new Set(['runtime']);

/** The appearance of a node, with its text for screen readers. */
export function itemOf(node: Node): vscode.TreeItem {
  switch (node.kind) {
    case 'root':
      return summaryItem(node.summary, Expanded, hasUpgrade(node.summary) ? 'root upgrade' : 'root', []);
    case 'entry':
      return entryItem(node);
    case 'upgrade': {
      const { defaultVersion } = node.summary;
      const label = defaultVersion
        ? vscode.l10n.t('Update to {0}', defaultVersion)
        : vscode.l10n.t('Update to the default version');
      return item(label, Collapsed, {
        iconPath: new vscode.ThemeIcon('versions'),
        tooltip: vscode.l10n.t('Changes of the requirements with the default version.'),
      });
    }
    case 'changes':
      return item(titles[node.change](), Expanded, {
        description: String(node.entries.length),
        iconPath: new vscode.ThemeIcon(changeIcons[node.change]),
      });
    case 'group': {
      const { name, scope, count } = node.group;
      const label = plainText(name) || vscode.l10n.t('every framework');
      return item(label, open.has(scope) && node.above.length === 1 ? Expanded : Collapsed, {
        description: String(count),
        iconPath: new vscode.ThemeIcon('symbol-namespace'),
        accessibilityInformation: { label: vscode.l10n.t('{0}, {1} requirements', label, count) },
      });
    }
    case 'message':
      return item(node.text, None, {
        iconPath: new vscode.ThemeIcon(node.isEmpty ? 'check' : 'info'),
        tooltip: node.text,
      });
  }
}

const titles: Readonly<Record<Change, () => string>> = {
  adds: () => vscode.l10n.t('Added'),
  drops: () => vscode.l10n.t('Removed'),
  changes: () => vscode.l10n.t('Changed'),
};
const changeIcons: Readonly<Record<Change, string>> = {
  adds: 'diff-added',
  drops: 'diff-removed',
  changes: 'diff-modified',
};

function entryItem(node: EntryNode): vscode.TreeItem {
  const { entry, from } = node;
  const cycle = isCycle(node);
  const notes = [
    ...(from === undefined ? [] : [vscode.l10n.t('before: {0}', from || '*')]),
    ...entry.notes,
    ...(cycle ? [vscode.l10n.t('already listed above')] : []),
  ];
  const leaf = cycle || entry.version === undefined;
  const shown = summaryItem(
    entry,
    leaf ? None : Collapsed,
    entry.version === undefined ? 'entry' : 'entry version',
    notes,
  );
  if (cycle) shown.iconPath = new vscode.ThemeIcon('sync-ignored');
  return shown;
}

function summaryItem(
  summary: DependencySummary,
  state: vscode.TreeItemCollapsibleState,
  contextValue: string,
  notes: readonly string[],
): vscode.TreeItem {
  const said = [...statements(summary), ...notes];
  return item(summary.name, state, {
    description: [summary.version ?? summary.requirement, ...said].filter((it) => it !== '').join(' · '),
    iconPath: iconOf(summary),
    contextValue: [
      contextValue,
      ...(summary.version === undefined ? [] : ['version']),
      ...(summary.links.length === 0 ? [] : ['links']),
    ].join(' '),
    tooltip: tooltipOf(summary, notes),
    accessibilityInformation: {
      label: [
        `${summary.name} ${summary.version ?? summary.requirement}`,
        ...said,
        ...(summary.reason ? [summary.reason] : []),
      ].join(', '),
    },
  });
}

/** `MIT`, `2 advisories (high)`, `deprecated` */
function statements({ licenses, advisories, severity, isDeprecated }: DependencySummary): string[] {
  const count =
    advisories.length === 1
      ? vscode.l10n.t('1 advisory ({0})', wordFor(severity))
      : vscode.l10n.t('{0} advisories ({1})', advisories.length, wordFor(severity));
  return [
    ...(licenses.length > 0 ? [licenses.join(', ')] : []),
    ...(advisories.length > 0 ? [count] : []),
    ...(isDeprecated ? [vscode.l10n.t('deprecated')] : []),
  ];
}

function wordFor(severity: DependencySummary['severity']): string {
  switch (severity) {
    case 'critical':
      return vscode.l10n.t('critical');
    case 'high':
      return vscode.l10n.t('high');
    case 'medium':
      return vscode.l10n.t('medium');
    case 'low':
      return vscode.l10n.t('low');
    case 'unrated':
    case undefined:
      return vscode.l10n.t('unrated');
  }
}

/** Untrusted texts are only appended as text, which escapes them. */
function tooltipOf(summary: DependencySummary, notes: readonly string[]): vscode.MarkdownString {
  const { t } = vscode.l10n;
  const lines = [
    `${summary.name} ${summary.version ?? ''}`.trim(),
    ...(summary.requirement === '' ? [] : [t('Required: {0}', summary.requirement)]),
    ...(summary.reason === undefined ? [] : [summary.reason]),
    ...(summary.licenses.length > 0 ? [t('License: {0}', summary.licenses.join(', '))] : []),
    ...(summary.isDeprecated
      ? [summary.deprecatedReason ? t('Deprecated: {0}', summary.deprecatedReason) : t('Deprecated')]
      : []),
    ...summary.advisories,
    ...(summary.defaultVersion === undefined ? [] : [t('Default version: {0}', summary.defaultVersion)]),
    ...notes,
  ];
  return new vscode.MarkdownString().appendText(lines.join('\n'));
}

function iconOf({ version, reason, severity, isDeprecated, advisories }: DependencySummary): vscode.ThemeIcon {
  if (advisories.length > 0) {
    return severity === 'critical' || severity === 'high'
      ? new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'))
      : new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
  }
  if (isDeprecated) return new vscode.ThemeIcon('archive', new vscode.ThemeColor('problemsWarningIcon.foreground'));
  return new vscode.ThemeIcon(version === undefined || reason !== undefined ? 'question' : 'package');
}

function item(label: string, state: vscode.TreeItemCollapsibleState, rest: Partial<vscode.TreeItem>): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(label, state), rest);
}
