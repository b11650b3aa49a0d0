import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { IdentifyAnswer } from '../../server/src/editor/requests/identify.ts';
import type { PurlAnswer } from '../../server/src/editor/requests/purl.ts';
import { startLsp } from '../harness/lsp-client.ts';
import { day, lodash, lookedUp, options } from './old-answers.ts';

/* What is looked up now and then says of answers that are too old. */

const purls = ['pkg:npm/lodash@4.17.15', 'pkg:npm/lodash', 'pkg:npm/new-here@1.0.0'];

test('lookup asks again for what is older than it may be, or says its age', options, async (t) => {
  const { run, grow, close } = await lookedUp(t, lodash);
  assert.equal((await run('lookup', ...purls)).code, 0, 'what the service has by now');
  grow(2 * day);
  const [again] = purls;
  assert.match((await run('lookup', again ?? '')).out, /ISC/);
  await close();
  grow(5 * day);
  // Each waits until the service cannot be reached.
  const [{ code, out, error }, json] = await Promise.all([run('lookup', ...purls), run('lookup', ...purls, '--json')]);
  assert.match(out, /lodash 4\.17\.15/);
  const ages = ['5 days', '7 days', '7 days'];
  for (const [at, purl] of purls.entries())
    assert.ok(
      error.includes(`${purl}: the answer is ${ages[at]} old and could not be refreshed: connection refused\n`),
      error,
    );
  assert.equal(code, 2);
  const [first] = JSON.parse(json.out);
  assert.equal(first.old.reason, 'connection refused');
  assert.ok(Date.parse(first.old.since) < Date.now() - 4 * day);
  const offline = await run('lookup', ...purls, '--offline');
  assert.match(offline.error, /lodash: the answer is 7 days old and could not be refreshed: working offline/);
  assert.equal(offline.code, 0);
});

test('identify says how old an answer is that it could not have anew', options, async (t) => {
  const { app, run, grow, close } = await lookedUp(t, lodash);
  writeFileSync(join(app, 'a.tgz'), 'a');
  const claims = [[], ['--as', 'pkg:npm/lodash@4.17.15']];
  for (const claim of claims) assert.equal((await run('identify', 'a.tgz', ...claim)).code, 1);
  await close();
  grow(5 * day);
  await Promise.all(
    claims.map(async (claim) => {
      const identify = ['identify', 'a.tgz', ...claim];
      const [{ code, error }, json] = await Promise.all([run(...identify), run(...identify, '--json')]);
      assert.match(error, /a\.tgz: the answer is 5 days old and could not be refreshed: connection refused$/m);
      assert.equal(code, 2);
      const [told] = JSON.parse(json.out);
      assert.equal(told.old.reason, 'connection refused');
    }),
  );
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
  const said = /This may be outdated: the answer is 5 days old and could not be refreshed: connection refused\./;
  await Promise.all(
    purls.map(async (purl) => {
      const page = await client.connection.sendRequest<PurlAnswer>('packageInsights/lookUpPurl', { purl });
      assert.match(page.kind === 'found' ? page.markdown : '', said);
    }),
  );
  const uri = pathToFileURL(join(app, 'a.tgz')).href;
  const file = await client.connection.sendRequest<IdentifyAnswer>('packageInsights/identify', { uri });
  assert.match(file.kind === 'unknown' ? file.reason : '', said);
});
