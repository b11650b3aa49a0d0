import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileUri } from '../../server/src/engine/base/uri.ts';
import type { DirectoryListing } from '../../server/src/engine/model/ports.ts';
import { diskFiles, unreadableBy } from '../../server/src/platform/files.ts';

const scratch = mkdtempSync(join(tmpdir(), 'disk-'));
after(() => rmSync(scratch, { recursive: true }));
const folder = join(scratch, 'project');
mkdirSync(join(folder, 'sub'), { recursive: true });
mkdirSync(join(scratch, 'project-beside'));
writeFileSync(join(folder, 'inside.txt'), 'inside');
writeFileSync(join(scratch, 'outside.txt'), 'outside');
writeFileSync(join(scratch, 'project-beside', 'outside.txt'), 'outside');

const files = diskFiles(() => [fileUri(folder)]);
const read = (path: string): Promise<string | undefined> => files.read(fileUri(join(folder, path)));

test('what lies below a folder is read, by whatever way within it', async () => {
  assert.equal(await read('inside.txt'), 'inside');
  assert.equal(await read('sub/../inside.txt'), 'inside');
});

test('what lies outside is not there', async () => {
  assert.equal(await read('../outside.txt'), undefined);
  assert.equal(await read('../project-beside/outside.txt'), undefined);
  assert.equal(await files.read(`${fileUri(folder)}/..%2Foutside.txt`), undefined);
  assert.equal(await files.read(`file://host${folder}/inside.txt`), undefined);
  assert.equal(await files.read('https://registry.example/inside.txt'), undefined);
  assert.equal(await files.read(`${fileUri(folder)}/inside.txt%00`), undefined);
});

test('a symbolic link is followed only to what lies inside', { skip: process.platform === 'win32' }, async () => {
  symlinkSync(join(folder, 'inside.txt'), join(folder, 'to-inside.txt'));
  symlinkSync(join(scratch, 'outside.txt'), join(folder, 'to-outside.txt'));
  symlinkSync(scratch, join(folder, 'up'));
  symlinkSync(join(folder, 'circle'), join(folder, 'circle'));
  assert.equal(await read('to-inside.txt'), 'inside');
  assert.equal(await read('to-outside.txt'), undefined);
  assert.equal(await read('up/outside.txt'), undefined);
  assert.equal(await read('circle'), undefined);
});

test('what cannot be read is told from what is not there', { skip: process.platform === 'win32' }, async () => {
  const look = (path: string) => files.tryRead?.(fileUri(join(folder, path)));
  symlinkSync(join(scratch, 'outside.txt'), join(folder, 'leading-out.txt'));
  symlinkSync(join(scratch, 'nowhere.txt'), join(folder, 'leading-nowhere.txt'));
  symlinkSync(join(folder, 'round'), join(folder, 'round'));
  assert.equal(await look('inside.txt'), 'inside');
  assert.deepEqual(await look('leading-out.txt'), { why: 'outside' });
  assert.deepEqual(await look('leading-nowhere.txt'), { why: 'dangling' });
  assert.deepEqual(await look('leading-nowhere.txt/more.txt'), { why: 'dangling' });
  assert.deepEqual(await look('sub'), { why: 'no file' });
  assert.deepEqual(await look('round'), { why: 'failed', code: 'ELOOP' });
  for (const it of ['nothing.txt', 'inside.txt/more.txt', '../outside.txt', 'x'.repeat(300)]) {
    assert.equal(await look(it), undefined, it);
  }
});

test('whatever the system says went wrong, only some of it means that nothing is there', () => {
  const failed = (code: string) => unreadableBy(Object.assign(new Error(code), { code }));
  assert.equal(failed('ENOENT'), undefined);
  for (const code of ['EACCES', 'EPERM']) assert.deepEqual(failed(code), { why: 'denied' });
  for (const code of ['EMFILE', 'ENFILE', 'EIO', 'EBUSY']) assert.deepEqual(failed(code), { why: 'failed', code });
  assert.deepEqual(unreadableBy('anything'), { why: 'failed', code: 'unknown' });
});

test('what stands above a folder is not there, wherever it leads', { skip: process.platform === 'win32' }, async () => {
  symlinkSync(join(folder, 'inside.txt'), join(scratch, 'down.txt'));
  symlinkSync(join(folder, 'inside.txt'), join(scratch, 'project-beside', 'back.txt'));
  assert.equal(await read('../down.txt'), undefined);
  assert.equal(await files.stamp?.(fileUri(join(scratch, 'down.txt'))), undefined);
  assert.equal(await read('../project-beside/back.txt'), 'inside');
});

test('a folder may become a link to another place', { skip: process.platform === 'win32' }, async () => {
  const link = join(scratch, 'link');
  const through = diskFiles(() => [fileUri(link)]);
  symlinkSync(folder, link);
  assert.equal(await through.read(fileUri(join(link, 'inside.txt'))), 'inside');
  rmSync(link);
  symlinkSync(join(scratch, 'project-beside'), link);
  assert.equal(await through.read(fileUri(join(link, 'outside.txt'))), 'outside');
});

