import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpAnswer, HttpRequest } from '../../../server/src/engine/http/types.ts';
import type { AskedRegistry } from '../../../server/src/engine/model/registries/access.ts';
import { Credential } from '../../../server/src/engine/model/registries/credential.ts';
import type { RegistryReply } from '../../../server/src/engine/model/registries/registry-client.ts';
import { createTransport } from '../../../server/src/engine/registries/transport.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { fakeClock } from '../../harness/fake-clock.ts';

/* What is sent where, with which credential, whatever a registry answers. */

const settings = readSettings({ privateRegistries: 'ask' });
const never = new AbortController().signal;
const status = (code: number, headers = {}): HttpAnswer => ({ kind: 'answer', status: code, headers, text: '' });

/** A transport to hosts that answer as told. `sent`: each request with its credential, `*` for one. */
function open(answer: (url: string, request: HttpRequest) => HttpAnswer) {
  const sent: string[] = [];
  const transport = createTransport({
    clock: fakeClock(),
    random: () => 1,
    settings: () => settings,
    http: {
      async request(request) {
        const url = request.origin + request.path;
        sent.push(`${url}${request.headers?.['authorization'] === undefined ? '' : ' *'}`);
        // Requests are under way at the same time.
        await new Promise((resolve) => setImmediate(resolve));
        return answer(url, request);
      },
    },
  });
  return { sent, transport };
}

function registryAt(address: string, more: Partial<AskedRegistry> = {}): AskedRegistry {
  const credential = new Credential({ kind: 'bearer', token: 'secret' }, '~/.npmrc');
  return { protocol: 'simple-index', address, from: '~/.npmrc', namedBy: 'machine', credential, ...more };
}

/** The outcome of a request, for people: `200`, `refused: inner-address`. */
function said(reply: RegistryReply): string {
  switch (reply.kind) {
    case 'reply':
      return String(reply.status);
    case 'refused':
      return `refused: ${reply.refusal.rule}`;
    case 'failed':
      return reply.reason;
    case 'aborted':
      return 'aborted';
  }
}

const home = 'https://pypi.acme.example/simple';
/** Where the registry redirects to; what is requested after it, and the outcome. */
const redirects: readonly (readonly [location: string, requested: string | undefined, outcome: string])[] = [
  ['/other/a', 'https://pypi.acme.example/other/a *', '200'],
  ['HTTPS://PYPI.ACME.EXAMPLE:443/x', 'https://pypi.acme.example/x *', '200'],
  ['https://pypi.acme.example./x', 'https://pypi.acme.example./x', '200'],
  ['https://pypi.acme.example:8443/x', 'https://pypi.acme.example:8443/x', '200'],
  ['https://files.acme.example/x', 'https://files.acme.example/x', '200'],
  ['//files.acme.example/x', 'https://files.acme.example/x', '200'],
  ['http://pypi.acme.example/x', undefined, 'it redirects from https to http'],
  ['https://u:p@pypi.acme.example/x', undefined, 'it redirects to an invalid address'],
  ['file:///etc/passwd', undefined, 'it redirects to an invalid address'],
  ['https://169.254.169.254/x', undefined, 'refused: inner-address'],
  ['https://0xa9fea9fe/x', undefined, 'refused: inner-address'],
  ['https://0251.0376.0251.0376/x', undefined, 'refused: inner-address'],
  ['https://127.1/x', undefined, 'refused: inner-address'],
  ['https://[::ffff:169.254.169.254]/x', undefined, 'refused: inner-address'],
  ['https://[64:ff9b::7f00:1]/x', undefined, 'refused: inner-address'],
  ['https://[::ffff:0:7f00:1]/x', undefined, 'refused: inner-address'],
  ['https://LOCALHOST./x', undefined, 'refused: inner-address'],
  ['https://metadata.google.internal./x', undefined, 'refused: inner-address'],
];

for (const [location, requested, outcome] of redirects) {
  test(`a redirect to ${location} has the outcome: ${outcome}`, async () => {
    const { sent, transport } = open((url) => (url === `${home}/a/` ? status(302, { location }) : status(200)));
    const reply = await transport.sendTo(registryAt(home), never)({ url: `${home}/a/` });
    assert.equal(said(reply), outcome);
    assert.deepEqual(sent, [`${home}/a/ *`, ...(requested === undefined ? [] : [requested])]);
  });
}

test('another host that refuses the request is not taken for a wrong credential', async () => {
  const { sent, transport } = open((url) =>
    url.startsWith(home) ? status(302, { location: 'https://files.example/x' }) : status(403),
  );
  const send = transport.sendTo(registryAt(home), never);
  for (const it of ['a', 'b']) {
    assert.equal(said(await send({ url: `${home}/${it}/` })), 'it leads to files.example, which answers with HTTP 403');
  }
  assert.equal(sent.length, 4);
});

test('a credential does not return with the request that has left its host', async () => {
  const { sent, transport } = open((url) => {
    if (url === `${home}/a/`) return status(307, { location: 'https://elsewhere.example/x' });
    return url.startsWith('https://elsewhere') ? status(307, { location: `${home}/b/` }) : status(200);
  });
  await transport.sendTo(registryAt(home), never)({ url: `${home}/a/` });
  assert.deepEqual(sent, [`${home}/a/ *`, 'https://elsewhere.example/x', `${home}/b/`]);
});

test('the credential of npm stays below the path of its registry', async () => {
  const { sent, transport } = open(() => status(200));
  const npm = registryAt('https://npm.acme.example/team', { protocol: 'npm' });
  const send = transport.sendTo(npm, never);
  for (const path of ['team/a', 'teams/a', 'team/../a', 'team%2f..%2fa']) {
    await send({ url: `https://npm.acme.example/${path}` });
  }
  assert.deepEqual(sent, [
    'https://npm.acme.example/team/a *',
    'https://npm.acme.example/teams/a',
    'https://npm.acme.example/a',
    'https://npm.acme.example/team%2f..%2fa',
  ]);
});

