import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type {
  Answered,
  DeployedResource,
  DeploymentResult,
  DeploymentState,
  ListedDeployment,
  ListedManifest,
  ListedOperation,
} from '../../../../server/src/connected/model/deployments/deployments.ts';
import { plainText } from '../../escape.ts';

/** A result with the sentence that says it. */
export type ShownResult = DeploymentResult & {
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: string;
};

/** What the server answers about deployments, by the name of the command. */
interface DeploymentCalls {
  readonly preview: ShownResult;
  readonly deploy: ShownResult;
  readonly 'cancel-preview': ShownResult;
  readonly stop: ShownResult;
  readonly delete: ShownResult;
  readonly name: null;
  readonly files: Answered<readonly string[]>;
  readonly refresh: null;
  readonly state: Answered<DeploymentState>;
  readonly list: Answered<readonly ListedDeployment[]>;
  readonly resources: Answered<readonly DeployedResource[]>;
  readonly manifests: Answered<readonly ListedManifest[]>;
  readonly operations: Answered<readonly ListedOperation[]>;
  readonly config: Answered<string>;
}

/** Rejects if the server is not running. Null if no service is connected. */
export function callServer<Name extends keyof DeploymentCalls>(
  client: BaseLanguageClient,
  name: Name,
  given: object = {},
  token?: vscode.CancellationToken,
): Promise<DeploymentCalls[Name] | null> {
  const params = { command: 'packageInsights.server.documentCommand', arguments: ['deployment', name, given] };
  const method = 'workspace/executeCommand';
  return token === undefined ? client.sendRequest(method, params) : client.sendRequest(method, params, token);
}

/** The value, or undefined after its reason was shown. */
export function valueOr<T>(answer: Answered<T> | null): T | undefined {
  if (answer?.kind === 'value') return answer.value;
  if (answer?.kind === 'aborted') return undefined;
  const reason = plainText(answer?.reason ?? vscode.l10n.t('no service is connected'));
  vscode.window.showErrorMessage(vscode.l10n.t('The deployment service gave no answer: {0}.', reason));
  return undefined;
}

const projectSetting = 'connections.deployments.project';

/** Empty while none is chosen. */
export function chosenProject(): string {
  const set = vscode.workspace.getConfiguration('packageInsights').get(projectSetting, '');
  return set || process.env['PACKAGE_INSIGHTS_DEPLOYMENTS_PROJECT'] || '';
}

/** Asks for the project of all manifests. Undefined if the person gives up. */
export async function chooseProject(): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const given = await vscode.window.showInputBox({
    title: t('Deployments: Project'),
    prompt: t('Types and deployments of this project are requested. Nothing is sent before one is chosen.'),
    value: chosenProject(),
    placeHolder: 'my-project',
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^[a-z\d][-a-z\d.:]*$/.test(text.trim()) ? undefined : t('The name or the number of a project'),
  });
  const project = given?.trim();
  if (!project) return undefined;
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration('packageInsights').update(projectSetting, project, Global);
  return project;
}