test('a file that does not tell its length is read whole', { skip: process.platform !== 'linux' }, async () => {
  const system = diskFiles(() => ['file:///proc/self']);
  assert.match((await system.read('file:///proc/self/status')) ?? '', /^VmRSS/m);
});

test('only plain files are read, and a pipe does not block', { skip: process.platform === 'win32' }, async () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  symlinkSync('/dev/zero', join(folder, 'zero'));
  assert.equal(await read('pipe'), undefined);
  assert.equal(await read('zero'), undefined);
  assert.equal(await read('sub'), undefined);
});

test('a file that is too large is not read', async () => {
  writeFileSync(join(folder, 'large.txt'), '');
  truncateSync(join(folder, 'large.txt'), 32 * 1024 * 1024 + 1);
  assert.equal(await read('large.txt'), undefined);
});

test('a search finds neither what lies outside nor what a link leads to', async () => {
  const found = await files.find(fileUri(folder), /side\.txt$/, 10);
  assert.deepEqual(found, [fileUri(join(folder, 'inside.txt'))]);
  assert.deepEqual(await files.find(fileUri(scratch), /side\.txt$/, 10), []);
});

test('a search of a certain depth goes no further, and passes over no folder but what npm installs', async () => {
  for (const it of ['deep/build/x', 'deep/node_modules/x', 'deep/.hidden']) {
    mkdirSync(join(folder, it), { recursive: true });
    writeFileSync(join(folder, it, 'package.json'), '');
    writeFileSync(join(folder, it, '..', 'package.json'), '');
  }
  const find = async (depth?: number): Promise<string[]> =>
    (await files.find(fileUri(join(folder, 'deep')), /\/package\.json$/, 10, depth))
      .map((it) => it.slice(fileUri(folder).length))
      .sort();
  assert.deepEqual(await find(0), ['/deep/package.json']);
  assert.deepEqual(await find(1), ['/deep/.hidden/package.json', '/deep/build/package.json', '/deep/package.json']);
  assert.deepEqual(await find(), ['/deep/package.json']);
});

test('a search of a certain depth goes along links that lead nowhere outside', async () => {
  for (const it of ['apart/real', 'linking']) mkdirSync(join(folder, it), { recursive: true });
  writeFileSync(join(folder, 'apart', 'real', 'package.json'), '');
  for (const [name, to] of [
    ['inside', join(folder, 'apart', 'real')],
    ['outside', scratch],
    ['round', join(folder, 'linking')],
    ['nowhere', join(folder, 'nothing')],
    ['file', join(folder, 'inside.txt')],
  ] as const)
    symlinkSync(to, join(folder, 'linking', name));
  const find = async (depth?: number): Promise<string[]> =>
    (await files.find(fileUri(join(folder, 'linking')), /\/package\.json$/, 10, depth))
      .map((it) => it.slice(fileUri(folder).length))
      .sort();
  assert.deepEqual(await find(1), ['/linking/inside/package.json']);
  assert.deepEqual(await find(2), ['/linking/inside/package.json', '/linking/round/inside/package.json']);
  assert.deepEqual(await find(), []);
});

test('a stamp is another one once a file was written, and none is of what is not there', async () => {
  const uri = fileUri(join(folder, 'stamped.txt'));
  assert.equal(await files.stamp?.(uri), undefined);
  assert.equal(await files.stamp?.('https://registry.example/inside.txt'), undefined);
  writeFileSync(join(folder, 'stamped.txt'), 'one');
  utimesSync(join(folder, 'stamped.txt'), 1000, 1000);
  const before = await files.stamp?.(uri);
  assert.deepEqual(await files.stamp?.(uri), before);
  writeFileSync(join(folder, 'stamped.txt'), 'another');
  const after = await files.stamp?.(uri);
  assert.notEqual(after?.mark, before?.mark);
  assert.ok(after && before && after.written >= before.written);
});

test('a search that is repeated reads again what changed, and finds the same', async () => {
  const tree = join(folder, 'tree');
  for (const it of ['a', 'b/deeper']) mkdirSync(join(tree, it), { recursive: true });
  writeFileSync(join(tree, 'a', 'package.json'), '');
  const known = new Map<string, DirectoryListing>();
  const find = async (depth?: number) =>
    (await files.find(fileUri(tree), /\/package\.json$/, 10, depth, known)).map((it) => it.slice(fileUri(tree).length));
  assert.deepEqual(await find(), ['/a/package.json']);
  assert.deepEqual(
    [...known.keys()].sort(),
    ['', 'a', 'b', 'b/deeper'].map((it) => join(tree, it)),
  );
  writeFileSync(join(tree, 'b', 'deeper', 'package.json'), '');
  // As if that had been written later than it was looked at.
  utimesSync(join(tree, 'b', 'deeper'), 2_000_000_000, 2_000_000_000);
  assert.deepEqual((await find()).sort(), ['/a/package.json', '/b/deeper/package.json']);
  rmSync(join(tree, 'a'), { recursive: true });
  assert.deepEqual(await find(), ['/b/deeper/package.json']);
  assert.deepEqual(await find(1), []);
});
