import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNetwork } from '../../server/src/editor/sync/read-network.ts';
import { startLsp } from '../harness/lsp-client.ts';
import { testProxy } from '../harness/proxy.ts';
import { startService } from '../harness/service.ts';
import { catalog, manifest } from './scratch.ts';

const uri = 'file:///workspace/package.json';

test('the proxy of the editor is gone through, and a change of it counts at once', async (t) => {
  const service = await startService(catalog);
  const port = Number(new URL(service.url).port);
  const [closed, proxy] = [await testProxy(port, 'nobody:knows'), await testProxy(port, 'me:secret')];
  const client = await startLsp({
    settings: { baseUrl: 'http://service.example', network: { proxy: closed.url } },
    capabilities: { experimental: { packageInsightsStatus: true } },
  });
  t.after(() => Promise.all([service.close(), closed.close(), proxy.close()]));
  const turnedDown = new Promise<void>((resolve) => {
    client.connection.onNotification('packageInsights/status', ({ documents: [it] }) => {
      if (it?.failed === 'the proxy requires credentials') resolve();
    });
  });
  await client.open(uri, manifest);
  await turnedDown;
  assert.ok(closed.asked.includes('POST http://service.example/v3alpha/versionbatch'));
  await client.connection.sendNotification('packageInsights/network', {
    proxy: proxy.url,
    proxyAuthorization: `Basic ${Buffer.from('me:secret').toString('base64')}`,
  });
  await client.pushedUntil(uri, (all) => all.length === 2);
  assert.ok(proxy.asked.includes('POST http://service.example/v3alpha/versionbatch'));
  assert.equal(await client.stop(), 0);
});

test('nothing goes past a proxy whose address cannot be understood', async (t) => {
  const service = await startService(catalog);
  t.after(() => service.close());
  const client = await startLsp({
    // This machine itself is asked directly, so the name must be another one: nobody has it.
    settings: { baseUrl: 'http://service.example', network: { proxy: 8080 } },
    capabilities: { experimental: { packageInsightsStatus: true } },
    // Where it would go, if it went past the first.
    env: { ...process.env, HTTP_PROXY: service.url },
  });
  const failures: unknown[] = [];
  const told = (reason: string): Promise<void> =>
    new Promise((resolve) => {
      client.connection.onNotification('packageInsights/status', ({ documents: [it] }) => {
        failures.push(it?.failed);
        if (it?.failed === reason) resolve();
      });
    });
  const invalid = told('invalid proxy address in http.proxy');
  await client.open(uri, manifest);
  await invalid;
  for (const proxy of ['http:/proxy.example', 'http://', 'proxy example'])
    await client.connection.sendNotification('packageInsights/network', { proxy });
  const socks = told('unsupported proxy type in http.proxy: socks5');
  await client.connection.sendNotification('packageInsights/network', { proxy: 'socks5://proxy.example' });
  await socks;
  assert.deepEqual(service.requests, []);
  assert.equal(await client.stop(), 0);
});

test('what an editor says of the network is read with care', () => {
  for (const absent of [undefined, null, {}]) assert.deepEqual(readNetwork(absent), {});
  // It may name a proxy that must not be bypassed.
  for (const unclear of ['http://proxy.example:3128', 7, true, ['http://proxy.example']])
    assert.deepEqual(readNetwork(unclear), { proxy: null });
  assert.deepEqual(readNetwork({ proxy: '', noProxy: 'x', proxyAuthorization: null, proxyStrictSSL: 'no' }), {});
  for (const proxy of [7, null, {}, ['http://proxy.example']])
    assert.deepEqual(readNetwork({ proxy }), { proxy: null });
  assert.deepEqual(readNetwork({ noProxy: ['a', 7, ''], proxyAuthorization: 'a\r\nx: y' }), { noProxy: ['a'] });
  const all = {
    proxy: 'http://proxy.example:3128',
    noProxy: ['inside.example'],
    proxyAuthorization: 'Bearer x',
    proxyStrictSSL: false,
    systemCertificates: true,
    proxySupport: 'override',
  };
  assert.deepEqual(readNetwork({ ...all, other: 1 }), all);
});