test('without TLS, a credential goes to this machine alone', async () => {
  const { sent, transport } = open(() => status(200));
  for (const [address, outcome] of [
    ['http://pypi.acme.example/simple', 'refused: plain-http'],
    ['http://127.0.0.1.acme.example/simple', 'refused: plain-http'],
    ['http://localhost.acme.example/simple', 'refused: plain-http'],
    ['http://localhost:8080/simple', '200'],
    ['http://[::1]:8080/simple', '200'],
  ] as const) {
    const reply = await transport.sendTo(registryAt(address), never)({ url: `${address}/a/` });
    assert.equal(said(reply), outcome, address);
  }
  assert.deepEqual(sent, ['http://localhost:8080/simple/a/ *', 'http://[::1]:8080/simple/a/ *']);
});

test('a registry with TLS leads to no address without it', async () => {
  const { sent, transport } = open(() => status(200));
  const send = transport.sendTo(registryAt(home), never);
  for (const url of ['http://files.acme.example/a', 'http://pypi.acme.example/simple/a/']) {
    assert.equal(said(await send({ url })), 'its index leads to an address without TLS');
  }
  assert.deepEqual(sent, []);
});

test('a registry that the workspace names leads nowhere into this machine', async () => {
  const { sent, transport } = open(() => status(200));
  for (const host of ['localhost:4873', '127.0.0.1', '[::1]', '0.0.0.0', '169.254.169.254', '[fe80::1]', 'metadata']) {
    const registry = registryAt(`http://${host}`, { namedBy: 'workspace' });
    assert.equal(
      said(await transport.sendTo(registry, never)({ url: `http://${host}/a/` })),
      'refused: inner-address',
      host,
    );
  }
  assert.deepEqual(sent, []);
});

test('requests to a host that a name may hide are guarded when they are connected', async () => {
  const guarded: unknown[] = [];
  const { transport } = open((url, { refusesInner }) => {
    guarded.push([new URL(url).host, refusesInner === true]);
    return url === `${home}/a/` ? status(302, { location: 'https://elsewhere.example/' }) : status(200);
  });
  await transport.sendTo(registryAt(home), never)({ url: `${home}/a/` });
  await transport.sendTo(registryAt(home, { namedBy: 'workspace' }), never)({ url: `${home}/b/` });
  assert.deepEqual(guarded, [
    ['pypi.acme.example', false],
    ['elsewhere.example', true],
    ['pypi.acme.example', true],
  ]);
});

test('a wrong credential is sent once, for all packages and lists, until everything is looked up again', async () => {
  const { sent, transport } = open(() => status(401));
  const ask = async (it: string): Promise<string> =>
    said(await transport.sendTo(registryAt(home), never)({ url: `${home}/${it}/` }));
  assert.deepEqual(await Promise.all(['a', 'b', 'c', 'd'].map(ask)), ['401', '401', '401', '401']);
  assert.equal(await ask('e'), '401');
  assert.deepEqual(sent, [`${home}/a/ *`]);
  const other = new Credential({ kind: 'bearer', token: 'other' }, '~/.npmrc');
  await transport.sendTo(registryAt(home, { credential: other }), never)({ url: `${home}/a/` });
  assert.equal(sent.length, 2);
  transport.retryNow();
  await ask('a');
  await ask('b');
  assert.equal(sent.length, 3);
});

test('a credential that was right is not sent again once it is wrong', async () => {
  let isValid = true;
  const { sent, transport } = open(() => status(isValid ? 200 : 401));
  const ask = (it: string) => transport.sendTo(registryAt(home), never)({ url: `${home}/${it}/` });
  await ask('a');
  isValid = false;
  await ask('b');
  await ask('c');
  assert.deepEqual(sent, [`${home}/a/ *`, `${home}/b/ *`]);
});

test('a package that a right credential does not permit keeps no other one back', async () => {
  const { sent, transport } = open((url) => status(url.endsWith('/forbidden/') ? 403 : 200));
  const ask = async (it: string): Promise<string> =>
    said(await transport.sendTo(registryAt(home), never)({ url: `${home}/${it}/` }));
  assert.deepEqual(await Promise.all(['forbidden', 'a', 'b'].map(ask)), ['403', '200', '200']);
  assert.equal(await ask('forbidden'), '403');
  assert.equal(sent.length, 4);
});

test('a credential that permits nothing is sent for three packages', async () => {
  const { sent, transport } = open(() => status(403));
  const ask = async (it: string): Promise<string> =>
    said(await transport.sendTo(registryAt(home), never)({ url: `${home}/${it}/` }));
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(ask));
  assert.deepEqual(answers, ['403', '403', '403', '403', '403']);
  assert.equal(sent.length, 3);
});

test('nothing is sent while the setting does not permit it', async () => {
  for (const it of [
    {},
    { privateRegistries: 'off' },
    { privateRegistries: 'yes' },
    { privateRegistries: 'ask', offline: true },
  ]) {
    const asked: string[] = [];
    const transport = createTransport({
      clock: fakeClock(),
      random: () => 1,
      settings: () => readSettings(it),
      http: {
        async request({ origin }) {
          asked.push(origin);
          return status(200);
        },
      },
    });
    const reply = await transport.sendTo(registryAt(home), never)({ url: `${home}/a/` });
    assert.equal(reply.kind, 'failed', JSON.stringify(it));
    assert.deepEqual(asked, []);
  }
});
