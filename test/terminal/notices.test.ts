import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import type { InlineCatalog } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

const catalog: InlineCatalog = {
  'NPM lodash': { versions: ['4.17.21'], shared: { licenses: ['MIT'] } },
  'NPM @ours/ui': { versions: ['1.0.0'], shared: { licenses: ['ISC'] } },
};

const service = await startServiceForFile(catalog);

async function notices(...args: readonly string[]) {
  const folder = folderWith({
    'package.json': '{ "dependencies": { "lodash": "4.17.21", "@ours/ui": "1.0.0" } }',
    '.npmrc': '@ours:registry=https://npm.ours.example/\n',
  });
  try {
    return await runHere(['notices', ...args], folder.path, { baseUrl: service.url });
  } finally {
    folder.remove();
  }
}

test('notices say what they leave out, since its name stays private', async () => {
  const { code, out, error } = await notices();
  assert.equal(code, 2);
  assert.match(out, /lodash 4\.17\.21/);
  assert.doesNotMatch(out, /@ours/);
  assert.match(error, /keep names private: 1 dependency from the registry npm\.ours\.example \(\.npmrc:\d\)$/m);
  assert.match(error, /Incomplete: 1 of 2 dependencies in 1 manifest checked\. Not checked: 1 private$/m);
  assert.equal((await notices('--allow-private')).code, 0);
});

test('notices hold packages of a registry that is said to be public', async () => {
  const { out, error } = await notices('--public-registry', 'npm.ours.example');
  assert.match(out, /ISC\n---\n {2}@ours\/ui 1\.0\.0\n/);
  assert.equal(error.trim(), '');
});

test('notices that are not whole say so in their own name', async () => {
  const { code, error } = await notices('--offline');
  assert.equal(code, 2);
  assert.match(error, /^package-insights notices: .*working offline$/m);
});

for (const command of ['notices', 'check --format cyclonedx']) {
  test(`${command} says that packages are missing which the service does not know`, async () => {
    const folder = folderWith({
      'package.json': '{ "dependencies": { "lodash": "4.17.21", "unheard": "1.0.0", "another": "^1.0.0" } }',
      'more/package.json': '{ "dependencies": { "unheard": "1.0.0" } }',
    });
    const { code, out, error } = await runHere(command.split(' '), folder.path, { baseUrl: service.url });
    folder.remove();
    assert.equal(code, 0);
    assert.match(out, /lodash/);
    assert.doesNotMatch(out, /unheard/);
    const said = '2 packages are missing: they are unknown to the service';
    assert.equal(error, `package-insights ${command.split(' ')[0]}: ${said}\n`);
  });
}

test('a bill of materials holds what a lockfile records, known or not', async () => {
  const folder = folderWith({
    'package.json': '{ "dependencies": { "lodash": "^4.0.0", "@un/heard": "^1.0.0" } }',
    'package-lock.json': `{ "lockfileVersion": 3, "packages": {
      "node_modules/lodash": { "version": "4.17.21" },
      "node_modules/@un/heard": { "version": "1.2.3" } } }`,
    'more/poetry.lock': '[[package]]\nname = "un-heard"\nversion = "1.2.3"\n\n[metadata]\nlock-version = "2.1"\n',
  });
  const { out, error } = await runHere(['check', '--all', '--format', 'cyclonedx'], folder.path, {
    baseUrl: service.url,
  });
  folder.remove();
  assert.equal(error, '');
  const { components, dependencies } = JSON.parse(out);
  const [unknown, more] = components.filter((it: { type: string }) => it.type === 'library').slice(-2);
  assert.equal(more.purl, 'pkg:pypi/un-heard@1.2.3');
  const purl = 'pkg:npm/%40un/heard@1.2.3';
  assert.deepEqual(unknown, { type: 'library', 'bom-ref': purl, group: '@un', name: 'heard', version: '1.2.3', purl });
  assert.deepEqual(
    dependencies.slice(2, 4).map((it: { dependsOn: string[] }) => it.dependsOn),
    [
      [purl, 'pkg:npm/lodash@4.17.21'],
      [purl, 'pkg:npm/lodash@4.17.21'],
    ],
  );
});

test('what a package calls its license is neither a link nor hidden in notices', async () => {
  const license = 'MIT\u3164 see https://evil.example or www.evil.example or mail me@evil.example <b> [x](y)';
  const other = await startServiceForFile({
    'NPM evil': {
      versions: { '1.0.0': { licenses: ['non-standard'], licenseDetails: [{ license, spdx: 'non-standard' }] } },
    },
  });
  const folder = folderWith({ 'package.json': '{ "dependencies": { "evil": "1.0.0" } }' });
  const [text, markdown] = await Promise.all(
    ['text', 'markdown'].map((it) => runHere(['notices', '--format', it], folder.path, { baseUrl: other.url })),
  );
  folder.remove();
  assert.match(text?.out ?? '', /MIT\ufffd see https:\/\/evil/);
  assert.match(
    markdown?.out ?? '',
    /MIT\ufffd see https\\:\/\/evil\.example or www\\\.evil\.example or mail me\\@evil\.example &lt;b> \\\[x\\\]\(y\)/,
  );
});
