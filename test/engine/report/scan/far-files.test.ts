import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectedInsights, Files } from '../../../../server/src/engine/model/ports.ts';
import { findManifestsThrough } from '../../../../server/src/engine/report/scan/folders-by-files.ts';
import { createScanner, remembering } from '../../../../server/src/engine/report/scan/scan.ts';
import { readSettings } from '../../../../server/src/engine/settings/read.ts';
import { farFiles } from '../../../harness/far-files.ts';
import { knowingNothing } from '../../../harness/knowing-nothing.ts';

/* A workspace on a file system far away, where each call takes 100 ms: as little as possible is asked, side by side. */

const root = 'memfs:/app/';
const clock = {
  now: () => Date.now(),
  after(ms: number, call: () => void) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

const failed = { state: 'failed', reason: 'offline', at: 0 } as const;

const insights: ConnectedInsights = {
  ...knowingNothing({ version: () => failed, package: () => failed, requirements: () => failed }),
  prioritize: () => {},
  reconnect: () => {},
  backoff: () => undefined,
  connectionProblem: () => undefined,
  versionLifetime: () => 3_600_000,
  close: async () => {},
  lookups: {
    requirements: async () => ({ kind: 'unknown' }),
    knownRequirements: () => undefined,
    query: async () => ({ kind: 'unknown' }),
    purl: async () => ({ kind: 'unknown' }),
  } as never,
};

async function scan(far: Files) {
  const files = remembering(far);
  const found = await findManifestsThrough(files)([root], true);
  const read: string[] = [];
  const scanner = createScanner({
    files,
    insights,
    settings: readSettings({ offline: true }),
    clock,
    patience: 60_000,
    signal: new AbortController().signal,
    reading: (done, all) => read.push(`${done}/${all}`),
    progress: () => {},
  });
  return { ...(await scanner.scan(found.manifests)), read };
}

const lock = (name: string): string =>
  JSON.stringify({ name, lockfileVersion: 3, packages: { '': { dependencies: { lodash: '^4.17.15' } } } });

/** In ms, for each call. `FAR_MS=100` measures. */
const ms = Number(process.env['FAR_MS'] ?? 1);

/** 150 manifests in as many folders, by system; what a person has beside them. */
const workspaces: Readonly<Record<string, (at: number) => Readonly<Record<string, string>>>> = {
  npm: (at) => ({
    [`packages/p${at}/package.json`]: JSON.stringify({ name: `p${at}`, dependencies: { lodash: '^4.17.15' } }),
    [`packages/p${at}/package-lock.json`]: lock(`p${at}`),
    [`packages/p${at}/src/index.js`]: '',
  }),
  Maven: (at) => ({
    [`m${at}/pom.xml`]: `<project><artifactId>m${at}</artifactId><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.12</version></dependency></dependencies></project>`,
    [`m${at}/src/main/java/A.java`]: '',
  }),
  PyPI: (at) => ({ [`p${at}/requirements.txt`]: 'requests==2.31.0\n', [`p${at}/p/main.py`]: '' }),
  Cargo: (at) => ({
    [`crates/c${at}/Cargo.toml`]: `[package]\nname = "c${at}"\n[dependencies]\nserde = "1"\n`,
    [`crates/c${at}/src/lib.rs`]: '',
  }),
  Go: (at) => ({ [`g${at}/go.mod`]: `module example.test/g${at}\nrequire github.com/a/b v1.0.0\n` }),
  NuGet: (at) => ({
    [`n${at}/n${at}.csproj`]:
      '<Project><ItemGroup><PackageReference Include="A" Version="1.0.0"/></ItemGroup></Project>',
  }),
  Gradle: (at) => ({ [`b${at}/build.gradle`]: "dependencies { implementation 'junit:junit:4.12' }\n" }),
};

for (const [system, filesOf] of Object.entries(workspaces)) {
  test(`150 manifests of ${system} far away: each folder is listed once, each file read once, side by side`, async () => {
    const texts = Object.assign({}, ...Array.from({ length: 150 }, (_, at) => filesOf(at)));
    const far = farFiles(texts, root, clock, ms);
    const began = performance.now();
    const { snapshots, unread, read } = await scan(far.files);
    if (ms > 1) console.log(system, Math.round(performance.now() - began), 'ms', far.calls.length, 'calls', far.most());
    assert.equal(snapshots.length, 150);
    assert.deepEqual(unread, []);
    const repeated = far.calls.filter((it, at) => far.calls.indexOf(it) !== at);
    assert.deepEqual([...new Set(repeated)].slice(0, 5), []);
    const paths = Object.keys(texts);
    const folders = new Set(paths.flatMap((it) => it.split('/').map((_, at, all) => all.slice(0, at).join('/'))));
    assert.ok(far.calls.length <= folders.size + 2 * paths.length, `${far.calls.length} calls`);
    assert.ok(far.most() > 20 && far.most() <= 100, `${far.most()} at a time`);
    assert.deepEqual(read, ['50/150', '100/150', '150/150']);
  });
}

test('files under names that a folder has chosen are found, and only there', async () => {
  const far = farFiles({ 'a/deps.lst': 'x==1\n', 'b/deps.lst': 'x==1\n' }, root, clock, ms);
  const namesFor = (place: string): readonly string[] =>
    place.startsWith('memfs:/app/a/') ? ['deps*.lst=requirements.txt'] : ['reqs.lst=requirements.txt'];
  const folders = ['memfs:/app/a/', 'memfs:/app/b/'];
  const { manifests } = await findManifestsThrough(far.files)(folders, true, undefined, namesFor);
  assert.deepEqual(manifests, ['memfs:/app/a/deps.lst']);
});
