import { type ChildProcess, fork } from 'node:child_process';
import * as vscode from 'vscode';
import { createSessionKey } from '../connected/connections/sealing.ts';
import { serverProcess } from './server-process.ts';

/** The server processes of a window, one after the other. The first is running already. */
export interface ForkedServer {
  /** Credentials cross the protocol encrypted with it. */
  readonly key: Buffer;
  /** The running process for the first call, a new one for each further call. */
  readonly next: () => ChildProcess;
}

/** Starts a language server, which loads while its client does: a window that opens keeps both busy with other things. */
export function forkServer(context: vscode.ExtensionContext): ForkedServer {
  const key = createSessionKey();
  let first: ChildProcess | undefined = forkWith(context, key);
  return {
    key,
    next() {
      const it = first?.connected ? first : forkWith(context, key);
      first = undefined;
      return it;
    },
  };
}

function forkWith(context: vscode.ExtensionContext, key: Buffer): ChildProcess {
  const { flags, env } = serverProcess;
  const server = fork(context.asAbsolutePath('dist/server.js'), ['--node-ipc', `--clientProcessId=${process.pid}`], {
    execArgv: isDebugged() ? ['--nolazy', '--inspect=6009'] : [...flags],
    silent: true,
    env: {
      ...process.env,
      // The editor's program is Node then.
      ELECTRON_RUN_AS_NODE: '1',
      ELECTRON_NO_ASAR: '1',
      // Compiled code is cached where only this user's editor writes. Node before 22 ignores this.
      NODE_COMPILE_CACHE: vscode.Uri.joinPath(context.globalStorageUri, 'compiled').fsPath,
      PACKAGE_INSIGHTS_CACHE_DIR: vscode.Uri.joinPath(context.globalStorageUri, 'answers').fsPath,
      // Requests are counted together with those of other windows, editors and terminals of this user.
      PACKAGE_INSIGHTS_LEDGER: 'user',
      PACKAGE_INSIGHTS_SESSION_KEY: key.toString('base64'),
      ...env,
    },
  });
  // A process that cannot be started is closed as well, which the client reports.
  server.on('error', () => {});
  return server;
}

function isDebugged(): boolean {
  return process.execArgv.some((it) => /^--(?:inspect|debug)(?:-brk)?(?:=|$)/.test(it));
}
