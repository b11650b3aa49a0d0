import * as vscode from 'vscode';
import { type BaseLanguageClient, State } from 'vscode-languageclient';
import type { DeploymentAction } from '../../../../server/src/connected/model/deployments/deployments.ts';
import { isConnected } from '../connections/connected.ts';
import { chooseDeploymentName, compareWithDeployed, provideDeployed, runDeployment } from './actions.ts';
import { callServer, chooseProject } from './calls.ts';
import { createDeploymentNames } from './names.ts';
import { createDeploymentsView, type DeploymentsView } from './tree.ts';

/** Deployments of manifests in this window. */
export interface WindowDeployments extends vscode.Disposable {
  run(action: DeploymentAction, argument: unknown): Promise<void>;
  compare(argument: unknown): Promise<void>;
  chooseName(argument: unknown): Promise<void>;
  chooseProject(): Promise<void>;
  refresh(): Promise<void>;
}

/** Its view exists while a service is connected. */
export function createWindowDeployments(client: BaseLanguageClient, memory: vscode.Memento): WindowDeployments {
  const names = createDeploymentNames(client, memory);
  let view: DeploymentsView | undefined;
  const follow = (): void => {
    if (isConnected('deployments')) {
      view ??= createDeploymentsView(client);
      names.send();
    } else {
      view?.dispose();
      view = undefined;
    }
  };
  follow();
  const following = vscode.Disposable.from(
    provideDeployed(client),
    vscode.workspace.onDidChangeConfiguration((it) => {
      if (it.affectsConfiguration('packageInsights.connections.deployments')) follow();
    }),
    vscode.workspace.onDidOpenTextDocument(({ languageId }) => {
      if (languageId === 'yaml' && isConnected('deployments')) names.send();
    }),
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) follow();
    }),
  );
  return {
    async run(action, argument) {
      await runDeployment(client, names, action, argument);
      view?.refresh();
    },
    compare: (argument) => compareWithDeployed(client, names, argument),
    chooseName: (argument) => chooseDeploymentName(names, argument),
    async chooseProject() {
      await chooseProject();
    },
    async refresh() {
      if (isConnected('deployments')) await callServer(client, 'refresh');
      view?.refresh();
    },
    dispose() {
      view?.dispose();
      following.dispose();
    },
  };
}
