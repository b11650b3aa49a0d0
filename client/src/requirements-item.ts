import * as vscode from 'vscode';
import type { BringsAnswer } from '../../server/src/editor/requests/brought.ts';
import type { UpgradeNote } from '../../server/src/editor/requests/requirements.ts';
import type { DependencySummary } from '../../server/src/editor/requests/summary.ts';
import type { GroupScope } from '../../server/src/engine/lookup/requirement-group.ts';
import { plainText } from './escape.ts';
import {
  type BroughtNode,
  type Change,
  type EntryNode,
  isCycle,
  type Node,
  type UpgradeNode,
} from './requirements-node.ts';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** Groups that are expanded at first. */
const open: ReadonlySet<GroupScope> = new Set(['runtime']);

/** The appearance of a node, with its text for screen readers. */
export function itemOf(node: Node): vscode.TreeItem {
  const { t } = vscode.l10n;
  switch (node.kind) {
    case 'package':
      return packageItem(node);
    case 'upgrade':
      return upgradeItem(node);
    case 'note': {
      const { text, details, kind, url } = node.note;
      return item(text, details.length > 0 ? Collapsed : None, {
        iconPath: noteIcons[kind],
        tooltip: [text, ...details, ...(url === undefined ? [] : [url])].join('\n'),
        accessibilityInformation: { label: text },
        ...(url !== undefined && {
          command: { command: 'packageInsights.openLink', title: text, arguments: [{ url }] },
        }),
      });
    }
    case 'line':
      return item(node.text, None, { tooltip: node.text });
    case 'entry':
      return entryItem(node);
    case 'changes': {
      const label = titles[node.change]();
      const count = node.entries.length;
      return item(label, Expanded, {
        description: String(count),
        iconPath: new vscode.ThemeIcon(changeIcons[node.change]),
        accessibilityInformation: { label: t('{0}, {1} requirements', label, count) },
      });
    }
    case 'brings':
      return bringsItem(node.brings);
    case 'brought':
      return broughtItem(node);
    case 'requires':
      return item(t('Requires'), Expanded, {
        iconPath: new vscode.ThemeIcon('type-hierarchy-sub'),
        accessibilityInformation: { label: t('Requirements of {0}', spoken(node.summary)) },
      });
    case 'group': {
      const { name, scope, count } = node.group;
      const label = plainText(name) || t('every framework');
      return item(label, open.has(scope) && node.above.length === 1 ? Expanded : Collapsed, {
        description: String(count),
        iconPath: new vscode.ThemeIcon('symbol-namespace'),
        accessibilityInformation: { label: t('{0}, {1} requirements', label, count) },
      });
    }
    case 'loading':
      return item(t('Loading…'), None, { iconPath: new vscode.ThemeIcon('loading~spin') });
    case 'message':
      return messageItem(node);
  }
}

/** The icon of a change with its color, which follows the theme. */
const noteIcons: Readonly<Record<UpgradeNote['kind'], vscode.ThemeIcon>> = {
  fixes: new vscode.ThemeIcon('shield', new vscode.ThemeColor('testing.iconPassed')),
  remains: new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground')),
  brings: new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground')),
  deprecated: new vscode.ThemeIcon('archive', new vscode.ThemeColor('problemsWarningIcon.foreground')),
  provenance: new vscode.ThemeIcon('unverified', new vscode.ThemeColor('problemsWarningIcon.foreground')),
  license: new vscode.ThemeIcon('law'),
  published: new vscode.ThemeIcon('calendar'),
  comparison: new vscode.ThemeIcon('git-compare'),
  releases: new vscode.ThemeIcon('tag'),
};

function packageItem({ summary }: Extract<Node, { readonly kind: 'package' }>): vscode.TreeItem {
  const shown = summaryItem(summary, None, 'package', [], summary.source);
  const go = { command: 'packageInsights.goToDeclaration', title: vscode.l10n.t('Go to Declaration') };
  return Object.assign(shown, { command: { ...go, arguments: [{ kind: 'package', summary }] } });
}

function upgradeItem({ summary, target }: UpgradeNode): vscode.TreeItem {
  const { t } = vscode.l10n;
  // Of a longer text, a narrow view would cut the version.
  const label = t('Changes with {0}', target.version);
  return item(label, Collapsed, {
    description: target.notes.join(' · '),
    iconPath: new vscode.ThemeIcon('versions'),
    contextValue: 'upgrade',
    tooltip: new vscode.MarkdownString().appendText(
      [`${summary.name} ${summary.version} → ${target.version}`, ...target.notes].join('\n'),
    ),
    accessibilityInformation: { label: [label, ...target.notes].join(', ') },
  });
}

