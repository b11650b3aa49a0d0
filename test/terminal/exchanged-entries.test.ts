import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Files, startHiding, testHidden, testPlain } from './hidden.ts';
import * as lock from './lockfile-texts.ts';

/* The same exchange of a direct dependency in older and unusual layouts of the lockfiles of npm, yarn, pnpm, bun and Deno. */

const { evilArchive, git, strange } = lock;
const run = await startHiding();

const plain = { integrity: 'sha512-a' };
const allowing = { '.package-insights.json': '{ "allowPrivate": true }' };

testHidden(
  {
    'npm 1, another package': lock.npm1({ fine: { version: 'npm:evil@1.0.0' } }),
    'npm 1, an archive of another package': lock.npm1({ fine: { version: evilArchive } }),
    'npm 1, an address': lock.npm1({ fine: { version: strange } }),
    'npm 1, a repository': lock.npm1({ fine: { version: git } }),
    'npm 1, a file': lock.npm1({ fine: { version: 'file:x.tgz' } }),
    'npm 1, a version that another address has': lock.npm1({ fine: { version: '1.0.0', resolved: git } }),
    'npm, an absolute path': lock.npm({ 'node_modules/fine': { version: '1.0.0', resolved: '/tmp/x.tgz' } }),
    'npm, a relative path': lock.npm({ 'node_modules/fine': { version: '1.0.0', resolved: './x.tgz' } }),
    'npm, capital letters': lock.npm({
      'node_modules/fine': { version: '1.0.0', resolved: 'GIT+ssh://host.example/x' },
    }),
    'npm, a short repository': lock.npm({ 'node_modules/fine': { version: '1.0.0', resolved: 'x/evil#00' } }),
    'npm, a repository without a version': lock.npm({ 'node_modules/fine': { resolved: git } }),
    'npm, a version that is no text': lock.npm({ 'node_modules/fine': { version: 1, resolved: evilArchive } }),
    'yarn 1, a file': lock.yarn1('fine@1.0.0:\n  version "1.0.0"\n  resolved "file:x.tgz"\n'),
    'yarn 1, a path': lock.yarn1('fine@1.0.0:\n  version "1.0.0"\n  resolved "./x.tgz"\n'),
    'yarn 1, a path without quotes': lock.yarn1('fine@1.0.0:\n  version "1.0.0"\n  resolved file:x.tgz\n'),
    'yarn 1, a repository': lock.yarn1(`fine@1.0.0:\n  version "1.0.0"\n  resolved "${git}"\n`),
    'yarn 1, another archive of an offline mirror': lock.yarn1(
      'fine@1.0.0:\n  version "1.0.0"\n  resolved "evil-1.0.0.tgz#00"\n',
    ),
    'pnpm 5, another package': lock.pnpmBefore('5.4', '/evil/1.0.0', '/evil/1.0.0', [
      'resolution: {integrity: sha512-a}',
    ]),
    'pnpm 5, a repository': lock.pnpmBefore('5.4', 'host.example/x/evil/00', 'host.example/x/evil/00', [
      'resolution: {tarball: https://host.example/x/evil/tar.gz/00}',
      'name: fine',
    ]),
    'pnpm 5, a link': lock.pnpmBefore('5.4', 'link:../x', '/outer/1.0.0', ['resolution: {integrity: sha512-a}']),
    'pnpm 5, a version outside of its range': lock.pnpmBefore('5.4', '0.9.0', '/fine/0.9.0', [
      'resolution: {integrity: sha512-a}',
    ]),
    'pnpm 6, another package': lock.pnpmBefore('6.0', '/evil@1.0.0', '/evil@1.0.0', [
      'resolution: {integrity: sha512-a}',
    ]),
    'pnpm 6, a folder': lock.pnpmBefore('6.0', 'file:x', 'file:x', ['resolution: {directory: x, type: directory}']),
    'npm, a folder that is no member': lock.npm({ 'node_modules/fine': { resolved: 'x', link: true }, x: {} }),
    'bun, a link': lock.bun({ fine: ['fine@link:x'] }),
    'bun, a folder that is no member': lock.bun({ fine: ['fine@workspace:x'] }),
    'yarn, a folder that is no member': lock.yarn(
      '"fine@npm:1.0.0, fine@workspace:x":\n  version: 0.0.0-use.local\n  resolution: "fine@workspace:x"\n  languageName: unknown\n  linkType: soft\n',
    ),
    'NuGet, a project': lock.nuget({ fine: { type: 'Project' } }),
    'Deno 2, another package': lock.deno({
      version: '2',
      npm: { specifiers: { 'fine@1.0.0': 'evil@1.0.0' }, packages: { 'evil@1.0.0': plain } },
    }),
    'Deno 3, another package': lock.deno({
      version: '3',
      packages: { specifiers: { 'npm:fine@1.0.0': 'npm:evil@1.0.0' }, npm: { 'evil@1.0.0': plain } },
    }),
    'Deno 5, another package': lock.deno({
      version: '5',
      specifiers: { 'npm:fine@1.0.0': 'evil@1.0.0' },
      npm: { 'evil@1.0.0': plain },
    }),
    'Deno 5, a redirect to a package': lock.deno({
      version: '5',
      specifiers: { 'npm:fine@1.0.0': '1.0.0', 'npm:evil@1.0.0': '1.0.0' },
      npm: { 'fine@1.0.0': plain, 'evil@1.0.0': plain },
      redirects: { 'https://host.example/x.ts': 'npm:evil@1.0.0' },
    }),
    'Deno 5, an address': lock.deno({
      version: '5',
      specifiers: { 'npm:fine@1.0.0': '1.0.0' },
      npm: { 'fine@1.0.0': { ...plain, tarball: strange } },
    }),
  },
  run,
);

