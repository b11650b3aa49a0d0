import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTeam } from '../../server/src/bin/team.ts';
import { createHttp } from '../../server/src/engine/http/client.ts';
import type { PackageKey } from '../../server/src/engine/model/keys.ts';
import type { Clock } from '../../server/src/engine/model/ports.ts';
import type { RegistryProtocol } from '../../server/src/engine/model/registries/access.ts';
import type { System } from '../../server/src/engine/model/system.ts';
import { hasSqlite } from '../../server/src/engine/storage/database.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { catalogDirectory } from '../harness/service.ts';
import { folderWith } from '../terminal/program.ts';

/* What registries are asked again, and how: with what their last answer said, or not at all. */

const HOUR = 3_600_000;

interface File {
  readonly text: string;
  readonly etag?: string;
  readonly modified?: string;
  readonly type?: string;
}
const files = new Map<string, File>();
const asked: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly status: number }[] = [];
const registry = createServer(({ url = '', headers }, response) => {
  const path = decodeURIComponent(url);
  const file = files.get(path);
  const isSame =
    (file?.etag !== undefined && headers['if-none-match'] === file.etag) ||
    (file?.modified !== undefined && headers['if-modified-since'] === file.modified);
  const status = file === undefined ? 404 : isSame ? 304 : 200;
  asked.push({ path, headers, status });
  response.writeHead(status, {
    'content-type': file?.type ?? 'application/json',
    ...(file?.etag !== undefined && { etag: file.etag }),
    ...(file?.modified !== undefined && { 'last-modified': file.modified }),
  });
  response.end(status === 200 ? file?.text : '');
});
await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
const http = createHttp({ clock: systemClock, userAgent: 'test' });
const folder = folderWith({ 'nothing.txt': '' });
after(async () => {
  await http.close();
  registry.close();
  registry.closeAllConnections();
  folder.remove();
});

const protocols: Partial<Record<System, RegistryProtocol>> = { NPM: 'npm', MAVEN: 'maven', GO: 'go-proxy' };
let ahead = 0;
const clock: Clock = { now: () => Date.now() + ahead, after: systemClock.after };
let stores = 0;

function open(store: string | undefined) {
  return openTeam({
    store: store === undefined ? undefined : { kind: 'sqlite', path: join(folder.path, store) },
    registries: {
      catalog: catalogDirectory,
      accessOf: ({ system }: PackageKey) => ({
        join: 'first',
        registries: [
          { protocol: protocols[system] ?? 'npm', address: `${base}/${system}`, from: 'test', namedBy: 'machine' },
        ],
      }),
      addresses: new Map(),
    },
    version: '1.0.0',
    clock,
    http,
    log: () => {},
  });
}

const packument = (name: string, ...versions: readonly string[]): string =>
  JSON.stringify({
    name,
    versions: Object.fromEntries(versions.map((it) => [it, { name, version: it, license: 'MIT' }])),
  });

/** What was asked while something is done. */
async function during(work: () => unknown): Promise<readonly string[]> {
  const before = asked.length;
  await work();
  return asked.slice(before).map((it) => `${it.status} ${it.path}`);
}

const places = [['memory', undefined] as const, ['a database', 'one.sqlite'] as const];
for (const [place, store] of places) {
  const skip = store !== undefined && !hasSqlite();
  const name = `mine${++stores}`;

  test(`an answer older than an hour is asked for with what marks it: ${place}`, { skip }, async () => {
    files.set(`/NPM/${name}`, { text: packument(name, '1.0.0'), etag: '"a"' });
    const team = await open(store);
    const look = async (version: string): Promise<string> =>
      (await team.source.version({ system: 'NPM', name, version })).kind;
    assert.deepEqual(await during(() => look('1.0.0')), [`200 /NPM/${name}`]);
    assert.deepEqual(await during(() => look('1.0.0')), [], 'it is fresh');
    ahead += 2 * HOUR;
    assert.deepEqual(await during(() => look('1.0.0')), [`304 /NPM/${name}`]);
    assert.deepEqual(await during(() => look('1.0.0')), [], 'it is fresh again');
    ahead += 2 * HOUR;
    files.set(`/NPM/${name}`, { text: packument(name, '1.0.0', '1.1.0'), etag: '"b"' });
    assert.deepEqual(await during(() => look('1.1.0')), [`200 /NPM/${name}`]);
    assert.equal(await look('1.1.0'), 'found');
    await team.close();
  });
}

test('what marks an answer outlives the service', { skip: !hasSqlite() }, async () => {
  files.set('/NPM/lasting', { text: packument('lasting', '1.0.0'), modified: 'Fri, 02 Jan 2026 00:00:00 GMT' });
  const look = async (): Promise<unknown> => {
    const team = await open('lasting.sqlite');
    const answer = await team.source.version({ system: 'NPM', name: 'lasting', version: '1.0.0' });
    await team.close();
    return answer.kind === 'found' && (answer.body as { licenses?: unknown }).licenses;
  };
  assert.deepEqual(await during(look), ['200 /NPM/lasting']);
  ahead += 2 * HOUR;
  assert.deepEqual(await during(async () => assert.deepEqual(await look(), ['MIT'])), ['304 /NPM/lasting']);
});

test('without marks it is asked for as before', async () => {
  files.set('/NPM/plain', { text: packument('plain', '1.0.0') });
  const team = await open(undefined);
  const look = () => team.source.version({ system: 'NPM', name: 'plain', version: '1.0.0' });
  await look();
  ahead += 2 * HOUR;
  assert.deepEqual(await during(look), ['200 /NPM/plain']);
  assert.equal(asked.at(-1)?.headers['if-none-match'], undefined);
  await team.close();
});

