import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentLink } from 'vscode-languageserver';
import { scriptedServer, stall } from '../harness/scripted-server.ts';
import { startService } from '../harness/service.ts';
import { strictClient } from './strict-client.ts';

const uri = 'file:///workspace/package.json';
const capabilities = { textDocument: { documentLink: {} } };
const text = '{ "dependencies": { "a": "1.0.0" } }';

test('names are links where a setting asks for it', async () => {
  const links = [{ label: 'SOURCE_REPO', url: 'https://a.example/' }];
  const service = await startService({ 'NPM a': { versions: ['1.0.0'], shared: { links } } });
  const client = await strictClient({ capabilities, settings: { baseUrl: service.url, documentLinks: true } });
  await client.open(uri, text);
  const [link] = await client.ask<DocumentLink[]>('textDocument/documentLink', uri);
  assert.equal(link?.target, 'https://a.example/');
  await client.stop();
  await service.close();
});

test('without such labels there are no links, and the answer does not wait for the service', async () => {
  const server = await scriptedServer(stall);
  const client = await strictClient({ capabilities, settings: { baseUrl: server.url } });
  await client.open(uri, text);
  assert.deepEqual(await client.ask<DocumentLink[]>('textDocument/documentLink', uri), []);
  await client.stop();
  await server.close();
});
