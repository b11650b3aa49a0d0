import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { IgnorePlace, IgnoreRequest } from '../../server/src/editor/features/ignore-actions.ts';
import type { IgnoreAnswer } from '../../server/src/editor/requests/project-file.ts';
import { chooseDependency } from './dependency.ts';
import { plainText } from './escape.ts';

/** The findings to ignore: of several those that are left selected. */
export async function chooseIgnores(requests: readonly IgnoreRequest[]): Promise<readonly IgnoreRequest[]> {
  if (requests.length < 2) return requests;
  const rows = requests.map((request) => ({
    label: plainText([request.word ?? request.id, ...(request.about ? [request.about] : [])].join(' · ')),
    picked: true,
    request,
  }));
  const title = vscode.l10n.t('Ignore which findings of {0}?', plainText(requests[0]?.package ?? ''));
  const chosen = await vscode.window.showQuickPick(rows, { title, canPickMany: true });
  return (chosen ?? []).map((it) => it.request);
}

/** The findings to ignore of the dependency at the cursor, or of one that the person picks: those of its quick fix. */
export async function findIgnores(client: BaseLanguageClient): Promise<readonly IgnoreRequest[]> {
  const { t } = vscode.l10n;
  const dependency = await chooseDependency(client, t('Ignore a finding'));
  if (dependency === undefined) return [];
  const actions = await vscode.commands.executeCommand<readonly (vscode.CodeAction | vscode.Command)[]>(
    'vscode.executeCodeActionProvider',
    client.protocol2CodeConverter.asUri(dependency.place.uri),
    client.protocol2CodeConverter.asRange(dependency.range),
  );
  const commands = actions.map((it) => (typeof it.command === 'object' ? it.command : undefined));
  const own = commands.find((it) => it?.command === 'packageInsights.ignore');
  const requests = (own?.arguments ?? []).filter(isIgnoreRequest);
  if (requests.length === 0)
    vscode.window.showInformationMessage(t('{0} has no finding that can be ignored.', plainText(dependency.name)));
  return requests;
}

/** Prompts for the reason and end date of ignores, and adds them to the project file. */
export async function ignore(client: BaseLanguageClient, requests: readonly IgnoreRequest[]): Promise<void> {
  const [first] = requests;
  if (first === undefined) return;
  const title =
    requests.length === 1
      ? vscode.l10n.t('Ignore {0} for {1}', plainText(first.word ?? first.id), plainText(first.package))
      : vscode.l10n.t('Ignore {0} findings for {1}', requests.length, plainText(first.package));
  const reason = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Why is it ignored? The reason is saved in .package-insights.json.'),
    placeHolder: vscode.l10n.t('Never receives external input'),
    ignoreFocusOut: true,
    validateInput: (it) => (it.trim() === '' ? vscode.l10n.t('Enter a reason.') : undefined),
  });
  if (reason === undefined) return;
  const until = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Ignore until (date)?'),
    value: first.until,
    ignoreFocusOut: true,
    validateInput: (it) => (isDay(it.trim()) ? undefined : vscode.l10n.t('Enter a date such as 2027-02-19.')),
  });
  if (until === undefined) return;
  let changed: IgnoreAnswer | undefined;
  for (const request of requests) {
    const answer: IgnoreAnswer | null | undefined = await client.sendRequest('workspace/executeCommand', {
      command: 'packageInsights.server.ignore',
      arguments: [{ ...request, reason: reason.trim(), until: until.trim() }],
    });
    // The server has shown why it adds nothing.
    if (!answer) break;
    changed = answer;
  }
  if (changed === undefined) return;
  const path = await saveProjectFile(changed);
  const message = vscode.workspace.isTrusted
    ? vscode.l10n.t('Ignored in {0}.', path)
    : vscode.l10n.t('Added to {0}; takes effect when the workspace is trusted.', path);
  vscode.window.setStatusBarMessage(message, MESSAGE_TIME);
}

/** Removes an ignore from the project file: its findings count again. */
export async function stopIgnoring(client: BaseLanguageClient, place: IgnorePlace): Promise<void> {
  const answer: IgnoreAnswer | null | undefined = await client.sendRequest('workspace/executeCommand', {
    command: 'packageInsights.server.stopIgnoring',
    arguments: [place],
  });
  if (!answer) return;
  const path = await saveProjectFile(answer);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Not ignored any more in {0}.', path), MESSAGE_TIME);
}

/** How long the message is shown, in ms. */
const MESSAGE_TIME = 5000;

/** Saves a changed project file: the edit leaves it unsaved, and it may not be visible. @returns its path, to show */
export async function saveProjectFile(changed: IgnoreAnswer): Promise<string> {
  const uri = vscode.Uri.parse(changed.uri);
  const document = await vscode.workspace.openTextDocument(uri);
  await document.save();
  return plainText(vscode.workspace.asRelativePath(uri));
}

function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
  );
}

export function isIgnorePlace(value: unknown): value is IgnorePlace {
  return typeof value === 'object' && value !== null && 'uri' in value && 'id' in value;
}

/** Validates the argument of the command, which other extensions may call. */
export function isIgnoreRequest(value: unknown): value is IgnoreRequest {
  return typeof value === 'object' && value !== null && 'uri' in value && 'id' in value && 'package' in value;
}
