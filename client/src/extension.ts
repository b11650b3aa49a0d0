import * as vscode from 'vscode';
import { registerCommands } from './commands.ts';
import { plainText } from './escape.ts';
import type { RunningServer } from './language-client.ts';
import { providePurlHovers } from './purl-hovers.ts';
import { servedSelector } from './selector.ts';

/** The setting that asks for the findings of manifests that are not open. */
const wholeWorkspace = 'packageInsights.workspaceDiagnostics';

let running: Promise<RunningServer> | undefined;
/** Whether a start was in vain: then a person tries again, by a command, and no manifest that is opened does. */
let hasFailed = false;

/** Waits for the first manifest, then starts the language server. Until then nothing of it is loaded. */
export function activate(context: vscode.ExtensionContext): void {
  const start = (): Promise<RunningServer> => {
    running ??= import('./language-client.ts')
      .then((it) => it.start(context))
      .catch((error: unknown) => {
        running = undefined;
        hasFailed = true;
        throw error;
      });
    return running;
  };
  const started: typeof start = async () => {
    const running = await start();
    await running.ready();
    return running;
  };
  registerCommands(context, started);
  const isAwaited = (): boolean => !running && !hasFailed;
  const startFor = (document: vscode.TextDocument): void => {
    if (isAwaited() && vscode.languages.match(servedSelector, document) > 0) startNow();
  };
  const startNow = (): void => {
    start().catch((error: unknown) => {
      vscode.window.showErrorMessage(vscode.l10n.t('Package Insights could not start: {0}', plainText(String(error))));
    });
  };
  const startForAll = (): void => {
    // Somebody wants to see findings before a manifest is open.
    if (isAwaited() && vscode.workspace.workspaceFolders && vscode.workspace.getConfiguration().get(wholeWorkspace))
      startNow();
    for (const document of vscode.workspace.textDocuments) startFor(document);
  };
  const startForPurl = async (): Promise<RunningServer | undefined> => {
    if (isAwaited()) startNow();
    return running && started();
  };
  context.subscriptions.push(
    providePurlHovers(startForPurl),
    vscode.workspace.onDidOpenTextDocument(startFor),
    vscode.workspace.onDidChangeConfiguration((it) => {
      if (it.affectsConfiguration(wholeWorkspace)) startForAll();
    }),
  );
  startForAll();
}

export async function deactivate(): Promise<void> {
  await (await running)?.stop();
}
