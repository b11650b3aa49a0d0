import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ReportAnswer } from '../../server/src/editor/requests/report.ts';
import { startLsp } from '../harness/lsp-client.ts';
import { day, hour, lodash, lookedUp, minute, options } from './old-answers.ts';

/* What a check says of answers that are too old. */

test('check asks again for what is older than it may be, and waits for it', options, async (t) => {
  const { run, grow } = await lookedUp(t, lodash);
  assert.equal((await run('check')).code, 0, 'what is fresh counts');
  grow(2 * day);
  const { code, out } = await run('check');
  assert.match(out, /^lodash 4\.17\.15 .*1 vulnerability[\s\S]*GHSA-p6mc-m468-83gw/m);
  assert.equal(code, 1);
});

test('check heeds --max-age', options, async (t) => {
  const { run, grow } = await lookedUp(t, lodash);
  grow(2 * minute);
  assert.equal((await run('check', '--max-age', '5')).code, 0);
  assert.equal((await run('check', '--max-age', '1')).code, 1);
});

test('check asks again for what the service did not know', options, async (t) => {
  const { run, grow } = await lookedUp(t, '{ "dependencies": { "new-here": "1.0.0" } }');
  grow(2 * day);
  const { code, out } = await run('check');
  assert.match(out, /^new-here 1\.0\.0 .*1 vulnerability/m);
  assert.equal(code, 1);
});

test('check says how old the answers are that it could not have anew', options, async (t) => {
  const { run, grow, close } = await lookedUp(t, lodash);
  await close();
  for (const [ms, age] of [
    [3 * hour, '3 hours'],
    [5 * day, '5 days'],
  ] as const) {
    grow(ms - (age === '5 days' ? 3 * hour : 0));
    const { code, out, error } = await run('check');
    assert.match(error, /lookups failed: connection refused$/m);
    assert.match(error, new RegExp(`1 answer is ${age} old and could not be refreshed$`, 'm'));
    assert.match(out, /incomplete/i);
    assert.equal(code, 2);
  }
});

test('check --offline takes old answers for what they are, and says their age', options, async (t) => {
  const { run, grow } = await lookedUp(t, lodash);
  grow(5 * day);
  const { code, error } = await run('check', '--offline');
  assert.match(error, /1 answer is 5 days old and could not be refreshed/);
  assert.equal(code, 0);
});

test('what a dependency brings counts among the old answers', options, async (t) => {
  const { app, run, grow, close } = await lookedUp(t, '{ "dependencies": { "lodash": "4.17.21" } }');
  const packages = {
    '': { dependencies: { lodash: '4.17.21' } },
    'node_modules/lodash': { version: '4.17.21', dependencies: { lodash: '4.17.15' } },
    'node_modules/lodash/node_modules/lodash': { version: '4.17.15' },
  };
  writeFileSync(join(app, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
  assert.equal((await run('check', '--fail-on', 'advisory-below')).code, 1);
  await close();
  grow(5 * day);
  const offline = await run('check', '--offline', '--fail-on', 'advisory-below');
  assert.match(offline.error, /3 answers are up to 5 days old and could not be refreshed/);
  assert.equal(offline.code, 1);
  const { code, error } = await run('check');
  assert.match(error, /3 answers are up to 5 days old and could not be refreshed/);
  assert.equal(code, 2);
});

test('an old answer that the service did not know a package is no new one', options, async (t) => {
  const { run, grow, close } = await lookedUp(t, '{ "dependencies": { "new-here": "1.0.0" } }');
  await close();
  grow(5 * day);
  const { code, error } = await run('check');
  assert.match(error, /1 answer is 5 days old and could not be refreshed/);
  assert.equal(code, 2);
});

test('notices ask again for what is older than it may be, or say its age', options, async (t) => {
  const { run, grow, close } = await lookedUp(t, lodash);
  grow(2 * day);
  assert.match((await run('notices')).out, /ISC/);
  await close();
  grow(2 * day);
  const { code, error } = await run('notices');
  assert.match(error, /4 answers are up to 2 days old and could not be refreshed/);
  assert.equal(code, 2);
});

test('the report of the editor waits for what is asked again', options, async (t) => {
  const { app, cache, url, grow } = await lookedUp(t, lodash);
  grow(2 * day);
  const client = await startLsp({
    folder: pathToFileURL(app).href,
    settings: { baseUrl: url },
    env: { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: cache },
  });
  t.after(() => client.stop());
  const answer = await client.connection.sendRequest<ReportAnswer | null>('packageInsights/report', {});
  assert.deepEqual(
    answer?.report.findings.map((it) => it.code),
    ['advisory'],
  );
});

test('so do the findings of the workspace, after what is kept is shown', options, async (t) => {
  const { app, cache, url, grow } = await lookedUp(t, lodash);
  grow(2 * day);
  const client = await startLsp({
    folder: pathToFileURL(app).href,
    settings: { baseUrl: url, workspaceDiagnostics: true },
    env: { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: cache },
  });
  t.after(() => client.stop());
  await client.pushedUntil(`${pathToFileURL(app).href}/package.json`, (all) => all.length === 1);
});
