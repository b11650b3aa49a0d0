import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { ConnectionStatus, Hold } from '../../../../server/src/engine/model/connection.ts';
import { plainText } from '../../escape.ts';
import { sendRequest } from '../../requests.ts';
import { type ConnectableService, connectableServices } from './connect.ts';
import { readAsShown } from './tree-item.ts';

const viewId = 'packageInsights.connections';

/** A connected service, or a fact about it. */
type Row =
  | { readonly name: string; readonly status: ConnectionStatus; readonly service: ConnectableService }
  | {
      readonly text: string;
      readonly icon: string;
      readonly detail?: string;
      readonly tooltip?: string;
      readonly command?: vscode.Command;
    }
  /** What the credentials were used for; its rows are requested when it is opened. */
  | { readonly uses: 'all' };

/** The tree of connected services, with their use, holds and errors. */
export function createConnectionsView(client: BaseLanguageClient): vscode.Disposable {
  const changed = new vscode.EventEmitter<undefined>();
  let isShown = false;
  /** Kept until the row is closed: listing them is a use itself, and reports a change. */
  let uses: Promise<Row[]> | undefined;
  const view = vscode.window.createTreeView<Row>(viewId, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: itemOf,
      async getChildren(row) {
        // The server may be restarting.
        if (row === undefined) return rowsOf(client).catch(failureRow);
        if ('uses' in row) {
          uses ??= usesIn(client).catch(failureRow);
          return uses;
        }
        return 'status' in row ? factsOf(row.status) : [];
      },
    },
  });
  const refresh = (): void => {
    if (isShown) changed.fire(undefined);
  };
  const visibility = view.onDidChangeVisibility(({ visible }) => {
    isShown = visible;
    refresh();
  });
  const closing = view.onDidCollapseElement(({ element }) => {
    if ('uses' in element) uses = undefined;
  });
  isShown = view.visible;
  const notified = client.onNotification('packageInsights/connectionsChanged', refresh);
  const configured = vscode.workspace.onDidChangeConfiguration((it) => {
    if (it.affectsConfiguration('packageInsights.connections')) refresh();
  });
  const signedIn = vscode.authentication.onDidChangeSessions(refresh);
  return vscode.Disposable.from(view, changed, visibility, closing, notified, configured, signedIn);
}

function failureRow(error: unknown): Row[] {
  return [{ text: plainText(error instanceof Error ? error.message : String(error)), icon: 'warning' }];
}

async function rowsOf(client: BaseLanguageClient): Promise<Row[]> {
  const { connections } = await sendRequest(client, 'connections', {});
  const services = connectableServices();
  return connections.flatMap((status): Row[] => {
    const service = services.find((it) => it.name === status.name);
    const isShown = status.host !== undefined || status.lastError !== undefined;
    return service && isShown ? [{ name: status.name, status, service }] : [];
  });
}

function factsOf(status: ConnectionStatus): Row[] {
  const { name, host, hasCredential, requestsToday, budget, holds, lastError } = status;
  const { t } = vscode.l10n;
  const isSpent = budget !== undefined && requestsToday >= budget;
  const used =
    budget === undefined ? t('{0} requests', requestsToday) : t('{0} of {1} requests', requestsToday, budget);
  return [
    isSpent
      ? {
          text: t('Paused until {0}', timeOf(nextDay())),
          icon: 'debug-pause',
          detail: used,
          tooltip: t(
            'The budget is spent: nothing is sent in the background until {0}. What you point at or ask for is still sent.',
            timeOf(nextDay()),
          ),
        }
      : { text: used, icon: 'pulse', detail: t('today') },
    ...holds.map((it) => ({
      text: isRoutine(status, it)
        ? t('Next request at {0}', timeOf(it.until))
        : t('Paused until {0}', timeOf(it.until)),
      icon: 'watch',
      detail: plainText(it.scope === '*' ? it.reason : `${it.scope}: ${it.reason}`),
    })),
    // A pause that the code host requested has the reason itself.
    ...(lastError && !(name === 'code-host' && holds.length > 0)
      ? [{ text: plainText(lastError.reason), icon: 'warning', detail: timeOf(lastError.at) }]
      : []),
    {
      text: hasCredential ? t('With a credential') : t('Without a credential'),
      icon: hasCredential ? 'key' : 'circle-slash',
    },
    ...(name === 'scheduling' && host !== undefined ? [plannedRow()] : []),
    ...(name === 'token-audit' && host !== undefined ? [{ uses: 'all' } as const] : []),
  ];
}

