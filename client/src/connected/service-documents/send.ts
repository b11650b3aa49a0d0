import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type {
  CallAnswer,
  CopyFormat,
  RequestProblem,
} from '../../../../server/src/connected/model/documents/requests.ts';
import { copy } from '../../copy.ts';
import { plainText } from '../../escape.ts';
import { sendRequest } from '../../requests.ts';
import { requestLanguage } from '../../selector.ts';
import { showAnswer, shownAnswer } from './answers.ts';

/** What of a list is requested. */
type Page = 'first' | 'next' | 'all';

/**
 * Sends a request document, or the one of an answer again, and shows the answer beside it.
 * @param given the address of either; by default the active one
 */
export async function sendDocument(client: BaseLanguageClient, given: unknown, page: Page): Promise<void> {
  const source = await sourceOf(given);
  if (source === undefined) return;
  const { text, next } = source;
  if (page === 'next' && next === undefined) return;
  const wanted = page === 'first' ? {} : { page: page === 'all' ? 'all' : (next ?? '') };
  const call = (more: object): Promise<CallAnswer> => callWithProgress(client, text, { ...wanted, ...more });
  const answer = await call({});
  if (answer.kind !== 'confirm') return tell(answer, source);
  const { t } = vscode.l10n;
  const { name, method } = answer;
  const confirm = await vscode.window.showInputBox({
    title: t('Remove “{0}”?', name),
    prompt: t('{0} cannot be undone. Repeat the name to send it: {1}', method, name),
    placeHolder: name,
    ignoreFocusOut: true,
    validateInput: (typed) => (typed === name || typed === '' ? undefined : t('The name is {0}', name)),
  });
  if (confirm === name) await tell(await call({ confirm }), source);
}

/** Copies the request of a document, without address and credential. */
export async function copyRequest(client: BaseLanguageClient, given: unknown, format: CopyFormat): Promise<void> {
  const source = await sourceOf(given);
  if (source === undefined) return;
  const copied = await sendRequest(client, 'copyRequest', { text: source.text, format });
  if (copied?.kind === 'copied') await copy(copied.text);
  else if (copied) await showProblem(copied.problems, source.document);
}

interface Source {
  readonly text: string;
  /** Absent for an answer. */
  readonly document?: vscode.TextDocument;
  /** The next page. */
  readonly next?: string;
}

async function sourceOf(given: unknown): Promise<Source | undefined> {
  const active = vscode.window.activeTextEditor?.document;
  const uri = typeof given === 'string' ? vscode.Uri.parse(given) : given instanceof vscode.Uri ? given : active?.uri;
  const shown = shownAnswer(uri);
  if (shown) {
    const { nextPageToken: next } = shown.answer;
    return { text: shown.request, ...(next !== undefined && { next }) };
  }
  const document = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri?.toString());
  if (document?.languageId === requestLanguage) return { text: document.getText(), document };
  vscode.window.showInformationMessage(vscode.l10n.t('Open a request document first.'));
  return undefined;
}

/** In ms. The progress of a shorter call would only flash. */
const PROGRESS_DELAY_MS = 500;

async function callWithProgress(client: BaseLanguageClient, text: string, more: object): Promise<CallAnswer> {
  const cancelling = new vscode.CancellationTokenSource();
  const calling = sendRequest(client, 'callMethod', { text, ...more }, cancelling.token).catch(
    (error: unknown): CallAnswer => {
      if (cancelling.token.isCancellationRequested) return { kind: 'aborted' };
      throw error;
    },
  );
  const late = new Promise<'late'>((resolve) => {
    setTimeout(() => resolve('late'), PROGRESS_DELAY_MS);
  });
  if ((await Promise.race([calling, late])) !== 'late') return calling;
  const method = /^\s*METHOD\s+(\S+)/m.exec(text)?.[1] ?? '';
  const title = vscode.l10n.t('Sending {0}', plainText(method));
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, (_progress, token) => {
    token.onCancellationRequested(() => cancelling.cancel());
    return calling;
  });
}

async function tell(answer: CallAnswer, { text, document }: Source): Promise<void> {
  const { t } = vscode.l10n;
  switch (answer.kind) {
    case 'answer':
      await showAnswer(answer, text);
      return;
    case 'refused':
      await showProblem(answer.problems, document);
      return;
    case 'not-connected': {
      const connect = t('Connect…');
      const message = t('{0} was not called: {1}.', answer.connection, plainText(answer.reason));
      if ((await vscode.window.showErrorMessage(message, connect)) === connect)
        await vscode.commands.executeCommand('packageInsights.connectService', { name: answer.connection });
      return;
    }
    case 'failed':
      vscode.window.showErrorMessage(t('No answer: {0}.', plainText(answer.reason)));
      return;
    case 'confirm':
    case 'aborted':
      return;
  }
}

/** Says what is wrong with a document, and shows the place. */
async function showProblem(
  [problem]: readonly RequestProblem[],
  document: vscode.TextDocument | undefined,
): Promise<void> {
  if (problem === undefined) return;
  vscode.window.showErrorMessage(vscode.l10n.t('Nothing was sent: {0}.', plainText(problem.message)));
  if (document === undefined) return;
  const editor = await vscode.window.showTextDocument(document);
  const range = new vscode.Range(document.positionAt(problem.start), document.positionAt(problem.end));
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range);
}
