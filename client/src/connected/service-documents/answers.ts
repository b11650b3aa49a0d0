import * as vscode from 'vscode';
import type { CallAnswer } from '../../../../server/src/connected/model/documents/requests.ts';

/** Answers of services: `package-insights-answer:/scheduling.events.list.jsonc?3`. Read-only, and never on disk. */
const scheme = 'package-insights-answer';

type Answer = Extract<CallAnswer, { readonly kind: 'answer' }>;

/** An answer with the text of its request. */
interface ShownAnswer {
  readonly answer: Answer;
  readonly request: string;
}

const shown = new Map<string, ShownAnswer>();
let count = 0;

/** Shows an answer beside its request: where the one before is, if it is still there. */
export async function showAnswer(answer: Answer, request: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme, path: `/${answer.method}.jsonc`, query: String(++count) });
  shown.set(uri.toString(), { answer, request });
  const before = vscode.window.visibleTextEditors.find((it) => it.document.uri.scheme === scheme);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, {
    viewColumn: before?.viewColumn ?? vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: true,
  });
}

/** The answer of a document; undefined for any other. */
export function shownAnswer(uri: vscode.Uri | undefined): ShownAnswer | undefined {
  return uri && shown.get(uri.toString());
}

/** Provides the texts of answers, and `Next Page | All Pages | Send Again` above them. */
export function provideAnswers(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) =>
        shownAnswer(uri)?.answer.content ?? vscode.l10n.t('The answer is no longer there. Send the request again.'),
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => shown.delete(uri.toString())),
    vscode.languages.registerCodeLensProvider(
      { scheme },
      {
        provideCodeLenses({ uri }) {
          const { t } = vscode.l10n;
          const answer = shownAnswer(uri)?.answer;
          if (answer === undefined) return [];
          const range = new vscode.Range(0, 0, 0, 0);
          const lens = (title: string, command: string): vscode.CodeLens =>
            new vscode.CodeLens(range, { title, command: `packageInsights.${command}`, arguments: [uri] });
          const hasMore = answer.nextPageToken !== undefined;
          return [
            ...(hasMore ? [lens(`$(arrow-right) ${t('Next Page')}`, 'nextPage')] : []),
            ...(hasMore ? [lens(t('All Pages'), 'sendAllPages')] : []),
            lens(t('Send Again'), 'sendRequest'),
          ];
        },
      },
    ),
  );
}
