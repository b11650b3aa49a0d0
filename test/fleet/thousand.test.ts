import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openFileResults } from '../../server/src/fleet/results/open.ts';
import { noRedis, startRedis } from '../harness/databases.ts';
import { nobody } from '../harness/nobody.ts';
import { type InlineCatalog, startService } from '../harness/service.ts';

/*
 * The figures of docs/fleet.md: a thousand generated repositories, and real ones, in one process, by two workers of which
 * one is killed, and by `check` one by one. It takes minutes and runs on request only:
 *
 *     FLEET_TRIAL=1000 FLEET_REAL='file:///a.git file:///b.git' npm test -- test/fleet/thousand.test.ts
 */
const count = Number(process.env['FLEET_TRIAL'] ?? 0);
const real = (process.env['FLEET_REAL'] ?? '').split(' ').filter((it) => it !== '');
const skip = count === 0 ? 'FLEET_TRIAL is not set' : (noRedis ?? false);
/** Checked one by one: a process each takes too long for all. */
const ONE_BY_ONE = 100;
const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.js');
const folder = mkdtempSync(join(tmpdir(), 'fleet-trial-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const PACKAGES = 400;
const nameOf = (it: number): string => `package-${it % PACKAGES}`;

function catalog(): InlineCatalog {
  const versions = Array.from({ length: 20 }, (_, it) => `1.${it}.0`);
  const packages = Array.from({ length: PACKAGES }, (_, it) => [
    `NPM ${nameOf(it)}`,
    { versions, shared: { licenses: [it % 7 === 0 ? 'Apache-2.0' : 'MIT'] } },
  ]);
  const advisories = Array.from({ length: PACKAGES / 10 }, (_, it) => [
    `advisory GHSA-0000-0000-${String(it).padStart(4, '0')}`,
    {
      cvss3Score: 5 + (it % 5),
      affected: [{ system: 'NPM', name: nameOf(it * 10), ranges: [{ introduced: '0', fixed: '1.10.0' }] }],
    },
  ]);
  return Object.fromEntries([...packages, ...advisories]);
}

/** A manifest of twelve dependencies, and a lockfile that brings five more for each. */
function writeRepository(index: number): string {
  const path = join(folder, 'repositories', `repository-${index}`);
  mkdirSync(join(path, 'app'), { recursive: true });
  const direct = Array.from({ length: 12 }, (_, it) => (index * 7 + it * 31) % PACKAGES);
  const versionOf = (it: number): string => `1.${(it + index) % 20}.0`;
  const dependencies = Object.fromEntries(direct.map((it) => [nameOf(it), versionOf(it)]));
  const entries = direct.flatMap((it) => {
    const below = Array.from({ length: 5 }, (_, at) => (it * 3 + at * 17 + 1) % PACKAGES);
    const requires = Object.fromEntries(below.map((at) => [nameOf(at), versionOf(at)]));
    return [
      [`node_modules/${nameOf(it)}`, { version: versionOf(it), dependencies: requires }] as const,
      ...below.map((at) => [`node_modules/${nameOf(at)}`, { version: versionOf(at) }] as const),
    ];
  });
  // The entries of direct dependencies win over those that others bring.
  const packages = Object.fromEntries([['', { dependencies }], ...entries.toReversed()]);
  writeFileSync(join(path, 'app', 'package.json'), JSON.stringify({ dependencies }, undefined, 2));
  writeFileSync(join(path, 'app', 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }, undefined, 2));
  if (index % 3 > 0) writeFileSync(join(path, 'CODEOWNERS'), `* @org/team-${index % 20}\n`);
  return path;
}

function start(args: readonly string[]): ChildProcess {
  const environment = { PATH: process.env['PATH'], ...nobody, PACKAGE_INSIGHTS_CACHE_DIR: '' };
  return spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function endOf(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'exit');
  return code;
}

test('a thousand repositories, and a worker that is killed', { skip, timeout: 3_600_000 }, async (context) => {
  const paths = Array.from({ length: count }, (_, it) => writeRepository(it));
  const list = [...paths, ...real];
  writeFileSync(join(folder, 'list.txt'), list.join('\n'));
  const service = await startService(catalog());
  after(() => service.close());
  const redis = await startRedis();
  after(() => redis.stop());
  const measured = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const [before, began] = [service.requests.length, performance.now()];
    await work();
    const seconds = (performance.now() - began) / 1000;
    context.diagnostic(`${what}: ${seconds.toFixed(1)} s, ${service.requests.length - before} requests`);
  };
  const where = ['--base-url', service.url];

  await measured(`one by one, ${ONE_BY_ONE} of them`, async () => {
    for (const it of paths.slice(0, ONE_BY_ONE)) await endOf(start(['check', it, '--quiet', ...where]));
  });
  await measured(`one process, ${list.length}`, async () => {
    assert.equal(await endOf(start(['fleet', 'list.txt', '--results', 'one.sqlite', ...where])), 1);
  });
  const shared = ['--results', 'two.sqlite', '--queue', redis.address];
  await measured(`two workers, one killed, ${list.length}`, async () => {
    const workers = [start(['fleet', 'worker', ...shared, ...where]), start(['fleet', 'worker', ...shared, ...where])];
    const run = start(['fleet', 'list.txt', ...shared]);
    const ended = endOf(run);
    const watching = await openFileResults(join(folder, 'two.sqlite'));
    for (let done = 0; done < count / 4; ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const [first] = await watching.runs();
      done = first ? await watching.done(first.id) : 0;
    }
    await watching.close();
    workers[0]?.kill('SIGKILL');
    assert.equal(await ended, 1);
    workers[1]?.kill('SIGINT');
    assert.equal(await endOf(workers[1] ?? assert.fail()), 0);
  });

  const rowsOf = async (file: string) => {
    const results = await openFileResults(join(folder, file));
    const [run = assert.fail()] = await results.runs();
    const repositories = await results.repositories(run.id);
    const rows = {
      states: repositories.map((it) => `${it.name} ${it.state}`),
      uses: (await results.uses(run.id, {})).map((it) => JSON.stringify(it)).sort(),
      findings: (await results.findings(run.id, {})).map((it) => JSON.stringify(it)).sort(),
    };
    await results.close();
    return rows;
  };
  const [one, two] = [await rowsOf('one.sqlite'), await rowsOf('two.sqlite')];
  context.diagnostic(`${one.uses.length} uses, ${one.findings.length} findings`);
  assert.equal(one.states.length, list.length);
  assert.equal(new Set(two.states).size, list.length);
  // Whole lists in a message would be megabytes.
  for (const kind of ['states', 'uses', 'findings'] as const) {
    const [a, b] = [new Set(one[kind]), new Set(two[kind])];
    assert.deepEqual(
      [...one[kind].filter((it) => !b.has(it)), ...two[kind].filter((it) => !a.has(it))].slice(0, 6),
      [],
      kind,
    );
    assert.equal(two[kind].length, one[kind].length, kind);
  }
});
