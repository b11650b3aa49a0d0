import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { DeploymentAction } from '../../../../server/src/connected/model/deployments/deployments.ts';
import { plainText } from '../../escape.ts';
import { isConnected } from '../connections/connected.ts';
import { callServer, chooseProject, chosenProject, type ShownResult, valueOr } from './calls.ts';
import type { DeploymentNames } from './names.ts';

/** A manifest, or a deployment of the tree. */
type Target = { readonly uri: vscode.Uri } | { readonly name: string };

/** What an action is about: the argument of a lens, a row of the tree, else the manifest in the editor. */
function targetIn(argument: unknown): Target | undefined {
  if (typeof argument === 'string') return { uri: vscode.Uri.parse(argument) };
  if (typeof argument === 'object' && argument !== null && 'deployment' in argument) {
    return { name: String(argument.deployment) };
  }
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'yaml' ? { uri: document.uri } : undefined;
}

/** Runs an action after what destroys was confirmed, and shows what became of it. */
export async function runDeployment(
  client: BaseLanguageClient,
  names: DeploymentNames,
  action: DeploymentAction,
  argument: unknown,
): Promise<void> {
  if (!isConnected('deployments')) return explainDeploying();
  const target = targetIn(argument);
  if (target === undefined) return explainTarget();
  const project = chosenProject() || (await chooseProject());
  if (!project) return;
  const name = await nameOf(target, names);
  if (name === undefined) return;
  const uri = 'uri' in target ? client.code2ProtocolConverter.asUri(target.uri) : undefined;
  const sends = uri !== undefined && (action === 'preview' || action === 'deploy');
  const files = sends ? valueOr(await callServer(client, 'files', { uri })) : [];
  if (files === undefined || !(await isConfirmed(action, name, project, files))) return;
  const given = { ...(uri !== undefined && { uri }), ...(sends && { files }), name };
  const run = (more: object = {}): Thenable<ShownResult | null> =>
    vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: progressTitle(action, name), cancellable: true },
      (_, token) => callServer(client, action, { ...given, ...more }, token),
    );
  const result = await run();
  if (result?.kind !== 'changed') return show(result);
  const { t } = vscode.l10n;
  const anyway = t('Continue');
  const question = t('The deployment {0} has changed since it was shown. Continue nevertheless?', name);
  const detail = t('Nothing was done so far. Compare with Deployed shows what is deployed now.');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, anyway)) !== anyway) return;
  show(await run({ isForced: true }));
}

function progressTitle(action: DeploymentAction, name: string): string {
  const { t } = vscode.l10n;
  switch (action) {
    case 'preview':
      return t('Previewing {0}', name);
    case 'deploy':
      return t('Deploying {0}', name);
    case 'cancel-preview':
      return t('Removing the preview of {0}', name);
    case 'stop':
      return t('Stopping {0}', name);
    case 'delete':
      return t('Deleting {0}', name);
  }
}

async function nameOf(target: Target, names: DeploymentNames): Promise<string | undefined> {
  return 'name' in target ? target.name : (names.of(target.uri) ?? names.ask(target.uri));
}

/** The imported files that were previewed. A preview asks again where others are sent. */
const agreedFiles = new Set<string>();

/**
 * What destroys, or changes what runs, is confirmed; a deletion with the name of the deployment.
 * @param files sent with the manifest
 */
async function isConfirmed(
  action: DeploymentAction,
  name: string,
  project: string,
  files: readonly string[],
): Promise<boolean> {
  const { t } = vscode.l10n;
  switch (action) {
    case 'cancel-preview':
      return true;
    case 'preview': {
      const key = JSON.stringify([project, name, files]);
      if (files.length === 0 || agreedFiles.has(key)) return true;
      const question = t('Preview {0} in the project {1}?', name, project);
      if (!(await isAgreed(question, sentText(files), t('Preview')))) return false;
      agreedFiles.add(key);
      return true;
    }
    case 'deploy': {
      const effect = t('Resources are created, changed and deleted as the manifest says.');
      const detail = files.length === 0 ? effect : `${effect}\n\n${sentText(files)}`;
      return isAgreed(t('Deploy to {0} in the project {1}?', name, project), detail, t('Deploy'));
    }
    case 'stop': {
      const detail = t('What is done stays, and nothing new is begun. The deployment can be left incomplete.');
      return isAgreed(t('Stop the operation of {0} in the project {1}?', name, project), detail, t('Stop'));
    }
    case 'delete': {
      const given = await vscode.window.showInputBox({
        title: t('Delete {0} and All Its Resources', name),
        prompt: t('This cannot be undone. To delete it from the project {0}, enter its name: {1}', project, name),
        ignoreFocusOut: true,
        validateInput: (text) => (text === name || text === '' ? undefined : t('This is not the name')),
      });
      return given === name;
    }
  }
}

