import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clientFiles,
  type ListFoldersParams,
  type ReadFilesParams,
} from '../../server/src/editor/sync/client-files.ts';
import { createRecentFiles } from '../../server/src/editor/sync/watched-files.ts';
import { fakeClock } from '../harness/fake-clock.ts';
import { farFiles } from '../harness/far-files.ts';

/* The files of an editor's own file systems, which may be slow, fail, or return anything. */

const roots = ['vscode-vfs://github/acme/app/'];
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function filesOver(answer: (method: string, params: never) => unknown) {
  const clock = fakeClock();
  const sent: { readonly method: string; readonly params: unknown }[] = [];
  const connection = {
    sendRequest: async (method: string, params: unknown) => {
      sent.push({ method, params });
      return answer(method, params as never);
    },
    console: { warn: () => {} },
  };
  const files = clientFiles({ connection: connection as never, clock, roots: () => roots });
  return { files, clock, sent };
}

test('the reads of one turn are one request, and each file has its own answer', async () => {
  const { files, sent } = filesOver((_, { uris }: ReadFilesParams) =>
    uris.map((it) => (it.endsWith('a.json') ? bytes('{}') : it.endsWith('b.json') ? null : { why: 'denied' })),
  );
  const at = (name: string): string => `${roots[0]}${name}`;
  const found = await Promise.all(['a.json', 'b.json', '.npmrc'].map((it) => files.tryRead?.(at(it))));
  assert.deepEqual(found, ['{}', undefined, { why: 'denied' }]);
  assert.equal(sent.length, 1);
});

test('no content outside of the folders is requested, however its address is written', async () => {
  const { files, sent } = filesOver((_, { uris, most }: ReadFilesParams) => {
    assert.equal(most, 0);
    return uris.map((it) => (it.includes('missing') ? null : { why: 'too large' }));
  });
  const outside = [
    'vscode-vfs://github/acme/secret/package.json',
    'vscode-vfs://github/acme/app/../secret/package.json',
    'vscode-vfs://github/acme/app/%2e%2e/secret/package.json',
    'vscode-vfs://gitlab/acme/app/package.json',
    'file:///etc/passwd',
  ];
  for (const it of outside) assert.deepEqual(await files.tryRead?.(it), { why: 'outside' }, it);
  assert.equal(await files.tryRead?.('vscode-vfs://github/missing/app/.npmrc'), undefined);
  sent.length = 0;
  // No search upward leaves the folders: nothing is there, as on a disk.
  assert.equal(await files.tryRead?.('vscode-vfs://github/acme/.npmrc'), undefined);
  assert.deepEqual(await files.find('vscode-vfs://github/acme/secret/', /./, 10), []);
  assert.deepEqual(sent, []);
});

test('a file system that throws, is silent or answers nonsense has unreadable files, never missing ones', async () => {
  const uri = `${roots[0]}.npmrc`;
  const failing = filesOver(() => {
    throw new Error('offline');
  });
  assert.deepEqual(await failing.files.tryRead?.(uri), { why: 'failed' });
  for (const nonsense of [undefined, 7, [], ['é'], [{ why: 'browser' }], [{}]]) {
    const { files } = filesOver(() => nonsense);
    const found = await files.tryRead?.(uri);
    assert.deepEqual(found, { why: 'failed' }, JSON.stringify(nonsense));
  }
  const silent = filesOver(() => new Promise(() => {}));
  const reading = silent.files.tryRead?.(uri);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await silent.clock.advance(60_000);
  assert.deepEqual(await reading, { why: 'failed' });
});

test('around one manifest each folder is listed once, and no name is asked for that is not there', async () => {
  const far = farFiles({ 'a/b/package.json': '{}', 'a/.npmrc': 'x=1' }, 'memfs:/', fakeClock());
  const recent = createRecentFiles(far.files, fakeClock());
  const look = async (): Promise<unknown> => {
    const names = ['package-lock.json', '.npmrc', '.yarnrc.yml', '.cargo/config.toml', 'gradle/libs.versions.toml'];
    const uris = ['memfs:/a/b/', 'memfs:/a/', 'memfs:/'].flatMap((it) => names.map((name) => it + name));
    const found = await Promise.all(uris.map((it) => recent.tryRead?.(it)));
    return found.filter((it) => it !== undefined);
  };
  assert.deepEqual(await look(), ['x=1']);
  const sent = ['list memfs:/', 'list memfs:/a/', 'list memfs:/a/b/', 'stat memfs:/a/.npmrc', 'read memfs:/a/.npmrc'];
  assert.deepEqual(far.calls.toSorted(), sent.toSorted());
  await look();
  assert.equal(far.calls.length, sent.length);
  // What is reported as changed is looked for again.
  recent.forget();
  await look();
  assert.equal(far.calls.length, 2 * sent.length);
});

test('a name counts however its file system spells it, and a folder that cannot be listed hides nothing', async () => {
  const { files } = farFiles({ 'NuGet.Config': '<x/>', 'caf\u00e9.json': '{}' }, 'memfs:/', fakeClock());
  const listed = files.listed?.();
  assert.equal(await listed?.tryRead?.('memfs:/NuGet.Config'), '<x/>');
  // Asked for, since some file systems would find it.
  assert.equal(await listed?.tryRead?.('memfs:/nuget.config'), undefined);
  assert.equal(await listed?.tryRead?.('memfs:/caf%C3%A9.json'), '{}');
  for (const nonsense of [
    undefined,
    7,
    {},
    { files: ['a/b'] },
    { files: [1], folders: [], others: [] },
    { why: 'denied' },
  ]) {
    const { files } = filesOver((method, { uris }: ReadFilesParams) =>
      uris.map(() => (method === 'packageInsights/listFolders' ? nonsense : bytes('x=1'))),
    );
    assert.equal(await files.listed?.().tryRead?.(`${roots[0]}.npmrc`), 'x=1', JSON.stringify(nonsense));
  }
});

test('a file of 50 MB is too large, and a search takes no more than it asked for', async () => {
  const large = filesOver(() => [new Uint8Array(50 * 1024 * 1024)]);
  assert.deepEqual(await large.files.tryRead?.(`${roots[0]}yarn.lock`), { why: 'too large' });
  const names = Array.from({ length: 50 }, (_, it) => `${roots[0]}p${it}/package.json`);
  const folders = names.map((_, it) => `p${it}`);
  const searched = filesOver((method, { uris }: ListFoldersParams) => {
    assert.equal(method, 'packageInsights/listFolders');
    return uris.map((it) =>
      it === roots[0]
        ? { files: ['other.txt'], folders: [...folders, 'node_modules', '.git'], others: ['link'] }
        : { files: ['package.json', 'x.txt'], folders: [], others: [] },
    );
  });
  assert.deepEqual(await searched.files.find(roots[0] ?? '', /package\.json$/, 20), names.slice(0, 20));
  assert.deepEqual(await searched.files.find(roots[0] ?? '', /package\.json$/, 100), names);
});
