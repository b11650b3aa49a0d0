import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { ConnectionStatus, ConnectionTrial } from '../../../server/src/engine/model/connection.ts';
import type { LspClient } from '../../harness/lsp-client.ts';
import { seal, startSealed } from './sealed.ts';

const secret = 'opensesame-0123456789';
/** The credentials that the code host has seen. */
const seen: (string | undefined)[] = [];
const server = createServer((request, response) => {
  seen.push(request.headers.authorization);
  const isKnown = request.headers.authorization === `Bearer ${secret}`;
  response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end('{"resources":{}}');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(() => server.close());

const clients: LspClient[] = [];
after(() => Promise.all(clients.map((it) => it.stop())));

async function start(
  settings: object,
  answer?: (params: unknown) => unknown,
  env: NodeJS.ProcessEnv = {},
): Promise<LspClient> {
  const client = await startSealed(settings, answer, { env });
  clients.push(client);
  return client;
}

const connected = { connections: { codeHost: { baseUrl } } };

async function listOf({ connection }: LspClient): Promise<readonly ConnectionStatus[]> {
  const answer = await connection.sendRequest<{ readonly connections: readonly ConnectionStatus[] }>(
    'packageInsights/connections',
    {},
  );
  return answer.connections.filter((it) => it.host !== undefined || it.lastError !== undefined);
}

test('without a connection no credential is asked for, and the list is empty', async () => {
  const client = await start({}, () => assert.fail('asked for a credential'));
  assert.deepEqual(await listOf(client), []);
  assert.equal(client.asked.includes('packageInsights/credential'), false);
});

test('an address is tried with a credential that crosses the protocol encrypted', async () => {
  const client = await start({}, () => null);
  const trial = (sealed: string | undefined) =>
    client.connection.sendRequest<ConnectionTrial>('packageInsights/tryConnection', {
      connection: 'code-host',
      baseUrl,
      sealed,
    });
  assert.deepEqual(await trial(seal(secret)), { ok: true });
  assert.equal(seen.at(-1), `Bearer ${secret}`);
  const refused = await trial(undefined);
  assert.equal(refused.ok, false);
  assert.equal(seen.at(-1), undefined);
  // A text that was made for another window is no credential.
  await trial(seal(secret, randomBytes(32)));
  assert.equal(seen.at(-1), undefined);
  assert.deepEqual(await listOf(client), []);
});

test('an address without encryption is not tried, except on this machine', async () => {
  const client = await start({}, () => null);
  const before = seen.length;
  const trial = await client.connection.sendRequest<ConnectionTrial>('packageInsights/tryConnection', {
    connection: 'code-host',
    baseUrl: 'http://service.example',
    sealed: seal(secret),
  });
  assert.deepEqual([trial.ok, seen.length], [false, before]);
});

test('the credential of the client is asked for with the address that it is for', async () => {
  const asked: unknown[] = [];
  const client = await start(connected, (params) => {
    asked.push(params);
    return { sealed: seal(secret) };
  });
  const [status] = await listOf(client);
  assert.deepEqual(asked[0], { connection: 'code-host', baseUrl });
  assert.equal(status?.hasCredential, true);
  assert.doesNotMatch(JSON.stringify(status), /opensesame/);
});

test('a credential of the environment belongs to the address beside it', async () => {
  const env = { PACKAGE_INSIGHTS_CODE_HOST_URL: baseUrl, PACKAGE_INSIGHTS_CODE_HOST_TOKEN: secret };
  const [own] = await listOf(await start({}, undefined, env));
  assert.deepEqual([own?.host, own?.hasCredential], [new URL(baseUrl).host, true]);
  const elsewhere = { connections: { codeHost: { baseUrl: 'https://other.example' } } };
  const [other] = await listOf(await start(elsewhere, undefined, env));
  assert.deepEqual([other?.host, other?.hasCredential], ['other.example', false]);
});

test('an invalid address is listed with its reason, and nothing is sent', async () => {
  const client = await start({ connections: { codeHost: { baseUrl: 'http://service.example' } } }, () => null);
  const [status] = await listOf(client);
  assert.equal(status?.host, undefined);
  assert.match(String(status?.lastError?.reason), /connections\.codeHost\.baseUrl/);
});
