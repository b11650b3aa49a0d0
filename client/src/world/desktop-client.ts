import * as vscode from 'vscode';
import {
  LanguageClient,
  type LanguageClientOptions,
  type MessageTransports,
  type ServerOptions,
  TransportKind,
} from 'vscode-languageclient/node';
import { createSessionKey, sealWith } from '../connections/sealing.ts';
import { earlyOpening } from '../early-opening.ts';
import { serverProcess } from './server-process.ts';
import type { StartableClient } from './world.ts';

/** The client of a language server that is a process of its own. */
export function createDesktopClient(context: vscode.ExtensionContext, options: LanguageClientOptions): StartableClient {
  const key = createSessionKey();
  const client = new EarlyClient('packageInsights', 'Package Insights', serverOptions(context, key), options);
  return { client, options, seal: sealWith(key), openEarly: (it) => client.openEarly(it) };
}

class EarlyClient extends LanguageClient {
  #open: ReturnType<typeof earlyOpening> | undefined;

  protected override async createMessageTransports(encoding: string): Promise<MessageTransports> {
    const transports = await super.createMessageTransports(encoding);
    this.#open = earlyOpening(transports.writer);
    return transports;
  }

  openEarly(document: vscode.TextDocument): void {
    this.#open?.(this.code2ProtocolConverter.asOpenTextDocumentParams(document));
  }
}

function serverOptions(context: vscode.ExtensionContext, key: Buffer): ServerOptions {
  const module = context.asAbsolutePath('dist/server.js');
  // Compiled code is cached where only this user's editor writes. Node before 22 ignores this.
  const env = {
    NODE_COMPILE_CACHE: vscode.Uri.joinPath(context.globalStorageUri, 'compiled').fsPath,
    PACKAGE_INSIGHTS_CACHE_DIR: vscode.Uri.joinPath(context.globalStorageUri, 'answers').fsPath,
    // Requests are counted together with those of other windows, editors and terminals of this user.
    PACKAGE_INSIGHTS_LEDGER: 'user',
    // Credentials cross the protocol encrypted with it.
    PACKAGE_INSIGHTS_SESSION_KEY: key.toString('base64'),
    ...serverProcess.env,
  };
  const execArgv = [...serverProcess.flags];
  const debug = { env, execArgv: ['--nolazy', '--inspect=6009'] };
  return {
    run: { module, transport: TransportKind.ipc, options: { env, execArgv } },
    debug: { module, transport: TransportKind.ipc, options: debug },
  };
}