testPlain(
  {
    'npm, a member': {
      ...lock.npm({ 'node_modules/fine': { resolved: 'x', link: true }, x: { name: 'fine', version: '1.0.0' } }),
      'package.json': '{ "name": "a", "workspaces": ["x"], "dependencies": { "fine": "1.0.0" } }',
      'x/package.json': '{ "name": "fine", "version": "1.0.0" }',
    },
    'npm, a member below': {
      ...lock.npmBelow({ resolved: 'x', link: true }, { x: { name: 'fine', version: '1.0.0' } }),
      'package.json': '{ "name": "a", "workspaces": ["x"], "dependencies": { "outer": "1.0.0" } }',
      'x/package.json': '{ "name": "fine", "version": "1.0.0" }',
    },
    'npm, a folder of the manifest below': lock.npm(
      {
        'node_modules/outer': { version: '1.0.0', dependencies: lock.fine },
        'node_modules/fine': { resolved: 'x', link: true },
        x: { name: 'fine', version: '1.0.0' },
      },
      { outer: '1.0.0', fine: 'file:x' },
    ),
    'NuGet, a package without a type': lock.nuget({ fine: { resolved: '1.0.0' } }),
    'Deno 5, a redirect': lock.deno({
      version: '5',
      specifiers: { 'npm:fine@1.0.0': '1.0.0' },
      npm: { 'fine@1.0.0': plain },
      redirects: { 'https://host.example/x.ts': 'https://other.example/x@1/x.ts' },
    }),
    'npm 1, the package': lock.npm1({ fine: { version: '1.0.0', integrity: 'sha512-a' } }),
    'npm 1, an alias of the manifest': lock.npm1({ x: { version: 'npm:fine@1.0.0' } }, { x: 'npm:fine@1.0.0' }),
    'npm 1, a repository of the manifest': lock.npm1({ x: { version: git } }, { x: git }),
    'yarn 1, an offline mirror': lock.yarn1('fine@1.0.0:\n  version "1.0.0"\n  resolved "fine-1.0.0.tgz#00"\n'),
    'yarn 1, a file of the manifest': lock.yarn1('"x@file:x.tgz":\n  version "1.0.0"\n  resolved "file:x.tgz#00"\n', {
      x: 'file:x.tgz',
    }),
    'Deno 5, the package': lock.deno({
      version: '5',
      specifiers: { 'npm:fine@1.0.0': '1.0.0' },
      npm: { 'fine@1.0.0': plain },
    }),
  },
  run,
);

