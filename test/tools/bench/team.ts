import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VersionKey } from '../../../server/src/engine/model/keys.ts';
import { openPostgres } from '../../../server/src/engine/storage/sql/postgres.ts';
import { openSqlite } from '../../../server/src/engine/storage/sql/sqlite.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { createCatalog } from '../../../server/src/service/catalog/catalog.ts';
import type { PackageRecord } from '../../../server/src/service/catalog/record.ts';
import { catalogSource } from '../../../server/src/service/catalog/source.ts';
import { type RunningService, serveHttp } from '../../../server/src/service/http-server.ts';
import { alone } from '../../../server/src/service/mirror/coordination.ts';
import { createMirror } from '../../../server/src/service/mirror/mirror.ts';
import { openSqlStore } from '../../../server/src/service/store/sql-store.ts';
import type { FactAnswer, Store } from '../../../server/src/service/store/store.ts';
import { versionAnswer } from '../../../server/src/service/wire.ts';
import { noPostgres, startPostgres } from '../../harness/databases.ts';

/*
 * Batches of 100 from a catalog in memory, from SQLite and from PostgreSQL, with the same versions, in turns.
 *
 *     node test/tools/bench/team.ts [versions]
 */

const total = Number(process.argv[2] ?? 1_000_000);
const PER_PACKAGE = 100;
const ROUNDS = 5;
const BATCHES = 200;
const PARALLEL = 8;

const records: PackageRecord[] = Array.from({ length: total / PER_PACKAGE }, (_, index) => ({
  system: 'NPM',
  name: `package-${index}`,
  sources: {},
  from: [],
  shared: {
    licenses: ['MIT'],
    licenseDetails: [{ license: 'MIT', spdx: 'MIT' }],
    links: [{ label: 'HOMEPAGE', url: 'https://a.example/' }],
  },
  versions: Object.fromEntries(
    Array.from({ length: PER_PACKAGE }, (_, it) => [`1.${it}.0`, { publishedAt: '2026-01-01T00:00:00Z' }]),
  ),
}));
const advisories = records
  .filter((_, index) => index % 10 === 0)
  .map(({ system, name }, index) => ({
    id: `GHSA-${index}`,
    title: '',
    url: '',
    aliases: [],
    cvss3Score: 0,
    cvss3Vector: '',
    source: '',
    affected: [{ system, name, ranges: [{ introduced: '1.10.0', fixed: '1.20.0' }] }],
  }));
const catalog = createCatalog(records, advisories);

async function fill(store: Store): Promise<number> {
  const started = performance.now();
  let position = 0;
  let answers: FactAnswer[] = [];
  const write = async () => {
    const part = { id: 'bench', from: position, to: position + answers.length, answers };
    const first = position === 0 ? advisories.map(({ id, affected }) => ({ id, modified: 1, affected })) : [];
    await store.importPart({ ...part, advisories: first });
    position += answers.length;
    answers = [];
  };
  for (const record of records) {
    // Advisories are kept beside the versions.
    for (const it of catalog.package(record)?.versions ?? []) {
      const body = JSON.stringify(versionAnswer({ ...it, advisories: [] }));
      answers.push({ fact: { kind: 'version', key: it.key }, answer: { body, asOf: Date.now(), lifetime: 1e9 } });
    }
    if (answers.length >= 2000) await write();
  }
  await write();
  return (performance.now() - started) / 1000;
}

function serveStore(store: Store): Promise<RunningService> {
  const observe = () => {};
  return serveHttp({
    source: createMirror({ store, clock: systemClock, coordination: alone(systemClock.now), observe }),
  });
}

function randomKeys(): readonly VersionKey[] {
  return Array.from({ length: 100 }, () => ({
    system: 'NPM',
    name: `package-${Math.floor(Math.random() * records.length)}`,
    version: `1.${Math.floor(Math.random() * PER_PACKAGE)}.0`,
  }));
}

async function measure(url: string, parallel: number): Promise<readonly number[]> {
  const times: number[] = [];
  let left = BATCHES;
  const client = async () => {
    while (left-- > 0) {
      const body = JSON.stringify({ requests: randomKeys().map((versionKey) => ({ versionKey })) });
      const started = performance.now();
      const response = await fetch(`${url}/v3alpha/versionbatch`, { method: 'POST', body });
      const { responses } = (await response.json()) as { responses: readonly { version?: object }[] };
      times.push(performance.now() - started);
      if (responses.some((it) => it.version === undefined)) throw new Error('an answer is missing');
    }
  };
  await Promise.all(Array.from({ length: parallel }, client));
  return times;
}

function quantile(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}

const folder = mkdtempSync(join(tmpdir(), 'insights-bench-'));
const postgres = noPostgres === undefined ? await startPostgres() : undefined;
const services = new Map<string, RunningService>([
  ['catalog in memory', await serveHttp({ source: catalogSource(catalog) })],
]);
const stores: Store[] = [];
for (const [name, open] of [
  ['SQLite', () => openSqlite(join(folder, 'bench.sqlite'))],
  ...(postgres ? [['PostgreSQL', () => openPostgres(postgres.address)] as const] : []),
] as const) {
  const store = await openSqlStore(open());
  stores.push(store);
  const seconds = await fill(store);
  console.log(`${name}: ${total} versions written in ${seconds.toFixed(0)} s, ${Math.round(total / seconds)} a second`);
  services.set(name, await serveStore(store));
}
console.log(`SQLite file: ${(statSync(join(folder, 'bench.sqlite')).size / 1e6).toFixed(0)} MB`);

const times = new Map<string, number[]>();
for (let round = 0; round < ROUNDS; round++) {
  for (const parallel of [1, PARALLEL]) {
    for (const [name, { url }] of services) {
      const id = `${name}, ${parallel} at a time`;
      const before = times.get(id) ?? [];
      // The first round warms up.
      times.set(id, round === 0 ? [] : [...before, ...(await measure(url, parallel))]);
      if (round === 0) await measure(url, parallel);
    }
  }
}
for (const [id, all] of times)
  console.log(`${id}: p50 ${quantile(all, 0.5)} ms, p99 ${quantile(all, 0.99)} ms (${all.length} batches of 100)`);

for (const it of services.values()) await it.close();
for (const it of stores) await it.close();
await postgres?.stop();
rmSync(folder, { recursive: true, force: true });
