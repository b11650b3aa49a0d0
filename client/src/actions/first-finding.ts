import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { isManifest } from '../manifest-context.ts';
import { sendRequest } from '../requests.ts';

/** What opens on the line, by the argument of the command. */
const gestures = { hover: 'editor.action.showHover', fixes: 'editor.action.quickFix' } as const;

type Gesture = keyof typeof gestures;

/** How long to wait for the findings of a manifest that was just opened, in ms. */
const FINDINGS_TIMEOUT = 5000;

/**
 * Puts the cursor on the first finding of a manifest and opens its hover or its quick fixes. The walkthrough runs it, so
 * the manifest need not be active.
 */
export async function showFirstFinding(client: BaseLanguageClient, argument: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const gesture: Gesture = argument === 'fixes' ? 'fixes' : 'hover';
  const editor = manifestInSight();
  const document = editor?.document ?? vscode.workspace.textDocuments.find(isManifest);
  if (document === undefined) {
    vscode.window.showInformationMessage(t('Open a manifest first, for example package.json or pom.xml.'));
    await vscode.commands.executeCommand('workbench.action.quickOpen');
    return;
  }
  const range = (await firstFinding(document)) ?? (await firstDependency(client, document));
  if (range === undefined) {
    vscode.window.showInformationMessage(t('This manifest has no dependencies.'));
    return;
  }
  const selection = new vscode.Range(range.start, range.start);
  const viewColumn = editor?.viewColumn;
  await vscode.window.showTextDocument(document, { ...(viewColumn !== undefined && { viewColumn }), selection });
  await vscode.commands.executeCommand(gestures[gesture]);
}

/** The active manifest, else one that is beside it. */
function manifestInSight(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  return [...(activeTextEditor ? [activeTextEditor] : []), ...visibleTextEditors].find((it) => isManifest(it.document));
}

async function firstFinding({ uri }: vscode.TextDocument): Promise<vscode.Range | undefined> {
  const found = (): vscode.Range | undefined =>
    vscode.languages
      .getDiagnostics(uri)
      .filter((it) => it.source === 'package-insights')
      .map((it) => it.range)
      .sort((a, b) => a.start.compareTo(b.start))[0];
  const now = found();
  if (now !== undefined) return now;
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      waiting.dispose();
      resolve(found());
    };
    const waiting = vscode.languages.onDidChangeDiagnostics(() => {
      if (found() !== undefined) done();
    });
    const timer = setTimeout(done, FINDINGS_TIMEOUT);
  });
}

/** A manifest without findings has its hover on any line. */
async function firstDependency(
  client: BaseLanguageClient,
  document: vscode.TextDocument,
): Promise<vscode.Range | undefined> {
  const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
  const [first] = (await sendRequest(client, 'subjects', { textDocument })).subjects;
  return first && client.protocol2CodeConverter.asRange(first.range);
}
