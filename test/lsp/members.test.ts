import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Http } from '../../server/src/net/http.ts';
import { createLookout } from '../harness/lookout.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

const root = 'file:///w/';

/** A workspace in which somebody types, and every word that the service was sent. */
async function setUp(isWatching: boolean) {
  const texts: Record<string, string> = {
    'package.json': JSON.stringify({ workspaces: ['packages/*'], dependencies: { '@acme/lib': '1.0.0' } }),
    'packages/app/package.json': '{ "name": "@acme/app" }',
    'packages/lib/package.json': '{ "name": "@acme/lib" }',
  };
  let said = '';
  const lookout = createLookout();
  const http: Http = {
    async request({ path, body = '' }) {
      said += `${decodeURIComponent(path)} ${body}\n`;
      lookout.happened();
      return { kind: 'answer', status: 404, headers: {}, text: 'package not found' };
    },
    close: async () => {},
  };
  const client: StrictClient = await strictClient({
    http,
    capabilities: isWatching ? { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } } : {},
    answer: () => null,
    settings: { baseUrl: 'http://service.example' },
    initialize: { workspaceFolders: [{ uri: root, name: 'w' }] },
    files: {
      read: async (uri) => texts[uri.slice(root.length)],
      find: async (directory, matches) =>
        Object.keys(texts)
          .map((it) => root + it)
          .filter((it) => it.startsWith(directory) && matches.test(it)),
    },
  });
  let version = 1;
  return {
    client,
    said: () => said,
    open: (path: string) => client.open(root + path, texts[path] ?? ''),
    /** Types a text, with a package in it that is published, and waits until that one is asked about. */
    async type(path: string, before: string, after: string): Promise<void> {
      const sentinel = `published-${++version}`;
      await client.change(root + path, version, `${before}"${sentinel}": "1.0.0"${after}`);
      await lookout.until(() => said.includes(sentinel) || undefined, 10_000);
    },
    async save(path: string, text: string): Promise<void> {
      texts[path] = text;
      await client.change(root + path, ++version, text);
      await client.connection.sendNotification('textDocument/didSave', { textDocument: { uri: root + path } });
    },
  };
}

/** The root as somebody gets at what makes it one. Each but the first says less of its members than the saved file. */
const typed: readonly (readonly [string, string])[] = [
  ['{ "workspaces": ["packages/*"], "dependencies": { "@acme/lib": "1.0.0", ', ' } }'],
  ['{ "workspaces": ["packages/*"], "dependencies": { "@acme/lib": "1.0.0", "@acme/app": "1.0.0", ', ''],
  ['{ "workspaces": [], "dependencies": { "@acme/lib": "1.0.0", ', ' } }'],
  ['{ "workspace": ["packages/*"], "dependencies": { "@acme/lib": "1.0.0", ', ' } }'],
  ['{ "dependencies": { "@acme/lib": "1.0.0", "@acme/app": "1.0.0", ', ' } }'],
];

test('whoever types in the root of a workspace tells nobody the names of its members', async () => {
  const { client, open, type, said } = await setUp(true);
  await open('package.json');
  await open('packages/app/package.json');
  for (const [before, after] of typed) await type('package.json', before, after);
  await type('packages/app/package.json', '{ "name": "@acme/app", "dependencies": { "@acme/lib": "1.0.0", ', ' } }');
  await client.stop();
  assert.doesNotMatch(said(), /@acme/);
});

for (const isWatching of [true, false]) {
  const title = isWatching ? 'an editor that watches files' : 'one that watches none';
  test(`a member that is made or renamed counts as soon as it is saved, in ${title}`, async () => {
    const { client, open, type, save, said } = await setUp(isWatching);
    const asking = (...names: readonly string[]) =>
      `{ "name": "@acme/app", "dependencies": { ${names.map((it) => `"@acme/${it}": "1.0.0", `).join('')}`;
    await open('packages/app/package.json');
    await type('packages/app/package.json', asking('lib'), ' } }');
    await open('packages/lib/package.json');
    // Nobody asks for the old name any more.
    await type('packages/app/package.json', asking(), ' } }');
    await save('packages/lib/package.json', '{ "name": "@acme/renamed" }');
    await type('packages/app/package.json', asking('renamed'), ' } }');
    await open('packages/new/package.json');
    await save('packages/new/package.json', '{ "name": "@acme/new" }');
    await type('packages/app/package.json', asking('renamed', 'new'), ' } }');
    await client.stop();
    assert.doesNotMatch(said(), /@acme/);
  });
}
