import * as vscode from 'vscode';
import type { BaseLanguageClient, Range, WorkspaceEdit } from 'vscode-languageclient';
import type { UpdatesAnswer } from '../../../server/src/editor/requests/updates.ts';
import type { UpdateScope } from '../../../server/src/engine/analysis/update-plan.ts';
import { plainText } from '../escape.ts';
import { isManifest } from '../manifest-context.ts';
import { progressMessage, sendRequestWithProgress } from '../requests.ts';
import { afterUpdate } from './install.ts';

/** What an update moves. */
const updateWheres = ['file', 'line', 'workspace'] as const;
type UpdateWhere = (typeof updateWheres)[number];

const updateKinds = ['safe', 'in-major', 'default'] as const satisfies readonly UpdateScope[];

/** How far an update goes: what the row of the list is, and the argument of a key binding. */
interface UpdateChoice {
  readonly scope: UpdateWhere;
  readonly kind: UpdateScope;
}

/** How long the message is shown, in ms. */
const MESSAGE_TIME = 5000;

/**
 * Offers what to update and how far, the safe versions of the file first, then makes the updates that are confirmed.
 * @param argument an `UpdateChoice`, for a key binding, or nothing
 */
export async function update(client: BaseLanguageClient, argument: unknown): Promise<void> {
  const choice = isChoice(argument) ? argument : await chooseUpdate();
  if (choice) await updateAll(client, choice);
}

async function chooseUpdate(): Promise<UpdateChoice | undefined> {
  const { t } = vscode.l10n;
  const editor = vscode.window.activeTextEditor;
  const document = editor && isManifest(editor.document) ? editor.document : undefined;
  const line = editor && document?.lineAt(editor.selection.active.line).text.trim();
  const labels = {
    file: {
      safe: t('Safe versions of this file'),
      'in-major': t('Latest minor versions of this file'),
      default: t('Latest versions of this file'),
    },
    line: {
      safe: t('Safe version of this line'),
      'in-major': t('Latest minor version of this line'),
      default: t('Latest version of this line'),
    },
    workspace: {
      safe: t('Safe versions of the workspace'),
      'in-major': t('Latest minor versions of the workspace'),
      default: t('Latest versions of the workspace'),
    },
  } satisfies Record<UpdateWhere, Record<UpdateScope, string>>;
  const details = {
    safe: t('The smallest step of what is affected or deprecated'),
    'in-major': t('The newest without a major step'),
    default: t('Also with a major step'),
  } satisfies Record<UpdateScope, string>;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const where = {
    file: document && vscode.workspace.asRelativePath(document.uri),
    line,
    workspace: folders.map((it) => it.name).join(', '),
  } satisfies Record<UpdateWhere, string | undefined>;
  const rows = updateWheres.flatMap((scope) => {
    const description = where[scope];
    if (!description) return [];
    const choices = updateKinds.map((kind) => {
      return { label: labels[scope][kind], description: details[kind], scope, kind };
    });
    const separator = { label: plainText(description), kind: vscode.QuickPickItemKind.Separator } as const;
    return [separator, ...choices];
  });
  if (rows.length === 0) {
    vscode.window.showInformationMessage(t('Open a manifest first, for example package.json or pom.xml.'));
    return undefined;
  }
  const items = rows.map((it) => ('scope' in it ? { label: it.label, description: it.description, choice: it } : it));
  const chosen = await vscode.window.showQuickPick(items, { title: t('Update to which versions?') });
  return chosen && 'choice' in chosen ? chosen.choice : undefined;
}

/** Validates the argument of the command, which key bindings give. */
function isChoice(value: unknown): value is UpdateChoice {
  const { scope, kind } = (value ?? {}) as Partial<Record<keyof UpdateChoice, unknown>>;
  return updateWheres.some((it) => it === scope) && updateKinds.some((it) => it === kind);
}

/** Shows a preview of all updates in a scope, and makes the chosen ones. */
export async function updateAll(client: BaseLanguageClient, { scope, kind }: UpdateChoice): Promise<void> {
  const { t } = vscode.l10n;
  const editor = vscode.window.activeTextEditor;
  const document = editor && isManifest(editor.document) ? editor.document : undefined;
  if (scope !== 'workspace' && document === undefined) {
    vscode.window.showInformationMessage(t('Open a manifest first, for example package.json or pom.xml.'));
    return;
  }
  const uri = document && client.code2ProtocolConverter.asUri(document.uri);
  const params = {
    scope: kind,
    ...(scope !== 'workspace' && uri !== undefined && { textDocument: { uri } }),
    ...(scope === 'line' && editor && { line: editor.selection.active.line }),
  };
  const answer = await sendRequestWithProgress(client, 'updates', params, t('Looking for updates'), progressMessage);
  if (!answer) return;
  if (answer.edit === undefined) {
    if (answer.left.length > 0) showSummary(client, 0, answer);
    else vscode.window.setStatusBarMessage(t('Nothing to update.'), MESSAGE_TIME);
    return;
  }
  const confirmed = await confirm(client, answer.edit);
  if (confirmed === undefined) return;
  const edit = await client.protocol2CodeConverter.asWorkspaceEdit(confirmed);
  if (!(await vscode.workspace.applyEdit(edit))) {
    vscode.window.showErrorMessage(t('Nothing was updated: a file has changed in the meantime, or cannot be edited.'));
    return;
  }
  const updated = countEdits(confirmed);
  const changed = uri ?? client.code2ProtocolConverter.asUri(edit.entries()[0]?.[0] ?? vscode.Uri.parse('untitled:'));
  // Both messages may be there: the offer to install must not wait for this one.
  showSummary(client, updated, answer);
  await afterUpdate(client, changed);
}

