import { activateIn } from '../extension.ts';

/* The extension where it has Node: the language server is a process of its own. */

export const { activate, deactivate } = activateIn({
  createClient: async (context, options) => (await import('./desktop-client.ts')).createDesktopClient(context, options),
  encode: (bytes) => Buffer.from(bytes).toString('base64'),
  withoutCommand: () => undefined,
  canAskRegistries: true,
});
