import type { CancellationToken } from 'vscode';
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { BringsAnswer, BroughtEntry } from '../../server/src/editor/requests/brought.ts';
import type { DependencyAnswer, TargetAnswer } from '../../server/src/editor/requests/dependencies.ts';
import type { GroupAnswer, RequirementEntry, UpgradeNote } from '../../server/src/editor/requests/requirements.ts';
import type { DependencySummary } from '../../server/src/editor/requests/summary.ts';
import type { VersionKey } from '../../server/src/engine/model/keys.ts';
import { sendRequest } from './requests.ts';

/*
 * The tree of one dependency:
 *
 *     lodash                    4.17.15 · package-lock.json · MIT · 3 vulnerabilities (high)      package
 *     ▸ Changes with 4.17.21         patch · fixes all 3 vulnerabilities                            upgrade
 *     ▾ Changes with 4.18.1          minor · default version                                   upgrade
 *         ▸ Fixes 3 vulnerabilities                                                                 note
 *           License MIT → ISC                                                                  note
 *         ▾ Added  1                                                                           changes
 *             ▸ leaf  1.0.0 · ISC                                                              entry
 *     ▾ Brings 63 packages           package-lock.json · 1 with known vulnerabilities               brings
 *         ▸ body-parser              1.20.2 · leads to qs 6.11.0                               brought
 *     ▾ Requires                                                                               requires
 *         ▾ dependencies  4                                                                    group
 */

/** A line of the tree. */
export type Node =
  /** The dependency that the tree is about. */
  | { readonly kind: 'package'; readonly summary: DependencyAnswer }
  | UpgradeNode
  | { readonly kind: 'note'; readonly note: UpgradeNote }
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'changes'; readonly change: Change; readonly entries: readonly EntryNode[] }
  | BringsNode
  | BroughtNode
  | { readonly kind: 'requires'; readonly summary: DependencyAnswer }
  | { readonly kind: 'group'; readonly key: VersionKey; readonly group: GroupAnswer; readonly above: readonly string[] }
  | EntryNode
  | { readonly kind: 'loading' }
  /** `isEmpty`: not an error, only an empty result. `retry`: the node whose children a retry may give. */
  | { readonly kind: 'message'; readonly text: string; readonly isEmpty: boolean; readonly retry?: Node };

export type Change = 'adds' | 'drops' | 'changes';

/** The changes of a move to another version. */
export interface UpgradeNode {
  readonly kind: 'upgrade';
  readonly summary: DependencyAnswer;
  readonly target: TargetAnswer;
}

export interface EntryNode {
  readonly kind: 'entry';
  readonly entry: RequirementEntry;
  /** The requirement before the upgrade. */
  readonly from?: string;
  /** The purls of its ancestors, from the root down. */
  readonly above: readonly string[];
}

/** What a dependency brings along by its lockfile. */
export interface BringsNode {
  readonly kind: 'brings';
  readonly summary: DependencyAnswer;
  readonly brings: BringsAnswer;
}

/** A package that a dependency brings, on one of its paths. */
export interface BroughtNode {
  readonly kind: 'brought';
  readonly entry: BroughtEntry;
  readonly root: BringsNode;
  /** The lockfile as it was read, whose nodes the path has. */
  readonly graph: number;
  /** Down to this package. */
  readonly path: readonly number[];
}

/** The top of the tree. The changes come first, since hundreds of requirements may follow. */
export function rootsOf(summary: DependencyAnswer): readonly Node[] {
  // The view shows a question and its button in place of them.
  if (summary.isUndecided) return [];
  if (summary.version === undefined) return [{ kind: 'package', summary }];
  return [
    { kind: 'package', summary },
    ...summary.targets.map((target): Node => ({ kind: 'upgrade', summary, target })),
    ...(summary.brings ? [{ kind: 'brings', summary, brings: summary.brings } as const] : []),
    { kind: 'requires', summary },
  ];
}

/** A sentence about the whole tree, for the place above it, where there is more room. */
export function messageOf({ version, reason, isUndecided }: DependencyAnswer): string {
  return version === undefined && !isUndecided ? (reason ?? '') : '';
}

/** Whether an entry requires itself through others. */
export function isCycle({ entry, above }: EntryNode): boolean {
  return above.includes(entry.purl);
}

/** The package version of a node; undefined for other nodes and other values. */
export function summaryIn(argument: unknown): DependencySummary | undefined {
  const node = argument as Partial<Node> | undefined;
  if (node?.kind === 'package') return node.summary;
  return node?.kind === 'entry' || node?.kind === 'brought' ? node.entry : undefined;
}

