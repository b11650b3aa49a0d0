import { DidChangeConfigurationNotification } from 'vscode-languageserver';
import type { Settings } from '../model/settings.ts';
import type { Session } from './session.ts';
import { readSettings } from './settings.ts';

/**
 * Keeps the session's settings those of its client: they come from its own store where it has one, then from what it
 * pushed, then from what it sent at the start.
 * @param changed called when they were read, with what they were before; `isFirst`: they were never read before
 * @returns begins, once the client may be asked
 */
export function followSettings(
  session: Session,
  changed: (before: Settings, isFirst: boolean) => Promise<void>,
): () => void {
  const { connection } = session;
  let turns = 0;
  /** What the client sent last when its settings changed. */
  let pushed: unknown;
  /** The service that the log names. */
  let told: string | undefined;

  async function read(): Promise<void> {
    const turn = ++turns;
    const pulled = session.client.workspace?.configuration
      ? await connection.workspace
          .getConfiguration('packageInsights')
          .catch((it: unknown) => session.log('settings', it))
      : undefined;
    // A slow answer must not undo what a later one said.
    if (turn !== turns) return;
    const before = session.settings;
    session.settings = readSettings(pulled, pushed, session.initial);
    // The first turn may have been overtaken.
    if (session.settings.baseUrl !== told) {
      told = session.settings.baseUrl;
      connection.console.info(`Package Insights ${session.version} asks ${told}`);
    }
    await changed(before, turn === 1);
  }

  function readAgain(): void {
    read().catch((it: unknown) => session.log('settings', it));
  }

  connection.onDidChangeConfiguration(({ settings }) => {
    pushed = settings;
    readAgain();
  });
  return () => {
    if (session.client.workspace?.didChangeConfiguration?.dynamicRegistration) {
      const section = { section: 'packageInsights' };
      connection.client
        .register(DidChangeConfigurationNotification.type, section)
        .catch((it: unknown) => session.log('settings', it));
    }
    readAgain();
  };
}
