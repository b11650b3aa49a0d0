import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cacheFile } from '../../server/src/facts/cache/disk.ts';
import type { IdentifyAnswer } from '../../server/src/language-server/requests/identify.ts';
import type { PurlAnswer } from '../../server/src/language-server/requests/purl.ts';
import type { ReportAnswer } from '../../server/src/language-server/requests/report.ts';
import { catalogSource } from '../../server/src/service/catalog/source.ts';
import { serve } from '../../server/src/service/http-server.ts';
import { startLsp } from '../harness/lsp-client.ts';
import { type InlineCatalog, inlineCatalog } from '../harness/service.ts';
import { folderWith, runProgram } from './program.ts';

/* The real program over a real service, the file of kept answers between two runs; and what was published meanwhile. */

const sqlite = process.getBuiltinModule('node:sqlite');
const options = { skip: sqlite === undefined, concurrency: true };

const former: InlineCatalog = {
  'NPM lodash': { versions: { '4.17.15': { licenses: ['MIT'] }, '4.17.21': { isDefault: true } } },
};
const published: InlineCatalog = {
  'NPM lodash': { versions: { '4.17.15': { licenses: ['ISC'] }, '4.17.21': { isDefault: true } } },
  'NPM new-here': { versions: ['1.0.0'] },
  'advisory GHSA-p6mc-m468-83gw': {
    title: 'Prototype Pollution in lodash',
    cvss3Score: 7.4,
    affected: [
      { system: 'NPM', name: 'lodash', ranges: [{ introduced: '0', fixed: '4.17.19' }] },
      { system: 'NPM', name: 'new-here', ranges: [{ introduced: '0' }] },
    ],
  },
};

const lodash = '{ "dependencies": { "lodash": "4.17.15" } }';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Looks a manifest up, then has the service know more. */
async function lookedUp(t: TestContext, manifest: string) {
  const folder = folderWith({ 'app/package.json': manifest });
  let source = catalogSource(inlineCatalog(former));
  const service = await serve({
    source: {
      package: (it) => source.package(it),
      version: (it) => source.version(it),
      requirements: (it) => source.requirements(it),
      advisory: (it) => source.advisory(it),
      find: (it) => source.find(it),
    },
  });
  const close = async (): Promise<void> => service.close();
  t.after(async () => {
    folder.remove();
    await close();
  });
  const cache = join(folder.path, 'cache');
  const app = join(folder.path, 'app');
  const environment = { PACKAGE_INSIGHTS_BASE_URL: service.url, PACKAGE_INSIGHTS_CACHE_DIR: cache };
  const run = (...args: readonly string[]) => runProgram(args, app, environment);
  const { code, error } = await run('check');
  assert.equal(code, 0, error);
  source = catalogSource(inlineCatalog(published));
  return {
    app,
    cache,
    url: service.url,
    close,
    run,
    /** Has what is kept be older than it is. */
    grow(ms: number): void {
      assert.ok(sqlite);
      const store = new sqlite.DatabaseSync(join(cache, cacheFile));
      store.exec(`UPDATE answers SET at = at - ${ms}, fresh_until = fresh_until - ${ms}`);
      store.close();
    },
  };
}

test('check asks again for what is older than it may be, and waits for it', options, async (t) => {
  const { run, grow } = await lookedUp(t, lodash);
  assert.equal((await run('check')).code, 0, 'what is fresh counts');
  grow(2 * day);
  const { code, out } = await run('check');
  assert.match(out, /lodash 4\.17\.15 has 1 known advisory: GHSA-p6mc-m468-83gw/);
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
  assert.match(out, /new-here 1\.0\.0 has 1 known advisory/);
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
    assert.match(error, /1 look-up failed: connection refused$/m);
    assert.match(error, new RegExp(`1 answer is ${age} old, and could not be asked for again$`, 'm'));
    assert.match(out, /incomplete/i);
    assert.equal(code, 2);
  }
});

test('check --offline takes old answers for what they are, and says their age', options, async (t) => {
  const { run, grow } = await lookedUp(t, lodash);
  grow(5 * day);
  const { code, error } = await run('check', '--offline');
  assert.match(error, /1 answer is 5 days old, and could not be asked for again/);
  assert.equal(code, 0);
});

