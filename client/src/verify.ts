import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { claimOf } from './claim.ts';
import { dependenciesInFront } from './dependency.ts';
import { askAbout, fileToLookUp, showVersions } from './identify.ts';
import { plain } from './plain.ts';
import { lookUpPurl } from './purl.ts';
import { ask } from './requests.ts';

/** Asks whether a file really is of the version that somebody says it is of: yes, no, or nobody knows. */
export async function verify(client: LanguageClient, given: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const file = await fileToLookUp(given);
  const as = file && (await askForClaim(client, file.name));
  if (file === undefined || as === undefined) return;
  const name = plain(file.name);
  const answer = await askAbout(client, { uri: file.uri.toString(), as }, t('Verifying {0}', name));
  const more = t('Show What It Is');
  switch (answer?.kind) {
    case undefined:
      return;
    case 'failed':
      vscode.window.showWarningMessage(plain(answer.reason));
      return;
    case 'unknown': {
      const lookUp = t('Look Up the purl');
      const text = t(
        'Not known: the service knows no published version that {0} is of, {1} included. It may have been changed, built anew, or never published.',
        name,
        plain(as),
      );
      if ((await vscode.window.showWarningMessage(text, lookUp)) === lookUp) await lookUpPurl(client, as);
      return;
    }
    case 'found': {
      const text = t('Yes: {0} is of {1}, by its {2}.', name, plain(as), answer.by);
      if ((await vscode.window.showInformationMessage(text, more)) === more)
        await showVersions(client, file.name, answer);
      return;
    }
    case 'other': {
      const [first, ...others] = answer.versions.map((it) => plain(it.purl));
      const known =
        others.length === 0
          ? first
          : t({ message: '{0} and others', args: [first ?? ''], comment: 'purls of versions' });
      const text = t('No: {0} is not of {1}, but of {2}, by its {3}.', name, plain(as), known ?? '', answer.by);
      if ((await vscode.window.showWarningMessage(text, more)) === more) await showVersions(client, file.name, answer);
    }
  }
}

/** Has a person say what a file is said to be: a purl with a version. */
async function askForClaim(client: LanguageClient, name: string): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const value = claimOf(name, await dependenciesInFront(client)) ?? '';
  const typed = await vscode.window.showInputBox({
    title: t('Verify {0}', name),
    prompt: t('The purl of the version that it is said to be of, for example {0}', 'pkg:npm/lodash@4.17.21'),
    value,
    ignoreFocusOut: true,
    async validateInput(text) {
      if (text.trim() === '') return undefined;
      const read = await ask(client, 'readPurl', { purl: text });
      if (read.kind === 'invalid') return read.reason;
      if (read.system === 'GO' || read.system === 'PYPI') {
        return t('The service has no look-up by digest for files of Go and PyPI.');
      }
      return read.version === undefined ? t('The version is missing: {0}', `${read.purl}@…`) : undefined;
    },
  });
  return typed?.trim() || undefined;
}
