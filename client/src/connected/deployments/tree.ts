import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type {
  Answered,
  DeployedResource,
  ListedDeployment,
  ListedManifest,
  ListedOperation,
} from '../../../../server/src/connected/model/deployments/deployments.ts';
import { plainText } from '../../escape.ts';
import { readAsShown } from '../connections/tree-item.ts';
import { manifestUri } from './actions.ts';
import { callServer, chosenProject } from './calls.ts';

const viewId = 'packageInsights.deployments';
const groups = ['resources', 'manifests', 'operations'] as const;

/** `deployment` is the name of the deployment: the argument of commands. */
type Row =
  | { readonly deployment: string; readonly listed: ListedDeployment }
  | { readonly group: (typeof groups)[number]; readonly of: string }
  | { readonly resource: DeployedResource }
  | { readonly manifest: ListedManifest; readonly of: string }
  | { readonly operation: ListedOperation }
  | { readonly text: string; readonly icon: string; readonly command?: vscode.Command };

export interface DeploymentsView extends vscode.Disposable {
  refresh(): void;
}

/** The deployments of the chosen project, with their resources, manifests and operations. Requested while it is shown. */
export function createDeploymentsView(client: BaseLanguageClient): DeploymentsView {
  const changed = new vscode.EventEmitter<undefined>();
  const view = vscode.window.createTreeView<Row>(viewId, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: itemOf,
      // The server may be restarting.
      getChildren: (row) => childrenOf(client, row).catch((it: unknown) => [failure(String(it))]),
    },
    showCollapseAll: true,
  });
  const refresh = (): void => changed.fire(undefined);
  const configured = vscode.workspace.onDidChangeConfiguration((it) => {
    if (it.affectsConfiguration('packageInsights.connections.deployments')) refresh();
  });
  return { refresh, dispose: () => vscode.Disposable.from(view, changed, configured).dispose() };
}

async function childrenOf(client: BaseLanguageClient, row: Row | undefined): Promise<Row[]> {
  const { t } = vscode.l10n;
  if (row === undefined) {
    if (chosenProject() === '') {
      const command = { command: 'packageInsights.deployments.chooseProject', title: '' };
      return [{ text: t('Choose a Project…'), icon: 'project', command }];
    }
    const answer = await callServer(client, 'list');
    const rows = rowsOf(answer, (listed): Row => ({ deployment: listed.name, listed }));
    return rows.length > 0 ? rows : [{ text: t('No deployments in {0}', chosenProject()), icon: 'info' }];
  }
  if ('deployment' in row) return groups.map((group) => ({ group, of: row.deployment }));
  if (!('group' in row)) return [];
  const given = { name: row.of };
  const rows = await {
    resources: async () => rowsOf(await callServer(client, 'resources', given), (resource): Row => ({ resource })),
    manifests: async () =>
      rowsOf(await callServer(client, 'manifests', given), (manifest): Row => ({ manifest, of: row.of })),
    operations: async () => rowsOf(await callServer(client, 'operations', given), (operation): Row => ({ operation })),
  }[row.group]();
  return rows.length > 0 ? rows : [{ text: t('none'), icon: 'dash' }];
}

function rowsOf<T>(answer: Answered<readonly T[]> | null, rowOf: (it: T) => Row): Row[] {
  if (answer?.kind === 'value') return answer.value.map(rowOf);
  return [failure(answer?.kind === 'failed' ? answer.reason : vscode.l10n.t('no service is connected'))];
}

function failure(reason: string): Row {
  return { text: plainText(reason), icon: 'warning' };
}

function itemOf(row: Row): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  if ('deployment' in row) {
    const item = new vscode.TreeItem(row.deployment, Collapsed);
    const { operation, description } = row.listed;
    item.id = `deployment ${row.deployment}`;
    item.contextValue = operation && operation.status !== 'DONE' ? 'deployment-running' : 'deployment';
    item.iconPath = new vscode.ThemeIcon(operation && operation.errors > 0 ? 'error' : 'server-environment');
    if (operation) item.description = operationText(operation);
    if (description !== undefined) item.tooltip = description;
    return readAsShown(item);
  }
  if ('group' in row) {
    const texts = { resources: t('Resources'), manifests: t('Manifests'), operations: t('Operations') };
    const item = new vscode.TreeItem(texts[row.group], Collapsed);
    item.id = `${row.group} ${row.of}`;
    return readAsShown(item);
  }
  if ('resource' in row) {
    const { name, type, state, intent, url } = row.resource;
    const item = new vscode.TreeItem(name, None);
    const pending = state === undefined ? '' : ` · ${state}${intent === undefined ? '' : ` ${intent}`}`;
    item.description = `${type}${pending}`;
    item.iconPath = new vscode.ThemeIcon(state === 'FAILED' ? 'error' : 'symbol-object');
    item.tooltip = url ?? name;
    return readAsShown(item);
  }
  if ('manifest' in row) {
    const { name, insertTime } = row.manifest;
    const item = new vscode.TreeItem(name, None);
    if (insertTime !== undefined) item.description = timeText(insertTime);
    item.iconPath = new vscode.ThemeIcon('file-code');
    item.command = { command: 'vscode.open', title: t('Open'), arguments: [manifestUri(row.of, name)] };
    return readAsShown(item);
  }
  if ('operation' in row) {
    const { name, type, insertTime, user } = row.operation;
    const item = new vscode.TreeItem(type || name, None);
    item.description = [operationText(row.operation), ...(insertTime ? [timeText(insertTime)] : [])].join(' · ');
    item.tooltip = user === undefined ? name : `${name} (${user})`;
    item.iconPath = new vscode.ThemeIcon(row.operation.errors > 0 ? 'error' : 'history');
    return readAsShown(item);
  }
  const item = new vscode.TreeItem(row.text, None);
  item.iconPath = new vscode.ThemeIcon(row.icon);
  if (row.command) item.command = row.command;
  return readAsShown(item);
}

function operationText({ type, status, errors }: ListedOperation): string {
  const { t } = vscode.l10n;
  if (status !== 'DONE') return t('{0}: running', type);
  return errors > 0 ? t('{0}: {1} errors', type, errors) : t('{0}: done', type);
}

function timeText(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toLocaleString();
}
