import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import {
  createConnection,
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { createOpening, type Initialize } from '../../server/src/editor/opening.ts';

const hello = { processId: null, rootUri: null, capabilities: {} };

/** A server whose engine notes what it handles, and a client. `happened` has both sides in their order. */
function openServer(
  context: TestContext,
  happened: string[],
  opened: Initialize = () => {},
): { readonly client: MessageConnection; readonly loaded: () => void } {
  const [up, down] = [new PassThrough(), new PassThrough()];
  let loaded = (): void => {};
  const isLoaded = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  const opening = createOpening('1.2.3', async (connection) => {
    happened.push('begins to load');
    await isLoaded;
    connection.onNotification((method) => void happened.push(method));
    connection.onRequest('textDocument/hover', () => {
      happened.push('textDocument/hover');
      return null;
    });
    return (params) => {
      happened.push('engine has the parameters');
      opened(params);
    };
  });
  const server = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(up),
    new StreamMessageWriter(down),
    opening,
  );
  opening.answer(server);
  server.listen();
  down.on('data', (bytes) => {
    if (String(bytes).includes('capabilities')) happened.push('response');
  });
  const client = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  client.listen();
  context.after(() => {
    client.dispose();
    server.dispose();
  });
  return { client, loaded };
}

test('the response is sent before the engine is loaded, which handles all that follows in its order', async (context) => {
  const happened: string[] = [];
  const { client, loaded } = openServer(context, happened);
  await client.sendRequest('initialize', hello);
  await client.sendNotification('custom/first', {});
  const hover = client.sendRequest('textDocument/hover', {});
  await client.sendNotification('custom/second', {});
  loaded();
  assert.equal(await hover, null);
  await client.sendRequest('textDocument/hover', {});
  assert.deepEqual(happened, [
    'response',
    'begins to load',
    'engine has the parameters',
    'custom/first',
    'textDocument/hover',
    'custom/second',
    'textDocument/hover',
  ]);
});

test('a client that waits for nothing has its messages handled in their order', async (context) => {
  const happened: string[] = [];
  const { client, loaded } = openServer(context, happened);
  loaded();
  const initialized = client.sendRequest('initialize', hello);
  client.sendNotification('custom/first', {});
  await client.sendRequest('textDocument/hover', {});
  await initialized;
  assert.deepEqual(
    happened.filter((it) => it !== 'response'),
    ['begins to load', 'engine has the parameters', 'custom/first', 'textDocument/hover'],
  );
});

test('what comes before `initialize` is handled by the engine, which then gets the parameters', async (context) => {
  const happened: string[] = [];
  const { client, loaded } = openServer(context, happened);
  loaded();
  await client.sendRequest('textDocument/hover', {});
  await client.sendRequest('initialize', hello);
  await client.sendRequest('textDocument/hover', {});
  assert.deepEqual(
    happened.filter((it) => it !== 'response'),
    ['begins to load', 'textDocument/hover', 'engine has the parameters', 'textDocument/hover'],
  );
  await assert.rejects(client.sendRequest('initialize', hello), { code: ErrorCodes.InvalidRequest });
});

test('parameters that the engine cannot read are an error for each request', async (context) => {
  const { client, loaded } = openServer(context, [], () => {
    throw new Error('folders.map is not a function');
  });
  const logged = new Promise<string>((resolve) => {
    client.onNotification('window/logMessage', ({ message }: { message: string }) => resolve(message));
  });
  loaded();
  await client.sendRequest('initialize', hello);
  await client.sendNotification('initialized', {});
  assert.match(await logged, /initialize: .*folders\.map is not a function/);
  assert.equal(await client.sendRequest('textDocument/hover', {}), null);
});
