import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { dependenciesInFront } from './dependency.ts';
import { plainText } from './escape.ts';
import {
  chooseFileToIdentify,
  identifyWithProgress,
  type KnownFile,
  type PickedFile,
  showVersions,
} from './identify.ts';
import { guessPurl } from './purls/guess-purl.ts';
import { lookUpPurl, typePurl } from './purls/purl.ts';

/** Checks whether a file belongs to a claimed version: yes, no, or unknown, with the reason. */
export async function verify(client: BaseLanguageClient, given: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const file = await chooseFileToIdentify(given);
  const as = file && (await askForClaim(client, file));
  if (file === undefined || as === undefined) return;
  const name = plainText(file.name);
  const answer = await identifyWithProgress(client, { uri: file.uri.toString(), as }, t('Verifying {0}', name));
  const more = t('Show Details');
  switch (answer?.kind) {
    case undefined:
      return;
    case 'failed':
      vscode.window.showWarningMessage(plainText(answer.reason));
      return;
    case 'unknown': {
      const lookUp = t('Look Up Package');
      if ((await vscode.window.showWarningMessage(plainText(answer.reason), lookUp)) === lookUp)
        await lookUpPurl(client, as);
      return;
    }
    case 'found': {
      const text = withAge(t('Yes: by its {2}, {0} belongs to {1}.', name, plainText(as), answer.by), answer);
      if ((await vscode.window.showInformationMessage(text, more)) === more)
        await showVersions(client, file.name, answer);
      return;
    }
    case 'other': {
      const [first, ...others] = answer.versions.map((it) => plainText(it.purl));
      const known =
        others.length === 0
          ? first
          : t({ message: '{0} and others', args: [first ?? ''], comment: 'purls of versions' });
      const no = t('No: by its {3}, {0} belongs to {2}, not to {1}.', name, plainText(as), known ?? '', answer.by);
      const text = withAge(no, answer);
      if ((await vscode.window.showWarningMessage(text, more)) === more) await showVersions(client, file.name, answer);
    }
  }
}

/** Adds the age of an answer that could not be refreshed. */
function withAge(text: string, { age }: KnownFile): string {
  return age === undefined ? text : `${text} ${plainText(age)}`;
}

/** Prompts for the claimed version of a file, as a purl. */
async function askForClaim(
  client: BaseLanguageClient,
  { name, uri: { path } }: PickedFile,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const box = {
    title: t('Verify {0}', name),
    prompt: t('The purl of the version that the file should belong to, for example {0}', 'pkg:npm/lodash@4.17.21'),
    value: guessPurl(path, await dependenciesInFront(client)) ?? '',
  };
  return typePurl(client, box, ({ purl, system, version }) => {
    if (system === 'GO' || system === 'PYPI') {
      return t('The service has no lookup by digest for files of Go and PyPI.');
    }
    return version === undefined ? t('The version is missing: {0}', `${purl}@…`) : undefined;
  });
}
