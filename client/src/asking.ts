import * as vscode from 'vscode';
import { type LanguageClient, WorkDoneProgress } from 'vscode-languageclient/node';

/**
 * Sends one of the server's requests that take their time, and shows how far it is.
 * @returns undefined where the person has cancelled
 */
export async function askWithProgress<Answer>(
  client: LanguageClient,
  method: string,
  params: object,
  title: string,
): Promise<Answer | undefined> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const workDoneToken = `${method} ${Date.now()}`;
    const telling = client.onProgress(WorkDoneProgress.type, workDoneToken, (it) => {
      if (it.kind === 'report' && it.message !== undefined) progress.report({ message: it.message });
    });
    try {
      return await client.sendRequest<Answer>(method, { ...params, workDoneToken }, token);
    } catch (error) {
      if (!token.isCancellationRequested) throw error;
      return undefined;
    } finally {
      telling.dispose();
    }
  });
}
