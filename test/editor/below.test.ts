import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Diagnostic } from 'vscode-languageserver';
import { fileUri } from '../../server/src/engine/base/uri.ts';
import { askedNames } from '../harness/asked-names.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from '../terminal/program.ts';
import { runHere } from '../terminal/terminal.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

/* What dependencies bring along: which names leave, when, and what a client gets to see. */

const service = await startServiceForFile({
  'NPM express': { versions: ['4.17.0'] },
  'NPM qs': { versions: ['6.11.0', '6.13.0'] },
  'NPM ms': { versions: ['2.0.0'] },
  'advisory GHSA-hrpp-h998-j3pp': {
    title: 'qs is slow',
    cvss3Score: 7.5,
    affected: [{ system: 'NPM', name: 'qs', ranges: [{ introduced: '6.0.0', fixed: '6.12.0' }] }],
  },
});
after(() => service.close());

const requires = (...names: readonly string[]) => Object.fromEntries(names.map((it) => [it, '*']));

/** express brings qs and ms, and much that must not be named to anyone. */
const files = {
  'package.json': JSON.stringify({
    workspaces: ['packages/*'],
    dependencies: { express: '^4.17.0', 'secret-direct': 'file:../direct' },
  }),
  'packages/member/package.json': '{ "name": "secret-member", "version": "1.0.0" }',
  '.npmrc': '@secret:registry=https://npm.acme.example/',
  '.package-insights.json': '{ "private": ["npm/secret-declared*"] }',
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: requires('express', 'secret-direct') },
      'node_modules/express': {
        version: '4.17.0',
        dependencies: requires(
          'qs',
          'secret-declared',
          'secret-direct',
          'secret-git',
          'secret-member',
          'secret-registry',
          '@secret/scoped',
        ),
      },
      'node_modules/qs': { version: '6.11.0', dependencies: requires('ms') },
      'node_modules/ms': { version: '2.0.0' },
      'node_modules/secret-declared': { version: '1.0.0' },
      'node_modules/secret-direct': { version: '1.0.0' },
      'node_modules/secret-git': { version: '1.0.0', resolved: 'git+ssh://git@git.acme.example/secret.git#abc' },
      'node_modules/secret-member': { version: '1.0.0' },
      'node_modules/secret-registry': {
        version: '1.0.0',
        resolved: 'https://npm.acme.example/secret-registry-1.0.0.tgz',
      },
      'node_modules/@secret/scoped': { version: '1.0.0' },
    },
  }),
};

async function openedIn(path: string, settings: object = {}): Promise<{ client: StrictClient; uri: string }> {
  const client = await strictClient({
    capabilities: { textDocument: { hover: { contentFormat: ['plaintext'] } } },
    initialize: { workspaceFolders: [{ uri: fileUri(path), name: 'all' }] },
    settings: { baseUrl: service.url, ...settings },
    answer: () => null,
  });
  const uri = fileUri(`${path}/package.json`);
  await client.open(uri, files['package.json']);
  return { client, uri };
}

const isBelow = ({ code }: Diagnostic): boolean => code === 'advisory-below';

test('a client is told what is affected below; private names stay here, and are counted', async () => {
  const folder = folderWith(files);
  const from = service.requests.length;
  const { client, uri } = await openedIn(folder.path);
  const isRated = (it: Diagnostic): boolean =>
    isBelow(it) && String(it.message).includes('Brings qs 6.11.0 with known vulnerabilities, worst high 7.5.');
  await client.pushed(uri, (all) => all.some(isRated));
  const position = { line: 0, character: files['package.json'].indexOf('express') + 2 };
  const hover = await client.ask<{ contents: { value: string } }>('textDocument/hover', uri, { position });
  assert.match(hover.contents.value, /Brings 8 packages, 1 with known vulnerabilities/);
  assert.match(hover.contents.value, /qs 6\.11\.0 high 7\.5 GHSA-hrpp-h998-j3pp.*: express → qs 6\.11\.0/);
  assert.match(hover.contents.value, /6 of 8 not checked: 6 private or from no registry/);
  await client.stop();
  folder.remove();
  const asked = askedNames(service.requests.slice(from));
  assert.deepEqual(
    asked.filter((it) => it.includes('secret')),
    [],
  );
  assert.ok(asked.includes('ms'));
});

test('a check looks up what is below, and names nothing private', async () => {
  const folder = folderWith(files);
  const from = service.requests.length;
  const { out } = await runHere(['check', 'package.json', '--base-url', service.url], folder.path);
  folder.remove();
  assert.match(out, /express/);
  const asked = askedNames(service.requests.slice(from));
  assert.deepEqual(
    asked.filter((it) => it.includes('secret')),
    [],
  );
  assert.ok(asked.includes('qs'));
});

test('where it is switched off, nothing below is requested', async () => {
  const folder = folderWith(files);
  const from = service.requests.length;
  const { client, uri } = await openedIn(folder.path, { lookUpBelow: false });
  const position = { line: 0, character: files['package.json'].indexOf('express') + 2 };
  const hover = await client.ask<{ contents: { value: string } }>('textDocument/hover', uri, { position });
  assert.match(hover.contents.value, /Brings 8 packages/);
  // What is below is looked up after a pause, so this one is opened and answered later.
  const other = await openedIn(folder.path);
  await other.client.pushed(other.uri, (all) => all.some(isBelow));
  await other.client.stop();
  await client.stop();
  folder.remove();
  const asked = service.requests.slice(from).filter(({ body }) => body.includes('"ms"'));
  assert.equal(asked.length, 1);
});