const pom = '<project><licenses><license><name>MIT</name></license></licenses></project>';
const metadata = (...versions: readonly string[]): string =>
  `<metadata><versioning><versions>${versions.map((it) => `<version>${it}</version>`).join('')}</versions></versioning></metadata>`;

test('what never changes is not asked for again, whatever else has changed', { skip: !hasSqlite() }, async () => {
  const xml = 'application/xml';
  files.set('/MAVEN/g/a/maven-metadata.xml', { text: metadata('1.0', '2.0-SNAPSHOT'), type: xml });
  files.set('/MAVEN/g/a/1.0/a-1.0.pom', { text: pom, type: xml });
  files.set('/MAVEN/g/a/2.0-SNAPSHOT/a-2.0-SNAPSHOT.pom', { text: pom, type: xml });
  files.set('/GO/example.com/m/@v/list', { text: 'v1.0.0\n' });
  files.set('/GO/example.com/m/@v/v1.0.0.info', { text: '{"Version":"v1.0.0","Time":"2026-01-01T00:00:00Z"}' });
  files.set('/GO/example.com/m/@v/v1.0.0.mod', { text: 'module example.com/m\n' });
  const look = async (): Promise<void> => {
    const team = await open('constant.sqlite');
    for (const key of [
      { system: 'MAVEN', name: 'g:a', version: '1.0' },
      { system: 'MAVEN', name: 'g:a', version: '2.0-SNAPSHOT' },
      { system: 'GO', name: 'example.com/m', version: 'v1.0.0' },
    ] as const)
      assert.equal((await team.source.version(key)).kind, 'found', key.version);
    await team.close();
  };
  await look();
  ahead += 2 * HOUR;
  files.set('/MAVEN/g/a/maven-metadata.xml', { text: metadata('1.0', '1.1', '2.0-SNAPSHOT'), type: xml });
  files.set('/GO/example.com/m/@v/list', { text: 'v1.0.0\n' });
  const again = await during(look);
  assert.deepEqual(
    again.filter((it) => /1\.0(?:\/|\.info|\.mod)/.test(it)),
    [],
  );
  assert.ok(again.includes('200 /MAVEN/g/a/maven-metadata.xml'));
  assert.ok(again.includes('200 /MAVEN/g/a/2.0-SNAPSHOT/a-2.0-SNAPSHOT.pom'), 'a snapshot changes');
});

test('what is not about the package is not kept', { skip: !hasSqlite() }, async () => {
  files.set('/MAVEN/g/c/maven-metadata.xml', { text: metadata('1.0'), type: 'application/xml' });
  const of = (name: string): string => pom.replace('<project>', `<project><artifactId>${name}</artifactId>`);
  files.set('/MAVEN/g/c/1.0/c-1.0.pom', { text: of('other'), type: 'application/xml' });
  files.set('/GO/example.com/c/@v/list', { text: 'v1.0.0\n' });
  files.set('/GO/example.com/c/@v/v1.0.0.mod', { text: 'module example.com/other\n' });
  const team = await open('another.sqlite');
  const look = () => team.source.version({ system: 'MAVEN', name: 'g:c', version: '1.0' });
  const require = () => team.source.requirements({ system: 'GO', name: 'example.com/c', version: 'v1.0.0' });
  assert.equal((await look()).kind, 'unavailable');
  assert.equal((await require()).kind, 'unavailable');
  files.set('/MAVEN/g/c/1.0/c-1.0.pom', { text: of('c'), type: 'application/xml' });
  files.set('/GO/example.com/c/@v/v1.0.0.mod', { text: 'module example.com/c\n' });
  ahead += 2 * HOUR;
  assert.equal((await look()).kind, 'found');
  assert.equal((await require()).kind, 'found');
  await team.close();
});

test('what never changes is not asked for after years, nor an answer twice that held', {
  skip: !hasSqlite(),
}, async () => {
  files.set('/MAVEN/g/d/maven-metadata.xml', { text: metadata('1.0'), type: 'application/xml', etag: '"d"' });
  files.set('/MAVEN/g/d/1.0/d-1.0.pom', { text: pom, type: 'application/xml', etag: '"p"' });
  const team = await open('years.sqlite');
  const look = () => team.source.version({ system: 'MAVEN', name: 'g:d', version: '1.0' });
  await look();
  for (const month of [1, 2, 3]) {
    ahead += 40 * 24 * HOUR;
    assert.deepEqual(await during(look), ['304 /MAVEN/g/d/maven-metadata.xml'], `after ${month}`);
  }
  await team.close();
});

test('a page in the place of what never changes is not kept', { skip: !hasSqlite() }, async () => {
  files.set('/MAVEN/g/b/maven-metadata.xml', { text: metadata('1.0'), type: 'application/xml' });
  files.set('/MAVEN/g/b/1.0/b-1.0.pom', { text: '<html>Sign in</html>', type: 'text/html; charset=utf-8' });
  const team = await open('page.sqlite');
  const look = () => team.source.version({ system: 'MAVEN', name: 'g:b', version: '1.0' });
  assert.equal((await look()).kind, 'unavailable');
  files.set('/MAVEN/g/b/1.0/b-1.0.pom', { text: pom, type: 'application/xml' });
  ahead += 2 * HOUR;
  assert.equal((await look()).kind, 'found');
  await team.close();
});
