import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startService } from '../harness/service.ts';
import { folderWith, runProgram } from './program.ts';

const sqlite = process.getBuiltinModule('node:sqlite') !== undefined;

const folder = folderWith({ 'work/package.json': '{ "dependencies": { "lodash": "4.17.21" } }' });
after(() => folder.remove());
const service = await startService({ 'NPM lodash': { versions: ['4.17.21'] } });
after(() => service.close());

const cache = join(folder.path, 'cache');
const environment = { PACKAGE_INSIGHTS_CACHE_DIR: cache, PACKAGE_INSIGHTS_BASE_URL: service.url };
const connected = { ...environment, PACKAGE_INSIGHTS_SCHEDULING_URL: 'https://calendar.example/v3' };

async function counted(): Promise<Readonly<Record<string, number>>> {
  const { code, out } = await runProgram(['usage', '--format', 'csv'], folder.path, environment);
  assert.equal(code, 0);
  const rows = out
    .trim()
    .split('\n')
    .slice(1)
    .map((it) => it.split(','));
  return Object.fromEntries(rows.map(([, service, , , name, amount]) => [`${service} ${name}`, Number(amount)]));
}

test('while nothing is connected nothing is counted', { skip: !sqlite }, async () => {
  assert.equal((await runProgram(['check', '.'], join(folder.path, 'work'), environment)).code, 0);
  assert.equal(existsSync(join(cache, 'ledger-1.sqlite')), false);
  assert.deepEqual(await counted(), {});
});

test('with a connected service the requests to the insights service and kept answers are counted', {
  skip: !sqlite,
}, async () => {
  await runProgram(['check', '.'], join(folder.path, 'work'), connected);
  const kept = await counted();
  assert.ok((kept['insights MEMCACHE_CALL_COUNT'] ?? 0) > 0);
  assert.equal(kept['insights URLFETCH_SERVICE_CALL_COUNT'], undefined);

  folder.write('work/package.json', '{ "dependencies": { "other": "1.0.0" } }');
  await runProgram(['check', '.'], join(folder.path, 'work'), connected);
  const { 'insights HTTP_REQUESTS': http, ...both } = await counted();
  assert.ok(http !== undefined && http > 0);
  assert.equal(both['insights URLFETCH_SERVICE_CALL_COUNT'], http);
  assert.equal(both['insights URLFETCH_SERVICE_FETCH'], http);
  assert.equal(both['insights HTTPS_REQUESTS'], undefined);
  assert.ok((both['insights URLFETCH_SERVICE_BYTES_RECEIVED'] ?? 0) > 0);
});
