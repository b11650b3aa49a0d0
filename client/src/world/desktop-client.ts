import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import {
  IPCMessageReader,
  IPCMessageWriter,
  LanguageClient,
  type LanguageClientOptions,
  type MessageTransports,
  State,
} from 'vscode-languageclient/node';
import { sealWith } from '../connected/connections/sealing.ts';
import { createDocumentSender } from '../window-documents.ts';
import type { ForkedServer } from './forked-server.ts';
import type { StartableClient } from './world.ts';

/** The client of a language server that is a process of its own. */
export function createDesktopClient(server: ForkedServer, options: LanguageClientOptions): StartableClient {
  const documents = createDocumentSender(() => client);
  const client: LanguageClient = new LanguageClient(
    'packageInsights',
    'Package Insights',
    async () => {
      const transports = connect(server.next(), client);
      documents.connect(transports.writer);
      return transports;
    },
    options,
  );
  return {
    client,
    options,
    seal: sealWith(server.key),
    documents,
  };
}

/** In ms. How long a server may take to end before it is killed. */
const END_TIMEOUT = 2000;

/** Connects the client to a process, whose output goes to the log, and which ends with the connection. */
function connect(server: ChildProcess, client: LanguageClient): MessageTransports {
  const { outputChannel: log } = client;
  for (const [stream, write] of [
    [server.stdout, (line: string) => log.info(line)],
    [server.stderr, (line: string) => log.error(line)],
  ] as const)
    if (stream) createInterface({ input: stream }).on('line', write);
  server.once('exit', (code, signal) => {
    if (code !== 0) log.error(`Server process exited with ${signal ? `signal ${signal}` : `code ${code}`}.`);
  });
  const watching = client.onDidChangeState(({ newState }) => {
    if (newState === State.Starting || newState === State.Running) return;
    watching.dispose();
    const timer = setTimeout(() => server.kill('SIGKILL'), END_TIMEOUT);
    server.once('exit', () => clearTimeout(timer));
  });
  return { reader: new IPCMessageReader(server), writer: new IPCMessageWriter(server) };
}
