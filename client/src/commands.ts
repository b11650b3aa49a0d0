import * as vscode from 'vscode';
import { chooseVersion } from './actions/choose-version.ts';
import { showFirstFinding } from './actions/first-finding.ts';
import { followLink, linkCommand } from './actions/follow-link.ts';
import { afterUpdate, isUpdated, updatedCommand } from './actions/install.ts';
import { usePublicService } from './actions/public-service.ts';
import { showPage, showPageCommand } from './actions/show-page.ts';
import { update, updateAll } from './actions/update.ts';
import { confirmAskingRegistries } from './ask-registries.ts';
import { setBudget } from './connected/connections/budget.ts';
import { connectService, disconnectService } from './connected/connections/connect.ts';
import { chooseThreatLists } from './connected/connections/threat-lists.ts';
import {
  addMaintenanceWindow,
  chooseScheduleCalendar,
  shareScheduleCalendar,
} from './connected/scheduling/commands.ts';
import { scheduleUpdate } from './connected/scheduling/plan.ts';
import { scheduleAll } from './connected/scheduling/plan-all.ts';
import { cancelPlanned, movePlanned, showPlanned } from './connected/scheduling/planned.ts';
import { callServiceMethod } from './connected/service-documents/call-method.ts';
import { copyRequest, sendDocument } from './connected/service-documents/send.ts';
import { copy, copyDependencyLine } from './copy.ts';
import { chooseDependency } from './dependency.ts';
import { identify } from './identify.ts';
import { chooseIgnores, findIgnores, ignore, isIgnorePlace, isIgnoreRequest, stopIgnoring } from './ignore.ts';
import type { RunningServer } from './language-client.ts';
import { exportNotices } from './notices.ts';
import { openLink, openLinkOf, urlIn } from './open-link.ts';
import { addPublicRegistry, isPrivateRequest, isRegistryRequest, makePrivate } from './private.ts';
import { lookUpPurl } from './purls/purl.ts';
import { showReport } from './report.ts';
import { goToDeclaration, retriedNode, showWaysOut, showWhatChanges, updateTo } from './requirements-commands.ts';
import { summaryIn } from './requirements-node.ts';
import { showMenu } from './status/menu.ts';
import { verify } from './verify.ts';
import { confirmLookUpInBrowser } from './world/look-up-in-browser.ts';
import type { World } from './world/world.ts';

type Start = () => Promise<RunningServer>;
/** The arguments are the target of a menu, or come from a link or another command. */
type Command = (start: Start, ...args: unknown[]) => Promise<void>;

