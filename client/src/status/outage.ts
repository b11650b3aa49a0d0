import * as vscode from 'vscode';
import type { Outage } from '../../../server/src/editor/publish/status.ts';
import { plainText } from '../escape.ts';

/** Whether the message was shown in this window. A restarted server does not show it again. */
let wasShown = false;

/** Shows one message in a window when the service cannot be reached for the first time. */
export async function notifyOfOutage({ reason }: Outage): Promise<void> {
  if (wasShown) return;
  wasShown = true;
  const { t } = vscode.l10n;
  const actions: Readonly<Record<string, () => Thenable<unknown>>> = {
    [t('Show Log')]: () => vscode.commands.executeCommand('packageInsights.showLog'),
    [t('Settings')]: () =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:package-insights.package-insights'),
    [t('Work Offline')]: () =>
      vscode.workspace.getConfiguration('packageInsights').update('offline', true, vscode.ConfigurationTarget.Global),
  };
  const message = t(
    'The Package Insights Service cannot be reached: {0}. It is retried automatically.',
    plainText(reason),
  );
  const chosen = await vscode.window.showWarningMessage(message, ...Object.keys(actions));
  if (chosen !== undefined) await actions[chosen]?.();
}
