import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileUri } from '../../../server/src/engine/base/uri.ts';
import { lockfileFormats } from '../../../server/src/engine/ecosystems/lockfile-formats.ts';
import type { Cache, CacheEntry } from '../../../server/src/engine/facts/cache/cache.ts';
import { createInsights } from '../../../server/src/engine/facts/store/fact-store.ts';
import { positionsIn } from '../../../server/src/engine/formats/text/positions.ts';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import type { Settings } from '../../../server/src/engine/model/settings.ts';
import type { Report } from '../../../server/src/engine/report/report.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { diskFiles } from '../../../server/src/platform/files.ts';
import { type StrictClient, strictClient } from '../../editor/strict-client.ts';
import { askedNames } from '../../harness/asked-names.ts';
import { builtInHosts } from '../../harness/built-in.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import type { InlineCatalog } from '../../harness/service.ts';
import { type Folder, folderWith } from '../../terminal/program.ts';
import { runHere } from '../../terminal/terminal.ts';
import { type LockedProject, lockedProjects, type Origins } from '../ecosystems/lockfiles/projects.ts';

/* What the address of a registry in a lockfile changes: nothing where it is public, and nothing else where it is not. */

const systems = ['NPM', 'CARGO', 'PYPI', 'NUGET', 'MAVEN'] as const;

function namesIn(system: (typeof systems)[number]): readonly string[] {
  const names = ['outer', 'inner'];
  return system === 'MAVEN' ? names.map((it) => `com.example:${it}`) : names;
}

const catalog: InlineCatalog = {
  // The well-known versions by which a service tells which registries are public.
  'NPM lodash': { versions: ['4.17.21'] },
  'CARGO serde': { versions: ['1.0.0'] },
  'PYPI requests': { versions: ['2.31.0'] },
  'NUGET newtonsoft.json': { versions: ['13.0.3'] },
  'MAVEN junit:junit': { versions: ['4.13.2'] },
  ...Object.fromEntries(
    systems.flatMap((system) => namesIn(system).map((name) => [`${system} ${name}`, { versions: ['1.0.0', '1.1.0'] }])),
  ),
  ...Object.fromEntries(
    ['outer', 'inner'].map((name, at) => [
      `advisory GHSA-${name}`,
      {
        title: `${name} is slow`,
        cvss3Score: 7.5,
        affected: systems.map((system) => ({
          system,
          name: namesIn(system)[at] ?? '',
          ranges: [{ introduced: '0', fixed: '1.1.0' }],
        })),
      },
    ]),
  ),
};

const service = await startServiceForFile(catalog);
const http = createHttp({ clock: systemClock, userAgent: 'package-insights-test' });
after(() => http.close());

/** Everything that is set stays, as on a disk. */
function keepingAll(): Cache {
  const all = new Map<string, CacheEntry>();
  return {
    get: (id) => all.get(id),
    set(entries) {
      for (const [id, it] of entries) all.set(id, it);
    },
    expire() {},
  };
}

const registry = 'https://registry.example';
/** A second name of the public registry, which package managers of the machine have built in. */
const alias = 'https://alias.registry.example';
const foreign = 'https://npm.acme.example';
/** A folder that takes the place of a registry: uv, Poetry, Pipenv and Cargo permit it. */
const folderIndex = 'file:///srv/wheels';

interface Variant {
  readonly title: string;
  readonly origins: Origins;
  /** What stays on the machine. */
  readonly kept: readonly (keyof Origins)[];
}

const variants: readonly Variant[] = [
  { title: 'no addresses', origins: { outer: undefined, inner: undefined }, kept: [] },
  { title: 'addresses of the public registry', origins: { outer: registry, inner: registry }, kept: [] },
  { title: 'addresses of an alias of it', origins: { outer: alias, inner: alias }, kept: [] },
  { title: 'a foreign host below', origins: { outer: registry, inner: foreign }, kept: ['inner'] },
  { title: 'a foreign host', origins: { outer: foreign, inner: registry }, kept: ['outer'] },
  { title: 'a folder below', origins: { outer: registry, inner: folderIndex }, kept: ['inner'] },
  { title: 'a folder', origins: { outer: folderIndex, inner: registry }, kept: ['outer'] },
];

