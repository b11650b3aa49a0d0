import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { fileTrouble } from '../../../server/src/engine/base/file-error.ts';
import { hasSqlite } from '../../../server/src/engine/storage/database.ts';
import { openSqlite } from '../../../server/src/engine/storage/sql/sqlite.ts';
import { serveHttp } from '../../../server/src/service/http-server.ts';
import { readOsv } from '../../../server/src/service/import/osv.ts';
import { openRecordFile } from '../../../server/src/service/import/record-files.ts';
import { type ImportResult, runImport, StoreFailed } from '../../../server/src/service/import/run-import.ts';
import { alone } from '../../../server/src/service/mirror/coordination.ts';
import { createMirror } from '../../../server/src/service/mirror/mirror.ts';
import { createMemoryStore } from '../../../server/src/service/store/memory-store.ts';
import { openStore } from '../../../server/src/service/store/open-store.ts';
import { openSqlStore } from '../../../server/src/service/store/sql-store.ts';
import type { Store } from '../../../server/src/service/store/store.ts';
import { fakeClock } from '../../harness/fake-clock.ts';
import { openStores, storeKinds } from '../../harness/stores.ts';
import { zip } from '../../harness/zip.ts';
import { folderWith } from '../../terminal/program.ts';
import { runHere } from '../../terminal/terminal.ts';

/* What imports keep, and how they end. */

const folder = mkdtempSync(join(tmpdir(), 'insights-import-'));
const stores = await openStores();
after(async () => {
  await stores.close();
  rmSync(folder, { recursive: true, force: true });
});

const osv = (id: string, more: object = {}) => ({
  id,
  modified: '2026-01-02T00:00:00Z',
  summary: `About ${id}`,
  aliases: ['CVE-1'],
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
  references: [
    { type: 'WEB', url: 'https://web.example/' },
    { type: 'ADVISORY', url: `https://advisories.example/${id}` },
  ],
  affected: [
    {
      package: { ecosystem: 'npm', name: 'a' },
      ranges: [
        {
          type: 'SEMVER',
          events: [{ fixed: '2.3.0' }, { introduced: '2.0.0' }, { fixed: '1.5.0' }, { introduced: '0' }],
        },
      ],
    },
  ],
  ...more,
});

const version = (name: string, at: string) =>
  JSON.stringify({ versionKey: { system: 'NPM', name, version: at }, purl: `pkg:npm/${name}@${at}`, isDefault: true });

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

async function importing(store: Store, path: string, signal = new AbortController().signal): Promise<ImportResult> {
  const none = () => {};
  const options = { store, file: await openRecordFile(path), now: Date.now(), signal };
  return runImport({ ...options, onProgress: none, onTrouble: (error) => assert.fail(String(error)) });
}

function over(store: Store) {
  const clock = fakeClock(Date.now());
  return createMirror({ store, clock, coordination: alone(clock.now), observe: () => {} });
}

const minimal = (system: string, name: string, at: string, purl: string, ids: readonly string[]) => ({
  versionKey: { system, name, version: at },
  purl,
  isDefault: false,
  isDeprecated: false,
  deprecatedReason: '',
  licenses: [],
  licenseDetails: [],
  advisoryKeys: ids.map((id) => ({ id })),
  links: [],
  slsaProvenances: [],
  attestations: [],
  registries: [],
  relatedProjects: [],
  upstreamIdentifiers: [],
});

async function advisoriesOf(store: Store, name: string, at: string): Promise<readonly string[]> {
  const answer = await over(store).version({ system: 'NPM', name, version: at });
  assert.equal(answer.kind, 'found', at);
  const { advisoryKeys = [] } = (answer.kind === 'found' ? answer.body : {}) as { advisoryKeys?: { id: string }[] };
  return advisoryKeys.map((it) => it.id);
}

