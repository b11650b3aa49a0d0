import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { chooseDependency, type DependencyPlace, dependencyNear } from './dependency.ts';
import { plainText } from './escape.ts';
import { sendRequest } from './requests.ts';
import type { Node } from './requirements-node.ts';
import type { RequirementsView } from './requirements-view.ts';

/** A dependency and a version, as the links of hovers name them. */
interface ChangeRequest extends DependencyPlace {
  readonly version: string;
}

/**
 * Shows what changes with a version.
 * @param argument a `ChangeRequest`, a node of the tree, or nothing: then for the dependency at the cursor
 */
export async function showWhatChanges(
  client: BaseLanguageClient,
  view: RequirementsView,
  argument: unknown,
): Promise<void> {
  const { t } = vscode.l10n;
  const request = isChangeRequest(argument) ? argument : undefined;
  const dependency = request
    ? await dependencyNear(client, request)
    : await chooseDependency(client, t('Show what changes with an update'));
  if (dependency === undefined) {
    if (request) vscode.window.showInformationMessage(t('The dependency is no longer in this file.'));
    return;
  }
  const version = request?.version ?? dependency.targets[0]?.version;
  if (version !== undefined) return view.showUpgrade(dependency, version);
  vscode.window.showInformationMessage(t('No update of {0} is known.', plainText(dependency.name)));
  await view.show(dependency);
}

/** Puts the cursor on the version of the dependency in its file. */
export async function goToDeclaration(client: BaseLanguageClient, argument: unknown): Promise<void> {
  const node = argument as Node | undefined;
  if (node?.kind !== 'package' && node?.kind !== 'upgrade') return;
  const { place } = node.summary;
  const dependency = await dependencyNear(client, place);
  const document = await vscode.workspace.openTextDocument(client.protocol2CodeConverter.asUri(place.uri));
  const selection = dependency && client.protocol2CodeConverter.asRange(dependency.range);
  await vscode.window.showTextDocument(document, selection ? { selection } : {});
}

/** Moves the dependency to the version of a node. The server edits the text or explains why it cannot. */
export async function updateTo(argument: unknown): Promise<void> {
  const node = argument as Node | undefined;
  if (node?.kind !== 'upgrade') return;
  const { summary, target } = node;
  await vscode.commands.executeCommand('packageInsights.server.update', {
    ...summary.place,
    version: target.version,
  });
}

/** Offers the ways out of an affected package that a dependency brings. The server takes the chosen one. */
export async function showWaysOut(client: BaseLanguageClient, argument: unknown): Promise<void> {
  const node = argument as Node | undefined;
  if (node?.kind !== 'brought' || node.entry.affected === undefined) return;
  const { t } = vscode.l10n;
  const { affected, name } = node.entry;
  const choosing = new vscode.CancellationTokenSource();
  const asked = sendRequest(client, 'waysOut', { ...node.root.summary.place, ...affected }, choosing.token);
  let reason: string | undefined;
  const items = asked.then((answer) => {
    if (answer.ways.length === 0) {
      reason = answer.reason;
      choosing.cancel();
    }
    return answer.ways.map(({ title, text, request }) => ({
      label: plainText(title),
      detail: plainText(text),
      request,
    }));
  });
  const title = t('Ways out of {0}', `${plainText(name)} ${plainText(affected.affected)}`);
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDetail: true }, choosing.token);
  choosing.cancel();
  choosing.dispose();
  if (reason !== undefined) vscode.window.showInformationMessage(plainText(reason));
  if (chosen) await vscode.commands.executeCommand('packageInsights.server.wayOut', chosen.request);
}

/** The node whose children are loaded again. */
export function retriedNode(argument: unknown): Node | undefined {
  return (argument as { readonly retry?: Node } | undefined)?.retry;
}

function isChangeRequest(argument: unknown): argument is ChangeRequest {
  const { uri, offset, name, version } = (argument ?? {}) as Partial<Record<keyof ChangeRequest, unknown>>;
  const isNamed = name === undefined || typeof name === 'string';
  return typeof uri === 'string' && typeof offset === 'number' && typeof version === 'string' && isNamed;
}
