import * as vscode from 'vscode';
import { copy, copyLine, openLink } from './copy.ts';
import { chooseDependency } from './dependency.ts';
import { identify } from './identify.ts';
import { ignore, isIgnoreRequest } from './ignore.ts';
import { exportNotices } from './notices.ts';
import { plain } from './plain.ts';
import { lookUpPurl } from './purl.ts';
import { showReport } from './report.ts';
import { briefOf } from './requirements-node.ts';
import type { Running } from './start.ts';
import type { Note } from './status.ts';
import { verify } from './verify.ts';

type Start = () => Promise<Running>;
/** `argument` is what the menu was opened on, or what another command hands over. */
type Command = (start: Start, argument: unknown) => Promise<void>;

/** What a person can ask for by name. Each stands under `contributes.commands`, too. */
const commands: Readonly<Record<string, Command>> = {
  'packageInsights.refresh': async (start) => {
    const { client } = await start();
    await client.sendRequest('workspace/executeCommand', { command: 'packageInsights.server.refresh', arguments: [] });
  },
  'packageInsights.ignore': async (start, request) => {
    if (isIgnoreRequest(request)) await ignore((await start()).client, request);
  },
  'packageInsights.exportNotices': async (start) => exportNotices((await start()).client),
  'packageInsights.showLog': async (start) => (await start()).client.outputChannel.show(true),
  'packageInsights.restart': async (start) => (await start()).restart(),
  'packageInsights.showMenu': async (_start, notes) => showMenu(Array.isArray(notes) ? notes : []),
  'packageInsights.report': async (start) => showReport((await start()).client),
  'packageInsights.showRequirements': async (start) => {
    const { client, requirements } = await start();
    const dependency = await chooseDependency(client, vscode.l10n.t('Show requirements'));
    if (dependency) await requirements.show(dependency);
  },
  'packageInsights.showUpgrade': async (start) => (await start()).requirements.showUpgrade(),
  'packageInsights.identify': async (start, argument) => identify((await start()).client, argument),
  'packageInsights.verify': async (start, argument) => verify((await start()).client, argument),
  'packageInsights.lookUpPurl': async (start, argument) =>
    lookUpPurl((await start()).client, briefOf(argument)?.purl ?? argument),
  'packageInsights.copyPurl': async (start, argument) => {
    const { client } = await start();
    const brief = briefOf(argument) ?? (await chooseDependency(client, vscode.l10n.t('Copy as purl')));
    if (brief) await copy(brief.purl);
  },
  'packageInsights.copyDependency': async (start, argument) => {
    const brief = briefOf(argument);
    if (brief) await copyLine((await start()).client, brief);
  },
  'packageInsights.openLink': async (_start, argument) => {
    const brief = briefOf(argument);
    if (brief) await openLink(brief);
  },
};

export function registerCommands(context: vscode.ExtensionContext, start: Start): void {
  const started: Start = async () => {
    const running = await start();
    await running.ready();
    return running;
  };
  for (const [id, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(id, (argument) => run(started, argument)));
  }
}

/** @param notes what the status item has to say, where it was clicked */
async function showMenu(notes: readonly Note[]): Promise<void> {
  const { t } = vscode.l10n;
  const choices = [
    ...notes.map((it) => ({ ...it, label: `$(${it.icon}) ${plain(it.label)}` })),
    { label: `$(warning) ${t('Show the findings')}`, command: 'workbench.actions.view.problems' },
    { label: `$(graph) ${t('Show the report of the workspace')}`, command: 'packageInsights.report' },
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