/** The children of a node. Rejects if the server is not running. */
export async function childrenOf(
  node: Node,
  client: BaseLanguageClient,
  token: CancellationToken,
): Promise<readonly Node[]> {
  switch (node.kind) {
    case 'requires':
      return groupsOf(node, node.summary, [node.summary.purl], client, token);
    case 'brings':
    case 'brought':
      return packagesOf(node, client, token);
    case 'entry':
      return isCycle(node) ? [] : groupsOf(node, node.entry, [...node.above, node.entry.purl], client, token);
    case 'group':
      return entriesOf(node, client, token);
    case 'upgrade':
      return changesOf(node, client, token);
    case 'changes':
      return node.entries;
    case 'note':
      return node.note.details.map((text): Node => ({ kind: 'line', text }));
    case 'package':
    case 'line':
    case 'loading':
    case 'message':
      return [];
  }
}

/** The failure of a lookup as a child of the node that it was for. */
export function failure(text: string, retry: Node): Node {
  return { kind: 'message', text, isEmpty: false, retry };
}

async function groupsOf(
  node: Node,
  summary: DependencySummary,
  above: readonly string[],
  client: BaseLanguageClient,
  token: CancellationToken,
): Promise<readonly Node[]> {
  const key = keyOf(summary);
  if (key === undefined) return [unavailable(summary.reason ?? '')];
  const answer = await sendRequest(client, 'requirements', key, token);
  if (answer.kind === 'found') {
    const groups = answer.groups.map((group): Node => ({ kind: 'group', key, group, above }));
    return groups.length > 0 ? groups : [empty(vscode.l10n.t('No requirements.'))];
  }
  const reason = 'reason' in answer ? answer.reason : '';
  return [answer.kind === 'failed' ? failure(reason, node) : unavailable(reason)];
}

async function entriesOf(
  node: Extract<Node, { readonly kind: 'group' }>,
  client: BaseLanguageClient,
  token: CancellationToken,
): Promise<readonly Node[]> {
  const { key, group, above } = node;
  const answer = await sendRequest(client, 'requirements', { ...key, group: group.name }, token);
  if (answer.kind !== 'entries') return [failure('reason' in answer ? answer.reason : '', node)];
  const entries = answer.entries.map((entry): Node => ({ kind: 'entry', entry, above }));
  return answer.omitted > 0 ? [...entries, empty(vscode.l10n.t('and {0} more', answer.omitted))] : entries;
}

async function packagesOf(
  node: BringsNode | BroughtNode,
  client: BaseLanguageClient,
  token: CancellationToken,
): Promise<readonly Node[]> {
  const root = node.kind === 'brings' ? node : node.root;
  const opened = node.kind === 'brings' ? {} : { graph: node.graph, path: node.path };
  const answer = await sendRequest(client, 'brought', { ...root.summary.place, ...opened }, token);
  // Nodes of the former lockfile are opened from the top again.
  if (answer.kind === 'changed') return [failure(vscode.l10n.t('The lockfile has changed.'), root)];
  if (answer.kind !== 'found') return [unavailable('reason' in answer ? answer.reason : '')];
  const { graph, packages, omitted } = answer;
  const path = node.kind === 'brings' ? [] : node.path;
  const found = packages.map((entry): Node => ({ kind: 'brought', entry, root, graph, path: [...path, entry.node] }));
  return omitted > 0 ? [...found, empty(vscode.l10n.t('and {0} more', omitted))] : found;
}

async function changesOf(
  node: UpgradeNode,
  client: BaseLanguageClient,
  token: CancellationToken,
): Promise<readonly Node[]> {
  const { summary, target } = node;
  const key = keyOf(summary);
  if (key === undefined) return [unavailable(summary.reason ?? '')];
  const answer = await sendRequest(client, 'upgrade', { ...key, to: target.version }, token);
  if (answer.kind === 'same') return [empty(answer.reason)];
  if (answer.kind === 'failed') return [failure(answer.reason, node)];
  if (answer.kind !== 'found') return [unavailable(answer.reason)];
  const above = [summary.purl];
  const plain = (entry: RequirementEntry): EntryNode => ({ kind: 'entry', entry, above });
  const all: readonly (readonly [Change, readonly EntryNode[]])[] = [
    ['adds', answer.adds.map(plain)],
    ['drops', answer.drops.map(plain)],
    ['changes', answer.changes.map(({ from, to }) => ({ ...plain(to), from }))],
  ];
  const changes = all
    .filter(([, entries]) => entries.length > 0)
    .map(([change, entries]): Node => ({ kind: 'changes', change, entries }));
  return [
    ...answer.notes.map((note): Node => ({ kind: 'note', note })),
    ...(answer.missing ? missing(answer.missing, node) : []),
    ...(changes.length > 0 || answer.missing ? changes : [empty(vscode.l10n.t('Same requirements'))]),
  ];
}

/** Why requirements cannot be compared. */
function missing({ kind, reason }: { readonly kind: string; readonly reason: string }, node: UpgradeNode): Node[] {
  return [kind === 'failed' ? failure(reason, node) : unavailable(reason)];
}

function keyOf({ system, name, version }: DependencySummary): VersionKey | undefined {
  return version === undefined ? undefined : { system, name, version };
}

function unavailable(text: string): Node {
  return { kind: 'message', text, isEmpty: false };
}

function empty(text: string): Node {
  return { kind: 'message', text, isEmpty: true };
}
