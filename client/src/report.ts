import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { UpdateRequest } from '../../server/src/editor/features/commands.ts';
import type { ReportAnswer } from '../../server/src/editor/requests/report.ts';
import { showPage } from './actions/show-page.ts';
import { isConnected } from './connected/connections/connected.ts';
import { scheduleUpdate } from './connected/scheduling/plan.ts';
import { plainText } from './escape.ts';
import { fileTrouble } from './file-trouble.ts';
import { progressMessage, sendRequestWithProgress } from './requests.ts';
import { confirmLookUpInBrowser } from './world/look-up-in-browser.ts';

/** A dependency of the report, as its page names it. */
interface RowPlace {
  readonly path: string;
  /** From 1, as the column. */
  readonly line: number;
  readonly column: number;
  /** The name in the manifest. */
  readonly declared: string;
}

/** A message from the report page. */
type PageMessage =
  | { readonly kind: 'ready' | 'refresh' | 'lookUp' }
  | { readonly kind: 'explain'; readonly code: string }
  | ({ readonly kind: 'open' } & RowPlace)
  | ({ readonly kind: 'update' | 'schedule'; readonly version: string } & RowPlace);

let shown: { readonly panel: vscode.WebviewPanel; readonly look: () => Promise<void> } | undefined;

/** Shows the report of the workspace's folders, and refreshes it if it is visible. */
export async function showReport(client: BaseLanguageClient): Promise<void> {
  if (shown) {
    shown.panel.reveal();
    return shown.look();
  }
  const extension = vscode.extensions.getExtension('package-insights.package-insights');
  if (extension === undefined) return;
  const dist = vscode.Uri.joinPath(extension.extensionUri, 'dist');
  const panel = vscode.window.createWebviewPanel(
    'packageInsights.report',
    vscode.l10n.t('Dependency Report'),
    vscode.ViewColumn.Active,
    // The page keeps its view state and this process its data, so that a hidden page costs nothing.
    { enableScripts: true, enableFindWidget: false, localResourceRoots: [dist] },
  );
  panel.iconPath = vscode.Uri.joinPath(extension.extensionUri, 'icon.png');
  let answer: ReportAnswer | undefined;

  async function look(): Promise<void> {
    const next = await askForReport(client);
    // The panel was closed meanwhile.
    if (shown?.panel !== panel) return;
    // The page has nothing to show.
    if (!next && answer === undefined) panel.dispose();
    if (next === undefined) return;
    if (next === null) {
      vscode.window.showInformationMessage(vscode.l10n.t('Open a folder to create a report.'));
      return;
    }
    answer = next;
    await panel.webview.postMessage(dataOf(answer));
  }

  shown = { panel, look };
  panel.onDidDispose(() => {
    shown = undefined;
  });
  panel.webview.onDidReceiveMessage(async (message: PageMessage) => {
    if (message.kind === 'open') await open(message, answer);
    else if (message.kind === 'explain') await showPage('findings', message.code);
    else if (message.kind === 'update') {
      const { kind, version, ...place } = message;
      if (await update(client, place, version, answer)) await panel.webview.postMessage({ updated: place, version });
    } else if (message.kind === 'schedule') {
      const { kind, version, ...place } = message;
      const request = await requestFor(client, place, version, answer);
      if (request) await scheduleUpdate(client, request);
    } else if (message.kind === 'lookUp') {
      if (await confirmLookUpInBrowser()) await look();
    } else if (message.kind === 'ready' && answer) await panel.webview.postMessage(dataOf(answer));
    else await look();
  });
  panel.webview.html = pageOf(panel.webview, dist);
}

/** What the page is sent. */
function dataOf(answer: ReportAnswer): ReportAnswer & { readonly canSchedule: boolean } {
  return { ...answer, canSchedule: isConnected('scheduling') };
}

/** Requests the report with progress. Undefined where the person has cancelled, `null` without a folder. */
async function askForReport(client: BaseLanguageClient): Promise<ReportAnswer | null | undefined> {
  const title = vscode.l10n.t('Checking the dependencies of the workspace');
  return sendRequestWithProgress(client, 'report', {}, title, progressMessage);
}

/** Opens the file of a row beside the report. Undefined if it cannot be read; an error was shown. */
async function open({ path, line, column }: RowPlace, answer: ReportAnswer | undefined) {
  // Only files of the report may be opened.
  if (answer === undefined || !answer.report.projects.some((it) => it.path === path)) return undefined;
  const uri = vscode.Uri.joinPath(vscode.Uri.parse(answer.base), path);
  const at = new vscode.Position(line - 1, column - 1);
  try {
    await vscode.workspace.fs.stat(uri);
  } catch (error) {
    vscode.window.showErrorMessage(
      vscode.l10n.t('{0} cannot be read: {1}', plainText(path), plainText(fileTrouble(error))),
    );
    return undefined;
  }
  const { document } = await vscode.window.showTextDocument(uri, {
    selection: new vscode.Range(at, at),
    viewColumn: vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: true,
  });
  return { document, at };
}

/**
 * Updates the dependency of a row in its file, which is open beside the report then: the change can be looked at, undone
 * in one step, and is not saved. The server shows an error if the update is not possible.
 * @returns whether the file was changed
 */
async function update(
  client: BaseLanguageClient,
  place: RowPlace,
  version: string,
  answer: ReportAnswer | undefined,
): Promise<boolean> {
  const request = await requestFor(client, place, version, answer);
  if (request === undefined) return false;
  return client.sendRequest('workspace/executeCommand', {
    command: 'packageInsights.server.update',
    arguments: [request],
  });
}

/** The update of a row, whose file is open beside the report then. Undefined if the report does not offer it. */
async function requestFor(
  client: BaseLanguageClient,
  place: RowPlace,
  version: string,
  answer: ReportAnswer | undefined,
): Promise<UpdateRequest | undefined> {
  // Only what the report offers.
  const isOffered = answer?.report.projects
    .find((it) => it.path === place.path)
    ?.dependencies.some(
      ({ declared, name, region, updates }) =>
        (declared ?? name) === place.declared &&
        region.startLine === place.line &&
        region.startColumn === place.column &&
        updates.some((it) => it.version === version && it.refused === undefined),
    );
  const opened = isOffered && (await open(place, answer));
  if (!opened) return undefined;
  const { document, at } = opened;
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  return { uri, offset: document.offsetAt(at), name: place.declared, version };
}

function pageOf(webview: vscode.Webview, dist: vscode.Uri): string {
  const address = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(18)), (it) => it.toString(16).padStart(2, '0')).join(
    '',
  );
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<!doctype html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<link rel="stylesheet" href="${address('report.css')}" nonce="${nonce}">
</head>
<body>
<p role="status">${escaped(vscode.l10n.t('Checking the workspace…'))}</p>
<script nonce="${nonce}" src="${address('report.js')}"></script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
