import * as vscode from 'vscode';
import type { ConnectionName, connectionKeys } from '../../../../server/src/engine/model/connection.ts';
import type { World } from '../../world/world.ts';

/** How settings spell a connection, below `packageInsights.connections.` */
export const settingKeys: typeof connectionKeys = {
  'code-host': 'codeHost',
  'link-safety': 'linkSafety',
  scheduling: 'scheduling',
  deployments: 'deployments',
  'token-audit': 'tokenAudit',
};

/** Whether an address of a service is set, in the settings or in the environment. */
export function isConnected(name: ConnectionName): boolean {
  const settings = vscode.workspace.getConfiguration('packageInsights.connections');
  const address = settings.get<unknown>(`${settingKeys[name]}.baseUrl`);
  const variable = process.env[`PACKAGE_INSIGHTS_${name.toUpperCase().replaceAll('-', '_')}_URL`];
  return [address, variable].some((it) => typeof it === 'string' && it !== '');
}

/** Keeps the contexts true that commands, menus and views of connected services have. In a browser none is. */
export function followConnections({ withoutCommand }: World): vscode.Disposable {
  if (withoutCommand('packageInsights.connectService') !== undefined) return { dispose: () => {} };
  const tell = (): void => {
    const set = (name: string, value: boolean): void => {
      vscode.commands.executeCommand('setContext', `packageInsights.${name}`, value);
    };
    const names = Object.keys(settingKeys) as ConnectionName[];
    set('isConnected', names.some(isConnected));
    set('isCheckingLinks', isConnected('link-safety'));
    set('isScheduling', isConnected('scheduling'));
    set('isDeploying', isConnected('deployments'));
  };
  tell();
  return vscode.workspace.onDidChangeConfiguration((it) => {
    if (it.affectsConfiguration('packageInsights.connections')) tell();
  });
}