const elsewhere: Readonly<Record<string, Files>> = {
  'npm 1, a repository': lock.npm1Below({ version: git }),
  'npm 1, a file': lock.npm1Below({ version: 'file:x.tgz' }),
  'npm 1, an address': lock.npm1Below({ version: strange }),
  'npm, a repository': lock.npmBelow({ version: '1.0.0', resolved: git }),
  'npm, a file': lock.npmBelow({ version: '1.0.0', resolved: 'file:x.tgz' }),
  'npm, a path': lock.npmBelow({ version: '1.0.0', resolved: '/tmp/x.tgz' }),
  'npm, a link to a folder': lock.npmBelow({ resolved: 'x', link: true }, { x: { name: 'fine', version: '1.0.0' } }),
  'npm, a link to a folder of another name': lock.npmBelow({ resolved: 'x', link: true }, { x: { name: 'a' } }),
  'npm, a link to a folder that the file lacks': lock.npmBelow({ resolved: 'x', link: true }),
  'yarn 1, a repository': lock.yarn1Below(git),
  'yarn 1, a file': lock.yarn1Below('file:x.tgz'),
  'yarn, a folder': lock.yarnBelow('fine@workspace:x', 'fine@npm:1.0.0, fine@workspace:x'),
  'pnpm, an address': lock.pnpmBelow(`fine@${strange}`, `{tarball: ${strange}}`),
  'pnpm, a repository': lock.pnpmBelow(`fine@${git}`, '{commit: 00, repo: https://host.example/x.git, type: git}'),
  'pnpm, a folder': lock.pnpmBelow('fine@file:x', '{directory: x, type: directory}'),
  'bun, a repository': lock.bunBelow('fine@github:x/evil#00', {}, 'x'),
  'bun, a folder': lock.bunBelow('fine@file:x', {}),
  'bun, a link': lock.bunBelow('fine@link:x'),
  'bun, a folder of the workspace': lock.bunBelow('fine@workspace:x'),
  'uv, a folder': lock.uvBelow('{ editable = "x" }'),
  'uv, a folder without a build': lock.uvBelow('{ virtual = "x" }'),
  'NuGet, a project': lock.nuget(
    { outer: { ...lock.direct, dependencies: lock.fine }, fine: { type: 'Project' } },
    'outer',
  ),
  'NuGet, a project in other letters': lock.nuget(
    { outer: { ...lock.direct, dependencies: lock.fine }, fine: { type: 'project' } },
    'outer',
  ),
};

for (const [title, files] of Object.entries(elsewhere)) {
  test(`what a dependency brings from no registry makes a check incomplete: ${title}`, async () => {
    const { code, out, error } = await run(files);
    assert.equal(code, 2, out);
    assert.match(out, /1 of 1 that dependencies bring not checked \(1 private or from no registry\)/);
    assert.match(error, /packages that dependencies bring from no registry; the exit code is 2/);
    assert.equal((await run(files, '--allow-private')).code, 2);
    assert.equal((await run({ ...files, ...allowing })).code, 2);
    assert.equal((await run(files, '--fail-on', 'withheld:off')).code, 0);
  });
}

const below: Readonly<Record<string, Files>> = {
  'npm, an address': lock.npmBelow({ version: '1.0.0', resolved: strange }),
  'npm, another host': lock.npmBelow({ version: '1.0.0', resolved: 'http://host.example/fine/-/fine-1.0.0.tgz' }),
  'yarn 1, an address': lock.yarn1Below(strange),
  'yarn, an address of its archive': lock.yarnBelow(`fine@npm:1.0.0::__archiveUrl=${encodeURIComponent(strange)}`),
  'pnpm, an address of its archive': lock.pnpmBelow('fine@1.0.0', `{integrity: sha512-a, tarball: ${strange}}`),
  'bun, an address': lock.bunBelow('fine@1.0.0', strange, {}, 'sha512-a'),
};

