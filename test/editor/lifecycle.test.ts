import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import {
  createMessageConnection,
  ErrorCodes,
  IPCMessageReader,
  IPCMessageWriter,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { offers } from '../../server/src/editor/features/offers.ts';
import { ownMethods } from '../../server/src/editor/requests/index.ts';
import { cli } from '../harness/cli.ts';

const children = new Set<ChildProcess>();
after(() => {
  for (const it of children) it.kill('SIGKILL');
});

/** The server as an editor starts it, that nobody has said anything to. */
function start(): { readonly child: ChildProcess; readonly connection: MessageConnection } {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cli, 'lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: '' },
  });
  children.add(child);
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  return { child, connection };
}

function frame(message: object): string {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'exit');
  return code;
}

const hello = { processId: null, rootUri: null, capabilities: {} };
const place = { textDocument: { uri: 'file:///workspace/package.json' }, position: { line: 0, character: 0 } };

describe('the life of a server', { concurrency: 2 }, () => {
  test('the death of the editor is its end, though another holds the pipe open', async () => {
    const { child, connection } = start();
    const editor = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    children.add(editor);
    await connection.sendRequest('initialize', { ...hello, processId: editor.pid });
    const exit = exitOf(child);
    editor.kill('SIGKILL');
    // The process is looked for every three seconds.
    assert.equal(await exit, 1);
  });

  test('it turns down what comes before the introduction, and a second one; it ends with 0 after a shutdown', async () => {
    const { child, connection } = start();
    await assert.rejects(connection.sendRequest('textDocument/hover', place), {
      code: ErrorCodes.ServerNotInitialized,
    });
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: 'file:///workspace/package.json', languageId: 'json', version: 1, text: '{}' },
    });
    await connection.sendNotification('initialized', {});
    await connection.sendRequest('initialize', hello);
    await assert.rejects(connection.sendRequest('initialize', hello), { code: ErrorCodes.InvalidRequest });
    await assert.rejects(connection.sendRequest('textDocument/nothingOfTheKind', place), {
      code: ErrorCodes.MethodNotFound,
    });
    assert.equal(await connection.sendRequest('textDocument/hover', place), null);
    assert.equal(await connection.sendRequest('shutdown'), null);
    const others = ['initialize', 'shutdown', 'workspace/executeCommand', 'textDocument/nothingOfTheKind'];
    for (const method of [...Object.keys(offers), ...ownMethods, ...others]) {
      const params = { ...hello, ...place, command: 'packageInsights.server.refresh' };
      await assert.rejects(connection.sendRequest(method, params), { code: ErrorCodes.InvalidRequest }, method);
    }
    const exit = exitOf(child);
    await connection.sendNotification('exit');
    assert.equal(await exit, 0);
  });

  test('bytes that are no message end nothing; an exit without a shutdown ends it with 1', async () => {
    const { child, connection } = start();
    await connection.sendRequest('initialize', hello);
    const body = '{ this is no JSON';
    child.stdin?.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
    child.stdin?.write('Content-Length: 4\r\n\r\nnull');
    assert.equal(await connection.sendRequest('textDocument/hover', place), null);
    const exit = exitOf(child);
    await connection.sendNotification('exit');
    assert.equal(await exit, 1);
  });

  for (const header of [
    'Content-Length: many',
    'Content-Length: -4',
    'Content-Length: 1e3',
    'Content-Length: 99999999999999',
    'Content-Length 4',
    'Content-Type: application/vscode-jsonrpc; charset=utf-8',
    '{"jsonrpc":"2.0","method":"initialized"}',
    `x${' '.repeat(10_000)}`,
  ]) {
    test(`an invalid header ends it with 1, so that the editor starts another: ${header.slice(0, 50)}`, async () => {
      const { child, connection } = start();
      await connection.sendRequest('initialize', hello);
      const exit = exitOf(child);
      // Whole messages come before it, and in the same piece.
      const body = JSON.stringify({ jsonrpc: '2.0', method: 'initialized', params: {} });
      child.stdin?.write(`Content-Length: ${body.length}\r\n\r\n${body}${header}\r\n\r\nnull`);
      assert.equal(await exit, 1);
    });
  }

  test('a message in pieces is read as one', async () => {
    const { child, connection } = start();
    await connection.sendRequest('initialize', hello);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'pieces', method: 'textDocument/hover', params: place });
    const message = `content-length:${body.length}\r\nContent-Type: x\r\n\r\n${body}`;
    for (const character of message) child.stdin?.write(character);
    assert.equal(await connection.sendRequest('textDocument/hover', place), null);
    assert.equal(await connection.sendRequest('shutdown'), null);
    const exit = exitOf(child);
    await connection.sendNotification('exit');
    assert.equal(await exit, 0);
  });

  test('the end of its input is its end, whatever it does: with 0 after a shutdown, else with 1', async () => {
    const half = frame({ id: 9, method: 'textDocument/hover', params: place }).slice(0, 60);
    const introduction = frame({ id: 1, method: 'initialize', params: hello });
    const shutdown = frame({ id: 2, method: 'shutdown' });
    const exit = frame({ method: 'exit' });
    const ends: Readonly<Record<string, readonly [input: string, code: number]>> = {
      'before anything': ['', 1],
      'in a header': ['Content-Le', 1],
      'while the engine loads': [introduction + half, 1],
      'with an exit': [introduction + exit, 1],
      'with a shutdown': [introduction + shutdown, 0],
      // Source: the protocol, "Exit Notification".
      'with a shutdown and an exit': [introduction + shutdown + exit, 0],
    };
    const codes = Object.entries(ends).map(async ([name, [input]]) => {
      const { child } = start();
      child.stdin?.end(input);
      return [name, await exitOf(child)] as const;
    });
    assert.deepEqual(
      Object.fromEntries(await Promise.all(codes)),
      Object.fromEntries(Object.entries(ends).map(([name, [, code]]) => [name, code])),
    );
  });

  test('requests under way do not delay the end, and a shutdown that came with it is answered', async () => {
    const service = createServer(() => {}).listen(0, '127.0.0.1');
    after(() => service.close());
    await once(service, 'listening');
    const settings = { baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}` };
    const text = '{"dependencies":{"lodash":"4.17.21"}}';
    const asking = [
      { method: 'textDocument/didOpen', params: { textDocument: { ...place.textDocument, text, version: 1 } } },
      { id: 'waiting', method: 'textDocument/hover', params: { ...place, position: { line: 0, character: 20 } } },
    ].map(frame);
    const end = async (last: readonly string[]) => {
      const { child, connection } = start();
      await connection.sendRequest('initialize', { ...hello, initializationOptions: settings });
      await connection.sendRequest('textDocument/hover', place);
      let answers = '';
      child.stdout?.on('data', (it) => {
        answers += it;
      });
      child.stdin?.end([...asking, ...last].join(''));
      const code = await exitOf(child);
      return [code, answers.match(/"id":"?\w+/g) ?? []];
    };
    const orderly = [{ id: 'last', method: 'shutdown' }, { method: 'exit' }].map(frame);
    assert.deepEqual(await Promise.all([end([]), end(orderly)]), [
      [1, []],
      [0, ['"id":"last']],
    ]);
  });

  test('the end of any other transport is its end, while the editor lives', async () => {
    const server = join(dirname(cli), cli.endsWith('.ts') ? 'server.ts' : 'server.js');
    const begin = (...args: readonly string[]): ChildProcess => {
      const child = fork(server, args, { silent: true, env: { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: '' } });
      children.add(child);
      return child;
    };
    const introduce = async (connection: MessageConnection): Promise<void> => {
      connection.listen();
      await connection.sendRequest('initialize', { ...hello, processId: process.pid });
    };
    const throughIpc = async (): Promise<number | null> => {
      const child = begin('--node-ipc');
      const connection = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
      await introduce(connection);
      await connection.sendRequest('shutdown');
      child.disconnect();
      return exitOf(child);
    };
    const through = async (at: string | number, option: (address: string | AddressInfo | null) => string) => {
      const listener = createServer().listen(at);
      after(() => listener.close());
      await once(listener, 'listening');
      const child = begin(option(listener.address()));
      const [socket] = await once(listener, 'connection');
      await introduce(createMessageConnection(new StreamMessageReader(socket), new StreamMessageWriter(socket)));
      socket.end();
      return exitOf(child);
    };
    const name = join(process.platform === 'win32' ? String.raw`\\.\pipe` : tmpdir(), `insights-${process.pid}`);
    const codes = [
      throughIpc(),
      through(0, (it) => `--socket=${(it as AddressInfo).port}`),
      through(name, (it) => `--pipe=${it}`),
    ];
    assert.deepEqual(await Promise.all(codes), [0, 1, 1]);
  });

  test('it hears a request to end while the pipe is open', async () => {
    const { child, connection } = start();
    await connection.sendRequest('initialize', hello);
    const exit = exitOf(child);
    child.kill('SIGTERM');
    assert.equal(await exit, 0);
  });
});
