import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNetwork } from '../../server/src/lsp/network.ts';
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
      if (it?.failed === 'the proxy asks for credentials') resolve();
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

test('what an editor says of the network is read with care', () => {
  assert.deepEqual(readNetwork(null), {});
  assert.deepEqual(readNetwork({ proxy: 7, noProxy: 'x', proxyAuthorization: null, proxyStrictSSL: 'no' }), {});
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
