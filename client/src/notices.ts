import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { NoticeFormat } from '../../server/src/report/notices.ts';
import { fileTrouble } from './file-trouble.ts';
import { plain } from './plain.ts';
import { askWithProgress, inWords } from './requests.ts';

/** The formats by the ending of the file that the person names. */
const formatOf: Readonly<Record<string, NoticeFormat>> = { txt: 'text', md: 'markdown', json: 'json' };

/** Writes the licences of the workspace's dependencies into a file that the person names, and opens it. */
export async function exportNotices(client: LanguageClient): Promise<void> {
  const { t } = vscode.l10n;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) return tellThatThereIsNone();
  const uri = await vscode.window.showSaveDialog({
    title: t('Export Licence Notices'),
    defaultUri: vscode.Uri.joinPath(folder.uri, 'NOTICES.txt'),
    filters: { [t('Text')]: ['txt'], [t('Markdown')]: ['md'], [t('JSON')]: ['json'] },
  });
  if (!uri) return;
  const format = formatOf[uri.path.split('.').at(-1) ?? ''] ?? 'text';
  const title = t('Looking at the licences of the workspace');
  const answer = await askWithProgress(client, 'notices', { format }, title, inWords);
  if (answer === undefined) return;
  if (answer === null) return tellThatThereIsNone();
  try {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(answer.text));
  } catch (error) {
    vscode.window.showErrorMessage(
      t('{0} cannot be written: {1}', plain(vscode.workspace.asRelativePath(uri)), plain(fileTrouble(error))),
    );
    return;
  }
  await vscode.window.showTextDocument(uri);
  if (answer.failed > 0) {
    vscode.window.showWarningMessage(t('The notices are not complete: {0} look-ups failed.', answer.failed));
  }
  if (answer.unclear > 0) {
    vscode.window.showWarningMessage(
      answer.unclear === 1
        ? t('1 manifest is not understood to the end, so licences may be missing among the notices.')
        : t(
            '{0} manifests are not understood to the end, so licences may be missing among the notices.',
            answer.unclear,
          ),
    );
  }
  if (answer.withheld > 0) {
    vscode.window.showInformationMessage(
      answer.withheld === 1
        ? t('1 dependency is not among the notices, since its name stays private.')
        : t('{0} dependencies are not among the notices, since their names stay private.', answer.withheld),
    );
  }
}

function tellThatThereIsNone(): void {
  vscode.window.showInformationMessage(vscode.l10n.t('There is no folder open whose dependencies could be looked at.'));
}
