import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDatabaseResults, openFileResults } from '../../server/src/fleet/results/open.ts';
import type { FleetFinding, RepositoryResult, Use } from '../../server/src/fleet/results/result.ts';
import type { Results } from '../../server/src/fleet/results/results.ts';
import { noPostgres, startPostgres } from '../harness/databases.ts';
import { folderWith } from '../terminal/program.ts';

const folder = folderWith({});
after(() => folder.remove());
const postgres = noPostgres === undefined ? await startPostgres() : undefined;
after(() => postgres?.stop());

const kinds: Readonly<Record<string, (() => Promise<Results>) | undefined>> = {
  SQLite: () => openFileResults(join(folder.path, 'results.sqlite')),
  PostgreSQL: postgres && (() => openDatabaseResults(postgres.address)),
};

const use: Use = {
  system: 'NPM',
  name: 'lodash',
  version: '4.17.15',
  path: 'package.json',
  line: 3,
  relation: 'direct',
  licenses: ['MIT'],
  licenseClass: 'permissive',
  owners: ['@a', '@b'],
};
const finding: FleetFinding = {
  fingerprint: 'f1',
  subject: 's1',
  code: 'advisory',
  severity: 'error',
  system: 'NPM',
  name: 'lodash',
  version: '4.17.15',
  path: 'package.json',
  line: 3,
  advisories: [['GHSA-p6mc-m468-83gw', 'CVE-2020-8203']],
  score: 7.4,
  message: 'affected',
  fix: { by: 'line', version: '4.17.21' },
  owners: ['@a'],
  counts: true,
};
const result: RepositoryResult = { state: 'checked', reasons: [], code: 1, ms: 5, uses: [use], findings: [finding] };
const options = { allowPrivate: false, ways: true, failOn: 'advisory' };

async function begin(results: Results, id: string, ...names: readonly string[]): Promise<void> {
  const repositories = names.map((name) => ({ name, source: { kind: 'directory', path: `/${name}` } as const }));
  await results.create(
    { id, at: '2026-01-01T00:00:00.000Z', options, bad: [{ line: 2, reason: 'bad' }] },
    repositories,
  );
}

for (const [kind, open] of Object.entries(kinds)) {
  test(`${kind} keeps a result as it was written`, { skip: open === undefined && noPostgres }, async () => {
    const results = (await open?.()) ?? assert.fail();
    await begin(results, 'kept', 'b', 'a');
    await results.put('kept', 'a', { ...result, revision: 'abc' });
    assert.deepEqual(await results.run('kept'), {
      id: 'kept',
      at: '2026-01-01T00:00:00.000Z',
      options,
      bad: [{ line: 2, reason: 'bad' }],
      repositories: 2,
    });
    assert.deepEqual(await results.uses('kept', {}), [{ ...use, repository: 'a' }]);
    assert.deepEqual(await results.findings('kept', {}), [{ ...finding, repository: 'a' }]);
    assert.deepEqual(await results.pending('kept'), [{ name: 'b', source: { kind: 'directory', path: '/b' } }]);
    assert.deepEqual(
      (await results.repositories('kept')).map((it) => [it.name, it.state, it.code, it.revision]),
      [
        ['b', 'pending', 2, undefined],
        ['a', 'checked', 1, 'abc'],
      ],
    );
    for (const [filter, count] of [
      [{ advisory: 'CVE-2020-8203' }, 1],
      [{ advisory: 'CVE-2020-8204' }, 0],
      [{ system: 'NPM', name: 'lodash', repository: 'a' }, 1],
      [{ system: 'PYPI', name: 'lodash' }, 0],
      [{ repository: 'b' }, 0],
    ] as const)
      assert.equal((await results.findings('kept', filter)).length, count, JSON.stringify(filter));
    await results.close();
  });

  test(`${kind} has one result for each repository of a run`, { skip: open === undefined && noPostgres }, async () => {
    const [one, other] = [(await open?.()) ?? assert.fail(), (await open?.()) ?? assert.fail()];
    await begin(one, 'once', 'a');
    await Promise.all(Array.from({ length: 10 }, (_, it) => (it % 2 ? one : other).put('once', 'a', result)));
    assert.equal((await one.uses('once', {})).length, 1);
    assert.equal((await one.findings('once', {})).length, 1);
    // A result of a later run does not touch it.
    await begin(other, 'later', 'a');
    await other.put('later', 'a', { ...result, uses: [], findings: [] });
    assert.equal((await one.findings('once', {})).length, 1);
    assert.deepEqual(
      (await one.runs()).slice(0, 2).map((it) => it.id),
      ['later', 'once'],
    );
    await one.close();
    await other.close();
  });

  test(`${kind} lets runs begin at the same time`, { skip: open === undefined && noPostgres }, async () => {
    const all = await Promise.all(Array.from({ length: 4 }, async () => (await open?.()) ?? assert.fail()));
    await Promise.all(all.map((it, index) => begin(it, `at once ${index}`, 'a', 'b')));
    const [first] = all;
    for (const index of all.keys()) assert.equal((await first?.pending(`at once ${index}`))?.length, 2);
    for (const it of all) await it.close();
  });

  test(`${kind} keeps what hostile files contain`, { skip: open === undefined && noPostgres }, async () => {
    const results = (await open?.()) ?? assert.fail();
    const hostile = "'; DROP TABLE fleet_runs; --\0\ud800\u202e$1 ?\\u0000";
    await begin(results, 'hostile', 'a');
    const path = `${hostile}/package.json`;
    await results.put('hostile', 'a', {
      ...result,
      reasons: [hostile],
      uses: [{ ...use, name: hostile, path }],
      findings: [{ ...finding, name: hostile, path, message: hostile, advisories: [[hostile]] }],
    });
    const [found = assert.fail()] = await results.findings('hostile', {});
    assert.ok(found.message.startsWith("'; DROP TABLE fleet_runs; --"));
    assert.equal((await results.uses('hostile', { name: found.name })).length, 1);
    assert.equal((await results.findings('hostile', { advisory: found.name })).length, 1);
    await results.close();
  });
}
