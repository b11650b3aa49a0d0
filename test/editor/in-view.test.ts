import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import type { VersionKey } from '../../server/src/engine/model/keys.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { fakeClock } from '../harness/fake-clock.ts';
import { type Act, held, json, type ScriptedServer, scriptedServer, stall } from '../harness/scripted-server.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const uri = 'file:///workspace/package.json';
let server: ScriptedServer;
let client: StrictClient;

/** A dependency a line, from the third one on. */
function manifestOf(count: number): string {
  const lines = Array.from({ length: count }, (_, at) => `    "p${at}": "1.0.0"`);
  return `{\n  "dependencies": {\n${lines.join(',\n')}\n  }\n}\n`;
}

async function start(act: Act, { parallelBatches = 1, clock = systemClock } = {}): Promise<void> {
  server = await scriptedServer(act);
  client = await strictClient({
    settings: { baseUrl: server.url, batchSize: 10, parallelBatches },
    clock,
    capabilities: { textDocument: { inlayHint: {} }, workspace: { inlayHint: { refreshSupport: true } } },
  });
}

afterEach(async () => {
  await client.stop();
  await server.close();
});

const answer: Act = (request, response) => {
  const { requests = [] } = request.body === '' ? {} : JSON.parse(request.body);
  const responses = requests.map((it: object) => ({ request: it, version: it }));
  return json({ responses, nextPageToken: '' })(request, response);
};

/** The numbers of the packages that a batch asked for. */
function numbers(at: number): number[] {
  const { requests } = JSON.parse(server.arrived[at]?.body ?? '{}') as { requests: { versionKey: VersionKey }[] };
  return requests.map((it) => Number(it.versionKey.name.slice(1)));
}

function hints(from: number, to: number): Promise<readonly unknown[]> {
  const range = { start: { line: from + 2, character: 0 }, end: { line: to + 2, character: 30 } };
  return client.ask('textDocument/inlayHint', uri, { range });
}

const refreshes = (): number => client.sent.filter((it) => it.method === 'workspace/inlayHint/refresh').length;
const several = (from: number) => Array.from({ length: 10 }, (_, at) => from + at);

test('the lines that a person looks at are asked for first', async () => {
  const gate = held(answer);
  await start(gate.act);
  await client.open(uri, manifestOf(100));
  await server.reached(1);
  await hints(50, 59);
  gate.release();
  await server.reached(3);
  assert.deepEqual([numbers(0), numbers(1), numbers(2)], [several(0), several(50), several(10)]);
});

test('hints in view are there when their facts are, and wait for no others', async () => {
  const gate = held(answer);
  const rest: Act = (request, response) => (request.body.includes('"p0"') ? gate.act : stall)(request, response);
  // By a clock that stands still: nothing is looked at again because time has passed.
  await start(rest, { parallelBatches: 2, clock: fakeClock() });
  await client.open(uri, manifestOf(20));
  await server.reached(2);
  const shown = hints(0, 9);
  const before = refreshes();
  gate.release();
  assert.equal((await shown).length, 10);
  assert.equal(refreshes(), before, 'who is answered need not ask again');
});

test('of two manifests in view each is shown when its own facts are there', async () => {
  const gate = held(answer);
  const rest: Act = (request, response) => (request.body.includes('"p0"') ? gate.act : stall)(request, response);
  await start(rest, { parallelBatches: 2, clock: fakeClock() });
  await client.open(uri, manifestOf(10));
  const shown = hints(0, 9);
  await server.reached(1);
  const other = 'file:///workspace/other/package.json';
  await client.open(other, manifestOf(10).replaceAll('"p', '"q'));
  const range = { start: { line: 0, character: 0 }, end: { line: 12, character: 0 } };
  client.ask('textDocument/inlayHint', other, { range }).catch(() => {});
  await server.reached(2);
  gate.release();
  assert.equal((await shown).length, 10);
});

