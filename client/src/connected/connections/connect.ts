import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { ConnectionName, ConnectionTrial } from '../../../../server/src/engine/model/connection.ts';
import { plainText } from '../../escape.ts';
import { sendRequest } from '../../requests.ts';
import { chooseProject } from '../deployments/calls.ts';
import { settingKeys } from './connected.ts';
import type { CredentialStore } from './credentials.ts';

/** A service that can be connected. */
export interface ConnectableService {
  readonly name: ConnectionName;
  readonly icon: string;
  readonly label: string;
  readonly purpose: string;
  /** The address of the usual service; absent if there is none. */
  readonly address?: string;
  /** What the address of such a service ends with. */
  readonly addressEnd?: string;
  /** Whether it answers without a credential. */
  readonly isAnonymous?: true;
}

export function connectableServices(): readonly ConnectableService[] {
  const { t } = vscode.l10n;
  return [
    {
      name: 'code-host',
      icon: 'repo',
      label: t('Code Host'),
      purpose: t('Archived repositories, last push, open issues and the license there'),
      address: 'https://api.github.com',
      isAnonymous: true,
    },
    {
      name: 'link-safety',
      icon: 'shield',
      label: t('Link Safety'),
      purpose: t('Checks the links that packages declare before they can be clicked'),
    },
    {
      name: 'scheduling',
      icon: 'calendar',
      label: t('Scheduling'),
      purpose: t('Plans updates in a calendar, and closes their events once they are made'),
      addressEnd: '/v3',
    },
    {
      name: 'deployments',
      icon: 'server-environment',
      label: t('Deployments'),
      purpose: t('Types, previews and deployments of deployment manifests'),
      addressEnd: '/v2beta/projects',
    },
    {
      name: 'token-audit',
      icon: 'key',
      label: t('Token Audit'),
      purpose: t('What your credentials were used for'),
    },
  ];
}

/** In ms. */
const MESSAGE_TIME = 5000;

/**
 * Asks for a service, its address and a credential, tries them, and keeps them if the service accepts them.
 * @param refused the address of a former attempt
 */
export async function connectService(
  client: BaseLanguageClient,
  store: CredentialStore,
  given: unknown,
  refused?: string,
): Promise<void> {
  const service = serviceIn(given) ?? (await chooseService());
  const baseUrl = service && (await askAddress(service, refused));
  if (service === undefined || baseUrl === undefined) return;
  // The trial lists the types of the project. The server knows it when the credential is there.
  if (service.name === 'deployments' && (await chooseProject()) === undefined) return;
  const credential = await askCredential(service, baseUrl);
  if (credential === undefined) return;
  const mode = service.name === 'link-safety' ? await askMode() : undefined;
  if (service.name === 'link-safety' && mode === undefined) return;
  const { t } = vscode.l10n;
  const { secret, provider } = credential;
  const host = new URL(baseUrl).host;
  const trial = await vscode.window.withProgress<ConnectionTrial | null>(
    { location: vscode.ProgressLocation.Notification, title: t('Trying {0}…', host) },
    () =>
      sendRequest(client, 'tryConnection', {
        connection: service.name,
        baseUrl,
        ...(secret !== undefined && { sealed: store.seal(secret) }),
      }),
  );
  if (!trial?.ok) {
    const again = t('Change…');
    const reason = plainText(trial?.reason ?? t('the server does not answer'));
    const message = t('{0} was not connected: {1}.', service.label, reason);
    if ((await vscode.window.showErrorMessage(message, again)) === again)
      await connectService(client, store, service, baseUrl);
    return;
  }
  // First the credential: the server sends requests as soon as there is an address.
  if (provider !== undefined) await store.keep(service.name, { baseUrl, provider });
  else if (secret !== undefined) await store.keep(service.name, { baseUrl, secret });
  else await store.forget(service.name);
  const settings = vscode.workspace.getConfiguration('packageInsights.connections');
  const { Global } = vscode.ConfigurationTarget;
  if (mode !== undefined) await settings.update(`${settingKeys[service.name]}.mode`, mode, Global);
  await settings.update(`${settingKeys[service.name]}.baseUrl`, baseUrl, Global);
  vscode.window.setStatusBarMessage(t('{0} is connected to {1}.', service.label, host), MESSAGE_TIME);
}

