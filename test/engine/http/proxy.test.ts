import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import { decideProxy, followProxies, proxiesOf } from '../../../server/src/engine/http/proxy.ts';
import type { Network } from '../../../server/src/engine/model/network.ts';
import { fakeClock } from '../../harness/fake-clock.ts';
import { proxySetting, testProxy } from '../../harness/proxy.ts';
import { json, scriptedServer, stallWithin } from '../../harness/scripted-server.ts';

test('the environment names proxies in either case, the lower one first', () => {
  assert.deepEqual(
    proxiesOf({ HTTP_PROXY: 'http://a', http_proxy: 'http://b', HTTPS_PROXY: 'http://c', no_proxy: 'd' }),
    {
      http: { address: 'http://b', source: 'http_proxy' },
      https: { address: 'http://c', source: 'HTTPS_PROXY' },
      except: 'd',
    },
  );
  assert.deepEqual(proxiesOf({ all_proxy: 'http://a', https_proxy: 'http://b', HTTP_PROXY: '' }), {
    http: { address: 'http://a', source: 'all_proxy' },
    https: { address: 'http://b', source: 'https_proxy' },
  });
  assert.deepEqual(proxiesOf({}), {});
});

const environment = { HTTPS_PROXY: 'http://env.example:1', NO_PROXY: 'inside.example' };
const fromEnvironment = { https: proxySetting('http://env.example:1'), except: 'inside.example' };

const fromEditor = { address: 'http://p.example:2', source: 'http.proxy' };

for (const [network, expected] of [
  [{}, fromEnvironment],
  [{ proxy: 'http://p.example:2', proxySupport: 'off' }, fromEnvironment],
  [
    { proxy: 'http://p.example:2', proxySupport: 'override', proxyStrictSSL: true, noProxy: [] },
    { ...fromEnvironment, http: fromEditor, https: fromEditor },
  ],
  [{ noProxy: ['a.example', '.b.example'] }, { ...fromEnvironment, except: 'a.example,.b.example' }],
  [
    { proxyAuthorization: 'Bearer x', proxyStrictSSL: false },
    { ...fromEnvironment, authorization: 'Bearer x', anyCertificate: true },
  ],
] as const) {
  test(`what an editor says of proxies: ${JSON.stringify(network)}`, () => {
    assert.deepEqual(followProxies(() => network, environment)(), expected);
  });
}

test('a change of the settings counts at the next request', () => {
  let network: Network = {};
  const proxies = followProxies(() => network, environment);
  assert.equal(proxies().https?.address, fromEnvironment.https.address);
  network = { proxy: fromEditor.address };
  assert.deepEqual(proxies().https, fromEditor);
});

test('what is to be sent to a proxy counts more than what its address holds', () => {
  const proxies = {
    https: proxySetting('http://me:word@proxy.example:3128'),
    authorization: 'Bearer x',
    anyCertificate: true,
  } as const;
  assert.deepEqual(decideProxy('https://service.example', proxies), {
    kind: 'proxy',
    origin: 'http://proxy.example:3128',
    authorization: 'Bearer x',
    anyCertificate: true,
  });
});

const through = { kind: 'proxy', origin: 'http://proxy.example:3128' } as const;
const direct = { kind: 'direct' } as const;

for (const [origin, except, expected] of [
  ['https://service.example', '', through],
  ['https://service.example', 'other.example', direct],
  ['https://service.example', 'example', direct],
  ['https://service.example', '.example', direct],
  ['https://service.example', '*.example', direct],
  ['https://service.example', 'SERVICE.EXAMPLE', direct],
  ['https://myservice.example', 'service.example', through],
  ['https://service.example', 'a, service.example:443', direct],
  ['https://service.example:8443', 'service.example:443', through],
  ['https://service.example', '*', direct],
  ['https://[fd00::1]:8443', '[fd00::1]', direct],
  ['https://[fd00::1]:8443', 'fd00::1', direct],
  ['https://10.1.2.3', 'x, 10.0.0.0/8', direct],
  ['https://10.1.2.3', '10.1.2.3/32', direct],
  ['https://10.1.2.3', '0.0.0.0/0', direct],
  ['https://11.1.2.3', '10.0.0.0/8', through],
  ['https://10.1.2.3', '10.0.0.0/33', through],
  ['https://10.1.2.3', '10.0.0.0/', through],
  ['https://10.1.2.3', '/8', through],
  ['https://10.1.2.3', '10/8', through],
  ['https://10.1.2.3', 'fd00::/8', through],
  ['https://[fd12::1]', 'FD00::/8', direct],
  ['https://[fd12::1]', '[fd00::]/8', direct],
  ['https://[fe12::1]', 'fd00::/8', through],
  ['https://[fe80::1]', 'fe80::1%eth0/10', through],
  ['https://[::ffff:10.1.2.3]', '10.0.0.0/8', direct],
  ['https://ten.example', '10.0.0.0/8', through],
  ['https://localhost:1', '', direct],
  ['https://127.8.0.1', '', direct],
  ['https://[::1]', '', direct],
  ['http://service.example', '', direct],
] as const) {
  const wanted = origin === 'https://service.example' && except === 'other.example' ? through : expected;
  test(`${origin} except ${except || 'nothing'}: ${wanted.kind}`, () => {
    assert.deepEqual(decideProxy(origin, { https: proxySetting('http://proxy.example:3128/'), except }), wanted);
  });
}