function sortedIds(version: object): object {
  const { advisoryKeys } = version as { advisoryKeys: { id: string }[] };
  return { ...version, advisoryKeys: advisoryKeys.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
}

for (const kind of storeKinds) {
  const skip = stores.whyNot[kind] ?? false;

  test(`${kind}: advisories affect the versions of their ranges, whatever is imported first`, { skip }, async () => {
    const store = await stores.open(kind);
    const versions = ['1.0.0', '1.5.0', '2.0.0', '2.2.9', '2.3.0'];
    const first = await importing(
      store,
      file(`${kind}/v.jsonl`, `${versions.map((it) => version('a', it)).join('\n')}\n`),
    );
    assert.deepEqual([first.state, first.kept], ['complete', 5]);
    const second = await importing(store, file(`${kind}/o.jsonl.gz`, gzipSync(JSON.stringify(osv('GHSA-1')))));
    assert.deepEqual([second.state, second.kept], ['complete', 1]);
    const found = await Promise.all(versions.map((it) => advisoriesOf(store, 'a', it)));
    assert.deepEqual(found, [['GHSA-1'], [], ['GHSA-1'], ['GHSA-1'], []]);
    const advisory = await over(store).advisory('GHSA-1');
    assert.deepEqual(advisory.kind === 'found' && advisory.body, {
      advisoryKey: { id: 'GHSA-1' },
      url: 'https://advisories.example/GHSA-1',
      title: 'About GHSA-1',
      aliases: ['CVE-1'],
      cvss3Score: 9.8,
      cvss3Vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    });
    const list = await over(store).package({ system: 'NPM', name: 'a' });
    const { versions: listed } = (list.kind === 'found' ? list.body : {}) as {
      versions: { versionKey: { version: string } }[];
    };
    assert.deepEqual(
      listed.map((it) => it.versionKey.version),
      versions,
    );
  });

  // Source: OSV Schema, “Evaluation”: a record decides by name and version, whether or not a registry still has them.
  test(`${kind}: advisories alone answer for the versions that they affect, and say no more`, { skip }, async () => {
    const store = await stores.open(kind);
    const of = (ecosystem: string, name: string, affected: object) => ({
      affected: [{ package: { ecosystem, name }, ...affected }],
    });
    const all = [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }] }];
    const records = [
      osv('MAL-1', of('npm', 'evil', { versions: ['1.0.0'], ranges: all })),
      osv('GHSA-2', of('npm', 'evil', { versions: ['1.0.0'] })),
      osv(
        'PYSEC-3',
        of('PyPI', 'Foo_.Bar', { ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '1.0' }, { fixed: '1.10' }] }] }),
      ),
      osv(
        'GO-4',
        of('Go', 'example.com/M', {
          ranges: [{ type: 'SEMVER', events: [{ introduced: '1.2.0' }, { fixed: '1.3.0' }] }],
        }),
      ),
      osv('GHSA-5', of('NuGet', 'Some.Thing', { versions: ['1.0'] })),
      osv(
        'GHSA-6',
        of('Maven', 'g:a', {
          ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '1.0' }, { last_affected: '1.9' }] }],
        }),
      ),
      osv('GHSA-7', { ...of('npm', 'evil', { versions: ['2.0.0'] }), withdrawn: '2026-01-03T00:00:00Z' }),
    ];
    await importing(store, file(`${kind}/alone.jsonl`, records.map((it) => JSON.stringify(it)).join('\n')));
    const source = over(store);
    for (const [system, name, at, expected] of [
      ['NPM', 'evil', '1.0.0', minimal('NPM', 'evil', '1.0.0', 'pkg:npm/evil@1.0.0', ['GHSA-2', 'MAL-1'])],
      ['NPM', 'evil', '2.0.0', minimal('NPM', 'evil', '2.0.0', 'pkg:npm/evil@2.0.0', ['MAL-1'])],
      ['PYPI', 'foo.bar', '1.9', minimal('PYPI', 'foo-bar', '1.9.0', 'pkg:pypi/foo-bar@1.9.0', ['PYSEC-3'])],
      [
        'GO',
        'example.com/M',
        'v1.2.9',
        minimal('GO', 'example.com/M', 'v1.2.9', 'pkg:golang/example.com/M@v1.2.9', ['GO-4']),
      ],
      [
        'NUGET',
        'SOME.thing',
        '1.0.0.0',
        minimal('NUGET', 'some.thing', '1.0.0', 'pkg:nuget/some.thing@1.0.0', ['GHSA-5']),
      ],
      ['MAVEN', 'g:a', '1.9', minimal('MAVEN', 'g:a', '1.9', 'pkg:maven/g/a@1.9', ['GHSA-6'])],
    ] as const) {
      const answer = await source.version({ system, name, version: at });
      assert.deepEqual(answer.kind === 'found' && sortedIds(answer.body), expected, `${name}@${at}`);
      const queried = await source.query({ key: { system, name, version: at } });
      assert.equal(queried.kind === 'found' && queried.body.length, 1);
    }
    for (const [system, name, at] of [
      ['NPM', 'Evil', '1.0.0'],
      ['PYPI', 'foo-bar', '1.10'],
      ['PYPI', 'foo-bar', '0.9'],
      ['GO', 'example.com/m', 'v1.2.9'],
      ['GO', 'example.com/M', 'v1.3.0'],
      ['NUGET', 'some.thing', '1.0.1'],
      ['MAVEN', 'g:a', '1.10'],
    ] as const)
      assert.equal((await source.version({ system, name, version: at })).kind, 'unknown', `${name}@${at}`);
    // A list would offer versions to choose from: each of them is affected.
    assert.equal((await source.package({ system: 'NPM', name: 'evil' })).kind, 'unknown');
    assert.deepEqual(await store.versionsOf({ system: 'NPM', name: 'evil' }), []);
  });

  test(`${kind}: an import that was stopped continues, and a complete one is not repeated`, { skip }, async () => {
    const store = await stores.open(kind);
    const lines = Array.from({ length: 1700 }, (_, it) => version('many', `1.0.${it}`));
    const path = file(`${kind}/many.jsonl`, lines.join('\n'));
    const ending = new AbortController();
    const stopping: Store = {
      ...store,
      importPart: async (part) => {
        if (part.to === 1000) ending.abort();
        return store.importPart(part);
      },
    };
    const stopped = await importing(stopping, path, ending.signal);
    assert.deepEqual([stopped.state, stopped.position, stopped.kept], ['stopped', 1000, 1000]);
    const continued = await importing(store, path);
    assert.deepEqual(
      [continued.state, continued.from, continued.kept, continued.position],
      ['complete', 1000, 700, 1700],
    );
    assert.equal((await store.versionsOf({ system: 'NPM', name: 'many' })).length, 1700);
    assert.equal((await importing(store, path)).state, 'was complete');
    // Another state of the file is another import, and changes nothing that is the same.
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    assert.deepEqual((await importing(store, path)).kept, 1700);
    assert.equal((await store.versionsOf({ system: 'NPM', name: 'many' })).length, 1700);
  });
}

