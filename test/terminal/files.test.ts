import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

const service = await startServiceForFile({ 'NPM rimraf': { versions: { '3.0.2': { deprecated: 'old' } } } });
const elsewhere = folderWith({ 'policy.json': '{ "failOn": ["deprecated"] }' });
const folder = folderWith({ 'package.json': '{ "dependencies": { "rimraf": "3.0.2" } }', 'a file': '' });
mkdirSync(join(folder.path, 'a folder'));
after(() => {
  folder.remove();
  elsewhere.remove();
});

const run = (...args: readonly string[]) => runHere(args, folder.path, { baseUrl: service.url });

/** What a person is told of a file that cannot be read or written, or would not be: its name as typed, and why, without the system's words. */
const told: readonly (readonly [args: readonly string[], says: string])[] = [
  [['--output', 'no/folder/report'], 'no/folder/report cannot be written: no such file or folder'],
  [['--output', 'a folder'], 'a folder cannot be written: it is a folder'],
  [['--output', 'a file/report'], 'a file/report cannot be written: a part of the path is not a folder'],
  [['--baseline', 'a folder', '--write-baseline'], 'a folder cannot be written: it is a folder'],
  [['--baseline', 'nothing'], 'the baseline nothing does not exist; --write-baseline creates it'],
  [['--baseline', 'a folder'], 'a folder cannot be read: it is a folder'],
  [['--fix', '--dry-run', '--output', 'patch'], '--dry-run and --output cannot be combined'],
  [['--baseline', 'a', '--write-baseline', '--output', 'b'], '--write-baseline and --output cannot be combined'],
  [['--config', 'nothing'], 'nothing cannot be read: no such file or folder'],
  [['--config', 'a folder'], 'a folder is not a file'],
];

for (const [args, says] of told) {
  test(`check ${args.join(' ')}`, async () => {
    const { code, out, error } = await run('check', ...args);
    assert.deepEqual([code, out, error], [2, '', `package-insights check: ${says}\n`]);
    assert.equal(service.requests.length, 0, 'told before anything is asked');
  });
}

test('notices --output names the file, too', async () => {
  const { code, error } = await run('notices', '--output', 'a folder');
  assert.deepEqual([code, error], [2, 'package-insights notices: a folder cannot be written: it is a folder\n']);
});

test('a project file that is named counts where a link leads to it', {
  skip: process.platform === 'win32',
}, async () => {
  symlinkSync(join(elsewhere.path, 'policy.json'), join(folder.path, 'ours.json'));
  assert.equal((await run('check')).code, 0);
  assert.equal((await run('check', '--config', 'ours.json')).code, 1);
});

test('a baseline that an editor saved with a byte order mark is one', async () => {
  assert.equal((await run('check', '--fail-on', 'deprecated', '--baseline', 'known', '--write-baseline')).code, 0);
  folder.write('marked', `\uFEFF${readFileSync(join(folder.path, 'known'), 'utf8')}`);
  const { code, error } = await run('check', '--fail-on', 'deprecated', '--baseline', 'marked');
  assert.deepEqual([code, error], [0, '']);
});
