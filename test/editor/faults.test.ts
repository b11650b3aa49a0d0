import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Hover } from 'vscode-languageserver';
import type { Status } from '../../server/src/editor/publish/status.ts';
import type { Files } from '../../server/src/engine/model/ports.ts';
import { type Certificate, hostName, selfSigned } from '../harness/certificate.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import {
  type Act,
  json,
  reset,
  resetWithin,
  scriptedServer,
  stall,
  stallWithin,
  status,
} from '../harness/scripted-server.ts';
import { catalog, manifest, onLodash, onRequest } from './scratch.ts';
import { type StrictClient, strictClient } from './strict-client.ts';
import { type Asked, answered, type World, worldOf } from './world.ts';

/*
 * The whole server over a service that misbehaves in one way after the other, by a clock that the test moves: a hover
 * is answered within its patience and says what is wrong, no message pops up, what is typed meanwhile is kept, and once
 * the service is well again all is shown without anybody's doing.
 */
const uri = 'file:///workspace/package.json';
const zeros = gzipSync(Buffer.alloc(40 * 1024 * 1024));

const drip: Act = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 5);
  response.on('close', () => clearInterval(timer));
};

const bomb: Act = (_, response) =>
  void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(zeros);

const faults: Readonly<Record<string, Act>> = {
  '429 with word of how long': status(429, 'slow down', { 'retry-after': '30' }),
  '429 without': status(429, 'slow down'),
  '503 with a date long past': status(503, 'later', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
  '503 without': status(503, 'later'),
  '500': status(500, 'internal error'),
  'a page of a proxy': status(502, '<html><body>Bad gateway</body></html>', { 'content-type': 'text/html' }),
  'a reset before the answer': reset,
  'a reset within it': resetWithin(JSON.stringify({ responses: [] }).repeat(20)),
  'no answer': stall,
  'half an answer': stallWithin('{"responses":['),
  'a byte now and then': drip,
  'truncated JSON': (_, response) => void response.writeHead(200).end('{"responses":[{"request"'),
  'a sign-in page': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  'JSON of another kind': json([1, 2, 3]),
  null: json(null),
  'wrong types': json({ responses: [{ request: 7, version: 'yes' }], nextPageToken: {} }),
  'a bomb': bomb,
};

const nothingOnDisk: Files = { read: async () => undefined, find: async () => [] };

const service = await startServiceForFile(catalog);

/** What the service says when it is well. */
const well: Act = async ({ method, path, body }, response) => {
  const answer = await fetch(service.url + path, { method, ...(method === 'POST' && { body }) });
  response
    .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    .end(await answer.text());
};

async function hover(client: StrictClient, world: World, position: object) {
  const { answer, ms } = await answered(world, client.ask<Hover>('textDocument/hover', uri, { position }));
  assert.ok(typeof answer.contents === 'object' && 'value' in answer.contents);
  return { text: answer.contents.value, ms };
}

function statuses(client: StrictClient): readonly Status[] {
  return client.sent.filter((it) => it.method === 'packageInsights/status').map((it) => it.params as Status);
}

/** What the log says above the level of mere information about the start. */
function logged(client: StrictClient): readonly string[] {
  return client.sent
    .filter((it) => it.method === 'window/logMessage')
    .map((it) => (it.params as { readonly message: string }).message)
    .filter((it) => /^(?:lookups failed|the service)/.test(it));
}

/** A service in trouble, until it recovers. */
interface Troubled extends Asked {
  readonly url: string;
  recover(): void;
  close(): Promise<unknown>;
}

async function misbehaving(fault: Act): Promise<Troubled> {
  const server = await scriptedServer(fault);
  return { ...server, recover: () => server.answer(well) };
}

/** Shows one certificate at first, and then one that fits. */
async function wronglyCertified(first: Certificate, trusted: readonly string[]): Promise<Troubled> {
  const server = createServer(first, async (request, response) => {
    const { method = '', url = '' } = request;
    const body = await text(request);
    const answer = await fetch(service.url + url, { method, ...(method === 'POST' && { body }) });
    response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: [fitting.cert, ...trusted],
    left: () => 0,
    recover: () => server.setSecureContext(fitting),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const fitting = selfSigned('fitting');
const elsewhere = selfSigned('elsewhere', [hostName('elsewhere.example')]);

const troubles: Readonly<Record<string, () => Promise<Troubled>>> = {
  ...Object.fromEntries(Object.entries(faults).map(([what, fault]) => [what, () => misbehaving(fault)])),
  'a certificate that nobody trusts': () => wronglyCertified(selfSigned('stranger'), []),
  'a certificate for another host': () => wronglyCertified(elsewhere, [elsewhere.cert]),
};

for (const [what, begin] of Object.entries(troubles)) {
  test(`the service shows ${what}`, { timeout: 15_000 }, async (t) => {
    const server = await begin();
    t.after(() => server.close());
    const world = worldOf(server);
    const { clock } = world;
    const client = await strictClient({
      ...world,
      files: nothingOnDisk,
      settings: { baseUrl: server.url },
      capabilities: { experimental: { packageInsightsStatus: true } },
    });
    await client.open(uri, manifest);
    const first = await hover(client, world, onLodash);
    assert.ok(first.ms <= 800, `answered after ${first.ms} ms`);
    assert.match(first.text, /^lodash 4\.17\.15/);
    assert.match(first.text, /Requesting data|failed/);

    let said = first.text;
    for (let minute = 0; minute < 5 && !/Lookup failed|Retrying/.test(said); minute++) {
      for (let step = 0; step < 30; step++) {
        await answered(world, client.ask('textDocument/hover', uri, { position: { line: 0, character: 0 } }));
        await clock.advance(2_000);
      }
      said = (await hover(client, world, onLodash)).text;
    }
    assert.match(said, /(?:Lookup failed|Retrying): \S/);
    await client.until(() => statuses(client).find((it) => it.heldUntil !== undefined || it.documents[0]?.failed));
    const complaints = logged(client);
    assert.ok(complaints.length >= 1, 'the log tells');
    assert.equal(new Set(complaints).size, complaints.length, complaints.join('\n'));
    assert.ok(complaints.length <= 3, complaints.join('\n'));

    // What is typed meanwhile counts when the service is well again.
    await client.change(uri, 2, manifest.replace('4.17.15', '4.17.21'));
    server.recover();
    // A hold comes to its end, then one answer leads to the next.
    let other = '';
    for (let tries = 0; tries < 20 && !(said.includes('MIT') && other.includes('no longer')); tries++) {
      await clock.advance(10_000);
      said = (await hover(client, world, onLodash)).text;
      other = (await hover(client, world, onRequest)).text;
    }
    assert.match(said, /^lodash 4\.17\.21/);
    assert.match(said, /MIT/);
    assert.match(other, /no longer maintained/);
    const told = () => logged(client).filter((it) => it === 'the service answers again').length;
    // A clock that jumps makes each look at the documents a long one, and the pause after it, too.
    await answered(
      world,
      client.until(() => {
        const last = statuses(client).at(-1);
        const isWell = last?.heldUntil === undefined && last?.documents[0]?.failed === undefined;
        // What was asked for meanwhile may still be on its way when the first answer says that all is well.
        return isWell && told() > 0 && last?.documents[0]?.pending === 0 ? last : undefined;
      }),
    );
    assert.equal(told(), 1);
    assert.deepEqual(
      client.sent.filter((it) => it.method.startsWith('window/show')).map((it) => it.params),
      [],
    );
    await client.stop();
  });
}
