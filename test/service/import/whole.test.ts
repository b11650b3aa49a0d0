import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { VersionKey } from '../../../server/src/engine/model/keys.ts';
import type { System } from '../../../server/src/engine/model/system.ts';
import { hasSqlite } from '../../../server/src/engine/storage/database.ts';
import { serveHttp } from '../../../server/src/service/http-server.ts';
import { alone } from '../../../server/src/service/mirror/coordination.ts';
import { createMirror } from '../../../server/src/service/mirror/mirror.ts';
import type { Upstream } from '../../../server/src/service/mirror/upstream.ts';
import { withCatalogInFront } from '../../../server/src/service/registries/catalog-in-front.ts';
import { openStore } from '../../../server/src/service/store/open-store.ts';
import { fakeClock } from '../../harness/fake-clock.ts';
import { inlineCatalog } from '../../harness/service.ts';
import { zip } from '../../harness/zip.ts';
import { folderWith } from '../../terminal/program.ts';
import { runHere } from '../../terminal/terminal.ts';

/* `import --whole SYSTEM`: after the archive of an ecosystem, the vulnerabilities of its versions are known. */

const skip = !hasSqlite();

const record = (id: string, name: string, more: object = {}, ecosystem = 'npm') => ({
  id,
  modified: '2026-01-02T00:00:00Z',
  summary: `About ${id}`,
  affected: [{ package: { ecosystem, name }, versions: ['1.0.0'] }],
  ...more,
});
const archive = (...records: readonly { readonly id: string }[]): Buffer =>
  zip(records.map((it) => [`${it.id}.json`, JSON.stringify(it)]));
const usual = [
  record('GHSA-1', 'bad'),
  record('GHSA-2', 'worse', { modified: '2026-01-05T10:00:00Z' }),
  record('GHSA-3', 'vague', { affected: [{ package: { ecosystem: 'npm', name: 'vague' }, ranges: [] }] }),
];

const folder = folderWith({
  'package.json': '{ "dependencies": { "fine": "1.0.0" } }',
  'python/requirements.txt': 'fine==1.0.0\n',
});
after(() => folder.remove());
let stores = 0;

/** A registry: it knows every version, and no vulnerability. */
const registry: Upstream = {
  async ask(fact) {
    if (fact.kind !== 'version') return { kind: 'not kept' };
    const { system, name } = fact.key;
    if (name === 'gone') return { kind: 'answer', body: undefined, lifetime: 1000 };
    if (name === 'late') return { kind: 'failed', reason: 'late', retryAfter: 1 };
    const body = { versionKey: fact.key, purl: `pkg:${system.toLowerCase()}/${name}`, advisoriesComplete: false };
    return { kind: 'answer', body: JSON.stringify(body), lifetime: 3_600_000 };
  },
};

function imports(): { readonly store: string; run(...args: readonly string[]): ReturnType<typeof runHere> } {
  const store = `store-${++stores}.sqlite`;
  return { store, run: (...args) => runHere(['import', '--store', `sqlite:${store}`, ...args], folder.path) };
}

function write(content: Buffer | string, name = `${++stores}.zip`): string {
  writeFileSync(join(folder.path, name), content);
  return name;
}

const catalog = inlineCatalog({
  'NPM known': {
    versions: ['1.0.0'],
    sample: true,
    shared: { licenses: ['MIT'], publishedAt: '2020-01-01T00:00:00Z' },
  },
  'advisory GHSA-9': { affected: [{ system: 'NPM', name: 'known', versions: ['0.9.0', '1.0.0'] }] },
});

async function over<T>(store: string, use: (source: ReturnType<typeof withCatalogInFront>) => Promise<T>): Promise<T> {
  const opened = await openStore({ kind: 'sqlite', path: join(folder.path, store) });
  const clock = fakeClock(Date.now());
  const mirror = createMirror({
    store: opened,
    upstream: registry,
    clock,
    coordination: alone(clock.now),
    observe: () => {},
  });
  try {
    return await use(withCatalogInFront(catalog, mirror, new Map(), clock));
  } finally {
    await opened.close();
  }
}

/** `?` for what is not complete, and the day for what is, before the ids. */
function told(store: string, name: string, system: System = 'NPM', version = '1.0.0'): Promise<string> {
  const key: VersionKey = { system, name, version };
  return over(store, async (source) => {
    const answer = await source.version(key);
    if (answer.kind !== 'found') return answer.kind;
    const body = answer.body as Readonly<Record<string, unknown>>;
    const ids = ((body['advisoryKeys'] ?? []) as readonly { readonly id: string }[]).map((it) => it.id);
    const asOf = String(body['advisoriesAsOf'] ?? '').slice(0, 10);
    return [body['advisoriesComplete'] === false ? '?' : asOf, ...ids].join(' ').trim();
  });
}