test('hints that are long in coming are asked for again when they are there', async () => {
  const gate = held(answer);
  const clock = fakeClock();
  await start(gate.act, { clock });
  await client.open(uri, manifestOf(9));
  await server.reached(1);
  const shown = hints(0, 9);
  await clock.pass(500);
  assert.deepEqual(await shown, []);
  const before = refreshes();
  gate.release();
  await client.until(() => refreshes() > before || undefined);
  assert.equal((await hints(0, 9)).length, 9);
});

/** A list of versions, of which the second is deprecated, and versions with facts. */
const listed: Act = (request, response) => {
  const name = request.path.split('/').at(-1) ?? '';
  const versions = ['1.0.0', '2.1.0', '3.0.0'].map((version) => ({
    versionKey: { system: 'NPM', name, version },
    isDefault: version === '3.0.0',
    isDeprecated: version === '2.1.0',
  }));
  if (request.body === '') return json({ packageKey: { system: 'NPM', name }, versions })(request, response);
  const { requests } = JSON.parse(request.body) as { requests: { versionKey: VersionKey }[] };
  const responses = requests.map((it) => ({
    request: it,
    version: { ...it, licenses: ['MIT'], isDeprecated: it.versionKey.version === '2.1.0' },
  }));
  return json({ responses, nextPageToken: '' })(request, response);
};

test('a list of versions shows the version and its target, and that the rest was not checked', async () => {
  const gate = held(listed);
  await start((request, response) => (request.body === '' ? listed : gate.act)(request, response));
  const text = '{\n  "dependencies": {\n    "a": "^1.0.0",\n    "b": "^3.0.0",\n    "c": "^2.0.0"\n  }\n}\n';
  await client.open(uri, text);
  const labels = async (): Promise<readonly unknown[]> =>
    ((await hints(0, 2)) as readonly { readonly label: unknown }[]).map((it) => it.label);
  const labelsOnce = async (holds: (all: readonly unknown[]) => boolean): Promise<readonly unknown[]> => {
    for (;;) {
      const all = await labels();
      if (holds(all)) return all;
      await setImmediate();
    }
  };
  const early = await labelsOnce((all) => all.length === 3);
  assert.deepEqual(early, ['1.0.0 · … → 3.0.0 (major)', '3.0.0 · …', '⚠ deprecated · …']);
  gate.release();
  const late = await labelsOnce((all) => /^[^…]* → [^…]* → [^…]*$/.test(JSON.stringify(all)));
  assert.deepEqual(late, ['1.0.0 · MIT → 3.0.0 (major)', '3.0.0 · MIT', '⚠ deprecated → 3.0.0 (major) · now 2.1.0']);
});

test('a request that is taken back waits no longer', async () => {
  await start(stall, { clock: fakeClock() });
  await client.open(uri, manifestOf(9));
  await server.reached(1);
  const source = new CancellationTokenSource();
  const range = { start: { line: 0, character: 0 }, end: { line: 12, character: 0 } };
  const params = { textDocument: { uri }, range };
  const shown = client.connection.sendRequest('textDocument/inlayHint', params, source.token);
  source.cancel();
  assert.deepEqual(await shown, []);
});

test('what is known is shown at once, whatever else is to come', async () => {
  const rest: Act = (request, response) => (request.body.includes('"p0"') ? answer : stall)(request, response);
  await start(rest, { parallelBatches: 2, clock: fakeClock() });
  await client.open(uri, manifestOf(20));
  assert.equal((await hints(0, 9)).length, 10);
  assert.equal((await hints(0, 19)).length, 10);
});

test('who asks for all lines changes nothing', async () => {
  const gate = held(answer);
  await start(gate.act);
  await client.open(uri, manifestOf(30));
  await server.reached(1);
  await hints(0, 29);
  gate.release();
  await server.reached(3);
  assert.deepEqual([numbers(0), numbers(1), numbers(2)], [several(0), several(10), several(20)]);
});

test('typing takes back what it makes pointless', async () => {
  await start(stall);
  await client.open(uri, manifestOf(1));
  await server.reached(1);
  server.answer(answer);
  await client.change(uri, 2, manifestOf(1).replace('1.0.0', '2.0.0'));
  await server.arrived[0]?.gone;
  await server.reached(2);
  assert.match(server.arrived[1]?.body ?? '', /"2\.0\.0"/);
});
