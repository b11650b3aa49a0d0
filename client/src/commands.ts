import * as vscode from 'vscode';
import type { Running } from './start.ts';

type Start = () => Promise<Running>;
type Command = (start: Start) => Promise<void>;

/** What a person can ask for by name. Each stands under `contributes.commands`, too. */
const commands: Readonly<Record<string, Command>> = {
  'packageInsights.refresh': async (start) => {
    const { client } = await start();
    await client.sendRequest('workspace/executeCommand', { command: 'packageInsights.server.refresh', arguments: [] });
  },
  'packageInsights.showLog': async (start) => (await start()).client.outputChannel.show(true),
  'packageInsights.restart': async (start) => (await start()).client.restart(),
  'packageInsights.showMenu': showMenu,
};

export function registerCommands(context: vscode.ExtensionContext, start: Start): void {
  for (const [id, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(id, () => run(start)));
  }
}

async function showMenu(): Promise<void> {
  const { t } = vscode.l10n;
  const choices = [
    { label: `$(warning) ${t('Show the findings')}`, command: 'workbench.actions.view.problems' },
    { label: `$(refresh) ${t('Look everything up again')}`, command: 'packageInsights.refresh' },
    { label: `$(output) ${t('Show the log')}`, command: 'packageInsights.showLog' },
    { label: `$(debug-restart) ${t('Restart the language server')}`, command: 'packageInsights.restart' },
    {
      label: `$(gear) ${t('Settings')}`,
      command: 'workbench.action.openSettings',
      argument: '@ext:package-insights.package-insights',
    },
  ];
  const chosen = await vscode.window.showQuickPick(choices, { title: 'Package Insights' });
  if (chosen) await vscode.commands.executeCommand(chosen.command, ...('argument' in chosen ? [chosen.argument] : []));
}