for (const [title, files] of Object.entries(below)) {
  test(`what a dependency brings from a private registry makes a check incomplete: ${title}`, async () => {
    const { code, out, error } = await run(files);
    assert.equal(code, 2, out);
    assert.match(out, /1 of 1 that dependencies bring not checked \(1 private or from no registry\)/);
    assert.match(error, /packages that dependencies bring from a private registry; the exit code is 2/);
  });
}

test('what dependencies bring from a private registry can be accepted', async () => {
  const files = lock.npmBelow({ version: '1.0.0', resolved: strange });
  assert.equal((await run(files, '--allow-private')).code, 0);
  assert.equal((await run(files, '--fail-on', 'withheld:off')).code, 0);
  const { code, error } = await run({ ...files, ...allowing });
  assert.equal(code, 0, error);
  assert.match(error, /accepted by \.package-insights\.json/);
});

testHidden(
  {
    'npm 1, a package that nothing has': lock.npm1(
      { outer: { version: '1.0.0', requires: { evil: '1.0.0' } } },
      lock.outer,
    ),
    'npm 2, another package for older clients': lock.npm({ 'node_modules/fine': { version: '1.0.0' } }, lock.fine, {
      lockfileVersion: 2,
      dependencies: { fine: { version: 'npm:evil@1.0.0' } },
    }),
    'npm 2, one more package for older clients': lock.npm({ 'node_modules/fine': { version: '1.0.0' } }, lock.fine, {
      lockfileVersion: 2,
      dependencies: { fine: { version: '1.0.0', requires: { evil: '1.0.0' } }, evil: { version: '1.0.0' } },
    }),
    'npm, a package with a shrinkwrap of its own that this file does not list': lock.npm(
      {
        'node_modules/outer': { version: '1.0.0', hasShrinkwrap: true, dependencies: lock.fine },
        'node_modules/fine': { version: '1.0.0' },
      },
      lock.outer,
    ),
    'yarn 1, an entry for two packages': lock.yarn1(
      `"evil@1.0.0", fine@1.0.0:\n  version "1.0.0"\n  resolved "${evilArchive}"\n`,
    ),
    'yarn 1, an entry for a repository and a version': lock.yarn1(
      `"fine@git+https://host.example/x.git", fine@1.0.0:\n  version "1.0.0"\n  resolved "${strange}"\n`,
    ),
    'yarn, a key without quotes': lock.yarn(
      'fine@npm:1.0.0:\n  version: 1.0.0\n  resolution: evil@npm:1.0.0\n  languageName: node\n  linkType: hard\n',
    ),
    'yarn, a resolution without quotes': lock.yarn(
      '"fine@npm:1.0.0":\n  version: 1.0.0\n  resolution: evil@npm:1.0.0\n  languageName: node\n  linkType: hard\n',
    ),
    'yarn, a version outside of its range': lock.yarn(
      '"fine@npm:1.0.0":\n  version: 0.9.0\n  resolution: "fine@npm:0.9.0"\n  languageName: node\n  linkType: hard\n',
    ),
    'pnpm 5, another name than its key': lock.pnpmBefore('5.4', '1.0.0', '/fine/1.0.0', [
      'resolution: {integrity: sha512-a}',
      'name: evil',
    ]),
    'pnpm, requirements in braces': {
      ...lock.manifest(),
      'pnpm-lock.yaml': `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies: {fine: {specifier: 1.0.0, version: evil@1.0.0}}\n`,
    },
    'pnpm, a version twice': {
      ...lock.manifest(),
      'pnpm-lock.yaml': `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      fine:\n        specifier: 1.0.0\n        version: 1.0.0\n        version: evil@1.0.0\n`,
    },
    'pnpm, a key in escapes': {
      ...lock.manifest(),
      'pnpm-lock.yaml': `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      "f\\u0069ne":\n        specifier: 1.0.0\n        version: evil@1.0.0\n`,
    },
    'bun, a key in escapes': {
      ...lock.manifest(),
      'bun.lock':
        '{"lockfileVersion":1,"workspaces":{"":{"dependencies":{"fine":"1.0.0"}}},"packages":{"f\\u0069ne":["evil@1.0.0","",{},"sha512-a"]}}',
    },
    'bun, a package that nothing has': lock.bun(
      { outer: ['outer@1.0.0', '', { dependencies: { evil: '1.0.0' } }, 'sha512-a'] },
      lock.outer,
    ),
    'bun, without the package': lock.bun({}),
    'bun, another root': lock.bun({ fine: ['fine@root:', {}] }),
    'bun, no identity': lock.bun({ fine: [1] }),
    'bun, a version outside of its range': lock.bun({ fine: ['fine@0.9.0', '', {}, 'sha512-a'] }),
    'Deno 3, a package that nothing has': lock.deno(
      {
        version: '3',
        packages: {
          specifiers: { 'npm:outer@1.0.0': 'npm:outer@1.0.0' },
          npm: { 'outer@1.0.0': { ...plain, dependencies: { evil: 'evil@1.0.0' } } },
        },
      },
      'outer',
    ),
    'Deno 5, a package that nothing has': lock.deno(
      {
        version: '5',
        specifiers: { 'npm:outer@1.0.0': '1.0.0' },
        npm: { 'outer@1.0.0': { ...plain, dependencies: ['evil'] } },
      },
      'outer',
    ),
    'Deno 5, without the package': lock.deno({ version: '5', specifiers: { 'npm:fine@1.0.0': '1.0.0' }, npm: {} }),
    'Deno 5, a version outside of its range': lock.deno({
      version: '5',
      specifiers: { 'npm:fine@1.0.0': '0.9.0' },
      npm: { 'fine@0.9.0': plain },
    }),
  },
  run,
);