/** Opens the list of scheduled updates. */
function plannedRow(): Row {
  const text = vscode.l10n.t('Scheduled Updates');
  return { text, icon: 'calendar', command: { title: text, command: 'packageInsights.showPlanned' } };
}

/** The latest uses of credentials, newest first. Those that this machine did not count are marked. */
async function usesIn(client: BaseLanguageClient): Promise<Row[]> {
  const { t } = vscode.l10n;
  const answer = await sendRequest(client, 'audit', {});
  const rows = (answer?.rows ?? []).map((it): Row => {
    const time = it.at === undefined ? t('unknown time') : new Date(it.at).toLocaleString(vscode.env.language);
    const detail = [...(it.isFromElsewhere ? [t('not from this machine')] : []), time];
    const tooltip = plainText([it.text, ...detail].join('\n'));
    return {
      text: plainText(it.label),
      icon: it.isFromElsewhere ? 'warning' : 'history',
      detail: detail.join(' · '),
      tooltip,
    };
  });
  if (answer?.problem !== undefined) rows.unshift({ text: plainText(answer.problem), icon: 'warning' });
  if (rows.length === 0) rows.push({ text: t('No uses are listed'), icon: 'circle-slash' });
  if (answer?.isCut) rows.push({ text: t('There are more: package-insights audit lists them'), icon: 'ellipsis' });
  return rows;
}

/** Link safety says after each request when the next one may follow. Nothing is wrong then. */
function isRoutine({ name, lastError }: ConnectionStatus, { scope }: Hold): boolean {
  return name === 'link-safety' && scope !== '*' && lastError === undefined;
}

/** With its date unless it is less than a day away: the view is narrow. */
function timeOf(at: number): string {
  const isNear = Math.abs(at - Date.now()) < 24 * 3_600_000;
  const day = isNear ? {} : ({ day: 'numeric', month: 'short' } as const);
  return new Date(at).toLocaleString(vscode.env.language, { ...day, hour: '2-digit', minute: '2-digit' });
}

/** When budgets begin anew: midnight UTC, in ms since the epoch. */
function nextDay(): number {
  return new Date().setUTCHours(24, 0, 0, 0);
}

function itemOf(row: Row): vscode.TreeItem {
  if ('uses' in row) {
    const item = new vscode.TreeItem(vscode.l10n.t('Uses of Credentials'), vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('history');
    return readAsShown(item);
  }
  if (!('status' in row)) {
    const item = new vscode.TreeItem(row.text);
    item.iconPath = new vscode.ThemeIcon(row.icon);
    if (row.detail !== undefined) item.description = row.detail;
    item.tooltip = row.tooltip ?? (row.detail === undefined ? row.text : `${row.text}\n${row.detail}`);
    if (row.command) item.command = row.command;
    return readAsShown(item);
  }
  const { status, service } = row;
  const { host, requestsToday, budget, holds, lastError } = status;
  const { t } = vscode.l10n;
  const isPaused = holds.some((it) => !isRoutine(status, it)) || (budget !== undefined && requestsToday >= budget);
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  // What needs attention is in sight. VS Code opens only a row that is new to it.
  const isNotable = isPaused || lastError !== undefined;
  const item = new vscode.TreeItem(service.label, isNotable ? Expanded : Collapsed);
  item.id = isNotable ? `${status.name} !` : status.name;
  item.description = [...(isPaused ? [t('paused')] : []), host].filter(Boolean).join(' · ');
  item.tooltip = `${service.label}\n${service.purpose}\n${host ?? ''}`;
  item.iconPath = new vscode.ThemeIcon(lastError ? 'warning' : service.icon);
  item.contextValue = `connection-${status.name}`;
  return readAsShown(item, ...(lastError ? [plainText(lastError.reason)] : []));
}
