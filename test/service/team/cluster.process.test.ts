import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { VersionKey } from '../../../server/src/engine/model/keys.ts';
import { openPostgres } from '../../../server/src/engine/storage/sql/postgres.ts';
import { type Balancer, startBalancer } from '../../harness/balancer.ts';
import { noPostgres, noRedis, startPostgres, startRedis } from '../../harness/databases.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import { embeddedCatalog } from '../../harness/service.ts';
import { folderWith, spawnProgram } from '../../terminal/program.ts';

/*
 * Three instances behind one address: whatever fails, an answer is right or none. `TEAM_REQUESTS` sets the number of
 * requests of the load, which ends by itself.
 */

const skip = noPostgres ?? noRedis ?? false;
const requests = Number(process.env['TEAM_REQUESTS'] ?? 320);
const children = new Set<ChildProcess>();
const closing: (() => Promise<unknown>)[] = [];
const folder = folderWith({});
after(async () => {
  for (const it of children) it.kill('SIGKILL');
  for (const close of closing) await close();
  folder.remove();
});

async function spawned(...args: readonly string[]): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const child = spawnProgram(['serve', ...args], folder.path);
  children.add(child);
  let errors = '';
  child.stderr?.on('data', (it) => (errors = (errors + it).slice(-2000)));
  let out = '';
  for await (const it of child.stdout?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
    out += it;
    if (out.includes('\n')) break;
  }
  const [, port] = /^listening on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(out) ?? assert.fail(errors);
  return { child, port: Number(port) };
}

interface Batch {
  readonly keys: readonly VersionKey[];
  readonly expected: unknown;
}

async function askBatch(url: string, keys: readonly VersionKey[]): Promise<{ status: number; body: unknown }> {
  const body = JSON.stringify({ requests: keys.map((versionKey) => ({ versionKey })) });
  const response = await fetch(`${url}/v3alpha/versionbatch`, { method: 'POST', body });
  const text = await response.text();
  return { status: response.status, body: response.ok ? JSON.parse(text) : text };
}

interface Tally {
  right: number;
  /** By status. */
  readonly refused: Map<number, number>;
  readonly wrong: string[];
}

async function load({ url }: Balancer, batches: readonly Batch[], count: number, tally: Tally): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) {
      const { keys, expected } = batches[next++ % batches.length] ?? assert.fail();
      const { status, body } = await askBatch(url, keys);
      // A row alone may be refused, too.
      const isRefused = status !== 200 || JSON.stringify(body).includes('"unavailable":');
      const as = status === 200 ? 503 : status;
      if (isRefused) tally.refused.set(as, (tally.refused.get(as) ?? 0) + 1);
      else if (JSON.stringify(body) === JSON.stringify(expected)) tally.right++;
      else tally.wrong.push(JSON.stringify(body).slice(0, 300));
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
}

/** In ms, until every batch is answered with the truth again. */
async function recovery(balancer: Balancer, batches: readonly Batch[]): Promise<number> {
  const started = performance.now();
  for (;;) {
    const tally: Tally = { right: 0, refused: new Map(), wrong: [] };
    await load(balancer, batches.slice(0, 12), 12, tally);
    assert.deepEqual(tally.wrong, []);
    if (tally.right === 12) return performance.now() - started;
    assert.ok(performance.now() - started < 60_000, JSON.stringify([...tally.refused]));
    await delay(50);
  }
}