test('a whole archive makes its system complete, and no other', { skip }, async () => {
  const { store, run } = imports();
  assert.equal((await run(write(archive(...usual)))).code, 0);
  assert.equal(await told(store, 'fine'), '?', 'without --whole nothing is complete');
  const { code, out, error } = await run('--whole', 'npm', write(archive(...usual)));
  assert.equal(code, 0, error);
  assert.match(out, /vulnerabilities of npm as of 2026-01-05/);
  assert.equal(await told(store, 'fine'), '2026-01-05');
  assert.equal(await told(store, 'bad'), '2026-01-05 GHSA-1');
  assert.equal(await told(store, 'fine', 'PYPI'), '?');
});

test('what an advisory affects without versions or ranges is not complete', { skip }, async () => {
  const { store, run } = imports();
  await run('--whole', 'npm', write(archive(...usual)));
  assert.equal(await told(store, 'vague'), '?');
});

test('a version that only an advisory names is complete after a whole archive alone', { skip }, async () => {
  const { store, run } = imports();
  const gone = ['gone', 'late'].map((it) => record(`MAL-${it}`, it));
  await run(write(archive(...gone)));
  assert.equal(await told(store, 'gone'), '? MAL-gone');
  assert.equal(await told(store, 'late'), '? MAL-late');
  await run('--whole', 'npm', write(archive(...usual, ...gone)));
  assert.equal(await told(store, 'gone'), '2026-01-05 MAL-gone');
});

test('imported advisories count besides those of the catalog', { skip }, async () => {
  const { store, run } = imports();
  assert.equal(await told(store, 'known'), 'GHSA-9');
  await run('--whole', 'npm', write(archive(...usual, record('GHSA-8', 'known'))));
  assert.equal(await told(store, 'known'), '2026-01-05 GHSA-9 GHSA-8');
  // The catalog lacks the version.
  assert.equal(await told(store, 'known', 'NPM', '0.9.0'), '2026-01-05 GHSA-9');
});

const refused: readonly (readonly [string, () => string, RegExp])[] = [
  ['a truncated archive', () => write(archive(...usual).subarray(0, -40)), /cannot be used/],
  [
    'a record that is no JSON',
    () =>
      write(
        zip([
          ['a.json', JSON.stringify(usual[0])],
          ['b.json', '{'],
        ]),
      ),
    /b\.json: it is not JSON/,
  ],
  [
    'a record of no ecosystem',
    () => write(archive(...usual, record('DSA-1', 'x', {}, 'Debian:12'))),
    /DSA-1\.json: it affects nothing of npm/,
  ],
  [
    'the archive of another ecosystem',
    () => write(archive(record('PYSEC-1', 'x', {}, 'PyPI'))),
    /PYSEC-1\.json: it affects nothing of npm/,
  ],
  ['an archive without records', () => write(zip([['README.md', '#']])), /it has no advisories/],
  [
    'a list of answers',
    () => write(zip([['a.json', JSON.stringify({ packageKey: { system: 'NPM', name: 'a' } })]])),
    /a\.json: it is no advisory/,
  ],
  ['a file with lines', () => write(JSON.stringify(usual[0]), 'lines.jsonl'), /only a ZIP archive can be whole/],
  ['a folder', () => '.', /only a ZIP archive can be whole/],
];
for (const [title, make, reason] of refused) {
  test(`nothing changes: ${title}`, { skip }, async () => {
    const { store, run } = imports();
    const { code, error } = await run('--whole', 'npm', make());
    assert.equal(code, 2);
    assert.match(error, reason);
    assert.equal(await told(store, 'fine'), '?');
    assert.equal(await told(store, 'bad'), '?', 'no record was kept');
  });
}

test('a damaged content changes nothing, although the archive can be opened', { skip }, async () => {
  const { store, run } = imports();
  const content = archive(...usual);
  const at = content.indexOf('PK\x03\x04', 40) - 12;
  content.writeUInt8(content.readUInt8(at) ^ 0xff, at);
  const { code, error } = await run('--whole', 'npm', write(content));
  assert.equal(code, 2, error);
  assert.equal(await told(store, 'bad'), '?');
});