for (const [https, expected] of [
  ['proxy.example:3128', through],
  [
    'http://me:p%40ss@proxy.example:3128',
    { ...through, authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}` },
  ],
  [
    'http://me:100%@proxy.example:3128',
    { ...through, authorization: `Basic ${Buffer.from('me:100%').toString('base64')}` },
  ],
  ['socks5://proxy.example:1080', { kind: 'invalid', reason: 'unsupported proxy type in HTTPS_PROXY: socks5' }],
  ...['http://', 'http:/proxy.example:3128', 'http:proxy.example', ' ', 'proxy example', null].map(
    (it) => [it, { kind: 'invalid', reason: 'invalid proxy address in HTTPS_PROXY' }] as const,
  ),
] as const) {
  test(`a proxy written ${https}`, () => {
    assert.deepEqual(decideProxy('https://service.example', { https: proxySetting(https) }), expected);
  });
}

test('a proxy is given the whole address, and credentials', async () => {
  const server = await scriptedServer(json({ ok: true }));
  const proxy = await testProxy(Number(new URL(server.url).port), 'me:secret');
  let http = proxy.url.replace('://', '://me:secret@');
  const client = createHttp({ clock: fakeClock(), userAgent: 'test', proxies: () => ({ http: proxySetting(http) }) });
  const request = { method: 'GET', origin: 'http://service.example:8080', path: '/a%2Fb?c=d' } as const;
  const answer = await client.request(request);
  assert.equal(answer.kind === 'answer' && answer.text, '{"ok":true}');
  assert.deepEqual(proxy.asked, ['GET http://service.example:8080/a%2Fb?c=d']);
  assert.equal(server.arrived[0]?.headers.host, 'service.example:8080');
  http = proxy.url;
  assert.deepEqual(await client.request(request), {
    kind: 'failure',
    reason: 'the proxy requires credentials',
    isRetryable: false,
    isBlocked: true,
  });
  http = 'socks5://proxy.example';
  assert.deepEqual(await client.request(request), {
    kind: 'failure',
    reason: 'unsupported proxy type in HTTPS_PROXY: socks5',
    isRetryable: false,
  });
  await client.close();
  await proxy.close();
  await server.close();
});

test('credentials that a proxy does not take are sent once, however much is asked at a time', async () => {
  const server = await scriptedServer(json({ ok: true }));
  const proxy = await testProxy(Number(new URL(server.url).port), 'me:secret');
  let http = proxy.url.replace('://', '://me:old@');
  const client = createHttp({ clock: fakeClock(), userAgent: 'test', proxies: () => ({ http: proxySetting(http) }) });
  const request = { method: 'GET', origin: 'http://service.example:8080', path: '/' } as const;
  const wave = () => Promise.all(Array.from({ length: 20 }, () => client.request(request)));
  const refused = {
    kind: 'failure',
    reason: 'the proxy rejects the credentials',
    isRetryable: false,
    isBlocked: true,
  };
  assert.deepEqual(
    await wave(),
    Array.from({ length: 20 }, () => refused),
  );
  assert.equal(proxy.asked.length, 1);
  http = proxy.url.replace('://', '://me:secret@');
  assert.ok((await wave()).every((it) => it.kind === 'answer'));
  await client.close();
  await proxy.close();
  await server.close();
});

test('what becomes of the first request is its own affair once the proxy has let it through', async (t) => {
  const server = await scriptedServer(json({ ok: true }));
  const proxy = await testProxy(Number(new URL(server.url).port), 'me:secret');
  const http = proxy.url.replace('://', '://me:secret@');
  const client = createHttp({ clock: fakeClock(), userAgent: 'test', proxies: () => ({ http: proxySetting(http) }) });
  t.after(() => Promise.all([client.close(), proxy.close(), server.close()]));
  server.script(stallWithin('{"ok":'));
  const request = { method: 'GET', origin: 'http://service.example:8080', path: '/' } as const;
  const [first, ...others] = Array.from({ length: 20 }, () => client.request(request));
  for (const it of await Promise.all(others)) assert.equal(it.kind, 'answer');
  await client.close();
  assert.equal((await first)?.kind, 'aborted');
});

test('of a wave that finds no proxy one tries', async (t) => {
  let connections = 0;
  const dead = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
  const { port } = dead.address() as AddressInfo;
  const client = createHttp({
    clock: fakeClock(),
    userAgent: 'test',
    proxies: () => ({ https: proxySetting(`http://me:secret@127.0.0.1:${port}`) }),
  });
  t.after(async () => {
    await client.close();
    dead.close();
  });
  const request = { method: 'GET', origin: 'https://service.example', path: '/' } as const;
  const wave = await Promise.all(Array.from({ length: 20 }, () => client.request(request)));
  assert.ok(wave.every((it) => it.kind === 'failure' && it.isRetryable));
  assert.equal(connections, 1);
});

test('it is told where it is the proxy that cannot be reached', async () => {
  const freed = createServer().listen(0, '127.0.0.1');
  await once(freed, 'listening');
  const { port } = freed.address() as AddressInfo;
  freed.close();
  const proxy = proxySetting(`http://127.0.0.1:${port}`);
  const client = createHttp({ clock: fakeClock(), userAgent: 'test', proxies: () => ({ http: proxy, https: proxy }) });
  for (const origin of ['https://service.example', 'http://service.example']) {
    const reason = 'the proxy cannot be reached: connection refused';
    assert.deepEqual(await client.request({ method: 'GET', origin, path: '/' }), {
      kind: 'failure',
      reason,
      isRetryable: true,
    });
  }
  await client.close();
});
