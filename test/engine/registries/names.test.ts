import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RegistryProtocol } from '../../../server/src/engine/model/registries/access.ts';
import { registryClients } from '../../../server/src/engine/registries/clients.ts';

/** Names that anybody may write into a manifest. */
const names = [
  ...['..', '.', '', '/', '../../admin', 'a/../../../admin', '%2e%2e/%2e%2e/admin', 'a/%2E%2e/%2e./x', '.%2e/x'],
  ...['..\\..\\admin', 'a\\..\\..\\x', '//else.example/x', 'https://else.example/x', '@else.example/x', '\t../x'],
  ...['@../x', '@a/..', '@a/%2e%2e', 'a:..', '..:a', 'a..b:c', 'x?y=z', 'x#y', 'a.b:..%2f', 'example.com/../../../x'],
];
const versions = ['../../x', '..', '%2e%2e/x', 'v0.0.0-20200101000000-abcdefabcdef/../../../x', '1.0.0\\..\\..\\x'];

test('no name and no version of a manifest leads out of the address of a registry', async () => {
  for (const [protocol, client] of Object.entries(registryClients)) {
    const asked: string[] = [];
    const address = protocol === 'nuget' ? 'https://host.example/team/index.json' : 'https://host.example/team';
    const registry = { protocol: protocol as RegistryProtocol, address, from: '', namedBy: 'machine' } as const;
    const send = async ({ url }: { readonly url: string }) => {
      asked.push(url);
      const resources = [{ '@type': 'RegistrationsBaseUrl', '@id': '/team/r/' }];
      const text = url.endsWith('index.json') ? JSON.stringify({ resources }) : '';
      return { kind: 'reply', status: 200, headers: {}, text, url } as const;
    };
    for (const name of names) await client.list({ registry, name, send });
    for (const version of versions) await client.version?.({ registry, name: 'example.com/a:b', send }, version);
    for (const url of asked) assert.match(new URL(url).href, /^https:\/\/host\.example\/team\//, `${protocol}: ${url}`);
  }
});

test('a list of a million broken lines is given up', async () => {
  const text = `${'{\n'.repeat(1_000_000)}{"name":"a","vers":"1.0.0"}`;
  const registry = { protocol: 'sparse-index', address: 'https://host.example', from: '', namedBy: 'machine' } as const;
  const send = async ({ url }: { readonly url: string }) =>
    ({ kind: 'reply', status: 200, headers: {}, text, url }) as const;
  const client = registryClients['sparse-index'];
  assert.equal((await client?.list({ registry, name: 'a', send }))?.kind, 'failed');
});
