import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { plainText } from '../../escape.ts';
import { sendRequest } from '../../requests.ts';

/** The end of the name of a list that can be left out. */
const usualEnd = '/ANY_PLATFORM/URL';

/** Lets the person choose among the lists of the connected service, and writes the setting of this machine. */
export async function chooseThreatLists(client: BaseLanguageClient): Promise<void> {
  const { t } = vscode.l10n;
  const title = t('Threat Lists');
  const offered = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Requesting the lists of the service…') },
    (_, token) => sendRequest(client, 'threatLists', {}, token),
  );
  if (offered?.kind !== 'lists') {
    const reason = plainText(offered?.reason ?? t('the server does not answer'));
    const connect = t('Connect a Service…');
    const chosen = await vscode.window.showErrorMessage(t('There are no lists to choose from: {0}.', reason), connect);
    if (chosen === connect) await vscode.commands.executeCommand('packageInsights.connectService');
    return;
  }
  const settings = vscode.workspace.getConfiguration('packageInsights.connections.linkSafety');
  const present = readNames(settings.get('threatLists'));
  const names = offered.names.map(shortName);
  const missing = present.filter((it) => !names.includes(it));
  const rows = [
    ...names.map((name) => ({ name, label: labelOf(name), description: name })),
    ...missing.map((name) => ({
      name,
      label: labelOf(name),
      description: t('{0}: the service does not have it', name),
    })),
  ].map((it) => ({ ...it, picked: present.includes(it.name) }));
  const placeHolder = t('Links are checked against all of these');
  const chosen = await vscode.window.showQuickPick(rows, {
    title,
    placeHolder,
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return;
  if (chosen.length === 0) {
    vscode.window.showWarningMessage(t('At least one list is required. Nothing was changed.'));
    return;
  }
  const lists = chosen.map((it) => it.name);
  await settings.update('threatLists', lists, vscode.ConfigurationTarget.Global);
}

function readNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((it) => typeof it === 'string').map(shortName) : [];
}

function shortName(name: string): string {
  return name.endsWith(usualEnd) ? name.slice(0, -usualEnd.length) : name;
}

/** What a list is about. Names come from the service and from settings. */
function labelOf(name: string): string {
  const { t } = vscode.l10n;
  const [kind = ''] = name.split('/');
  const labels: Readonly<Record<string, string>> = {
    MALWARE: t('Malware'),
    SOCIAL_ENGINEERING: t('Deceptive pages'),
    UNWANTED_SOFTWARE: t('Unwanted software'),
    POTENTIALLY_HARMFUL_APPLICATION: t('Potentially harmful applications'),
    SUSPICIOUS: t('Suspicious pages'),
  };
  return labels[kind] ?? plainText(kind);
}
