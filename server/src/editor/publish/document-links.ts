import { type Disposable, DocumentLinkRequest } from 'vscode-languageserver';
import { messageOf } from '../../engine/base/text.ts';
import { registersLinks } from '../features/offers.ts';
import type { ServerState } from '../state/server-state.ts';

/** The links of editors that register features while they run. The protocol has no refresh of links. */
export interface LinkRegistration {
  /** Registers links where a setting is on now, and removes the registration where none is. */
  settingsChanged(): void;
  /** Registers them anew, so that the editor requests the links of what it shows again. */
  refresh(): void;
}

export function createLinkRegistration({ client, settings }: ServerState): LinkRegistration {
  const { connection } = client;
  let current: Disposable | undefined;
  let last = Promise.resolve();

  const isWanted = (): boolean => registersLinks(client.capabilities) && settings.all.some((it) => it.documentLinks);

  async function register(): Promise<void> {
    const before = current;
    const options = { documentSelector: null };
    current = isWanted() ? await connection.client.register(DocumentLinkRequest.type, options) : undefined;
    before?.dispose();
  }

  function run(work: () => Promise<void>): void {
    last = last
      .then(work)
      .catch((error: unknown) => connection.console.log(`the client turned down links: ${messageOf(error)}`));
  }

  return {
    settingsChanged: () =>
      run(async () => {
        if (isWanted() !== (current !== undefined)) await register();
      }),
    refresh: () =>
      run(async () => {
        if (current !== undefined) await register();
      }),
  };
}