/**
 * A preview with the steps of each file, all of them selected: Enter makes them. VS Code's own preview selects
 * none, and its key bindings have to be known.
 * @returns absent if the person leaves it
 */
async function confirm(client: BaseLanguageClient, edit: WorkspaceEdit): Promise<WorkspaceEdit | undefined> {
  const { changeAnnotations = {}, documentChanges = [] } = edit;
  const files = documentChanges.flatMap((it) => ('edits' in it ? [it] : []));
  const rows = files.flatMap(({ textDocument, edits }) => {
    const ids = new Set(edits.flatMap((it) => ('annotationId' in it ? it.annotationId : [])));
    const path = vscode.workspace.asRelativePath(client.protocol2CodeConverter.asUri(textDocument.uri));
    const separator = { id: '', label: plainText(path), kind: vscode.QuickPickItemKind.Separator };
    const steps = [...ids].flatMap((id) => {
      const { label, description } = changeAnnotations[id] ?? { label: id };
      const note = description === undefined ? {} : { description: plainText(description) };
      return [{ id, label: plainText(label), ...note, picked: true }];
    });
    return [separator, ...steps];
  });
  const title = vscode.l10n.t('Update to these versions?');
  const chosen = await vscode.window.showQuickPick(rows, { title, canPickMany: true, ignoreFocusOut: true });
  if (chosen === undefined || chosen.length === 0) return undefined;
  const ids = new Set(chosen.map((it) => it.id));
  const changes = documentChanges.flatMap((it) => {
    if (!('edits' in it)) return [];
    const edits = it.edits.filter((change) => 'annotationId' in change && ids.has(change.annotationId));
    return edits.length > 0 ? [{ ...it, edits: edits.map((change) => withoutAnnotation(change)) }] : [];
  });
  return { documentChanges: changes };
}

function withoutAnnotation<T extends { readonly range: Range; readonly newText?: string }>({ range, newText = '' }: T) {
  return { range, newText };
}

function countEdits({ documentChanges = [] }: WorkspaceEdit): number {
  return documentChanges.reduce((sum, it) => sum + ('edits' in it ? it.edits.length : 0), 0);
}

/** `12 versions updated, 9 not.`; which ones and why is in a document. */
async function showSummary(client: BaseLanguageClient, updated: number, answer: UpdatesAnswer): Promise<void> {
  const { t } = vscode.l10n;
  const unconfirmed = Math.max(0, answer.changes - updated);
  const count = answer.left.reduce((sum, { places }) => sum + places.length, unconfirmed);
  const done = updated === 1 ? t('1 version updated.') : t('{0} versions updated.', updated);
  if (count === 0) {
    vscode.window.showInformationMessage(done);
    return;
  }
  const why = t('Why?');
  const left = t('{0} not updated.', count);
  const chosen = await vscode.window.showInformationMessage(updated === 0 ? left : `${done} ${left}`, why);
  if (chosen !== why) return;
  const content = leftText(client, answer, unconfirmed);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'plaintext', content }));
}

/**
 * By file, in the order of its lines:
 *
 *     package.json
 *         5: request 2.88.2: no fixed version
 */
function leftText(client: BaseLanguageClient, { left }: UpdatesAnswer, unconfirmed: number): string {
  const { t } = vscode.l10n;
  const all = left.flatMap(({ reason, places }) => places.map((it) => ({ ...it, reason })));
  const files = [...new Set(all.map((it) => it.uri))].map((uri) => {
    const path = vscode.workspace.asRelativePath(client.protocol2CodeConverter.asUri(uri));
    const here = all.filter((it) => it.uri === uri).sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
    const lines = here.map(({ name, line = 0, reason }) => {
      return name === undefined ? `    ${reason}` : `    ${line + 1}: ${name}: ${reason}`;
    });
    return [path, ...lines, ''].join('\n');
  });
  const unchosen = unconfirmed > 0 ? [t('{0} not confirmed', unconfirmed)] : [];
  return [...files.sort(), ...unchosen].join('\n');
}