test('an older archive, a part of one and a failed one leave the day of the last whole one', { skip }, async () => {
  const { store, run } = imports();
  await run('--whole', 'npm', write(archive(...usual)));
  await run('--whole', 'npm', write(archive(record('GHSA-1', 'bad', { modified: '2025-01-01T00:00:00Z' }))));
  assert.equal(await told(store, 'fine'), '2026-01-05');
  await run(write(archive(record('GHSA-4', 'fine', { modified: '2026-02-01T00:00:00Z' }))));
  assert.equal(await told(store, 'fine'), '2026-01-05 GHSA-4');
  await run('--whole', 'npm', write(archive(...usual).subarray(0, -40)));
  assert.equal(await told(store, 'fine'), '2026-01-05 GHSA-4');
});

test('an archive with another content is another one, whatever its name, size and time are', { skip }, async () => {
  const { store, run } = imports();
  const time = new Date('2026-03-01T00:00:00Z');
  const put = (name: string): string => {
    const path = write(archive(record('GHSA-5', name)), 'same.zip');
    utimesSync(join(folder.path, path), time, time);
    return path;
  };
  await run('--whole', 'npm', put('aaa'));
  await run('--whole', 'npm', put('bbb'));
  assert.equal(await told(store, 'bbb'), '2026-01-02 GHSA-5');
});

test('both passes tell how far they are, and one that is stopped begins anew', { skip }, async () => {
  const many = Array.from({ length: 1200 }, (_, at) => record(`GHSA-${at}`, `p${at}`));
  const path = write(archive(...many));
  for (const [until, state] of [
    ['records checked: 500/1200', '?'],
    ['records: 500/1200, bad: 0', '?'],
    [undefined, '2026-01-02'],
  ] as const) {
    const store = `store-${++stores}.sqlite`;
    const lines: string[] = [];
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const args = ['import', '--store', `sqlite:${store}`, '--whole', 'npm', path];
    const status = (line: string): void => {
      lines.push(line);
      if (line === until) end();
    };
    const { code, out } = await runHere(args, folder.path, { ended, status });
    assert.equal(code, until === undefined ? 0 : 2);
    if (until !== undefined) assert.match(out, /Stopped; the same command begins anew/);
    else for (const it of ['records checked: 1000/1200', 'records: 1000/1200, bad: 0']) assert.ok(lines.includes(it));
    assert.equal(await told(store, 'fine'), state);
    assert.equal((await runHere(args, folder.path)).code, 0);
    assert.equal(await told(store, 'fine'), '2026-01-02');
  }
});

test('--whole takes a system and one archive', { skip }, async () => {
  const { run } = imports();
  const path = write(archive(...usual));
  for (const [args, reason] of [
    [['--whole', 'gems', path], /--whole requires SYSTEM, not “gems”/],
    [['--whole', 'npm', path, path], /--whole requires exactly one archive/],
  ] as const) {
    const { code, error } = await run(...args);
    assert.equal(code, 2);
    assert.match(error, reason);
  }
});

test('check and lookup say as of when vulnerabilities are known', { skip }, async () => {
  const { store, run } = imports();
  const look = (): Promise<readonly string[]> =>
    over(store, async (source) => {
      const service = await serveHttp({ source });
      const at = { baseUrl: service.url };
      const checked = await runHere(['check'], folder.path, at);
      const looked = await runHere(['lookup', 'pkg:npm/fine@1.0.0'], folder.path, at);
      const json = await runHere(['check', '--format', 'json', 'package.json'], folder.path, at);
      await service.close();
      return [String(checked.code), checked.out, looked.out, json.out];
    });
  const [before, ...texts] = await look();
  assert.equal(before, '2');
  for (const it of texts) assert.doesNotMatch(it, /as of|advisoriesAsOf/);
  await run('--whole', 'npm', write(archive(...usual)));
  const [code, check = '', lookup = '', json = ''] = await look();
  assert.equal(code, '2', 'the other system is not complete');
  assert.match(check, /vulnerabilities as of 2026-01-05/);
  assert.match(lookup, /none known for this version itself, as of 2026-01-05/);
  assert.equal(JSON.parse(json).advisoriesAsOf, '2026-01-05T10:00:00.000Z');
  const one = await over(store, async (source) => {
    const service = await serveHttp({ source });
    const { code } = await runHere(['check', 'package.json'], folder.path, { baseUrl: service.url });
    await service.close();
    return code;
  });
  assert.equal(one, 0);
});
