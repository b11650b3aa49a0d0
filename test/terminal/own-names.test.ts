import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type StartedService, startService } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

let service: StartedService;
before(async () => {
  service = await startService({
    'NPM odd': { versions: { '1.0.0': { deprecated: 'old' } } },
    'PYPI odd': { versions: { '1.0.0': { deprecated: 'old' } } },
  });
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

const files = {
  'package.json': '{ "dependencies": { "odd": "1.0.0" } }',
  'app/deps-dev.lst': 'odd==1.0.0\n',
  'app/deps.lst.old': 'odd==1.0.0\n',
};
const placesIn = (out: string): string[] => (out.match(/\S+(?=:\d+:\d+)/g) ?? []).sort();

test('files under names of their own are read as what --file-name says, and only then', async () => {
  assert.deepEqual(placesIn((await run(files, 'check')).out), ['package.json']);
  const named = await run(files, 'check', '--file-name', 'deps*.lst=requirements.txt');
  assert.deepEqual(placesIn(named.out), ['app/deps-dev.lst', 'package.json']);
  assert.deepEqual(placesIn((await run(files, 'check')).out), ['package.json'], 'the next check knows nothing of it');
  const given = await run(files, 'check', 'app/deps-dev.lst', '--file-name', 'deps-dev.lst=requirements.txt');
  assert.deepEqual(placesIn(given.out), ['app/deps-dev.lst']);
});

test('a name that a format has keeps it: no option hides what a manifest says', async () => {
  const { out } = await run(files, 'check', '--file-name', 'package.json=requirements.txt');
  assert.deepEqual(placesIn(out), ['package.json']);
});

test('what is no name and format is refused', async () => {
  for (const it of ['deps.lst', 'a/deps.lst=requirements.txt', 'deps.lst=sbom', '=requirements.txt', '*=']) {
    const { code, error } = await run(files, 'check', '--file-name', it);
    assert.equal(code, 2, it);
    assert.match(error, /--file-name requires a name and a format/);
  }
});

test('--disable-system leaves the manifests of a system out, and the summary says so in every format', async () => {
  const both = { ...files, 'requirements.txt': 'odd==1.0.0\n' };
  const { out, code } = await run(both, 'check', '--disable-system', 'npm');
  assert.deepEqual(placesIn(out), ['requirements.txt']);
  assert.match(out, /1 manifest excluded by --disable-system npm\n/);
  assert.equal(code, 0);
  const { coverage, excluded } = JSON.parse(
    (await run(both, 'check', '--disable-system', 'npm', '--format', 'json')).out,
  );
  assert.equal(coverage.total, 1);
  assert.deepEqual(excluded, [{ by: '--disable-system npm', count: 1 }]);
  assert.match((await run(both, 'check', '--disable-system', 'conda')).error, /requires one of/);
});
