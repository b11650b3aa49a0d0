import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { catalogSource } from '../../server/src/service/catalog/source.ts';
import { serveHttp } from '../../server/src/service/http-server.ts';
import { mapAnswer } from '../../server/src/service/source.ts';
import { inlineCatalog } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* A service may know the versions of packages, and not their vulnerabilities: then nothing looks clean. */

const catalog = catalogSource(
  inlineCatalog({
    'NPM listed': { versions: ['1.0.0', '1.0.1', '2.0.0'] },
    'NPM below': { versions: ['1.0.0'] },
    'NPM bad': { versions: ['1.0.0', '1.0.1'] },
    'advisory GHSA-aaaa-aaaa-aaaa': {
      cvss3Score: 9.8,
      affected: [{ system: 'NPM', name: 'bad', versions: ['1.0.0'] }],
    },
  }),
);
const service = await serveHttp({
  source: {
    ...catalog,
    version: (key) => mapAnswer(catalog.version(key), (it) => ({ ...it, advisoriesComplete: false })),
  },
});
after(() => service.close());

const lock = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { listed: '1.0.0' } },
    'node_modules/listed': { version: '1.0.0', dependencies: { below: '1.0.0' } },
    'node_modules/below': { version: '1.0.0' },
  },
});

async function check(files: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const folder = folderWith(files);
  try {
    return await runHere(['check', ...args], folder.path, { baseUrl: service.url });
  } finally {
    folder.remove();
  }
}

test('what is known without its vulnerabilities makes a check incomplete, direct or brought', async () => {
  const files = { 'package.json': '{ "dependencies": { "listed": "1.0.0" } }', 'package-lock.json': lock };
  const { code, out, error } = await check(files);
  assert.equal(code, 2);
  assert.match(out, /Not checked: 1 whose vulnerabilities the service does not know/);
  assert.match(out, /1 of 1 that dependencies bring not checked \(1 whose vulnerabilities/);
  assert.match(error, /vulnerabilities not checked: the service does not know them; the exit code is 2\n/);
});

test('nothing accepts that the service does not know vulnerabilities', async () => {
  const files = { 'package.json': '{ "dependencies": { "listed": "1.0.0" } }' };
  for (const args of [['--allow-private'], ['--fail-on', 'withheld:off,unchecked:off'], ['--fail-on', 'deprecated']])
    assert.equal((await check(files, args)).code, 2, args.join(' '));
});

test('a known vulnerability is found, and no version is called its fix', async () => {
  const { code, out } = await check({ 'package.json': '{ "dependencies": { "bad": "1.0.0" } }' }, ['--format', 'json']);
  assert.equal(code, 1);
  const { findings, coverage, projects } = JSON.parse(out);
  assert.deepEqual(
    findings.map((it: { readonly code: string }) => it.code),
    ['advisory'],
  );
  assert.equal(coverage.listed, 1);
  assert.equal(projects[0].dependencies[0].gapKind, 'listed', 'the field of coverage that counts it');
  assert.doesNotMatch(out, /1\.0\.1 is not affected|Fixed in 1\.0\.1/);
});

test('a look-up says that nothing is known of its vulnerabilities, not that there are none', async () => {
  const { out } = await runHere(['lookup', 'pkg:npm/listed@1.0.0'], '/', { baseUrl: service.url });
  assert.match(out, /vulnerabilities +not checked/);
  assert.doesNotMatch(out, /none known/);
});
