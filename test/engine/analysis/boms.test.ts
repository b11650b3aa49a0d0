import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workspaceBoms } from '../../../server/src/engine/analysis/link/workspace-boms.ts';
import { pom } from '../../../server/src/engine/ecosystems/maven/pom.ts';
import type { ParsedManifest } from '../../../server/src/engine/model/manifest-chain.ts';

/** A project of the group `g` in the version 1, with its modules and the BOMs of that version which it imports. */
function project(id: string, modules: readonly string[], boms: readonly string[]): string {
  const entry = (it: string) => `<dependency>${coordinates(it)}<type>pom</type><scope>import</scope></dependency>`;
  return `<project>${coordinates(`g:${id}`)}<modules>${modules.map((it) => `<module>${it}</module>`).join('')}</modules>
<dependencyManagement><dependencies>${boms.map(entry).join('')}</dependencies></dependencyManagement></project>`;
}

function coordinates(name: string): string {
  const [group, artifact] = name.split(':');
  return `<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>1</version>`;
}

/** The BOMs that are found for `/w/pom.xml` among some files, and how many files were read for it. */
async function search(files: Readonly<Record<string, string>>) {
  let read = 0;
  const parsed = (uri: string): ParsedManifest | undefined => {
    const text = files[uri.replace('file:///w/', '')];
    return text === undefined ? undefined : { uri, format: pom, manifest: pom.parse(text) };
  };
  const document = parsed('file:///w/pom.xml');
  assert.ok(document);
  const boms = await workspaceBoms(
    { files: [document] },
    {
      readManifest: async (uri) => {
        read++;
        return parsed(uri);
      },
      readChain: async (it) => [it],
    },
  );
  return { boms: boms.map(([it]) => it?.manifest.identity), read };
}

test('no file is read where no BOM of the same group is imported', async () => {
  const files = { 'pom.xml': project('app', ['a'], ['org.other:bom']), 'a/pom.xml': project('bom', [], []) };
  assert.deepEqual(await search(files), { boms: [], read: 0 });
});

test('the search ends when all BOMs are found, those that BOMs import included', async () => {
  const files = {
    'pom.xml': project('app', ['a', 'b', 'c.xml', 'd'], ['g:a']),
    'a/pom.xml': project('a', [], ['g:c', 'g:app']),
    'b/pom.xml': project('b', [], []),
    'c.xml': project('c', [], ['g:a', 'g:c']),
    'd/pom.xml': project('d', [], []),
  };
  assert.deepEqual(await search(files), { boms: ['g:a', 'g:c'], read: 3 });
});

test('modules that go round in a circle are read once, and no more of them than is bearable', async () => {
  const circle = { 'pom.xml': project('app', ['a', '.'], ['g:x']), 'a/pom.xml': project('a', ['..', '../a'], []) };
  assert.deepEqual(await search(circle), { boms: [], read: 1 });
  const many = Array.from({ length: 5000 }, (_, at) => `m${at}`);
  const { read } = await search({ 'pom.xml': project('app', many, ['g:x']) });
  assert.ok(read <= 200, String(read));
});

test("a BOM that a parent imports from the project's own group is of the child's", async () => {
  const own = '<groupId>h</groupId><artifactId>app</artifactId><version>1</version>';
  const files = {
    'pom.xml': project('app', ['bom'], []).replace(
      coordinates('g:app'),
      `<parent>${coordinates('g:parent')}</parent>${own}`,
    ),
    'bom/pom.xml': project('bom', [], []).replace('<groupId>g', '<groupId>h'),
  };
  const parent = project('parent', [], ['g:bom']).replace(
    '<groupId>g</groupId><artifactId>bom',
    '<groupId>${project.groupId}</groupId><artifactId>bom',
  );
  const [document, above] = [files['pom.xml'], parent].map(
    (text, at): ParsedManifest => ({
      uri: at === 0 ? 'file:///w/pom.xml' : 'file:///w/parent/pom.xml',
      format: pom,
      manifest: pom.parse(text),
    }),
  );
  assert.ok(document && above);
  const boms = await workspaceBoms(
    { files: [document, above] },
    {
      readManifest: async (uri) =>
        uri.endsWith('/bom/pom.xml') ? { uri, format: pom, manifest: pom.parse(files['bom/pom.xml']) } : undefined,
      readChain: async (it) => [it],
    },
  );
  assert.deepEqual(
    boms.map(([it]) => it?.manifest.identity),
    ['h:bom'],
  );
});
