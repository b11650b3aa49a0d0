import type * as vscode from 'vscode';
import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  TransportKind,
} from 'vscode-languageclient/node';
import { manifestSelector } from './selector.ts';
import { showStatus } from './status.ts';

/** The language server of this window. */
export interface Running {
  readonly client: LanguageClient;
  stop(): Promise<void>;
}

export async function start(context: vscode.ExtensionContext): Promise<Running> {
  const client = new LanguageClient('packageInsights', 'Package Insights', serverOptions(context), clientOptions());
  client.registerFeature(announceStatus);
  const status = showStatus(client);
  await client.start();
  return {
    client,
    async stop() {
      status.dispose();
      await client.dispose();
    },
  };
}

function serverOptions(context: vscode.ExtensionContext): ServerOptions {
  const module = context.asAbsolutePath('dist/server.js');
  const debug = { execArgv: ['--nolazy', '--inspect=6009'] };
  return {
    run: { module, transport: TransportKind.ipc },
    debug: { module, transport: TransportKind.ipc, options: debug },
  };
}

function clientOptions(): LanguageClientOptions {
  return {
    documentSelector: manifestSelector,
    diagnosticCollectionName: 'package-insights',
    // Hovers hold text from strangers: no commands in them, no HTML.
    markdown: { isTrusted: false, supportHtml: false },
  };
}

/** Tells the server that this client shows its status. */
const announceStatus = {
  fillClientCapabilities(capabilities: { experimental?: unknown }) {
    capabilities.experimental = { ...(capabilities.experimental ?? {}), packageInsightsStatus: true };
  },
  initialize() {},
  getState: () => ({ kind: 'static' }) as const,
  clear() {},
};
