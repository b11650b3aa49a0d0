import type { CancellationToken } from 'vscode';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { GroupAnswer, RequirementEntry } from '../../server/src/language-server/requests/requirements.ts';
import type { DependencySummary } from '../../server/src/language-server/requests/summary.ts';
import type { VersionKey } from '../../server/src/model/keys.ts';
import { sendRequest } from './requests.ts';

/** A line of the tree of requirements. */
export type Node =
  /** The dependency that the tree is about. */
  | { readonly kind: 'root'; readonly summary: DependencySummary }
  /** The changes of an upgrade to the default version. */
  | { readonly kind: 'upgrade'; readonly summary: DependencySummary }
  | { readonly kind: 'changes'; readonly change: Change; readonly entries: readonly EntryNode[] }
  | { readonly kind: 'group'; readonly key: VersionKey; readonly group: GroupAnswer; readonly above: readonly string[] }
  | EntryNode
  /** `isEmpty`: not an error, only an empty result. `mayPass`: a retry may succeed. */
  | { readonly kind: 'message'; readonly text: string; readonly isEmpty: boolean; readonly mayPass?: boolean };

export type Change = 'adds' | 'drops' | 'changes';

export interface EntryNode {
  readonly kind: 'entry';
  readonly entry: RequirementEntry;
  /** The requirement before the upgrade. */
  readonly from?: string;
  /** The purls of its ancestors, from the root down. */
  readonly above: readonly string[];
}

/** Whether an entry requires itself through others. */
export function isCycle({ entry, above }: EntryNode): boolean {
  return above.includes(entry.purl);
}

/** The package version of a node; undefined for other nodes and other values. */
export function summaryIn(argument: unknown): DependencySummary | undefined {
  const node = argument as Partial<Node> | undefined;
  if (node?.kind === 'root') return node.summary;
  return node?.kind === 'entry' ? node.entry : undefined;
}

/** The children of a node. */
export async function childrenOf(
  node: Node,
  client: LanguageClient,
  token: CancellationToken,
): Promise<readonly Node[]> {
  switch (node.kind) {
    case 'root':
      return groupsOf(node.summary, [node.summary.purl], client, token);
    case 'entry':
      return isCycle(node) ? [] : groupsOf(node.entry, [...node.above, node.entry.purl], client, token);
    case 'group':
      return entriesOf(node, client, token);
    case 'upgrade':
      return changesOf(node.summary, client, token);
    case 'changes':
      return node.entries;
    case 'message':
      return [];
  }
}

async function groupsOf(
  summary: DependencySummary,
  above: readonly string[],
  client: LanguageClient,
  token: CancellationToken,
): Promise<readonly Node[]> {
  const key = keyOf(summary);
  if (key === undefined) return [amiss(summary.reason ?? '')];
  const answer = await sendRequest(client, 'requirements', key, token);
  if (answer.kind === 'found') {
    const groups = answer.groups.map((group): Node => ({ kind: 'group', key, group, above }));
    return groups.length > 0 ? groups : [empty(vscode.l10n.t('No requirements.'))];
  }
  return [amiss('reason' in answer ? answer.reason : '', answer.kind === 'failed')];
}

async function entriesOf(
  { key, group, above }: Extract<Node, { readonly kind: 'group' }>,
  client: LanguageClient,
  token: CancellationToken,
): Promise<readonly Node[]> {
  const answer = await sendRequest(client, 'requirements', { ...key, group: group.name }, token);
  if (answer.kind !== 'entries') return [amiss('reason' in answer ? answer.reason : '')];
  const entries = answer.entries.map((entry): Node => ({ kind: 'entry', entry, above }));
  return answer.omitted > 0 ? [...entries, empty(vscode.l10n.t('and {0} more', answer.omitted))] : entries;
}

async function changesOf(
  summary: DependencySummary,
  client: LanguageClient,
  token: CancellationToken,
): Promise<readonly Node[]> {
  const key = keyOf(summary);
  if (key === undefined) return [amiss(summary.reason ?? '')];
  const answer = await sendRequest(client, 'upgrade', key, token);
  if (answer.kind === 'same') return [empty(answer.reason)];
  if (answer.kind !== 'found') return [amiss(answer.reason)];
  const above = [summary.purl];
  const plain = (entry: RequirementEntry): EntryNode => ({ kind: 'entry', entry, above });
  const all: readonly (readonly [Change, readonly EntryNode[]])[] = [
    ['adds', answer.adds.map(plain)],
    ['drops', answer.drops.map(plain)],
    ['changes', answer.changes.map(({ from, to }) => ({ ...plain(to), from }))],
  ];
  const nodes = all
    .filter(([, entries]) => entries.length > 0)
    .map(([change, entries]): Node => ({ kind: 'changes', change, entries }));
  return nodes.length > 0 ? nodes : [empty(vscode.l10n.t('The requirements stay the same.'))];
}

/** Systems with requirements in the service. */
const served: ReadonlySet<string> = new Set(['NPM', 'MAVEN', 'NUGET']);

/** Whether the changes of an upgrade can be computed. */
export function hasUpgrade({ system, version }: DependencySummary): boolean {
  return version !== undefined && served.has(system);
}

function keyOf({ system, name, version }: DependencySummary): VersionKey | undefined {
  return version === undefined ? undefined : { system, name, version };
}

function amiss(text: string, mayPass = false): Node {
  return { kind: 'message', text, isEmpty: false, mayPass };
}

function empty(text: string): Node {
  return { kind: 'message', text, isEmpty: true };
}