/** The variants that the tool of a project writes. */
function variantsOf({ namesRegistries, manifest }: LockedProject): readonly Variant[] {
  return variants.filter(({ origins }) => {
    const named = Object.values(origins).filter((it) => it !== undefined);
    return namesRegistries ? manifest !== 'package.json' || !named.includes(folderIndex) : named.length === 0;
  });
}

/** uv writes a path where others write an address. */
function lockfileText({ lockfile, text }: LockedProject, { origins }: Variant): string {
  const written = text(origins);
  return lockfile === 'uv.lock' ? written.replace(`${folderIndex}/simple`, '../wheels') : written;
}

/** What is found, and how much of what is below was checked: `[total, withheld]`. */
interface Told {
  readonly code: number | null;
  readonly findings: readonly string[];
  readonly below: readonly number[];
  readonly withheld: number;
}

/** The same for every way to say that a package comes from the public registry. */
function expectedOf({ recordsRequirements }: LockedProject, kept: Variant['kept']): Told {
  const isKnown = !kept.includes('outer');
  const findsBelow = recordsRequirements && !kept.includes('inner') && isKnown;
  return {
    // Where nothing was looked up, nothing is clean.
    code: isKnown ? 1 : 2,
    findings: [...(isKnown ? ['advisory'] : []), ...(findsBelow ? ['advisory-below'] : [])],
    // What a package brings that stays here is counted, and not looked up.
    below: recordsRequirements ? [1, !isKnown || kept.includes('inner') ? 1 : 0] : [],
    withheld: isKnown ? 0 : 1,
  };
}

async function check(path: string, manifest: string, cache: Cache): Promise<Told> {
  const insights = (settings: Settings) =>
    createInsights({ settings: () => settings, http, clock: systemClock, cache });
  const { out, code } = await runHere(['check', manifest, '--format', 'json', '--base-url', service.url], path, {
    insights,
    clock: systemClock,
    disk: (roots) => ({ ...diskFiles(() => roots), builtIn: builtInHosts('alias.registry.example') }),
  });
  const { findings, coverage, withheld }: Report = JSON.parse(out);
  const { below } = coverage;
  return {
    code,
    findings: findings.map((it) => it.code),
    below: below ? [below.total, below.withheld] : [],
    withheld: withheld.reduce((sum, it) => sum + it.count, 0),
  };
}

test('every lockfile has a project here', () => {
  // That of a build's own plugins is written as the other one of Gradle.
  const ids = lockfileFormats.map((it) => it.id).filter((it) => it !== 'buildscript-gradle.lockfile');
  assert.deepEqual([...new Set(lockedProjects.map((it) => it.lockfile))].sort(), ids.sort());
});

for (const project of lockedProjects) {
  test(`a check with ${project.title} finds the same, whatever it says of registries, in a first run, too`, async () => {
    for (const variant of variantsOf(project)) {
      const { title, origins, kept } = variant;
      const folder = folderWith({ ...project.files, [project.lockfile]: lockfileText(project, variant) });
      const cache = keepingAll();
      const from = service.requests.length;
      const [cold, warm] = [
        await check(folder.path, project.manifest, cache),
        await check(folder.path, project.manifest, cache),
      ];
      const opened = await check(folder.path, project.lockfile, cache);
      folder.remove();
      const expected = expectedOf(project, kept);
      assert.deepEqual({ cold, warm }, { cold: expected, warm: expected }, title);
      const entries = Object.keys(origins).filter((it) => !kept.includes(it as keyof Origins));
      const withheld = Object.values(origins).includes(foreign) ? kept.length : 0;
      const listed = { code: 1, findings: entries.map(() => 'advisory'), below: [], withheld };
      assert.deepEqual(opened, listed, `${title}, opened`);
      const asked = askedNames(service.requests.slice(from));
      for (const it of kept) assert.ok(!asked.includes(it), `${title}: ${it} is not asked about`);
    }
  });
}

