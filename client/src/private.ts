import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { PrivateRequest, RegistryRequest } from '../../server/src/editor/features/private-actions.ts';
import type { IgnoreAnswer } from '../../server/src/editor/requests/project-file.ts';
import { plainText } from './escape.ts';
import { saveProjectFile } from './ignore.ts';

/** How long the message is shown, in ms. */
const MESSAGE_TIME = 5000;

/** Adds a scope to the private packages of the project file: their names are not looked up any more. */
export async function makePrivate(client: BaseLanguageClient, request: PrivateRequest): Promise<void> {
  const answer: IgnoreAnswer | null | undefined = await client.sendRequest('workspace/executeCommand', {
    command: 'packageInsights.server.makePrivate',
    arguments: [request],
  });
  if (!answer) return;
  const path = await saveProjectFile(answer);
  const message = vscode.l10n.t('{0} is private in {1}.', plainText(request.pattern), path);
  vscode.window.setStatusBarMessage(message, MESSAGE_TIME);
}

/**
 * Adds a host to the public registries of this person, after asking: from then on, names of packages are sent to the
 * service that stayed on the machine before.
 */
export async function addPublicRegistry({ host }: RegistryRequest): Promise<void> {
  const { t } = vscode.l10n;
  const settings = vscode.workspace.getConfiguration('packageInsights');
  const name = plainText(host);
  const detail = t(
    'The names of all packages from {0} are then sent to {1}, in every workspace. Add it only if it contains no private packages.',
    name,
    plainText(settings.get('baseUrl', '')),
  );
  const add = t('Add Public Registry');
  const chosen = await vscode.window.showWarningMessage(
    t('Is {0} a public registry?', name),
    { modal: true, detail },
    add,
  );
  if (chosen !== add) return;
  const present = settings.inspect<readonly unknown[]>('publicRegistries')?.globalValue;
  // An invalid list is replaced: it counts for nothing.
  const hosts = Array.isArray(present) ? present : [];
  if (hosts.includes(host)) return;
  await settings.update('publicRegistries', [...hosts, host], vscode.ConfigurationTarget.Global);
  vscode.window.setStatusBarMessage(t('{0} is a public registry now.', name), MESSAGE_TIME);
}

/** Validates the argument of the command, which other extensions may call. */
export function isPrivateRequest(value: unknown): value is PrivateRequest {
  return typeof value === 'object' && value !== null && 'uri' in value && 'pattern' in value;
}

/** A host without port or path, as the setting requires it. Validates the argument of the command. */
export function isRegistryRequest(value: unknown): value is RegistryRequest {
  return typeof value === 'object' && value !== null && 'host' in value && /^[\w.-]{1,253}$/.test(String(value.host));
}