/** Files that a question lists. */
const MAX_LISTED = 20;

function sentText(files: readonly string[]): string {
  const { t } = vscode.l10n;
  const more = files.length - MAX_LISTED;
  const lines = files.slice(0, MAX_LISTED).map((it) => `- ${plainText(it)}`);
  if (more > 0) lines.push(t('and {0} more', more));
  return [t('These files are sent with the manifest:'), ...lines].join('\n');
}

async function isAgreed(question: string, detail: string, button: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, button)) === button;
}

function show(result: ShownResult | null): void {
  if (result === null) {
    explainDeploying();
    return;
  }
  const message = plainText(result.message);
  if (result.severity === 'error') vscode.window.showErrorMessage(message);
  else if (result.severity === 'warning') vscode.window.showWarningMessage(message);
  else vscode.window.showInformationMessage(message);
}

export function explainDeploying(): void {
  const { t } = vscode.l10n;
  const connect = t('Connect a Service…');
  vscode.window.showInformationMessage(t('No deployment service is connected.'), connect).then((it) => {
    if (it === connect) vscode.commands.executeCommand('packageInsights.connectService', { name: 'deployments' });
  });
}

function explainTarget(): void {
  vscode.window.showInformationMessage(vscode.l10n.t('Open a deployment manifest first.'));
}

export async function chooseDeploymentName(names: DeploymentNames, argument: unknown): Promise<void> {
  const target = targetIn(argument);
  if (target === undefined || !('uri' in target)) return explainTarget();
  await names.ask(target.uri);
}

/** The configurations of manifests as read-only documents. */
export const deployedScheme = 'package-insights-deployed';

/** Shows what is deployed, or pending, beside the manifest. */
export async function compareWithDeployed(
  client: BaseLanguageClient,
  names: DeploymentNames,
  argument: unknown,
): Promise<void> {
  if (!isConnected('deployments')) return explainDeploying();
  const target = targetIn(argument);
  if (target === undefined || !('uri' in target)) return explainTarget();
  const name = await nameOf(target, names);
  const state = name === undefined ? undefined : valueOr(await callServer(client, 'state', { name }));
  if (name === undefined || state === undefined) return;
  const { t } = vscode.l10n;
  const manifest = state.manifest ?? state.pendingManifest;
  if (manifest === undefined) {
    vscode.window.showInformationMessage(t('{0} is not deployed.', name));
    return;
  }
  const file = vscode.workspace.asRelativePath(target.uri);
  const title = state.manifest
    ? t('{0}: deployed ↔ {1}', name, file)
    : state.isPreviewed
      ? t('{0}: previewed ↔ {1}', name, file)
      : t('{0}: last attempt ↔ {1}', name, file);
  await vscode.commands.executeCommand('vscode.diff', manifestUri(name, manifest), target.uri, title);
}

export function manifestUri(name: string, manifest: string): vscode.Uri {
  return vscode.Uri.from({ scheme: deployedScheme, path: `/${name}/${manifest}.yaml`, query: chosenProject() });
}

export function provideDeployed(client: BaseLanguageClient): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(deployedScheme, {
    async provideTextDocumentContent({ path }) {
      const [, name = '', file = ''] = path.split('/');
      const answer = await callServer(client, 'config', { name, manifest: file.replace(/\.yaml$/, '') });
      if (answer?.kind === 'value') return answer.value;
      const reason = answer?.kind === 'failed' ? answer.reason : '';
      throw new Error(vscode.l10n.t('The manifest cannot be read: {0}', plainText(reason)));
    },
  });
}
