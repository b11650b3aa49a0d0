import { activateIn } from '../extension.ts';
import { forkServer } from './forked-server.ts';

/* The extension where it has Node: the language server is a process of its own. */

export const { activate, deactivate } = activateIn({
  startServer(context) {
    const server = forkServer(context);
    return async (options) => (await import('./desktop-client.ts')).createDesktopClient(server, options);
  },
  encode: (bytes) => Buffer.from(bytes).toString('base64'),
  withoutCommand: () => undefined,
  canAskRegistries: true,
});
