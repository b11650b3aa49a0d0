import * as vscode from 'vscode';
import { type LanguageClient, WorkDoneProgress } from 'vscode-languageclient/node';
import type { IdentifyAnswer } from '../../server/src/lsp/request-identify.ts';
import { offer } from './copy.ts';
import { plain } from './plain.ts';
import { ask } from './requests.ts';

/** What packages of systems come as whose files have no look-up by digest. */
const withoutDigests = /\.(?:whl|egg|zip|mod)$/i;

/** Asks which package version a file is of, and offers what can be done with it. */
export async function identify(client: LanguageClient, given: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const uri = given instanceof vscode.Uri ? given : await chooseFile();
  if (uri === undefined) return;
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  if (withoutDigests.test(name) && !(await isMeant(name))) return;
  const answer = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Identifying {0}', plain(name)), cancellable: true },
    (progress, token) => follow(client, uri, progress, token),
  );
  if (answer === undefined) return;
  if (!('versions' in answer)) {
    vscode.window.showInformationMessage(plain(answer.reason));
    return;
  }
  await showVersions(client, name, answer);
}

async function chooseFile(): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const archives = ['jar', 'war', 'nupkg', 'tgz', 'crate'];
  const chosen = await vscode.window.showOpenDialog({
    openLabel: t('Identify'),
    filters: { [t('Packages')]: archives, [t('All files')]: ['*'] },
  });
  return chosen?.[0];
}

async function isMeant(name: string): Promise<boolean> {
  const { t } = vscode.l10n;
  const anyway = t('Look It Up Anyway');
  const message = t(
    'The service has no look-up by digest for files of Go and PyPI, and {0} looks like one of them.',
    plain(name),
  );
  return (await vscode.window.showInformationMessage(message, anyway)) === anyway;
}

/** @returns undefined where a person cancelled */
async function follow(
  client: LanguageClient,
  uri: vscode.Uri,
  progress: vscode.Progress<{ readonly increment: number; readonly message?: string }>,
  token: vscode.CancellationToken,
): Promise<IdentifyAnswer | undefined> {
  const workDoneToken = `identify ${uri}`;
  let shown = 0;
  const progressing = client.onProgress(WorkDoneProgress.type, workDoneToken, (it) => {
    if (it.kind !== 'report' || it.percentage === undefined) return;
    progress.report({ increment: it.percentage - shown });
    shown = it.percentage;
    if (shown === 100) progress.report({ increment: 0, message: vscode.l10n.t('asking the service') });
  });
  try {
    const answer = await ask(client, 'identify', { uri: uri.toString(), workDoneToken }, token);
    return token.isCancellationRequested ? undefined : answer;
  } finally {
    progressing.dispose();
  }
}

async function showVersions(
  client: LanguageClient,
  name: string,
  { versions, by, digest, isCut }: Extract<IdentifyAnswer, { readonly kind: 'found' | 'other' }>,
): Promise<void> {
  const { t } = vscode.l10n;
  const items = versions.map((version) => ({
    label: plain(`${version.name} ${version.version ?? ''}`),
    description: version.system,
    detail: plain(
      [
        version.licenses.join(', ') || t('licence unknown'),
        ...(version.isDeprecated ? [t('deprecated')] : []),
        ...(version.advisories.length > 0 ? [t('advisories: {0}', version.advisories.length)] : []),
        ...version.artifacts.slice(0, 1),
      ].join(' · '),
    ),
    version,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('{0} is known by its {1} {2}', name, by, digest.slice(0, 12)),
    placeHolder: isCut
      ? t('The list was cut at {0}: there may be more. Choose one to copy it', versions.length)
      : t('Choose one to copy it, or to see more of it'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen) await offer(client, chosen.version, chosen.version.artifacts);
}