/** All projects in one folder, as far as they are written so, with the documents of each. */
function openedProjects(meant: readonly Variant[]): { folder: Folder; documents: readonly Document[] } {
  const all = lockedProjects.flatMap((project, at) =>
    variantsOf(project).flatMap((variant) => (meant.includes(variant) ? [{ project, variant, at }] : [])),
  );
  const files = all.map(({ project, variant, at }) => {
    const directory = `${at}-${variants.indexOf(variant)}/`;
    const texts = { ...project.files, [project.lockfile]: lockfileText(project, variant) };
    return { project, directory, texts };
  });
  const folder = folderWith(
    Object.assign(
      {},
      ...files.map(({ directory, texts }) =>
        Object.fromEntries(Object.entries(texts).map(([name, text]) => [directory + name, text])),
      ),
    ),
  );
  const documents = files.flatMap(({ project, directory, texts }) =>
    [project.manifest, project.lockfile].map((name) => ({
      project,
      uri: fileUri(`${folder.path}/${directory}${name}`),
      text: texts[name] ?? '',
      isLockfile: name === project.lockfile,
    })),
  );
  return { folder, documents };
}

interface Document {
  readonly project: LockedProject;
  readonly uri: string;
  readonly text: string;
  readonly isLockfile: boolean;
}

async function openedIn({ path }: Folder, documents: readonly Document[]): Promise<StrictClient> {
  const root = fileUri(path);
  const client = await strictClient({
    capabilities: { textDocument: { hover: { contentFormat: ['plaintext'] } } },
    initialize: { workspaceFolders: [{ uri: root, name: 'all' }] },
    settings: { baseUrl: service.url },
    files: { ...diskFiles(() => [root]), builtIn: builtInHosts('alias.registry.example') },
    answer: () => null,
  });
  for (const { uri, text } of documents) await client.open(uri, text);
  return client;
}

/** What is said wherever the name stands. */
async function hoversOver(client: StrictClient, { uri, text }: Document, name: string): Promise<string> {
  const positions = positionsIn(text);
  const all = Array.from(text.matchAll(new RegExp(name, 'g')), async ({ index }) => {
    const position = positions.at(index + 1);
    const hover = await client.ask<{ contents: { value: string } } | null>('textDocument/hover', uri, { position });
    return hover?.contents.value ?? '';
  });
  return (await Promise.all(all)).join('\n');
}

test('an editor finds the same, whatever a lockfile says of the public registry', async () => {
  const { folder, documents } = openedProjects(variants.filter((it) => it.kept.length === 0));
  const client = await openedIn(folder, documents);
  for (const { uri, project, isLockfile } of documents) {
    const codes = isLockfile ? ['advisory', 'advisory'] : expectedOf(project, []).findings;
    await client.pushed(uri, (all) => all.map((it) => it.code).join() === codes.join());
  }
  await client.stop();
  folder.remove();
});

test('an editor keeps what a lockfile takes from a foreign host, in the manifest, too', async () => {
  const { folder, documents } = openedProjects(variants.filter((it) => it.origins.outer === foreign));
  const from = service.requests.length;
  const client = await openedIn(
    folder,
    documents.filter((it) => !it.isLockfile),
  );
  for (const it of documents.filter((one) => !one.isLockfile))
    assert.match(
      await hoversOver(client, it, 'outer'),
      /Not looked up: \S+ takes it from the registry npm\.acme\.example/,
      it.uri,
    );
  assert.deepEqual(
    askedNames(service.requests.slice(from)).filter((it) => it.includes('outer')),
    [],
  );
  await client.stop();
  folder.remove();
});

test('an editor keeps what is below, or in an opened lockfile, and comes from a foreign host', async () => {
  const { folder, documents } = openedProjects(variants.filter((it) => it.origins.inner === foreign));
  const from = service.requests.length;
  const client = await openedIn(folder, documents);
  for (const it of documents) {
    await client.pushed(it.uri, (all) => all.map(({ code }) => code).join() === 'advisory');
    if (it.isLockfile)
      assert.match(await hoversOver(client, it, 'inner'), /Not looked up: .* registry npm\.acme\.example/, it.uri);
  }
  assert.deepEqual(
    askedNames(service.requests.slice(from)).filter((it) => it.includes('inner')),
    [],
  );
  await client.stop();
  folder.remove();
});
