import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { findManifestsOnDisk } from '../../server/src/engine/report/scan/folders-on-disk.ts';
import { type StartedService, startService } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

let service: StartedService;
before(async () => {
  service = await startService({ 'NPM odd': { versions: { '1.0.0': { deprecated: 'old' } } } });
});
after(() => service.close());

async function run(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const folder = folderWith(files);
  try {
    return await runHere(args, folder.path, { baseUrl: service.url });
  } finally {
    folder.remove();
  }
}

const odd = '{ "dependencies": { "odd": "1.0.0" } }';
const fine = '{ "dependencies": {} }';
const files = {
  'package.json': fine,
  'app/package.json': odd,
  'app/fixtures/package.json': odd,
  'fixtures/one/package.json': odd,
};
const projectFile = (...exclude: readonly unknown[]) => JSON.stringify({ exclude });
const placesIn = (out: string): string[] => (out.match(/\S+(?=:\d+:\d+)/g) ?? []).sort();

test('--exclude leaves manifests out by glob, and counts them in every format', async () => {
  const { out, code } = await run(files, 'check', '--exclude', 'fixtures');
  assert.deepEqual([placesIn(out), code], [['app/package.json'], 0]);
  assert.match(out, /1 dependency in 2 manifests checked: 1 finding .*\n2 manifests excluded by --exclude\n$/);
  const anchored = await run(files, 'check', '--exclude', '/fixtures/**', '--exclude', './app/*.json');
  assert.deepEqual(placesIn(anchored.out), ['app/fixtures/package.json']);
  for (const format of ['markdown', 'sarif', 'html', 'cyclonedx']) {
    const { out } = await run(files, 'check', '--exclude', 'fixtures', '--format', format);
    assert.match(
      out,
      format === 'cyclonedx' ? /"package-insights:excluded",\s+"value": "2"/ : /2 manifests excluded/,
      format,
    );
  }
  const { excluded } = JSON.parse((await run(files, 'check', '--exclude', 'fixtures', '--format', 'json')).out);
  assert.deepEqual(excluded, [{ by: '--exclude', count: 2 }]);
});

test('project files exclude below their folder, and are named with the number', async () => {
  const own = {
    ...files,
    '.package-insights.json': projectFile('/fixtures'),
    'app/.package-insights.json': projectFile('/fixtures/'),
    // A project file in an excluded folder cannot take it back.
    'fixtures/one/.package-insights.json': projectFile(),
  };
  const { out } = await run(own, 'check');
  assert.deepEqual(placesIn(out), ['app/package.json']);
  assert.match(
    out,
    /\n1 manifest excluded by \.package-insights\.json, 1 manifest excluded by app\/\.package-insights\.json\n$/,
  );
  assert.match((await run(own, 'notices')).error, /excluded by app\/\.package-insights\.json/);
});

test('the file of --config excludes from the working directory on, in place of others', async () => {
  const own = {
    ...files,
    'app/.package-insights.json': projectFile('package.json'),
    'ci/rules.json': projectFile('/fixtures'),
  };
  const { out } = await run(own, 'check', '--config', 'ci/rules.json');
  assert.deepEqual(placesIn(out), ['app/fixtures/package.json', 'app/package.json']);
  assert.match(out, /1 manifest excluded by ci\/rules\.json/);
});

test('a file that is named is checked, and where all is excluded nothing looks clean', async () => {
  const all = { ...files, '.package-insights.json': projectFile('*') };
  const { code, out, error } = await run(all, 'check');
  assert.deepEqual([code, out], [2, '']);
  assert.match(error, /every manifest in \. is excluded \(\.package-insights\.json\)/);
  assert.deepEqual(placesIn((await run(all, 'check', 'app/package.json')).out), ['app/package.json']);
});

test('an entry that cannot be read excludes nothing, and is reported', async () => {
  const wrong = { ...files, '.package-insights.json': projectFile('!app', 7, '../other', 'app/fixtures') };
  const { out, error } = await run(wrong, 'check');
  assert.deepEqual(placesIn(out), ['app/package.json', 'fixtures/one/package.json']);
  assert.equal(error.match(/\.package-insights\.json:1:\d+: /g)?.length, 3, error);
  const { code, error: said } = await run(files, 'check', '--exclude', '!app');
  assert.equal(code, 2);
  assert.match(said, /--exclude requires a glob without “!” and “\.\.”, not “!app”/);
});

test('in a folder that the editor does not trust, a project file excludes nothing', async () => {
  const folder = folderWith({ ...files, '.package-insights.json': projectFile('fixtures') });
  const folders = [`${pathToFileURL(folder.path).href}/`];
  const trusted = await findManifestsOnDisk(folders, true);
  const untrusted = await findManifestsOnDisk(folders, false);
  folder.remove();
  assert.deepEqual([trusted.manifests.length, untrusted.manifests.length], [2, 4]);
  assert.deepEqual(
    trusted.excludedBy.map((it) => it.count),
    [2],
  );
});