test('an import that is stopped within a part counts what was written alone', async () => {
  const store = createMemoryStore();
  const lines = Array.from({ length: 900 }, (_, it) => version('within', `1.0.${it}`));
  const whole = await openRecordFile(file('within.jsonl', lines.join('\n')));
  const ending = new AbortController();
  async function* records() {
    let count = 0;
    for await (const it of whole.records()) {
      if (++count === 700) ending.abort();
      yield it;
    }
  }
  const none = () => {};
  const options = { store, now: Date.now(), signal: ending.signal, onProgress: none, onTrouble: none };
  const stopped = await runImport({ ...options, file: { ...whole, records } });
  assert.deepEqual([stopped.state, stopped.position, stopped.kept], ['stopped', 500, 500]);
});

test('a file of which nothing could be kept fails each time', async () => {
  const store = createMemoryStore();
  const path = file('only-bad.jsonl', '[]\n[]');
  for (const state of ['complete', 'was complete']) {
    const result = await importing(store, path);
    assert.deepEqual([result.state, result.kept, result.bad], [state, 0, 2]);
  }
});

test('bad lines are counted and listed with their numbers, and the others are kept', async () => {
  const store = createMemoryStore();
  const tooLong = `{"versionKey":"${'x'.repeat(17 * 1024 * 1024)}"}`;
  const lines = [
    version('good', '1.0.0'),
    '{"versionKey":',
    '',
    '[]',
    '{"other":1}',
    '{"versionKey":{"system":"PEAR","name":"a","version":"1"}}',
    version('a\0b', '1.0.0'),
    version('x'.repeat(10_000), '1.0.0'),
    `{"versionKey":{"system":"NPM","name":"a","version":"1"},"licenses":7}`,
    `{"versionKey":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    tooLong,
    version('good', '2.0.0'),
  ];
  const result = await importing(store, file('bad.jsonl.gz', gzipSync(lines.join('\r\n'))));
  assert.deepEqual([result.state, result.kept, result.ignored, result.bad], ['complete', 2, 1, 8]);
  assert.deepEqual(result.faults, [
    'line 2: it is not JSON',
    'line 4: it is not an object',
    'line 5: it is neither an advisory, nor a package, nor a version',
    'line 7: its name cannot be one',
    'line 8: its name cannot be one',
    'line 9: licenses is not a list',
    'line 10: versionKey is not an object',
    'line 11: it is too long',
  ]);
});

test('a folder and a ZIP archive of advisories are imported alike', async () => {
  const records = ['GHSA-1', 'GHSA-2', 'PYSEC-3'].map((it) => [`${it}.json`, JSON.stringify(osv(it))] as const);
  const other = JSON.stringify(osv('DSA-1', { affected: [{ package: { ecosystem: 'Debian:12', name: 'a' } }] }));
  const all = [...records, ['npm/other.json', other], ['npm/broken.json', '{'], ['README.md', '#']] as const;
  for (const [name, content] of all) file(`osv/${name}`, content);
  for (const path of [join(folder, 'osv'), file('osv.zip', zip(all))]) {
    const store = createMemoryStore();
    const { state, kept, ignored, bad, faults } = await importing(store, path);
    assert.deepEqual(
      [state, kept, ignored, bad, faults],
      ['complete', 3, 1, 1, ['npm/broken.json: it is not JSON']],
      path,
    );
    assert.equal((await store.affecting([{ system: 'NPM', name: 'a' }])).length, 3);
  }
});

test('an archive that unpacks to more than it declares, or is cut off, ends with a reason', async () => {
  const record = JSON.stringify(osv('GHSA-1'));
  const lying = zip([['bomb.json', ' '.repeat(64 * 1024 * 1024)]], 100);
  await assert.rejects(importing(createMemoryStore(), file('bomb.zip', lying)), /too many bytes|larger/i);
  const cut = zip([['a.json', record]]).subarray(0, -30);
  await assert.rejects(openRecordFile(file('cut.zip', cut)));
  const store = createMemoryStore();
  // Random texts, so that the compressed half contains whole parts.
  const lines = Array.from({ length: 5000 }, () => version(Math.random().toString(36).slice(2), '1.0.0')).join('\n');
  const half = file('half.jsonl.gz', gzipSync(lines).subarray(0, -5000));
  const { id } = await openRecordFile(half);
  await assert.rejects(importing(store, half), /unexpected end of file/);
  // Whole parts before the damage are kept.
  assert.ok(((await store.importPosition(id)) ?? 0) >= 500);
});

test('a file that another process imports at the same time is left to it', async () => {
  const store = createMemoryStore();
  const path = file('shared.jsonl', Array.from({ length: 1200 }, (_, it) => version('s', `1.0.${it}`)).join('\n'));
  const results = await Promise.all([importing(store, path), importing(store, path)]);
  assert.deepEqual(results.map((it) => it.state).sort(), ['complete', 'elsewhere']);
  assert.equal((await store.versionsOf({ system: 'NPM', name: 's' })).length, 1200);
});

test('OSV: events, limits, systems and spellings', () => {
  const affectedOf = (affected: object) => readOsv(osv('X', { affected: [affected] })).affected;
  const of = (ecosystem: string, name: string, events: readonly object[], more: object = {}) =>
    affectedOf({ package: { ecosystem, name }, ranges: [{ type: 'ECOSYSTEM', events }], ...more });
  assert.deepEqual(
    of('PyPI', 'Foo_.Bar', [{ introduced: '0' }, { last_affected: '1.0' }], { versions: ['1.0', '2.0b1'] }),
    [
      {
        system: 'PYPI',
        name: 'foo-bar',
        ranges: [{ introduced: '0', lastAffected: '1.0' }],
        versions: ['1.0', '2.0b1'],
      },
    ],
  );
  assert.deepEqual(of('Go', 'example.com/m', [{ introduced: '1.2.0' }, { fixed: '1.3.0' }])[0]?.ranges, [
    { introduced: 'v1.2.0', fixed: 'v1.3.0' },
  ]);
  assert.deepEqual(
    of('Maven:https://registry.example', 'g:a', [{ introduced: '1' }], {
      database_specific: { last_known_affected_version_range: '<= 1.9' },
    })[0]?.ranges,
    [{ introduced: '1', lastAffected: '1.9' }],
  );
  assert.deepEqual(of('npm', 'a', [{ introduced: '1.0.0' }, { limit: '*' }])[0]?.ranges, [{ introduced: '1.0.0' }]);
  assert.deepEqual(
    affectedOf({
      package: { ecosystem: 'npm', name: 'a' },
      ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }],
    })[0]?.ranges,
    [],
  );
  assert.deepEqual(readOsv(osv('X', { withdrawn: '2026-01-03T00:00:00Z' })).affected, []);
  const unscored = readOsv(
    osv('X', {
      severity: [
        { type: 'CVSS_V3', score: 'CVSS:3.1/nonsense' },
        { type: 'CVSS_V4', score: 'CVSS:4.0/AV:N' },
      ],
    }),
  );
  assert.deepEqual({ ...unscored.answer, cvss3Score: 0, cvss3Vector: '' }, unscored.answer);
});

test('what a record says of its severity is kept: CVSS 3 and 4, its own word, known attacks', () => {
  const version3 = { type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' };
  const version4 = 'CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';
  const severity = (more: object) => {
    const {
      advisoryKey: _,
      url: __,
      title: ___,
      aliases: ____,
      ...rest
    } = readOsv(osv('X', more)).answer as Record<string, unknown>;
    return rest;
  };
  const none = { cvss3Score: 0, cvss3Vector: '' };
  const scored3 = { cvss3Score: 9.8, cvss3Vector: version3.score };
  const scored4 = { cvss4Score: 5.4, cvss4Vector: version4 };
  const of4 = (score: string) => ({ type: 'CVSS_V4', score });
  for (const [more, expected] of [
    [{ severity: [of4(version4)] }, { ...none, ...scored4 }],
    [{ severity: [version3, of4(version4)] }, { ...scored3, ...scored4 }],
    // Threat metrics do not lower a base score.
    [{ severity: [of4(`${version4}/E:U`)] }, { ...none, ...scored4, cvss4Vector: `${version4}/E:U` }],
    [
      { severity: [], database_specific: { severity: 'MODERATE' } },
      { ...none, severity: 'MEDIUM' },
    ],
    [{ severity: [], database_specific: { severity: 'awful' } }, none],
    [{ database_specific: { severity: 'LOW' } }, scored3],
    [{ database_specific: { known_exploited: true } }, { ...scored3, knownExploited: true }],
    [{ database_specific: { cisa_kev: { dateAdded: '2021-12-10' } } }, { ...scored3, knownExploited: true }],
    [{ database_specific: { kev: false } }, scored3],
  ] as const)
    assert.deepEqual(severity(more), expected, JSON.stringify(more));
});

test('check fails on a version that only an imported record of malware names', { skip: !hasSqlite() }, async (t) => {
  const record = osv('MAL-9', {
    severity: [],
    affected: [{ package: { ecosystem: 'npm', name: 'evil' }, versions: ['1.0.0'] }],
  });
  const project = folderWith({
    'package.json': '{ "dependencies": { "evil": "^1.0.0" } }',
    'package-lock.json': '{ "lockfileVersion": 3, "packages": { "node_modules/evil": { "version": "1.0.0" } } }',
    'import/MAL-9.json': JSON.stringify(record),
  });
  t.after(project.remove);
  const imported = await runHere(['import', '--store', 'sqlite:store.sqlite', 'import'], project.path);
  assert.equal(imported.code, 0, imported.error);
  const store = await openStore({ kind: 'sqlite', path: join(project.path, 'store.sqlite') });
  const service = await serveHttp({ source: over(store) });
  t.after(async () => {
    await service.close();
    await store.close();
  });
  const { code, out } = await runHere(['check', '--base-url', service.url], project.path);
  assert.equal(code, 1, out);
  assert.match(out, /^evil 1\.0\.0 .*MAL-9/ms);
});

// Source: SQLite, `PRAGMA max_page_count`: beyond, it reports the same error as for a full disk.
test('a full disk ends an import at once, with the reason, and the next one continues there', {
  skip: !hasSqlite(),
}, async (t) => {
  const project = folderWith({});
  const database = openSqlite(join(project.path, 'store.sqlite'));
  const store = await openSqlStore(database);
  t.after(async () => {
    await store.close();
    project.remove();
  });
  const pages = (count: number) => database.transaction((session) => session.all(`PRAGMA max_page_count = ${count}`));
  const path = file('full.jsonl', Array.from({ length: 2000 }, (_, it) => version('full', `1.0.${it}`)).join('\n'));
  const [{ page_count: empty } = {}] = await database.all('PRAGMA page_count');
  await pages(Number(empty) + 50);
  // It would fail the test with each wait for another attempt.
  const failed = await importing(store, path).catch((error: unknown) => error);
  assert.ok(failed instanceof StoreFailed, String(failed));
  assert.equal(fileTrouble(failed.trouble), 'the disk is full');
  const { state, position, kept } = failed.result;
  assert.deepEqual([state, position % 500, kept], ['stopped', 0, position]);
  assert.ok(position < 2000);
  assert.equal((await store.versionsOf({ system: 'NPM', name: 'full' })).length, position);
  await pages(100_000);
  const repaired = await importing(store, path);
  assert.deepEqual([repaired.state, repaired.from, repaired.kept], ['complete', position, 2000 - position]);
  assert.equal((await store.versionsOf({ system: 'NPM', name: 'full' })).length, 2000);
});

test('a disk that is full in the last moment leaves no import that looks whole', async () => {
  const store = createMemoryStore();
  const full = Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
  const path = file('last.jsonl', version('last', '1.0.0'));
  // As where the index of its log cannot grow. Source: SQLite, SQLITE_IOERR_SHMSIZE.
  assert.equal(fileTrouble(Object.assign(new Error('disk I/O error'), { errcode: 4874 })), 'the disk is full');
  await assert.rejects(importing({ ...store, setNote: () => Promise.reject(full) }, path), StoreFailed);
  const postgres = Object.assign(new Error('no space'), { code: '53100' });
  await assert.rejects(importing({ ...createMemoryStore(), importPart: () => Promise.reject(postgres) }, path), {
    name: 'StoreFailed',
    result: { state: 'stopped', position: 0, from: 0, kept: 0, ignored: 0, bad: 0, faults: [] },
  });
  assert.equal((await importing(store, path)).state, 'complete');
});

test('the id of a file changes with its content', async () => {
  const path = file('changing.jsonl', version('a', '1.0.0'));
  const { id } = await openRecordFile(path);
  appendFileSync(path, '\n');
  assert.notEqual((await openRecordFile(path)).id, id);
});

test('a list of known exploited vulnerabilities marks the advisories whose CVE it has, and another list marks them anew', {
  skip: !hasSqlite(),
}, async (t) => {
  const list = (...cves: readonly string[]): string =>
    JSON.stringify({ title: 'Catalog', vulnerabilities: cves.map((cveID) => ({ cveID, vendorProject: 'x' })) });
  const project = folderWith({
    'package.json': '{ "dependencies": { "a": "1.0.0" } }',
    'import/GHSA-1.json': JSON.stringify(osv('GHSA-1', { aliases: ['CVE-2026-0001'] })),
    'none.json': list('CVE-2025-9999'),
    'kev.json': list('CVE-2025-9999', 'cve-2026-0001'),
    'wrong.json': '{ "vulnerabilities": [] }',
  });
  t.after(project.remove);
  const load = (kev: string) =>
    runHere(['import', '--store', 'sqlite:store.sqlite', '--kev', kev, 'import'], project.path);
  const marked = async (): Promise<unknown> => {
    const store = await openStore({ kind: 'sqlite', path: join(project.path, 'store.sqlite') });
    const service = await serveHttp({ source: over(store) });
    const answer = await fetch(`${service.url}/v3alpha/advisories/GHSA-1`);
    const { knownExploited } = (await answer.json()) as { knownExploited?: true };
    await service.close();
    await store.close();
    return knownExploited;
  };
  assert.equal((await load('none.json')).code, 0);
  assert.equal(await marked(), undefined);
  const { code, error } = await load('kev.json');
  assert.equal(code, 0, error);
  assert.equal(await marked(), true);
  const wrong = await load('wrong.json');
  assert.equal(wrong.code, 2);
  assert.match(wrong.error, /wrong\.json cannot be used: it is no list of known exploited vulnerabilities/);
});
