import * as vscode from 'vscode';
import { type LanguageClient, State } from 'vscode-languageclient/node';
import type { DocumentStatus, Status } from '../../server/src/lsp/status.ts';
import { isManifest } from './manifest-context.ts';

/** What the status item says of the manifest in front: how many dependencies, how many findings, or what is amiss. */
export function showStatus(client: LanguageClient): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('packageInsights.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Package Insights';
  item.command = 'packageInsights.showMenu';
  let status: Status = { documents: [] };

  const show = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    if (!document || !isManifest(document)) {
      item.hide();
      return;
    }
    const own = status.documents.find((it) => vscode.Uri.parse(it.uri).toString() === document.uri.toString());
    const { text, tooltip } = client.state === State.Running ? words(own, status) : starting(client.state);
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: `Package Insights: ${tooltip}` };
    item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    vscode.window.onDidChangeActiveTextEditor(show),
    // A text whose language is changed is closed and opened in the same editor.
    vscode.workspace.onDidOpenTextDocument(show),
    client.onDidChangeState(show),
    client.onNotification('packageInsights/status', (it: Status) => {
      status = it;
      show();
    }),
  );
}

interface Words {
  readonly text: string;
  readonly tooltip: string;
}

function starting(state: State): Words {
  return state === State.Starting
    ? { text: '$(loading~spin) Package Insights', tooltip: vscode.l10n.t('The language server is starting.') }
    : { text: '$(circle-slash) Package Insights', tooltip: vscode.l10n.t('The language server is not running.') };
}

function words(status: DocumentStatus | undefined, { heldUntil, offline }: Status): Words {
  if (!status) return { text: '$(package)', tooltip: vscode.l10n.t('No dependencies were read here yet.') };
  const counts = countsOf(status);
  if (offline) {
    const tooltip = vscode.l10n.t('{0}. Working offline: only what was looked up before is shown.', counts);
    return { text: `$(circle-slash) ${status.findings}`, tooltip };
  }
  if (heldUntil !== undefined) {
    const until = new Date(heldUntil).toLocaleTimeString(vscode.env.language);
    return {
      text: `$(watch) ${status.findings}`,
      tooltip: vscode.l10n.t('{0}. The service asked to wait until {1}.', counts, until),
    };
  }
  if (status.failed !== undefined) {
    const tooltip = vscode.l10n.t('{0}. The service could not be asked: {1}', counts, status.failed);
    return { text: `$(debug-disconnect) ${status.findings}`, tooltip };
  }
  if (status.pending > 0) {
    const tooltip = vscode.l10n.t('{0}. Asking for {1} more…', counts, status.pending);
    return { text: `$(loading~spin) ${status.findings}`, tooltip };
  }
  const icon = status.findings > 0 ? '$(warning)' : '$(package)';
  return { text: `${icon} ${status.findings}`, tooltip: vscode.l10n.t('{0}.', counts) };
}

/** `12 dependencies, 1 finding` */
function countsOf({ dependencies, findings }: DocumentStatus): string {
  const { t } = vscode.l10n;
  return [
    dependencies === 1 ? t('1 dependency') : t('{0} dependencies', dependencies),
    findings === 1 ? t('1 finding') : t('{0} findings', findings),
  ].join(', ');
}
