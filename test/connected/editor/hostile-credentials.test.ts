import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { ConnectionStatus, ConnectionTrial } from '../../../server/src/engine/model/connection.ts';
import type { LspClient } from '../../harness/lsp-client.ts';
import { seal, startSealed } from './sealed.ts';

const secret = 'opensesame-0123456789';
const seen: string[] = [];
const server = createServer((request, response) => {
  seen.push(`${request.headers.authorization}`);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"resources":{}}');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const baseUrl = `http://127.0.0.1:${port}`;
const clients: LspClient[] = [];
after(() => {
  for (const it of clients) it.process.kill();
  server.closeAllConnections();
  server.close();
});

async function start(settings: object, answer: (params: unknown) => unknown = () => null): Promise<LspClient> {
  const client = await startSealed(settings, answer);
  clients.push(client);
  return client;
}

function trial({ connection }: LspClient, given: string, sealed?: unknown): Promise<ConnectionTrial | null> {
  return connection.sendRequest('packageInsights/tryConnection', { connection: 'code-host', baseUrl: given, sealed });
}

async function listOf({ connection }: LspClient): Promise<readonly ConnectionStatus[]> {
  const answer = await connection.sendRequest<{ readonly connections: readonly ConnectionStatus[] }>(
    'packageInsights/connections',
    {},
  );
  return answer.connections.filter((it) => it.host !== undefined || it.lastError !== undefined);
}

test('a credential that cannot be decrypted is not tried, and no request is sent without it', async () => {
  const client = await start({});
  for (const sealed of [seal(secret, randomBytes(32)), 'AAAA', '%%%', seal('')]) {
    const before = seen.length;
    assert.equal((await trial(client, baseUrl, sealed))?.ok, false, sealed);
    assert.equal(seen.length, before, sealed);
  }
});

test('an address is tried over plain http only if it is the loopback', async () => {
  const client = await start({});
  const loopback = [
    `http://LOCALHOST:${port}`,
    `http://127.1:${port}`,
    `http://0x7f.1:${port}`,
    `http://2130706433:${port}`,
    `http://017700000001:${port}`,
  ];
  for (const it of loopback) {
    const before = seen.length;
    await trial(client, it);
    assert.equal(seen.length, before + 1, it);
  }
  const others = [
    `http://localhost.:${port}`,
    `http://0.0.0.0:${port}`,
    `http://0:${port}`,
    `http://[::]:${port}`,
    `http://[::ffff:127.0.0.1]:${port}`,
    `http://localhost.attacker.example:${port}`,
    `http://127.0.0.1.attacker.example:${port}`,
    `http://127.0.0.1:${port}@attacker.example`,
    `http://attacker.example@127.0.0.1:${port}`,
    `http://127.0.0.1:${port}?a`,
    `http://127.0.0.1:${port}#a`,
    `http://127.0.0.1\\@attacker.example:${port}`,
    `http:127.0.0.1:${port}`,
    `http:///127.0.0.1:${port}`,
    `//127.0.0.1:${port}`,
    `file:///etc/passwd`,
    'javascript:alert(1)',
    `data:text/plain,a`,
    `http://127.0.0.1:99999`,
    `http://127.0.0.1:${port}\r\nx: y`,
    ` http://127.0.0.1:${port}`,
  ];
  for (const it of others) {
    const before = seen.length;
    assert.equal((await trial(client, it, seal(secret)))?.ok, false, it);
    assert.equal(seen.length, before, it);
  }
  const long = `http://127.0.0.1:${port}/${'a'.repeat(10_000)}`;
  for (const it of [long, null, 1, [], {}, '', [baseUrl]]) {
    const asked = { connection: 'code-host', baseUrl: it };
    await assert.rejects(client.connection.sendRequest('packageInsights/tryConnection', asked), /not what it needs/);
  }
});

test('nonsense instead of a credential leaves the server working, and is sent nowhere', async () => {
  const nonsense: readonly unknown[] = [
    { sealed: seal(secret, randomBytes(32)) },
    { sealed: 1 },
    { sealed: secret },
    { secret },
    secret,
    [],
    null,
    7,
  ];
  let at = 0;
  const client = await start({ connections: { codeHost: { baseUrl } } }, () => nonsense[at]);
  for (; at < nonsense.length; at++) {
    const [status] = await listOf(client);
    assert.equal(status?.hasCredential, false, JSON.stringify(nonsense[at]));
  }
  assert.doesNotMatch(seen.join('\n'), /opensesame/);
});

test('nonsense in the settings of connections connects nothing', async () => {
  const nonsense: readonly unknown[] = [
    null,
    1,
    'text',
    [],
    [{ baseUrl }],
    { codeHost: baseUrl },
    { codeHost: [baseUrl] },
    { codeHost: { baseUrl: [baseUrl] } },
    { codeHost: { baseUrl: { toString: 1 } } },
    { codeHost: null, linkSafety: 1, scheduling: '', deployments: [], tokenAudit: { baseUrl: 1, dailyBudget: {} } },
  ];
  const client = await start({});
  for (const connections of nonsense) {
    await client.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { packageInsights: { baseUrl: 'http://127.0.0.1:9', connections } },
    });
    const list = await listOf(client);
    assert.deepEqual(
      list.filter((it) => it.host !== undefined),
      [],
      JSON.stringify(connections),
    );
  }
});

test('one invalid connection leaves the others connected', async () => {
  const client = await start({
    connections: { codeHost: { baseUrl }, tokenAudit: { baseUrl: 'http://service.example' }, scheduling: { baseUrl } },
  });
  const list = await listOf(client);
  assert.deepEqual(
    list.map((it) => [it.name, it.host !== undefined, it.lastError !== undefined]),
    [
      ['code-host', true, false],
      ['scheduling', true, false],
      ['token-audit', false, true],
    ],
  );
});