test('an old answer that the service did not know a package is no new one', options, async (t) => {
  const { run, grow, close } = await lookedUp(t, '{ "dependencies": { "new-here": "1.0.0" } }');
  await close();
  grow(5 * day);
  const { code, error } = await run('check');
  assert.match(error, /1 answer is 5 days old, and could not be asked for again/);
  assert.equal(code, 2);
});

test('notices ask again for what is older than it may be, or say its age', options, async (t) => {
  const { run, grow, close } = await lookedUp(t, lodash);
  grow(2 * day);
  assert.match((await run('notices')).out, /ISC/);
  await close();
  grow(2 * day);
  const { code, error } = await run('notices');
  assert.match(error, /4 answers are up to 2 days old, and could not be asked for again/);
  assert.equal(code, 2);
});

const purls = ['pkg:npm/lodash@4.17.15', 'pkg:npm/lodash', 'pkg:npm/new-here@1.0.0'];

test('lookup asks again for what is older than it may be, or says its age', options, async (t) => {
  const { run, grow, close } = await lookedUp(t, lodash);
  assert.equal((await run('lookup', ...purls)).code, 0, 'what the service has by now');
  grow(2 * day);
  const [again] = purls;
  assert.match((await run('lookup', again ?? '')).out, /ISC/);
  await close();
  grow(5 * day);
  const { code, out, error } = await run('lookup', ...purls);
  assert.match(out, /lodash 4\.17\.15/);
  const ages = ['5 days', '7 days', '7 days'];
  for (const [at, purl] of purls.entries())
    assert.ok(
      error.includes(`${purl}: the answer is ${ages[at]} old, and could not be asked for again: connection refused\n`),
      error,
    );
  assert.equal(code, 2);
  const [first] = JSON.parse((await run('lookup', ...purls, '--json')).out);
  assert.equal(first.old.reason, 'connection refused');
  assert.ok(Date.parse(first.old.since) < Date.now() - 4 * day);
  const offline = await run('lookup', ...purls, '--offline');
  assert.match(offline.error, /lodash: the answer is 7 days old, and could not be asked for again: working offline/);
  assert.equal(offline.code, 0);
});

test('identify says how old an answer is that it could not have anew', options, async (t) => {
  const { app, run, grow, close } = await lookedUp(t, lodash);
  writeFileSync(join(app, 'a.tgz'), 'a');
  const claims = [[], ['--as', 'pkg:npm/lodash@4.17.15']];
  for (const claim of claims) assert.equal((await run('identify', 'a.tgz', ...claim)).code, 1);
  await close();
  grow(5 * day);
  for (const claim of claims) {
    const { code, error } = await run('identify', 'a.tgz', ...claim);
    assert.match(error, /a\.tgz: the answer is 5 days old, and could not be asked for again: connection refused$/m);
    assert.equal(code, 2);
    const [told] = JSON.parse((await run('identify', 'a.tgz', ...claim, '--json')).out);
    assert.equal(told.old.reason, 'connection refused');
  }
});

test('the editor says the age of what it looks up and identifies, too', options, async (t) => {
  const { app, cache, url, run, grow, close } = await lookedUp(t, lodash);
  writeFileSync(join(app, 'a.tgz'), 'a');
  assert.equal((await run('lookup', ...purls)).code, 0);
  assert.equal((await run('identify', 'a.tgz')).code, 1);
  await close();
  grow(5 * day);
  const client = await startLsp({
    folder: pathToFileURL(app).href,
    settings: { baseUrl: url },
    env: { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: cache },
  });
  t.after(() => client.stop());
  const said =
    /This may have changed: the answer is 5 days old, and could not be asked for again: connection refused\./;
  for (const purl of purls) {
    const page = await client.connection.sendRequest<PurlAnswer>('packageInsights/lookUpPurl', { purl });
    assert.match(page.kind === 'found' ? page.markdown : '', said);
  }
  const uri = pathToFileURL(join(app, 'a.tgz')).href;
  const file = await client.connection.sendRequest<IdentifyAnswer>('packageInsights/identify', { uri });
  assert.match(file.kind === 'unknown' ? file.reason : '', said);
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
