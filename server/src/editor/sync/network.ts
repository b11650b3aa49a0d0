import type { ServerState } from '../state/server-state.ts';
import { readNetwork } from './read-network.ts';

/**
 * Sent by clients with network settings when these change; `initialize` sends them as `initializationOptions.network`.
 * The parameters are those of VS Code below `http.`.
 */
const networkNotification = 'packageInsights/network';

/** Follows the client's network settings. */
export function followNetwork({ client, settings }: ServerState, changed: () => void): void {
  client.connection.onNotification(networkNotification, (params: unknown) => {
    settings.network = readNetwork(params);
    changed();
  });
}
