import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { callServer } from './calls.ts';

/** The deployments of manifests, by the address of the file. VS Code remembers them for the workspace. */
export interface DeploymentNames {
  of(uri: vscode.Uri): string | undefined;
  /** Asks for the name of the deployment of a file. Undefined if the person gives up. */
  ask(uri: vscode.Uri): Promise<string | undefined>;
  /** Tells the server those of open files, which shows their state. */
  send(): void;
}

const memento = 'packageInsights.deploymentNames';
/** Source: the contract of the service. */
const pattern = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

export function createDeploymentNames(client: BaseLanguageClient, memory: vscode.Memento): DeploymentNames {
  const all = (): Readonly<Record<string, unknown>> => memory.get(memento, {});
  const of = (uri: vscode.Uri): string | undefined => {
    const name = all()[uri.toString()];
    return typeof name === 'string' && pattern.test(name) ? name : undefined;
  };
  const tell = (uri: vscode.Uri, name: string): void => {
    if (!client.isRunning()) return;
    const given = { uri: client.code2ProtocolConverter.asUri(uri), name };
    callServer(client, 'name', given).catch((it: unknown) => client.outputChannel.appendLine(String(it)));
  };
  return {
    of,
    async ask(uri) {
      const { t } = vscode.l10n;
      const known = of(uri);
      const given = await vscode.window.showInputBox({
        title: t('Name of the Deployment'),
        prompt: t('Of {0}, remembered for this workspace', vscode.workspace.asRelativePath(uri)),
        value: known ?? nameFrom(uri),
        ignoreFocusOut: true,
        validateInput: (text) =>
          pattern.test(text.trim()) ? undefined : t('Lower-case letters, digits and dashes, a letter first'),
      });
      const name = given?.trim();
      if (!name) return undefined;
      await memory.update(memento, { ...all(), [uri.toString()]: name });
      tell(uri, name);
      return name;
    },
    send() {
      for (const { uri, languageId } of vscode.workspace.textDocuments) {
        const name = languageId === 'yaml' ? of(uri) : undefined;
        if (name !== undefined) tell(uri, name);
      }
    },
  };
}

/** `Web front.yaml` → `web-front` */
function nameFrom(uri: vscode.Uri): string {
  const file = uri.path.slice(uri.path.lastIndexOf('/') + 1).replace(/\.ya?ml$/i, '');
  return file
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63)
    .replace(/-+$/, '');
}
