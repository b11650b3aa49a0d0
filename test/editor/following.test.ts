import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { VersionKey } from '../../server/src/engine/model/keys.ts';
import { fakeClock } from '../harness/fake-clock.ts';
import { type Act, json, type ScriptedServer, scriptedServer, stall } from '../harness/scripted-server.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

/*
 * By a clock that stands still: what is asked here is asked because of an answer, and not because everything was looked at
 * again a while later.
 */
const uri = 'file:///workspace/package.json';
let server: ScriptedServer;
let client: StrictClient;

afterEach(async () => {
  await client.stop();
  await server.close();
});

async function start(act: Act, names: readonly string[]): Promise<void> {
  server = await scriptedServer(act);
  client = await strictClient({
    settings: { baseUrl: server.url, batchSize: 2, parallelBatches: 2, lookUpDefaults: true },
    clock: fakeClock(),
  });
  await client.open(uri, manifestOf(names));
}

function manifestOf(names: readonly string[]): string {
  return JSON.stringify({ dependencies: Object.fromEntries(names.map((it) => [it, '1.0.0'])) });
}

type Facts = (key: VersionKey) => object;

const isSound: Facts = () => ({ isDefault: true });
const isAffected: Facts = ({ name }) => ({ isDefault: false, advisoryKeys: [{ id: `GHSA-${name}` }] });

/** Answers batches, and lists of two versions of which the higher one is sound. */
function answer(factsOf: Facts): Act {
  return (request, response) => {
    const name = request.path.split('/').at(-1) ?? '';
    const versions = ['1.0.0', '2.0.0'].map((version) => ({
      versionKey: { system: 'NPM', name, version },
      isDefault: version === '2.0.0',
    }));
    if (request.body === '') return json({ packageKey: { system: 'NPM', name }, versions })(request, response);
    const { requests }: { requests: { versionKey: VersionKey }[] } = JSON.parse(request.body);
    const responses = requests.map((it) => ({
      request: it,
      version: { ...it, ...(it.versionKey.version === '2.0.0' ? isSound : factsOf)(it.versionKey) },
    }));
    return json({ responses, nextPageToken: '' })(request, response);
  };
}

/** What was asked, in one word each. */
function asked(): string[] {
  return server.arrived.map(({ path, body }) => {
    if (body === '') return path.split('/').slice(-2).join('/');
    const { requests }: { requests: { versionKey: VersionKey }[] } = JSON.parse(body);
    return requests.map(({ versionKey }) => `${versionKey.name}@${versionKey.version}`).join(' ');
  });
}

test('what is wrong with a version is followed while others are still waited for', async () => {
  const act = answer(isAffected);
  await start((request, response) => (request.body.includes('"c"') ? stall : act)(request, response), ['a', 'b', 'c']);
  await server.reached(7);
  assert.deepEqual(asked().slice(0, 2), ['a@1.0.0 b@1.0.0', 'c@1.0.0']);
  assert.deepEqual(asked().slice(2, 6).sort(), ['advisories/GHSA-a', 'advisories/GHSA-b', 'packages/a', 'packages/b']);
  assert.match(asked()[6] ?? '', /^[ab]@2\.0\.0/);
});

test('what is sound leads to nothing', async () => {
  await start(answer(isSound), ['a', 'b', 'c']);
  await client.ask('textDocument/hover', uri, { position: { line: 0, character: 20 } });
  assert.deepEqual(asked(), ['a@1.0.0 b@1.0.0', 'c@1.0.0']);
});

test('findings that are pushed wait until a word is typed', async () => {
  const clock = fakeClock();
  server = await scriptedServer(answer(isAffected));
  client = await strictClient({ settings: { baseUrl: server.url }, clock });
  const pushed = () => client.sent.filter((it) => it.method === 'textDocument/publishDiagnostics');
  await client.open(uri, manifestOf(['a']));
  // The first word of a flaw comes before all that is asked about it has an answer; the last one names the fix.
  await client.until(() => JSON.stringify(pushed().at(-1)?.params ?? '').includes('not affected: 2.0.0') || undefined);
  const before = pushed().length;
  for (let version = 2; version < 20; version++) await client.change(uri, version, manifestOf(['a', `b${version}`]));
  await client.ask('textDocument/hover', uri, { position: { line: 0, character: 0 } });
  assert.equal(pushed().length, before);
  await clock.advance(1000);
  await client.until(() => pushed().length > before || undefined);
});
