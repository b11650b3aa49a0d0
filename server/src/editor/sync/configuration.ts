import * as l10n from '@vscode/l10n';
import { DidChangeConfigurationNotification } from 'vscode-languageserver';
import { type Settings, settingThatStopsLookups } from '../../engine/model/settings.ts';
import { readSettings } from '../../engine/settings/read.ts';
import type { ServerState } from '../state/server-state.ts';

export interface FollowedSettings {
  /** Called when requests to the client are allowed. */
  start(): void;
  /** Called after a change that the client does not report as configuration. */
  reread(): void;
}

/**
 * Keeps the settings up to date: from the client's configuration if it has one, then from its last
 * notification, then from `initialize`.
 * @param changed called with the former settings after each read; `isFirst`: for the first time
 */
export function followSettings(
  { client, engine, folders, settings }: ServerState,
  changed: (before: Settings, isFirst: boolean) => Promise<void>,
): FollowedSettings {
  const { connection } = client;
  let turns = 0;
  /** The settings of the last notification. */
  let pushed: unknown;
  /** The service and invalid settings that were logged last. */
  let logged = '';

  /** The client's configuration for the workspace, then for each folder. */
  async function pull(scopes: readonly string[]): Promise<readonly unknown[]> {
    if (!client.capabilities.workspace?.configuration) return [];
    const section = 'packageInsights';
    const items = [{ section }, ...scopes.map((it) => ({ section, scopeUri: it.replace(/(?<=[^/])\/$/, '') }))];
    const answer: unknown = await connection.workspace
      .getConfiguration(items)
      .catch((it: unknown) => client.log('settings', it));
    return Array.isArray(answer) ? answer : [];
  }

  async function read(): Promise<void> {
    const turn = ++turns;
    // With one folder the client returns its settings without a scope.
    const scopes = folders.all.length > 1 ? folders.all : [];
    const [pulled, ...ofFolders] = await pull(scopes);
    // A slow response must not overwrite a later one.
    if (turn !== turns) return;
    const before = settings.current;
    settings.current = settings.read(pulled, pushed);
    settings.ofFolders = new Map(
      scopes.map((folder, index) => [
        folder,
        withDisplaySettings(settings.current, ofFolders[index], pulled, pushed, client.initializationOptions),
      ]),
    );
    settings.markKnown();
    // A later read may have overtaken the first one.
    logSettings();
    await changed(before, turn === 1);
  }

  function logSettings(): void {
    const { baseUrl, invalidSettings = [] } = settings.current;
    const now = JSON.stringify([baseUrl, invalidSettings]);
    if (now === logged) return;
    logged = now;
    for (const { reason, closes } of invalidSettings)
      connection.console.warn(closes ? l10n.t('nothing is looked up: {0}', reason) : reason);
    if (!settingThatStopsLookups(settings.current))
      connection.console.info(`Package Insights ${engine.version} asks ${baseUrl}`);
  }

  function reread(): void {
    read().catch((it: unknown) => client.log('settings', it));
  }

  connection.onDidChangeConfiguration((given) => {
    pushed = given.settings;
    reread();
  });
  const start = (): void => {
    if (client.capabilities.workspace?.didChangeConfiguration?.dynamicRegistration) {
      const section = { section: 'packageInsights' };
      connection.client
        .register(DidChangeConfigurationNotification.type, section)
        .catch((it: unknown) => client.log('settings', it));
    }
    reread();
  };
  return { start, reread };
}

/** The settings with the display settings of a folder: others apply to the whole workspace. */
function withDisplaySettings(settings: Settings, ...given: readonly unknown[]): Settings {
  const { inlayHints, codeLens, documentLinks, severity, fileNames } = readSettings(...given);
  return { ...settings, inlayHints, codeLens, documentLinks, severity, fileNames };
}
