import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { IdentifyAnswer, IdentifyParams } from '../../server/src/editor/requests/identify.ts';
import { showVersionActions } from './copy.ts';
import { plainText } from './escape.ts';
import { sendRequestWithProgress } from './requests.ts';

/** The answer for a file that the service knows. */
export type KnownFile = Extract<IdentifyAnswer, { readonly kind: 'found' | 'other' }>;

/** The file name extensions of packages in systems without lookups by digest. */
const withoutDigests = /\.(?:whl|egg|zip|mod)$/i;

/** Identifies the package version of a file, and offers actions for it. */
export async function identify(client: BaseLanguageClient, given: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const file = await chooseFileToIdentify(given);
  if (file === undefined) return;
  const answer = await identifyWithProgress(
    client,
    { uri: file.uri.toString() },
    t('Identifying {0}', plainText(file.name)),
  );
  if (answer === undefined) return;
  if (!('versions' in answer)) {
    vscode.window.showInformationMessage(plainText(answer.reason));
    return;
  }
  await showVersions(client, file.name, answer);
}

export interface PickedFile {
  readonly uri: vscode.Uri;
  readonly name: string;
}

/** The target of the menu, else the file that the person picks; undefined if they cancel. */
export async function chooseFileToIdentify(given: unknown): Promise<PickedFile | undefined> {
  const uri = given instanceof vscode.Uri ? given : await chooseFile();
  if (uri === undefined) return undefined;
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return !withoutDigests.test(name) || (await isMeant(name)) ? { uri, name } : undefined;
}

async function chooseFile(): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const archives = ['jar', 'war', 'nupkg', 'tgz', 'gz', 'crate', 'whl', 'gem', 'zip'];
  const chosen = await vscode.window.showOpenDialog({
    openLabel: t('Identify'),
    filters: { [t('Packages')]: archives, [t('All files')]: ['*'] },
  });
  return chosen?.[0];
}

async function isMeant(name: string): Promise<boolean> {
  const { t } = vscode.l10n;
  const anyway = t('Look Up Anyway');
  const message = t(
    'The service has no lookup by digest for files of Go and PyPI, and {0} looks like one of them.',
    plainText(name),
  );
  return (await vscode.window.showInformationMessage(message, anyway)) === anyway;
}

/** @returns undefined where a person cancelled */
export async function identifyWithProgress(
  client: BaseLanguageClient,
  params: IdentifyParams,
  title: string,
): Promise<IdentifyAnswer | undefined> {
  let shown = 0;
  return sendRequestWithProgress(client, 'identify', params, title, ({ percentage = shown }) => {
    const increment = percentage - shown;
    shown = percentage;
    return { increment, ...(shown === 100 && { message: vscode.l10n.t('requesting data from the service') }) };
  });
}

/** Lists the versions of a file and offers actions for the chosen one. */
export async function showVersions(
  client: BaseLanguageClient,
  name: string,
  { versions, by, digest, isCut, age }: KnownFile,
): Promise<void> {
  const { t } = vscode.l10n;
  const items = versions.map((version) => ({
    label: plainText(`${version.name} ${version.version ?? ''}`),
    description: plainText(version.purl),
    detail: plainText(
      [
        version.licenses.join(', ') || t('license unknown'),
        ...(version.isDeprecated ? [t('deprecated')] : []),
        ...(version.advisories.length > 0 ? [t('vulnerabilities: {0}', version.advisories.length)] : []),
        ...version.artifacts.slice(0, 1),
      ].join(' · '),
    ),
    version,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('{0} was found by its {1} {2}', name, by, digest.slice(0, 12)),
    placeHolder:
      age !== undefined
        ? plainText(age)
        : isCut
          ? t('Only the first {0} versions. Choose one to copy it', versions.length)
          : t('Choose a version to copy it or to see details'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen) await showVersionActions(client, chosen.version, chosen.version.artifacts);
}
