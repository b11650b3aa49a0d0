import * as vscode from 'vscode';

/** Keeps `packageInsights.isOwnService` true while another service than the public one is set. The palette uses it. */
export function followService(): vscode.Disposable {
  const tell = (): void => {
    const settings = vscode.workspace.getConfiguration('packageInsights');
    const isOwn = settings.get('baseUrl') !== settings.inspect('baseUrl')?.defaultValue;
    vscode.commands.executeCommand('setContext', 'packageInsights.isOwnService', isOwn);
  };
  tell();
  return vscode.workspace.onDidChangeConfiguration((it) => {
    if (it.affectsConfiguration('packageInsights.baseUrl')) tell();
  });
}

/** Makes the public service the one that is requested, once the person has confirmed which host receives names. */
export async function usePublicService(): Promise<void> {
  const { t } = vscode.l10n;
  const settings = vscode.workspace.getConfiguration('packageInsights');
  const publicService = String(settings.inspect('baseUrl')?.defaultValue);
  const present = String(settings.get('baseUrl'));
  if (present === publicService) {
    vscode.window.showInformationMessage(t('The public service is in use: {0}', publicService));
    return;
  }
  const use = t('Use {0}', publicService);
  const detail = t(
    'Names and versions of dependencies in your manifests will be sent to {0} instead of {1}. The setting is packageInsights.baseUrl.',
    publicService,
    present,
  );
  const chosen = await vscode.window.showWarningMessage(t('Use the public service?'), { modal: true, detail }, use);
  // Written out: in a remote window a value of the local settings would show through.
  if (chosen === use) await settings.update('baseUrl', publicService, vscode.ConfigurationTarget.Global);
}
