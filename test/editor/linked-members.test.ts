import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Http } from '../../server/src/engine/http/types.ts';
import { createLookout } from '../harness/lookout.ts';
import { folderWith } from '../terminal/program.ts';
import { strictClient } from './strict-client.ts';

test('the name of a member that a workspace finds through a link is not sent', {
  skip: process.platform === 'win32',
}, async (t) => {
  const text = JSON.stringify({
    workspaces: ['packages/*'],
    dependencies: { '@acme/linked': '1.0.0', published: '1.0.0' },
  });
  const folder = folderWith({ 'package.json': text, 'apart/real/package.json': '{ "name": "@acme/linked" }' });
  t.after(() => folder.remove());
  mkdirSync(join(folder.path, 'packages'));
  symlinkSync(join(folder.path, 'apart', 'real'), join(folder.path, 'packages', 'linked'));
  let said = '';
  const lookout = createLookout();
  const http: Http = {
    async request({ body = '' }) {
      said += body;
      lookout.happened();
      return { kind: 'answer', status: 404, headers: {}, text: 'package not found' };
    },
    close: async () => {},
  };
  const client = await strictClient({
    http,
    settings: { baseUrl: 'http://service.example' },
    initialize: { workspaceFolders: [{ uri: pathToFileURL(folder.path).href, name: 'w' }] },
  });
  t.after(() => client.stop());
  await client.open(pathToFileURL(join(folder.path, 'package.json')).href, text);
  await lookout.until(() => said.includes('published') || undefined, 60_000);
  assert.doesNotMatch(said, /acme/);
});