/** Removes the address and the credential of a service. */
export async function disconnectService(store: CredentialStore, given: unknown): Promise<void> {
  const { t } = vscode.l10n;
  const service = await chooseConnected(given);
  if (service === undefined) return;
  const settings = vscode.workspace.getConfiguration('packageInsights.connections');
  await settings.update(`${settingKeys[service.name]}.baseUrl`, undefined, vscode.ConfigurationTarget.Global);
  await store.forget(service.name);
  // A remote machine has settings of its own, beside those of the user.
  const left = vscode.workspace
    .getConfiguration('packageInsights.connections')
    .get(`${settingKeys[service.name]}.baseUrl`, '');
  if (left !== '') {
    const open = t('Open Settings');
    const message = t('{0} is still connected: its address is also set in other settings.', service.label);
    const id = `packageInsights.connections.${settingKeys[service.name]}.baseUrl`;
    if ((await vscode.window.showWarningMessage(message, open)) === open)
      await vscode.commands.executeCommand('workbench.action.openSettings', id);
    return;
  }
  vscode.window.setStatusBarMessage(t('{0} is disconnected, its credential deleted.', service.label), MESSAGE_TIME);
}

/** The service of a row of the view, or a connected one that the person picks. */
export async function chooseConnected(given: unknown): Promise<ConnectableService | undefined> {
  const settings = vscode.workspace.getConfiguration('packageInsights.connections');
  return serviceIn(given) ?? chooseService((it) => settings.get(`${settingKeys[it.name]}.baseUrl`, '') !== '');
}

/** A row of the view, or a service of a former attempt. */
function serviceIn(given: unknown): ConnectableService | undefined {
  const name = typeof given === 'object' && given !== null && 'name' in given ? given.name : undefined;
  return connectableServices().find((it) => it.name === name);
}

async function chooseService(
  isOffered: (it: ConnectableService) => boolean = () => true,
): Promise<ConnectableService | undefined> {
  const { t } = vscode.l10n;
  const rows = connectableServices()
    .filter(isOffered)
    .map((service) => ({ label: `$(${service.icon}) ${service.label}`, detail: service.purpose, service }));
  if (rows.length === 0) {
    vscode.window.showInformationMessage(t('No service is connected.'));
    return undefined;
  }
  return (await vscode.window.showQuickPick(rows, { title: t('Connected Services'), matchOnDetail: true }))?.service;
}

async function askAddress(
  { label, address, addressEnd = '', name }: ConnectableService,
  refused: string | undefined,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const present = vscode.workspace
    .getConfiguration('packageInsights.connections')
    .get(`${settingKeys[name]}.baseUrl`, '');
  const given = await vscode.window.showInputBox({
    title: t('{0}: Address', label),
    prompt: t('Requests and the credential are sent to this address alone.'),
    value: refused ?? (present || address || ''),
    placeHolder: `https://service.example${addressEnd}`,
    ignoreFocusOut: true,
    validateInput(text) {
      if (!isAddress(text)) return t('https://…, or http://127.0.0.1:… on this machine');
      if (!text.trim().replace(/\/+$/, '').endsWith(addressEnd)) {
        const message = t('The address of such a service ends with {0}.', addressEnd);
        return { message, severity: vscode.InputBoxValidationSeverity.Warning };
      }
      if (name !== 'code-host' || namesHost(text)) return undefined;
      const message = t(
        'Nothing is looked up at such an address. Usual ones: {0}',
        'https://api.HOST, https://HOST/api/v3',
      );
      return { message, severity: vscode.InputBoxValidationSeverity.Warning };
    },
  });
  return given?.trim().replace(/\/+$/, '');
}

