import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { DependencyAnswer } from '../../server/src/editor/requests/dependencies.ts';
import { plainText } from './escape.ts';
import { isManifest } from './manifest-context.ts';
import { sendRequest } from './requests.ts';

/** The dependency at the cursor. */
export async function dependencyAt(
  client: BaseLanguageClient,
  { document, selection }: vscode.TextEditor,
): Promise<DependencyAnswer | undefined> {
  if (!isManifest(document)) return undefined;
  const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
  const { line, character } = selection.active;
  return (await sendRequest(client, 'subjects', { textDocument, position: { line, character } })).subjects[0];
}

/** A dependency of a document that may have changed since. */
export interface DependencyPlace {
  readonly uri: string;
  /** In UTF-16 units. */
  readonly offset: number;
  /** As the file names it. */
  readonly name?: string;
  /** Of the version that is meant, if it has several under different conditions. */
  readonly condition?: string;
}

/** The dependency at a place, or the nearest one of its name. Undefined if the document is no manifest. */
export async function dependencyNear(
  client: BaseLanguageClient,
  { uri, offset, name }: DependencyPlace,
): Promise<DependencyAnswer | undefined> {
  const document = await vscode.workspace.openTextDocument(client.protocol2CodeConverter.asUri(uri));
  if (!isManifest(document)) return undefined;
  const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
  const { line, character } = document.positionAt(offset);
  const here = await sendRequest(client, 'subjects', { textDocument, position: { line, character } });
  const [found] = here.subjects;
  if (name === undefined || found?.place.name === name) return found;
  const { subjects } = await sendRequest(client, 'subjects', { textDocument });
  const distance = ({ place }: DependencyAnswer): number => Math.abs(place.offset - offset);
  return subjects.filter((it) => it.place.name === name).sort((a, b) => distance(a) - distance(b))[0];
}

/** All dependencies of the active manifest; empty without one. */
export async function dependenciesInFront(client: BaseLanguageClient): Promise<readonly DependencyAnswer[]> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || !isManifest(document)) return [];
  const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
  return (await sendRequest(client, 'subjects', { textDocument })).subjects;
}

/** The dependency at the cursor, else the one that the person picks in the active manifest. */
export async function chooseDependency(
  client: BaseLanguageClient,
  title: string,
): Promise<DependencyAnswer | undefined> {
  const { t } = vscode.l10n;
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !isManifest(editor.document)) {
    vscode.window.showInformationMessage(t('Open a manifest first, for example package.json or pom.xml.'));
    return undefined;
  }
  const here = await dependencyAt(client, editor);
  if (here !== undefined) return here;
  const subjects = await dependenciesInFront(client);
  if (subjects.length === 0) {
    vscode.window.showInformationMessage(t('This manifest has no dependencies.'));
    return undefined;
  }
  const items = subjects.map((subject) => ({
    label: plainText(subject.name),
    description: plainText(subject.version ?? subject.requirement),
    detail: plainText(subject.group ?? ''),
    subject,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder: t('Which dependency?') });
  return chosen?.subject;
}
