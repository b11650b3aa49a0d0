import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { ReadPurl } from '../../../server/src/editor/requests/purl.ts';
import { dependenciesInFront, dependencyAt } from '../dependency.ts';
import { plainText } from '../escape.ts';
import { sendRequest } from '../requests.ts';

/** Pages about packages and versions: `package-insights:/lodash%204.17.21.md?pkg:npm/lodash@4.17.21`. */
const scheme = 'package-insights';

/** Shows the facts about a purl: the one given, else the one that the person types. */
export async function lookUpPurl(client: BaseLanguageClient, given: unknown): Promise<void> {
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
export function providePages(client: BaseLanguageClient): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query }, token) {
      const answer = await sendRequest(client, 'lookUpPurl', { purl: query }, token);
      return answer.kind === 'found' ? answer.markdown : answer.reason;
    },
  });
}

async function askForPurl(client: BaseLanguageClient): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const value = await suggestion(client);
  const prompt = t('A package or version, for example {0}', 'npm/lodash@4.17.21');
  return typePurl(client, { title: t('Look up a package'), prompt, value }, () => undefined);
}

/**
 * Prompts for a purl, or a name as people type it, and validates it during typing. If several systems have such names,
 * the person picks one.
 * @param objection why a purl cannot be used here; undefined where it can
 * @returns a purl; undefined where they leave it at that
 */
export async function typePurl(
  client: BaseLanguageClient,
  box: { readonly title: string; readonly prompt: string; readonly value: string },
  objection: (purl: ReadPurl) => string | undefined,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const typed = await vscode.window.showInputBox({
    ...box,
    ignoreFocusOut: true,
    async validateInput(text) {
      if (text.trim() === '') return undefined;
      const read = await sendRequest(client, 'readPurl', { purl: text });
      switch (read.kind) {
        case 'purl':
          return objection(read);
        case 'choice': {
          const objections = read.choices.map(objection);
          if (objections.every((it) => it !== undefined)) return objections[0];
          const message = t('Press Enter to choose the system.');
          return { message, severity: vscode.InputBoxValidationSeverity.Info };
        }
        case 'invalid':
          return read.reason;
      }
    },
  });
  if (typed === undefined) return undefined;
  const text = typed.trim();
  if (text === '') {
    vscode.window.showInformationMessage(t('Enter a purl.'));
    return undefined;
  }
  const read = await sendRequest(client, 'readPurl', { purl: text });
  if (read.kind === 'choice') return chooseSystem(client, box.title, read.choices);
  return read.kind === 'purl' ? read.purl : text;
}

/** Lets the person pick one of several systems; that of the active manifest comes first. */
async function chooseSystem(
  client: BaseLanguageClient,
  title: string,
  choices: readonly ReadPurl[],
): Promise<string | undefined> {
  const [dependency] = await dependenciesInFront(client).catch(() => []);
  const rank = ({ system }: ReadPurl): number => (system === dependency?.system ? 0 : 1);
  const items = choices
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ short, purl }) => ({ label: plainText(short), detail: plainText(purl), purl }));
  const placeHolder = vscode.l10n.t('Which system?');
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.purl;
}

/** The purl under the cursor or of the dependency there, else one in the clipboard. */
async function suggestion(client: BaseLanguageClient): Promise<string> {
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
