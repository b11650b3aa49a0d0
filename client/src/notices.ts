import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { NoticeFormat } from '../../server/src/engine/report/formats/notices.ts';
import { plainText } from './escape.ts';
import { fileTrouble } from './file-trouble.ts';
import { progressMessage, sendRequestWithProgress } from './requests.ts';

/** The formats by file name extension. */
const formatOf: Readonly<Record<string, NoticeFormat>> = { txt: 'text', md: 'markdown', json: 'json' };

/** Writes the licenses of the workspace's dependencies into a file that the person chooses, and opens it. */
export async function exportNotices(client: BaseLanguageClient): Promise<void> {
  const { t } = vscode.l10n;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) return tellThatThereIsNone();
  const uri = await vscode.window.showSaveDialog({
    title: t('Export License Notices'),
    defaultUri: vscode.Uri.joinPath(folder.uri, 'NOTICES.txt'),
    filters: { [t('Text')]: ['txt'], [t('Markdown')]: ['md'], [t('JSON')]: ['json'] },
  });
  if (!uri) return;
  const format = formatOf[uri.path.split('.').at(-1) ?? ''] ?? 'text';
  const title = t('Collecting the licenses of the workspace');
  const answer = await sendRequestWithProgress(client, 'notices', { format }, title, progressMessage);
  if (answer === undefined) return;
  if (answer === null) return tellThatThereIsNone();
  try {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(answer.text));
  } catch (error) {
    vscode.window.showErrorMessage(
      t('{0} cannot be written: {1}', plainText(vscode.workspace.asRelativePath(uri)), plainText(fileTrouble(error))),
    );
    return;
  }
  await vscode.window.showTextDocument(uri);
  if (answer.coverage !== undefined)
    vscode.window.showWarningMessage(t('The license notices are incomplete. {0}.', plainText(answer.coverage)));
}

function tellThatThereIsNone(): void {
  vscode.window.showInformationMessage(vscode.l10n.t('Open a folder to export license notices.'));
}