testPlain(
  {
    'npm 2, the same for both clients': lock.npm(
      {
        'node_modules/fine': { version: '1.0.0' },
        'node_modules/x': { name: 'outer', version: '1.0.0' },
        'node_modules/y': { version: '1.0.0', resolved: git },
      },
      { fine: '1.0.0', x: 'npm:outer@1.0.0', y: git },
      {
        lockfileVersion: 2,
        dependencies: { fine: { version: '1.0.0' }, x: { version: 'npm:outer@1.0.0' }, y: { version: git } },
      },
    ),
    'npm, a package with a shrinkwrap of its own': lock.npm(
      {
        'node_modules/outer': { version: '1.0.0', hasShrinkwrap: true, dependencies: lock.fine },
        'node_modules/outer/node_modules/fine': { version: '1.0.0' },
      },
      lock.outer,
    ),
    'yarn 1, a package and its alias': lock.yarn1('fine@1.0.0, "x@npm:fine@1.0.0":\n  version "1.0.0"\n', {
      fine: '1.0.0',
      x: 'npm:fine@1.0.0',
    }),
    'bun, a package of the name of the root': lock.bun({
      fine: ['fine@1.0.0', '', {}, 'sha512-a'],
      'a/fine': ['fine@0.9.0', '', {}, 'sha512-a'],
    }),
    'Deno 5, an optional package that is not there': lock.deno(
      {
        version: '5',
        specifiers: { 'npm:outer@1.0.0': '1.0.0' },
        npm: { 'outer@1.0.0': { ...plain, optionalDependencies: ['evil'] } },
      },
      'outer',
    ),
  },
  run,
);

test('the finding of a dependency names what is in its place', async () => {
  const { out } = await run(lock.npm({ 'node_modules/fine': { version: '1.0.0', name: 'evil' } }));
  assert.match(out, /package-lock\.json takes it from elsewhere: evil 1\.0\.0\./);
});
