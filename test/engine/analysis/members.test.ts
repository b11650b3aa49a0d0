import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManifestReader } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { filesOf, ownIn, type Texts } from './members-lab.ts';

const asks =
  '{ "name": "@acme/app", "dependencies": { "@acme/lib": "1.0.0", "@acme/other": "^2", "lodash": "4.17.21" } }';
const lib = '{ "name": "@acme/lib", "version": "1.0.0" }';
const other = '{ "name": "@acme/other", "version": "1.0.0" }';

function workspaces(...patterns: readonly string[]): string {
  return JSON.stringify({ name: 'root', private: true, workspaces: patterns });
}

/** What a workspace says of its members, each with those that it makes itself and that `packages/app` asks for. */
const npm: readonly (readonly [string, Texts, readonly string[]])[] = [
  ['npm', { 'package.json': workspaces('packages/*') }, ['@acme/lib', '@acme/other']],
  [
    'the first yarn',
    { 'package.json': '{ "workspaces": { "packages": ["packages/**"], "nohoist": [] } }' },
    ['@acme/lib', '@acme/other'],
  ],
  ['pnpm', { 'pnpm-workspace.yaml': 'packages:\n  - "packages/*"\n  - "!**/other"\n' }, ['@acme/lib']],
  ['plain directories', { 'package.json': workspaces('./packages/app/', 'packages\\lib') }, ['@acme/lib']],
  ['alternatives', { 'package.json': workspaces('packages/{app,o*r}') }, ['@acme/other']],
  ['one that another directory is for', { 'package.json': workspaces('apps/*', '../packages/*') }, []],
  ['one that does not hold who asks', { 'package.json': workspaces('packages/lib') }, []],
  ['no workspace at all', { 'package.json': '{ "name": "root" }' }, []],
];

for (const [title, rootFile, expected] of npm) {
  test(`members of a workspace: ${title}`, async () => {
    const texts = {
      'packages/app/package.json': asks,
      'packages/lib/package.json': lib,
      'packages/other/package.json': other,
      ...rootFile,
    };
    assert.deepEqual(await ownIn(texts), expected);
  });
}

test('the root of a workspace does not look up its members, nor a package itself', async () => {
  const texts = {
    'package.json': '{ "name": "me", "workspaces": ["a"], "dependencies": { "@acme/lib": "*", "me": "1" } }',
    'a/package.json': lib,
  };
  assert.deepEqual(await ownIn(texts), ['@acme/lib', 'me']);
  const pnpm = { 'package.json': asks, 'pnpm-workspace.yaml': 'packages: ["*"]', 'a/package.json': lib };
  assert.deepEqual(await ownIn(pnpm), ['@acme/lib']);
});

test('modules that a go.work uses, in whatever version', async () => {
  const texts = {
    'app/go.mod': 'module acme.example/app\nrequire (\n\tacme.example/lib v1.0.0\n\trsc.io/quote v1.5.2\n)\n',
    'go.work': 'use ./app\nuse ./lib/v2\n',
    'lib/v2/go.mod': 'module "acme.example/lib"\n',
  };
  assert.deepEqual(await ownIn(texts), ['acme.example/lib']);
  assert.deepEqual(await ownIn({ ...texts, 'go.work': 'use ./lib/v2\n' }), []);
});

test("members of uv's workspace, although the root alone says that they are", async () => {
  const texts = {
    'packages/app/pyproject.toml': '[project]\nname = "app"\ndependencies = ["Acme_Lib>=1", "old==1", "requests"]\n',
    'pyproject.toml': '[tool.uv.workspace]\nmembers = ["packages/*"]\nexclude = ["packages/old"]\n',
    'packages/lib/pyproject.toml': '[project]\nname = "acme.lib"\n',
    'packages/old/pyproject.toml': '[project]\nname = "old"\n',
  };
  assert.deepEqual(await ownIn(texts), ['acme-lib']);
});

function pom(id: string, rest: string): string {
  return `<project><groupId>g</groupId><artifactId>${id}</artifactId><version>1</version>${rest}</project>`;
}

function modules(...names: readonly string[]): string {
  return `<modules>${names.map((it) => `<module>${it}</module>`).join('')}</modules>`;
}

