import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
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
import { offers } from '../../server/src/language-server/features/offers.ts';
import { ownMethods } from '../../server/src/language-server/requests/index.ts';
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

  test('the end of the pipe is its end', async () => {
    const { child, connection } = start();
    await connection.sendRequest('initialize', hello);
    const exit = exitOf(child);
    child.stdin?.end();
    assert.equal(await exit, 1);
  });

  test('the end of any other transport is its end, while the editor lives', async () => {
    const server = join(dirname(cli), cli.endsWith('.ts') ? 'server.ts' : 'server.js');
    const listener = createServer().listen(0, '127.0.0.1');
    after(() => listener.close());
    await once(listener, 'listening');
    const begin = (...args: readonly string[]): ChildProcess => {
      const child = fork(server, args, { silent: true, env: { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: '' } });
      children.add(child);
      return child;
    };
    const throughIpc = begin('--node-ipc');
    const ipc = createMessageConnection(new IPCMessageReader(throughIpc), new IPCMessageWriter(throughIpc));
    ipc.listen();
    await ipc.sendRequest('initialize', { ...hello, processId: process.pid });
    throughIpc.disconnect();
    assert.equal(await exitOf(throughIpc), 1);
    const throughSocket = begin(`--socket=${(listener.address() as AddressInfo).port}`);
    const [socket] = await once(listener, 'connection');
    const connection = createMessageConnection(new StreamMessageReader(socket), new StreamMessageWriter(socket));
    connection.listen();
    await connection.sendRequest('initialize', { ...hello, processId: process.pid });
    socket.end();
    assert.equal(await exitOf(throughSocket), 1);
  });

  test('a shutdown and an exit in one piece end it with 0', async () => {
    const { child } = start();
    const bodies = [
      { id: 1, method: 'initialize', params: hello },
      { id: 2, method: 'shutdown' },
      { method: 'exit' },
    ].map((it) => JSON.stringify({ jsonrpc: '2.0', ...it }));
    const exit = exitOf(child);
    child.stdin?.write(bodies.map((it) => `Content-Length: ${it.length}\r\n\r\n${it}`).join(''));
    assert.equal(await exit, 0);
  });

  test('it hears a request to end while the pipe is open', async () => {
    const { child, connection } = start();
    await connection.sendRequest('initialize', hello);
    const exit = exitOf(child);
    child.kill('SIGTERM');
    assert.equal(await exit, 0);
  });
});