/** The server checks it again, more strictly. */
function isAddress(text: string): boolean {
  const address = text.trim();
  return (
    /^https:\/\/[^\s/?#@]+/i.test(address) ||
    /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/]|$)/i.test(address)
  );
}

/** Whether the address of a code host shows whose repositories it has. The server reads it in the same way. */
function namesHost(text: string): boolean {
  if (!URL.canParse(text.trim())) return false;
  const { protocol, hostname, pathname } = new URL(text.trim());
  const path = pathname.replace(/\/+$/, '');
  if (protocol === 'http:') return /\/[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(path);
  return (path === '' && /^api\.[^.]+\.[^.]/.test(hostname)) || /^\/api\/v\d+$/.test(path);
}

interface GivenCredential {
  readonly secret?: string;
  readonly provider?: 'github';
}

/** Undefined if the person gives up. */
async function askCredential(service: ConnectableService, baseUrl: string): Promise<GivenCredential | undefined> {
  const { t } = vscode.l10n;
  const paste = {
    label: `$(key) ${t('Paste a Credential…')}`,
    detail: t('It is kept in the secret storage of VS Code.'),
  };
  const signIn = {
    label: `$(github) ${t('Sign In with GitHub')}`,
    detail: t('Uses the account of VS Code. No scope is requested.'),
  };
  const none = {
    label: `$(circle-slash) ${t('Without a Credential')}`,
    detail: t('60 requests an hour: only what you hover is looked up.'),
  };
  const isUsual = baseUrl === service.address;
  const choices = [...(isUsual ? [signIn] : []), paste, ...(service.isAnonymous ? [none] : [])];
  const title = t('{0}: Credential', service.label);
  const chosen =
    choices.length === 1 ? paste : await vscode.window.showQuickPick(choices, { title, ignoreFocusOut: true });
  if (chosen === undefined) return undefined;
  if (chosen === none) return {};
  if (chosen === signIn) return signedInCredential(service);
  const secret = await vscode.window.showInputBox({
    title,
    password: true,
    ignoreFocusOut: true,
    prompt: t('Sent to {0} alone.', new URL(baseUrl).host),
    validateInput: (text) => refusalOf(text.trim(), service.name),
  });
  return secret === undefined ? undefined : { secret: secret.trim() };
}

/** Undefined if the person gives up, or this editor has no such accounts. */
async function signedInCredential({ label }: ConnectableService): Promise<GivenCredential | undefined> {
  const { t } = vscode.l10n;
  try {
    const session = await vscode.authentication.getSession('github', [], { createIfNone: true });
    return { provider: 'github', secret: session.accessToken };
  } catch (error) {
    const reason = plainText(error instanceof Error ? error.message : String(error));
    // VS Code's errors have no codes.
    if (/consent|cancell?ed/i.test(reason)) return undefined;
    vscode.window.showErrorMessage(t('{0} was not connected: {1}.', label, reason.replace(/\.$/, '')));
    return undefined;
  }
}

/** A sentence; undefined for a credential that may be used. */
function refusalOf(secret: string, name: ConnectionName): string | undefined {
  const { t } = vscode.l10n;
  if (secret === '') return t('The credential is empty.');
  if (/[\s\p{Cc}]/u.test(secret)) return t('The credential contains spaces or line ends.');
  // A client secret identifies an application on a server. On a person's machine it would be public.
  if (name === 'code-host' && secret.includes(':')) return t('An OAuth client secret does not belong on this machine.');
  return undefined;
}

async function askMode(): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const rows = [
    {
      label: t('Private'),
      detail: t('Lists are kept on this machine. Beginnings of hashes are sent for links that may be listed.'),
      mode: 'private',
    },
    { label: t('Lookup'), detail: t('The addresses of links are sent to the service.'), mode: 'lookup' },
  ];
  return (await vscode.window.showQuickPick(rows, { title: t('How Links Are Checked'), ignoreFocusOut: true }))?.mode;
}
