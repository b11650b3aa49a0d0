import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import {
  type ClientCapabilities,
  createMessageConnection,
  type Diagnostic,
  type InitializeResult,
  type MessageConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { cli } from './cli.ts';
import { createLookout } from './lookout.ts';
import { nobody } from './nobody.ts';

/** A client of the language server, in a process of its own, as an editor is. */
export interface LspClient {
  readonly connection: MessageConnection;
  readonly initialized: InitializeResult;
  readonly process: ChildProcess;
  /** The last pushed diagnostics of each document. */
  readonly pushed: ReadonlyMap<string, readonly Diagnostic[]>;
  /** Requests that the server sent to the client, by method, in that order. */
  readonly asked: readonly string[];
  open(uri: string, text: string): Promise<void>;
  /** Resolves when diagnostics for a document have been pushed that satisfy the condition. */
  pushedUntil(uri: string, holds: (all: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]>;
  /** Resolves when the server has sent that request; the next one, where it has before. */
  askedFor(method: string): Promise<void>;
  /** Ends the server the way the protocol says. Returns its exit code. */
  stop(): Promise<number | null>;
}

export interface LspClientOptions {
  readonly capabilities?: ClientCapabilities;
  readonly folder?: string;
  readonly settings?: object;
  /** The language that the client names. */
  readonly locale?: string;
  /** The language of its environment. */
  readonly language?: string;
  /** The Node that runs the server, where it is not this one. */
  readonly node?: string;
  /** Arguments of Node: the server to run in the place of the sources. */
  readonly program?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The environment of a person with settings of tools, in the place of nobody's. */
  readonly person?: NodeJS.ProcessEnv;
  /** Called with all bytes of the protocol, in both directions, and of the server's log. */
  readonly onBytes?: (bytes: Uint8Array) => void;
  /** Called with all diagnostics that are pushed. */
  readonly onDiagnostics?: (params: PublishDiagnosticsParams) => void;
  /** Answers requests of the server; a rejection is what a client without that request sends. */
  readonly answers?: Readonly<Record<string, (params: unknown) => unknown>>;
}

export async function startLsp(options: LspClientOptions = {}): Promise<LspClient> {
  const program = options.program ?? ['--disable-warning=ExperimentalWarning', cli, 'lsp', '--stdio'];
  const child = spawn(options.node ?? process.execPath, program, {
    stdio: ['pipe', 'pipe', options.onBytes ? 'pipe' : 'inherit'],
    // Tests share no cache.
    env: {
      PACKAGE_INSIGHTS_CACHE_DIR: '',
      ...(options.env ?? process.env),
      ...nobody,
      ...options.person,
      LC_ALL: options.language ?? 'C',
    },
  });
  const { onBytes } = options;
  const toServer = child.stdin as Writable;
  if (onBytes) {
    for (const it of [child.stdout, child.stderr]) it?.on('data', onBytes);
    const write = toServer.write.bind(toServer);
    toServer.write = (chunk: string | Uint8Array, ...rest: never[]) => {
      onBytes(Buffer.from(chunk as string));
      return write(chunk, ...rest);
    };
  }
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout as Readable),
    new StreamMessageWriter(toServer),
  );
  const pushed = new Map<string, readonly Diagnostic[]>();
  const asked: string[] = [];
  const { happened, until } = createLookout();
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    pushed.set(params.uri, params.diagnostics);
    options.onDiagnostics?.(params);
    happened();
  });
  connection.onRequest((method, params) => {
    asked.push(method);
    happened();
    const answer = options.answers?.[method];
    if (answer) return answer(params);
    if (method === 'client/registerCapability') return null;
    throw new Error(`this client knows no ${method}`);
  });
  connection.listen();
  const initialized = await connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    rootUri: options.folder ?? null,
    workspaceFolders: options.folder === undefined ? null : [{ uri: options.folder, name: 'workspace' }],
    capabilities: options.capabilities ?? {},
    initializationOptions: options.settings ?? {},
    ...(options.onBytes && { trace: 'verbose' }),
    ...(options.locale !== undefined && { locale: options.locale }),
  });
  await connection.sendNotification('initialized', {});

  return {
    connection,
    initialized,
    process: child,
    pushed,
    asked,
    open: (uri, text) =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'json', version: 1, text },
      }),
    pushedUntil: (uri, holds) =>
      until(() => {
        const all = pushed.get(uri);
        return all && holds(all) ? all : undefined;
      }),
    askedFor(method) {
      const before = asked.length;
      return until(() => (asked.slice(before).includes(method) ? true : undefined)).then(() => undefined);
    },
    async stop() {
      await connection.sendRequest('shutdown');
      const exit = once(child, 'exit');
      await connection.sendNotification('exit');
      const [code] = await exit;
      connection.dispose();
      return code;
    },
  };
}
