import * as l10n from '@vscode/l10n';
import { DidChangeConfigurationNotification } from 'vscode-languageserver';
import { type Settings, settingThatStopsLookups } from '../../model/settings.ts';
import { readSettings } from '../../settings/read.ts';
import type { Session } from '../session.ts';

export interface FollowedSettings {
  /** Once the client may be asked. */
  start(): void;
  /** Something changed that they depend on besides what the client tells of. */
  reread(): void;
}

/**
 * Keeps the session's settings those of its client: they come from its own store where it has one, then from what it
 * pushed, then from what it sent at the start.
 * @param changed called when they were read, with what they were before; `isFirst`: they were never read before
 */
export function followSettings(
  session: Session,
  changed: (before: Settings, isFirst: boolean) => Promise<void>,
): FollowedSettings {
  const { connection } = session;
  let turns = 0;
  /** What the client sent last when its settings changed. */
  let pushed: unknown;
  /** What the log says of the service that is asked, and of settings that cannot be understood. */
  let logged = '';

  /** What the client has for the whole workspace, then for each of these folders. */
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
    // With one folder, what holds there is what the client answers without a name of any.
    const folders = session.folders.length > 1 ? session.folders : [];
    const [pulled, ...ofFolders] = await pull(folders);
    // A slow answer must not undo what a later one said.
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
    // The first turn may have been overtaken.
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

/** The settings with those of what is shown taken from elsewhere: nothing else is a matter of single folders. */
function withDisplaySettings(settings: Settings, ...given: readonly unknown[]): Settings {
  const { inlayHints, codeLens, documentLinks, severity } = readSettings(...given);
  return { ...settings, inlayHints, codeLens, documentLinks, severity };
}