const onTwo = `<dependencies>${['lib', 'bom', 'far']
  .map((it) => `<dependency><groupId>g</groupId><artifactId>${it}</artifactId><version>9</version></dependency>`)
  .join('')}</dependencies>`;

test('modules that Maven builds together, in whatever version, but no BOM of another one', async () => {
  const bom = `<dependencyManagement>${onTwo.replaceAll('</version>', '</version><type>pom</type><scope>import</scope>')}</dependencyManagement>`;
  const texts = {
    'a/app/pom.xml': pom('app', onTwo + bom),
    'pom.xml': pom('root', modules('a', 'lib')),
    'a/pom.xml': pom('a', modules('app')),
    'lib/pom.xml': pom('lib', modules('bom')),
    'lib/bom/pom.xml': pom('bom', ''),
    'far/pom.xml': pom('far', ''),
  };
  assert.deepEqual(await ownIn(texts), ['g:lib', 'g:bom']);
});

test('a parent beside its modules lists them, too', async () => {
  const parent =
    '<parent><groupId>g</groupId><artifactId>parent</artifactId><version>1</version><relativePath>../parent</relativePath></parent>';
  const texts = {
    'app/pom.xml': pom('app', parent + onTwo),
    'parent/pom.xml': pom('parent', modules('../app', '../lib')),
    'lib/pom.xml': pom('lib', ''),
  };
  assert.deepEqual(await ownIn(texts), ['g:parent', 'g:lib']);
});

test('the members of a workspace are read once for all of them, and again when files change', async () => {
  const texts: Record<string, string> = { 'packages/a/package.json': asks, 'package.json': workspaces('packages/*') };
  const files = filesOf(texts);
  const reader = new ManifestReader(files);
  assert.deepEqual(await ownIn(texts, reader), []);
  const before = files.reads();
  texts['packages/lib/package.json'] = lib;
  assert.deepEqual(await ownIn(texts, reader), []);
  const again = files.reads() - before;
  reader.members.forget(['file:///w/README.md', 'file:///w/tsconfig.json']);
  assert.deepEqual(await ownIn(texts, reader), []);
  reader.members.forget(['file:///w/packages/lib/package.json']);
  assert.deepEqual(await ownIn(texts, reader), ['@acme/lib']);
  assert.ok(files.reads() - before > 2 * again, `${files.reads()} ${before}`);
});

test('a new member counts after some seconds, also without a notification', async () => {
  const texts: Record<string, string> = { 'packages/a/package.json': asks, 'package.json': workspaces('packages/*') };
  let time = 0;
  const reader = new ManifestReader(filesOf(texts), { now: () => time });
  assert.deepEqual(await ownIn(texts, reader), []);
  texts['packages/lib/package.json'] = lib;
  time = 4999;
  assert.deepEqual(await ownIn(texts, reader), []);
  time = 5000;
  assert.deepEqual(await ownIn(texts, reader), ['@acme/lib']);
});

test('a workspace without end is read in part, and one that goes round in a circle once', async () => {
  const circle = { 'a/pom.xml': pom('a', modules('..', '../a')), 'pom.xml': pom('root', modules('a', '.')) };
  assert.deepEqual(await ownIn(circle), []);
  const many = Array.from({ length: 50_000 }, (_, at) => `m${at}`);
  const texts = { 'pom.xml': pom('root', modules(...many) + onTwo) };
  const files = filesOf(texts);
  assert.deepEqual(await ownIn(texts, new ManifestReader(files)), []);
  assert.ok(files.reads() < 2100, String(files.reads()));
});

test('a bill of materials does not look up the projects around it, of whatever system', async () => {
  const purls = [
    'npm/%40acme/lib@1',
    'npm/lodash@4.17.21',
    'maven/g/lib@1',
    'pypi/lib@1',
    'golang/acme.example/lib@v1.0.0',
  ];
  const components = purls.map((it) => ({ name: it, version: '1', purl: `pkg:${it}` }));
  const texts = {
    'build/bom.cdx.json': JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', components }),
    'package.json': workspaces('packages/*'),
    'packages/lib/package.json': lib,
    'pom.xml': pom('root', modules('lib')),
    'lib/pom.xml': pom('lib', ''),
    'go.work': 'use ./go',
    'go/go.mod': 'module acme.example/lib',
  };
  assert.deepEqual(await ownIn(texts), ['@acme/lib', 'g:lib', 'acme.example/lib']);
});
