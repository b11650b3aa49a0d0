import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { ClientCapabilities, InlayHint } from 'vscode-languageserver/node';
import { askedNames } from '../harness/asked-names.ts';
import { type FakeClock, fakeClock } from '../harness/fake-clock.ts';
import { type Act, json, type ScriptedServer, scriptedServer } from '../harness/scripted-server.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const uri = 'file:///workspace/requirements.txt';
let server: ScriptedServer;
let client: StrictClient;
let clock: FakeClock;
let version: number;

const answer: Act = (request, response) => {
  const { requests = [] } = request.body === '' ? {} : JSON.parse(request.body);
  const responses = requests.map((it: object) => ({ request: it, version: { ...it, isDefault: true } }));
  return json(request.method === 'POST' ? { responses, nextPageToken: '' } : { versions: [] })(request, response);
};

const findings: ClientCapabilities = {
  textDocument: { diagnostic: {}, completion: {} },
  workspace: { diagnostics: { refreshSupport: true } },
};

/** An editor that shows findings, with a text in it of which everything was asked. */
async function start(text: string, capabilities = findings): Promise<void> {
  server = await scriptedServer(answer);
  clock = fakeClock();
  version = 1;
  client = await strictClient({
    settings: { baseUrl: server.url },
    clock,
    capabilities,
  });
  await client.open(uri, text);
  await look();
  await server.reached(1);
}

const look = () => client.ask('textDocument/diagnostic', uri);

async function type(...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await client.change(uri, ++version, text);
    const position = { line: text.split('\n').length - 1, character: text.length - text.lastIndexOf('\n') - 1 };
    await Promise.all([look(), client.ask('textDocument/completion', uri, { position })]);
  }
}

const asked = (): string[] => askedNames(server.arrived);

/** Nobody does anything for so long. */
async function pass(ms: number): Promise<void> {
  await clock.advance(ms);
  await look();
}

afterEach(async () => {
  await client.stop();
  await server.close();
});

test('a name is asked about when it is typed to its end, and not letter by letter', async () => {
  await start('flask==3.0.0\n');
  await type(...['d', 'dj', 'dja', 'djan', 'djang', 'django'].map((it) => `flask==3.0.0\n${it}`));
  await pass(700);
  assert.deepEqual(asked(), ['flask']);
  const hover = await client.ask('textDocument/hover', uri, { position: { line: 1, character: 2 } });
  assert.match(JSON.stringify(hover), /the name is still being typed/);
  await pass(100);
  await server.reached(2);
  assert.deepEqual(asked(), ['flask', 'django']);
});

test('who goes on with another line, or pastes, has named the one before', async () => {
  await start('flask==3.0.0\n');
  await type('flask==3.0.0\nd', 'flask==3.0.0\ndj', 'flask==3.0.0\ndj\n');
  await server.reached(2);
  await type('flask==3.0.0\ndj\nrequests-oauthlib==2.0.0');
  await server.reached(3);
  assert.deepEqual(asked(), ['flask', 'dj', 'requests-oauthlib']);
});

test('a line that is begun together with its first letter has no whole name', async () => {
  await start('flask==3.0.0\n');
  await type('flask==3.0.0\nd\n', 'flask==3.0.0\ndj\n', 'flask==3.0.0\ndj\n            x\n');
  await server.reached(2);
  assert.deepEqual(asked(), ['flask', 'dj']);
  await pass(800);
  await server.reached(3);
  assert.deepEqual(asked(), ['flask', 'dj', 'x']);
});

test('what was typed without a pause is no whole name, unless it goes on behind the name', async () => {
  await start('flask==3.0.0\n');
  await type('flask==3.0.0\nrequests-oa\n', 'flask==3.0.0\nrequests-oauthlib\n');
  await pass(700);
  assert.deepEqual(asked(), ['flask']);
  await type('flask==3.0.0\nattrs\npython-dateutil==2.0\n');
  await server.reached(2);
  await type('flask==3.0.0\nattrs\npython-dateutil==2.0.1\n');
  await server.reached(3);
  assert.deepEqual(asked().sort(), ['attrs', 'flask', 'python-dateutil']);
});

test('who saves has named it', async () => {
  await start('flask==3.0.0\n');
  await type('flask==3.0.0\nd');
  await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
  await server.reached(2);
  assert.deepEqual(asked(), ['flask', 'd']);
});

test('another version of a name is asked about at once', async () => {
  await start('flask==3.0.0\n');
  await type('flask==3.0.1\n');
  await server.reached(2);
  assert.match(server.arrived[1]?.body ?? '', /3\.0\.1/);
});

test('a name that is gone for a moment does not count as being typed', async () => {
  await start('flask==3.0.0\ndjango==5.0\n');
  await type('flask==3.0.0\n#django==5.0\n', 'flask==3.0.0\ndjango==5.0\n');
  const hover = await client.ask('textDocument/hover', uri, { position: { line: 1, character: 2 } });
  assert.doesNotMatch(JSON.stringify(hover), /being typed/);
});

test('an editor that cannot be told to ask for hints again is answered when the name is whole', async () => {
  await start('flask==3.0.0\n', { textDocument: { ...findings.textDocument, inlayHint: {} } });
  await type('flask==3.0.0\nd', 'flask==3.0.0\ndj==2.0');
  const range = { start: { line: 0, character: 0 }, end: { line: 2, character: 0 } };
  let isAnswered = false;
  const asking = client.ask<InlayHint[]>('textDocument/inlayHint', uri, { range }).finally(() => {
    isAnswered = true;
  });
  await pass(700);
  assert.equal(isAnswered, false);
  await clock.advance(100);
  assert.deepEqual(
    (await asking).map((it) => it.label),
    ['3.0.0', '2.0'],
  );
});