function messageItem({ text, isEmpty, retry }: Extract<Node, { readonly kind: 'message' }>): vscode.TreeItem {
  const { t } = vscode.l10n;
  return item(text, None, {
    iconPath: new vscode.ThemeIcon(retry ? 'warning' : isEmpty ? 'check' : 'info'),
    tooltip: text,
    ...(retry && {
      contextValue: 'retry',
      accessibilityInformation: { label: `${text} ${t('Press Enter to try again.')}` },
      command: { command: 'packageInsights.retryRequirements', title: t('Try Again'), arguments: [{ retry }] },
    }),
  });
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

/** `Brings 63 packages  package-lock.json · 1 with known vulnerabilities` */
function bringsItem(brings: BringsAnswer): vscode.TreeItem {
  const { t } = vscode.l10n;
  if (brings.kind === 'none') {
    return item(brings.reason, None, { iconPath: new vscode.ThemeIcon('info'), tooltip: brings.reason });
  }
  if (brings.kind === 'reading') {
    return item(t('Reading {0}…', brings.lockfile), None, { iconPath: new vscode.ThemeIcon('loading~spin') });
  }
  const { title, lockfile, count, notes, isAffected } = brings;
  return item(title, count > 0 ? Collapsed : None, {
    description: [lockfile, ...notes].join(' · '),
    iconPath: isAffected ? warning('type-hierarchy-sub') : new vscode.ThemeIcon('type-hierarchy-sub'),
    tooltip: [`${title} (${lockfile})`, ...notes].join('\n'),
    accessibilityInformation: { label: [`${title} (${lockfile})`, ...notes].join(', ') },
  });
}

function broughtItem({ entry }: BroughtNode): vscode.TreeItem {
  const { t } = vscode.l10n;
  const notes = [
    ...(entry.leadsTo === undefined ? [] : [t('leads to {0}', entry.leadsTo)]),
    ...entry.notes,
    ...(entry.isCycle ? [t('already listed above')] : []),
  ];
  const kinds = [entry.isPublic ? 'entry' : 'brought', ...(entry.affected ? ['affected'] : [])].join(' ');
  const state = entry.isCycle || entry.isLeaf ? None : Collapsed;
  const shown = summaryItem(entry, state, kinds, notes, undefined, [t('Path: {0}', entry.path)]);
  if (entry.isCycle) shown.iconPath = new vscode.ThemeIcon('sync-ignored');
  else if (entry.leadsTo !== undefined && entry.advisories.length === 0 && !entry.isDeprecated)
    shown.iconPath = warning('type-hierarchy-sub');
  return shown;
}

function warning(icon: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor('problemsWarningIcon.foreground'));
}

function summaryItem(
  summary: DependencySummary,
  state: vscode.TreeItemCollapsibleState,
  contextValue: string,
  notes: readonly string[],
  source?: string,
  details: readonly string[] = [],
): vscode.TreeItem {
  const said = [...statements(summary), ...notes];
  const version = summary.version ?? summary.requirement;
  const located = source === undefined ? version : `${version} (${source})`;
  return item(summary.name, state, {
    description: [located, ...said].filter((it) => it !== '').join(' · '),
    iconPath: iconOf(summary),
    contextValue: [
      contextValue,
      ...(summary.version === undefined ? [] : ['version']),
      ...(summary.links.length === 0 ? [] : ['links']),
    ].join(' '),
    tooltip: tooltipOf(summary, [...notes, ...details]),
    accessibilityInformation: {
      label: [`${summary.name} ${located}`.trim(), ...said, ...(summary.reason ? [summary.reason] : [])].join(', '),
    },
  });
}

/** `lodash 4.17.15` */
function spoken({ name, version, requirement }: DependencySummary): string {
  return `${name} ${version ?? requirement}`.trim();
}

/** `2 vulnerabilities (high)`, `deprecated`, `MIT` */
function statements({ licenses, advisories, severity, isDeprecated, isArchived }: DependencySummary): string[] {
  const count =
    severity === 'malicious'
      ? wordFor(severity)
      : advisories.length === 1
        ? vscode.l10n.t('1 vulnerability ({0})', wordFor(severity))
        : vscode.l10n.t('{0} vulnerabilities ({1})', advisories.length, wordFor(severity));
  // The narrow view cuts the end.
  return [
    ...(advisories.length > 0 ? [count] : []),
    ...(isDeprecated ? [vscode.l10n.t('deprecated')] : []),
    ...(isArchived ? [vscode.l10n.t('repository archived')] : []),
    ...(licenses.length > 0 ? [licenses.join(', ')] : []),
  ];
}

function wordFor(severity: DependencySummary['severity']): string {
  switch (severity) {
    case 'malicious':
      return vscode.l10n.t('malicious');
    case 'critical':
      return vscode.l10n.t('critical');
    case 'high':
      return vscode.l10n.t('high');
    case 'medium':
      return vscode.l10n.t('medium');
    case 'low':
      return vscode.l10n.t('low');
    case 'unrated':
      return vscode.l10n.t('unrated');
    case undefined:
      return vscode.l10n.t('being looked up');
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
    ...(summary.repository === undefined ? [] : [t('Repository: {0}', summary.repository)]),
    ...(summary.defaultVersion === undefined ? [] : [t('Latest version: {0}', summary.defaultVersion)]),
    ...notes,
  ];
  return new vscode.MarkdownString().appendText(lines.join('\n'));
}

function iconOf({ version, reason, severity, isDeprecated, advisories }: DependencySummary): vscode.ThemeIcon {
  if (advisories.length > 0) {
    return severity === 'malicious' || severity === 'critical' || severity === 'high'
      ? new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'))
      : new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
  }
  if (isDeprecated) return new vscode.ThemeIcon('archive', new vscode.ThemeColor('problemsWarningIcon.foreground'));
  return new vscode.ThemeIcon(version === undefined || reason !== undefined ? 'question' : 'package');
}

function item(label: string, state: vscode.TreeItemCollapsibleState, rest: Partial<vscode.TreeItem>): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(label, state), rest);
}