test('three instances answer alike while one is killed, the database restarts, and Redis is gone', {
  skip,
}, async (t) => {
  const catalog = await embeddedCatalog();
  const truth = await startServiceForFile(catalog);
  const known = catalog.records.flatMap((it) => catalog.package(it)?.versions ?? []).map((it) => it.key);
  const step = Math.max(1, Math.floor(known.length / 3000));
  const keys = known.filter((_, index) => index % step === 0);
  const missing = { system: 'NPM', name: 'no-such-package', version: '1.0.0' } as const;
  const batches: Batch[] = [];
  for (let start = 0; start < keys.length; start += 99) {
    const part = [...keys.slice(start, start + 99), missing];
    batches.push({ keys: part, expected: (await askBatch(truth.url, part)).body });
  }

  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  closing.push(postgres.stop, redis.stop);
  const args = ['--store', postgres.address, '--upstream', truth.url, '--shared', redis.address];
  // All at once: each would make the schema.
  const [first, second, third] = await Promise.all([spawned(...args), spawned(...args), spawned(...args)]);
  const balancer = await startBalancer([first.port, second.port, third.port]);
  closing.push(balancer.close);

  const started = performance.now();
  const tally: Tally = { right: 0, refused: new Map(), wrong: [] };
  const phase = (count: number) => load(balancer, batches, count, tally);
  const before = truth.requests.length;
  await phase(requests / 4);
  const asked = truth.requests.slice(before).flatMap((it) => (JSON.parse(it.body) as { requests: object[] }).requests);
  // Each version once, however many instances were asked for it.
  assert.equal(asked.length, keys.length + 1);
  assert.deepEqual([...tally.refused], []);

  const [killed] = [phase(requests / 4), delay(20).then(() => first.child.kill('SIGKILL'))];
  await killed;
  assert.deepEqual([...tally.refused], []);

  const gone = phase(requests / 4);
  await redis.kill();
  await gone;
  const withoutRedis = await recovery(balancer, batches);
  const health = await (await fetch(`http://127.0.0.1:${second.port}/healthz`)).json();
  assert.match((health as { shared: string }).shared, /^not reachable/);

  const restarting = phase(requests / 4);
  await postgres.restart();
  await restarting;
  const afterRestart = await recovery(balancer, batches);
  for (const status of tally.refused.keys()) assert.ok(status === 503, String(status));
  assert.deepEqual(tally.wrong, []);
  t.diagnostic(
    `${requests} batches of 100 in ${((performance.now() - started) / 1000).toFixed(1)} s: ${tally.right} right, ` +
      `0 wrong, refused: ${JSON.stringify([...tally.refused])}; right again ${withoutRedis.toFixed(0)} ms after Redis ` +
      `was gone, ${afterRestart.toFixed(0)} ms after the restart of the database`,
  );

  for (const { child } of [second, third]) {
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
  }
});

test('an import that is killed in the middle continues, and the database restarting loses nothing', {
  skip: noPostgres ?? false,
}, async () => {
  const postgres = await startPostgres();
  closing.push(postgres.stop);
  const count = 20_000;
  const lines = Array.from({ length: count }, (_, it) =>
    JSON.stringify({
      versionKey: { system: 'NPM', name: `p${it % 1000}`, version: `1.0.${it}` },
      purl: 'p',
      licenses: ['MIT'],
    }),
  );
  folder.write('versions.jsonl', lines.join('\n'));
  const database = openPostgres(postgres.address);
  const positionOf = async (): Promise<number> => {
    const [row] = await database.all('SELECT max(position) AS position FROM imports').catch(() => []);
    return Number(row?.['position'] ?? 0);
  };
  const importing = () => {
    const child = spawnProgram(['import', '--store', postgres.address, 'versions.jsonl'], folder.path);
    children.add(child);
    return child;
  };
  const first = importing();
  while ((await positionOf()) < 1000 && first.exitCode === null) await delay(5);
  first.kill('SIGKILL');
  await once(first, 'exit');
  const position = await positionOf();
  assert.ok(position >= 1000 && position < count, String(position));
  const [row] = await database.all('SELECT count(*) AS rows FROM versions');
  assert.equal(Number(row?.['rows']), position);

  const second = importing();
  let out = '';
  second.stdout?.on('data', (it) => (out += String(it)));
  while ((await positionOf()) < position + 1000 && second.exitCode === null) await delay(5);
  await database.close();
  await postgres.restart();
  const [code] = await once(second, 'exit');
  assert.equal(code, 0, out);
  const again = openPostgres(postgres.address);
  const [all] = await again.all('SELECT count(*) AS rows FROM versions');
  assert.equal(Number(all?.['rows']), count);
  await again.close();
  assert.match(out, new RegExp(`kept: ${count - position}, `));
});
