import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ReadPurlAnswer } from '../../server/src/language-server/requests/purl.ts';
import { dependencyAt } from './dependency.ts';
import { plainText } from './escape.ts';
import { sendRequest } from './requests.ts';

/** Pages about packages and versions: `package-insights:/lodash%204.17.21.md?pkg:npm/lodash@4.17.21`. */
const scheme = 'package-insights';

/** Shows the facts about a purl: the one given, else the one that the person types. */
export async function lookUpPurl(client: LanguageClient, given: unknown): Promise<void> {
  const purl = typeof given === 'string' ? given : await askForPurl(client);
  if (purl === undefined) return;
  const answer = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Looking up {0}', plainText(purl)),
      cancellable: true,
    },
    async (_progress, token) => {
      const found = await sendRequest(client, 'lookUpPurl', { purl }, token);
      return token.isCancellationRequested ? undefined : found;
    },
  );
  if (answer === undefined) return;
  if (answer.kind !== 'found') {
    vscode.window.showInformationMessage(plainText(answer.reason));
    return;
  }
  const path = `/${answer.purl.slice(answer.purl.lastIndexOf('/') + 1).replace('@', ' ')}.md`;
  await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.from({ scheme, path, query: answer.purl }));
}

/** Provides the text of the pages, from answers that are usually cached. */
export function providePages(client: LanguageClient): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query }, token) {
      const answer = await sendRequest(client, 'lookUpPurl', { purl: query }, token);
      return answer.kind === 'found' ? answer.markdown : answer.reason;
    },
  });
}

async function askForPurl(client: LanguageClient): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const value = await suggestion(client);
  const prompt = t('A package or version, for example {0}', 'pkg:npm/lodash@4.17.21');
  return typePurl(client, { title: t('Look up a purl'), prompt, value }, () => undefined);
}

/**
 * Prompts for a purl and validates it during typing.
 * @param objection what a purl is not good for; undefined where it is
 * @returns undefined where they leave it at that
 */
export async function typePurl(
  client: LanguageClient,
  box: { readonly title: string; readonly prompt: string; readonly value: string },
  objection: (purl: Extract<ReadPurlAnswer, { readonly kind: 'purl' }>) => string | undefined,
): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    ...box,
    ignoreFocusOut: true,
    async validateInput(text) {
      if (text.trim() === '') return undefined;
      const read = await sendRequest(client, 'readPurl', { purl: text });
      return read.kind === 'invalid' ? read.reason : objection(read);
    },
  });
  const purl = typed?.trim();
  if (purl === '') vscode.window.showInformationMessage(vscode.l10n.t('Enter a purl.'));
  return purl || undefined;
}

/** The purl under the cursor or of the dependency there, else one in the clipboard. */
async function suggestion(client: LanguageClient): Promise<string> {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined) {
    const { document, selection } = editor;
    const here = document.getWordRangeAtPosition(selection.active, /pkg:[^\s"'<>,;\])}]+/i);
    if (here) return document.getText(here);
    const dependency = await dependencyAt(client, editor).catch(() => undefined);
    // A dependency that was not looked up may have a private name.
    if (dependency?.version !== undefined) return dependency.purl;
  }
  // A browser without clipboard access makes VS Code show an error and wait for its confirmation.
  if (vscode.env.uiKind === vscode.UIKind.Web) return '';
  const copied = (await vscode.env.clipboard.readText()).trim();
  return /^pkg:\S{1,1000}$/i.test(copied) ? copied : '';
}
