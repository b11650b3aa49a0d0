import * as l10n from '@vscode/l10n';
import { DidChangeConfigurationNotification } from 'vscode-languageserver';
import { type Settings, settingThatStopsLookups } from '../../engine/model/settings.ts';
import { readSettings } from '../../engine/settings/read.ts';
import type { Session } from '../session.ts';

export interface FollowedSettings {
  /** Called when requests to the client are allowed. */
  start(): void;
  /** Called after a change that the client does not report as configuration. */
  reread(): void;
}

/**
 * Keeps the session's settings up to date: from the client's configuration if it has one, then from its last
 * notification, then from `initialize`.
 * @param changed called with the former settings after each read; `isFirst`: for the first time
 */
export function followSettings(
  session: Session,
  changed: (before: Settings, isFirst: boolean) => Promise<void>,
): FollowedSettings {
  const { connection } = session;
  let turns = 0;
  /** The settings of the last notification. */
  let pushed: unknown;
  /** The service and invalid settings that were logged last. */
  let logged = '';

  /** The client's configuration for the workspace, then for each folder. */
  async function pull(folders: readonly string[]): Promise<readonly unknown[]> {
    if (!session.client.workspace?.configuration) return [];
    const section = 'packageInsights';
    const items = [{ section }, ...folders.map((it) => ({ section, scopeUri: it.replace(/(?<=[^/])\/$/, '') }))];
    const answer: unknown = await connection.workspace
      .getConfiguration(items)
      .catch((it: unknown) => session.log('settings', it));
    return Array.isArray(answer) ? answer : [];
  }

  async function read(): Promise<void> {
    const turn = ++turns;
    // With one folder the client returns its settings without a scope.
    const folders = session.folders.length > 1 ? session.folders : [];
    const [pulled, ...ofFolders] = await pull(folders);
    // A slow response must not overwrite a later one.
    if (turn !== turns) return;
    const before = session.settings;
    session.settings = session.readSettings(pulled, pushed);
    session.folderSettings = new Map(
      folders.map((folder, index) => [
        folder,
        withDisplaySettings(session.settings, ofFolders[index], pulled, pushed, session.initializationOptions),
      ]),
    );
    session.markSettingsKnown();
    // A later read may have overtaken the first one.
    logSettings();
    await changed(before, turn === 1);
  }

  function logSettings(): void {
    const { baseUrl, invalidSettings = [] } = session.settings;
    const now = JSON.stringify([baseUrl, invalidSettings]);
    if (now === logged) return;
    logged = now;
    for (const { reason, closes } of invalidSettings)
      connection.console.warn(closes ? l10n.t('nothing is looked up: {0}', reason) : reason);
    if (!settingThatStopsLookups(session.settings))
      connection.console.info(`Package Insights ${session.version} asks ${baseUrl}`);
  }

  function reread(): void {
    read().catch((it: unknown) => session.log('settings', it));
  }

  connection.onDidChangeConfiguration(({ settings }) => {
    pushed = settings;
    reread();
  });
  const start = (): void => {
    if (session.client.workspace?.didChangeConfiguration?.dynamicRegistration) {
      const section = { section: 'packageInsights' };
      connection.client
        .register(DidChangeConfigurationNotification.type, section)
        .catch((it: unknown) => session.log('settings', it));
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
