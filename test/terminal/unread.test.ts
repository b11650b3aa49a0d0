import assert from 'node:assert/strict';
import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Report } from '../../server/src/engine/report/report.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

const service = await startServiceForFile({ 'NPM left-pad': { versions: ['1.3.0'] } });
const clean = '{ "dependencies": { "left-pad": "1.3.0" } }';

const outside = folderWith({ 'package.json': clean });
const folder = folderWith({ 'app/package.json': clean, 'huge/package.json': '' });
truncateSync(join(folder.path, 'huge/package.json'), 32 * 1024 * 1024 + 1);
symlinkSync(outside.path, join(folder.path, 'link'), 'junction');
after(() => {
  folder.remove();
  outside.remove();
});

const run = (...args: readonly string[]) => runHere(args, folder.path, { baseUrl: service.url });

test('a manifest that is too large is reported, and the check is incomplete', async () => {
  const { code, out, error } = await run('check');
  assert.equal(out, 'Incomplete: 1 dependency in 1 manifest checked, no findings\n1 manifest not read\n');
  const lines = [
    'huge/package.json cannot be read: its dependencies are missing',
    'not checked: unreadable files; the exit code is 2 (accept with --fail-on unread:off)',
  ];
  assert.equal(error, lines.map((it) => `package-insights check: ${it}\n`).join(''));
  assert.equal(code, 2);
  const quiet = await run('check', '--quiet');
  for (const it of lines) assert.ok(quiet.error.includes(it), 'it is why the exit code is 2');
  assert.equal((await run('check', '--fail-on', 'unread:off')).code, 0);
});

test('a link that leads out of what is checked does not pass for a clean manifest', async () => {
  const { code, error } = await run('check', 'link/package.json');
  assert.match(error, /^package-insights check: link\/package\.json cannot be read/);
  assert.equal(code, 2);
});

test('notices that lack a manifest are not whole', async () => {
  const { code, error } = await run('notices');
  assert.match(error, /^package-insights notices: huge\/package\.json cannot be read/m);
  assert.equal(code, 2);
});

test('reports name the manifests that could not be read', async () => {
  const { unread } = JSON.parse((await run('check', '--format', 'json')).out) as Report;
  assert.deepEqual(unread, ['huge/package.json']);
  const [{ invocations }] = JSON.parse((await run('check', '--format', 'sarif')).out).runs;
  assert.equal(invocations[0].executionSuccessful, false);
  assert.equal(
    invocations[0].toolExecutionNotifications[0].locations[0].physicalLocation.artifactLocation.uri,
    'huge/package.json',
  );
  assert.match((await run('check', '--format', 'markdown')).out, /^- huge\/package.json cannot be read/m);
});