/** The commands by name. `contributes.commands` lists each of them, too. */
const commands: Readonly<Record<string, Command>> = {
  'packageInsights.refresh': async (start) => {
    const { client } = await start();
    await client.sendRequest('workspace/executeCommand', { command: 'packageInsights.server.refresh', arguments: [] });
  },
  'packageInsights.ignore': async (start, ...given) => {
    const { client } = await start();
    const requests = given.length > 0 ? given.filter(isIgnoreRequest) : await findIgnores(client);
    await ignore(client, await chooseIgnores(requests));
  },
  [updatedCommand]: async (start, updated) => {
    if (isUpdated(updated)) await afterUpdate((await start()).client, updated.uri);
  },
  'packageInsights.showFirstFinding': async (start, gesture) => showFirstFinding((await start()).client, gesture),
  [linkCommand]: async (_start, ...given) => followLink(...given),
  'packageInsights.getStarted': async () => {
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'package-insights.package-insights#start');
  },
  [showPageCommand]: async (_start, ...given) => showPage(...given),
  'packageInsights.usePublicService': async () => usePublicService(),
  'packageInsights.stopIgnoring': async (start, place) => {
    if (isIgnorePlace(place)) await stopIgnoring((await start()).client, place);
  },
  'packageInsights.makePrivate': async (start, request) => {
    if (isPrivateRequest(request)) await makePrivate((await start()).client, request);
  },
  'packageInsights.addPublicRegistry': async (_start, request) => {
    if (isRegistryRequest(request)) await addPublicRegistry(request);
  },
  'packageInsights.askRegistries': async (_start, request) => {
    if (isRegistryRequest(request)) await confirmAskingRegistries(request);
  },
  'packageInsights.lookUpInBrowser': async () => void (await confirmLookUpInBrowser()),
  'packageInsights.connectService': async (start, argument) => {
    const { client, credentials } = await start();
    await connectService(client, credentials, argument);
  },
  'packageInsights.disconnectService': async (start, argument) =>
    disconnectService((await start()).credentials, argument),
  'packageInsights.setBudget': async (_start, argument) => setBudget(argument),
  'packageInsights.chooseThreatLists': async (start) => chooseThreatLists((await start()).client),
  'packageInsights.scheduleUpdate': async (start, argument) => scheduleUpdate((await start()).client, argument),
  'packageInsights.scheduleAll': async (start) => scheduleAll((await start()).client, 'file'),
  'packageInsights.scheduleWorkspace': async (start) => scheduleAll((await start()).client, 'workspace'),
  'packageInsights.showPlanned': async (start, argument) => showPlanned((await start()).client, argument),
  'packageInsights.movePlanned': async (start, argument) => movePlanned((await start()).client, argument),
  'packageInsights.cancelPlanned': async (start, argument) => cancelPlanned((await start()).client, argument),
  'packageInsights.chooseCalendar': async (start) => chooseScheduleCalendar((await start()).client),
  'packageInsights.shareCalendar': async (start) => shareScheduleCalendar((await start()).client),
  'packageInsights.addMaintenanceWindow': async (start) => addMaintenanceWindow((await start()).client),
  'packageInsights.callMethod': async (start, method) => callServiceMethod((await start()).client, method),
  'packageInsights.sendRequest': async (start, uri) => sendDocument((await start()).client, uri, 'first'),
  'packageInsights.sendAllPages': async (start, uri) => sendDocument((await start()).client, uri, 'all'),
  'packageInsights.nextPage': async (start, uri) => sendDocument((await start()).client, uri, 'next'),
  'packageInsights.copyRequestAsCurl': async (start, uri) => copyRequest((await start()).client, uri, 'curl'),
  'packageInsights.copyRequestAsHttp': async (start, uri) => copyRequest((await start()).client, uri, 'http'),
  'packageInsights.deployments.preview': async (start, it) => (await start()).deployments.run('preview', it),
  'packageInsights.deployments.deploy': async (start, it) => (await start()).deployments.run('deploy', it),
  'packageInsights.deployments.cancel-preview': async (start, it) =>
    (await start()).deployments.run('cancel-preview', it),
  'packageInsights.deployments.stop': async (start, it) => (await start()).deployments.run('stop', it),
  'packageInsights.deployments.delete': async (start, it) => (await start()).deployments.run('delete', it),
  'packageInsights.deployments.compare': async (start, it) => (await start()).deployments.compare(it),
  'packageInsights.deployments.chooseName': async (start, it) => (await start()).deployments.chooseName(it),
  'packageInsights.deployments.chooseProject': async (start) => (await start()).deployments.chooseProject(),
  'packageInsights.deployments.refresh': async (start) => (await start()).deployments.refresh(),
  'packageInsights.update': async (start, choice) => update((await start()).client, choice),
  // Not in the palette: key bindings name them.
  'packageInsights.updateAll': async (start) => updateAll((await start()).client, { scope: 'file', kind: 'safe' }),
  'packageInsights.updateAllInMajor': async (start) =>
    updateAll((await start()).client, { scope: 'file', kind: 'in-major' }),
  'packageInsights.updateAllDefault': async (start) =>
    updateAll((await start()).client, { scope: 'file', kind: 'default' }),
  'packageInsights.updateWorkspace': async (start) =>
    updateAll((await start()).client, { scope: 'workspace', kind: 'safe' }),
  'packageInsights.updateWorkspaceInMajor': async (start) =>
    updateAll((await start()).client, { scope: 'workspace', kind: 'in-major' }),
  'packageInsights.updateWorkspaceDefault': async (start) =>
    updateAll((await start()).client, { scope: 'workspace', kind: 'default' }),
  'packageInsights.exportNotices': async (start) => exportNotices((await start()).client),
  'packageInsights.showLog': async (start) => (await start()).client.outputChannel.show(true),
  'packageInsights.restart': async (start) => (await start()).restart(),
  'packageInsights.showMenu': async () => showMenu(),
  'packageInsights.report': async (start) => showReport((await start()).client),
  'packageInsights.showRequirements': async (start) => {
    const { client, requirements } = await start();
    const dependency = await chooseDependency(client, vscode.l10n.t('Show requirements'));
    if (dependency) await requirements.show(dependency);
  },
  'packageInsights.whatChanges': async (start, argument) => {
    const { client, requirements } = await start();
    await showWhatChanges(client, requirements, argument);
  },
  'packageInsights.chooseVersion': async (start, argument) => chooseVersion((await start()).client, argument),
  'packageInsights.updateTo': async (_start, argument) => updateTo(argument),
  'packageInsights.goToDeclaration': async (start, argument) => goToDeclaration((await start()).client, argument),
  'packageInsights.showWaysOut': async (start, argument) => showWaysOut((await start()).client, argument),
  'packageInsights.retryRequirements': async (start, argument) => {
    const node = retriedNode(argument);
    if (node) (await start()).requirements.retry(node);
  },
  'packageInsights.pinRequirements': async (start) => (await start()).requirements.pin(true),
  'packageInsights.unpinRequirements': async (start) => (await start()).requirements.pin(false),
  'packageInsights.copyName': async (_start, argument) => {
    const summary = summaryIn(argument);
    if (summary) await copy(summary.name);
  },
  'packageInsights.identify': async (start, argument) => identify((await start()).client, argument),
  'packageInsights.verify': async (start, argument) => verify((await start()).client, argument),
  'packageInsights.lookUpPurl': async (start, argument) =>
    lookUpPurl((await start()).client, summaryIn(argument)?.purl ?? argument),
  'packageInsights.copyPurl': async (start, argument) => {
    const { client } = await start();
    const summary = summaryIn(argument) ?? (await chooseDependency(client, vscode.l10n.t('Copy as purl')));
    if (summary) await copy(summary.purl);
  },
  'packageInsights.copyDependency': async (start, argument) => {
    const summary = summaryIn(argument);
    if (summary) await copyDependencyLine((await start()).client, summary);
  },
  'packageInsights.openLink': async (start, argument) => {
    const summary = summaryIn(argument);
    const url = urlIn(argument);
    if (summary) await openLinkOf(start, summary);
    else if (url !== undefined) await openLink(start, url);
  },
};

/** @param start resolves when the server accepts requests */
export function registerCommands(context: vscode.ExtensionContext, world: World, start: Start): void {
  for (const [id, run] of Object.entries(commands)) {
    const call = async (...args: unknown[]): Promise<void> => {
      const reason = world.withoutCommand(id);
      if (reason === undefined) await run(start, ...args);
      else await vscode.window.showInformationMessage(reason);
    };
    context.subscriptions.push(vscode.commands.registerCommand(id, call));
  }
}
