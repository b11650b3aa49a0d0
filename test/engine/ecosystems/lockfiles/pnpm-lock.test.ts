import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pnpmLock } from '../../../../server/src/engine/ecosystems/npm/lockfiles/pnpm-lock.ts';
import { pnpmWorkspace } from '../../../../server/src/engine/ecosystems/npm/pnpm-workspace.ts';
import { lockedBy } from './locked.ts';

const nine = `lockfileVersion: '9.0'

settings:
  autoInstallPeers: true

catalogs:
  default:
    react:
      specifier: ^18.3.1
      version: 18.3.1
  legacy:
    react:
      specifier: ^17.0.2
      version: 17.0.2

overrides:
  semver: 7.6.3

importers:

  .:
    dependencies:
      '@babel/core':
        specifier: ^7.24.0
        version: 7.24.0
      a:
        specifier: workspace:^
        version: link:packages/a
      old-lodash:
        specifier: npm:lodash@^3.10.0
        version: lodash@3.10.1
      react:
        specifier: 'catalog:'
        version: 18.3.1
      react-dom:
        specifier: ^18.3.1
        version: 18.3.1(react@18.3.1)
      hosted:
        specifier: user/repo
        version: https://codeload.example/user/repo/tar.gz/abc
    devDependencies:
      forked:
        specifier: npm:@scope/it@1.0.0
        version: '@scope/it@1.0.0'
  packages/a:
    dependencies:
      lodash:
        specifier: ^4.17.21
        version: 4.17.21

packages:

  '@babel/core@7.24.0':
    resolution: {integrity: sha512-abc}
    engines: {node: '>=6.9.0'}
    peerDependencies:
      lodash: ^4

snapshots:

  '@babel/core@7.24.0':
    dependencies:
      lodash: 4.0.0
`;

test('pnpm-lock.yaml: version 9', () => {
  const dependencies = {
    '@babel/core': '^7.24.0',
    a: 'workspace:^',
    'old-lodash': 'npm:lodash@^3.10.0',
    react: 'catalog:',
    'react-dom': '^18.3.1',
    hosted: 'user/repo',
    forked: 'npm:@scope/it@1.0.0',
    lodash: '^4',
  };
  const expected = {
    '@babel/core': '7.24.0',
    a: undefined,
    'old-lodash': '3.10.1',
    react: '18.3.1',
    'react-dom': '18.3.1',
    hosted: undefined,
    forked: '1.0.0',
    lodash: undefined,
  };
  assert.deepEqual(lockedBy(pnpmLock, nine, { dependencies }), expected);
  assert.deepEqual(lockedBy(pnpmLock, `\uFEFF${nine.replaceAll('\n', '\r\n')}`, { dependencies }), expected);
});

test('pnpm-lock.yaml: members have their own versions, and no other directory is served', () => {
  const dependencies = { lodash: '^4.17.21' };
  assert.deepEqual(lockedBy(pnpmLock, nine, { dependencies }, 'packages/a'), { lodash: '4.17.21' });
  assert.deepEqual(lockedBy(pnpmLock, nine, { dependencies }, 'examples/one'), { lodash: undefined });
});

test('pnpm-lock.yaml: an alias that was changed since is not the same package', () => {
  assert.deepEqual(lockedBy(pnpmLock, nine, { dependencies: { 'old-lodash': 'npm:underscore@^1' } }), {
    'old-lodash': undefined,
  });
  assert.deepEqual(lockedBy(pnpmLock, nine, { dependencies: { 'old-lodash': '^3' } }), { 'old-lodash': undefined });
});

test('pnpm-lock.yaml: peers are looked up, overrides are not', () => {
  assert.deepEqual(lockedBy(pnpmLock, nine, { peerDependencies: { react: '>=17' } }), { react: '18.3.1' });
  assert.deepEqual(lockedBy(pnpmLock, nine, { pnpm: { overrides: { react: '18.3.1' } } }), { react: undefined });
});

test('pnpm-lock.yaml: serves the catalogs of the workspace', () => {
  const text = 'catalog:\n  react: ^18.3.1\ncatalogs:\n  legacy:\n    react: ^17.0.2\n  other:\n    react: ^16';
  const { locked } = pnpmLock.parse(nine);
  assert.deepEqual(
    pnpmWorkspace.parse(text).dependencies.map((it) => locked(it, '')),
    ['18.3.1', '17.0.2', undefined],
  );
});

const six = `lockfileVersion: '6.0'

dependencies:
  old-lodash:
    specifier: npm:lodash@^3.10.0
    version: /lodash@3.10.1
  forked:
    specifier: npm:@scope/a_b@^1.0.0
    version: /@scope/a_b@1.0.0(react@18.3.1)
  react-dom:
    specifier: ^18.3.1
    version: 18.3.1(react@18.3.1)

packages:

  /lodash@3.10.1:
    resolution: {integrity: sha512-abc}
`;

test('pnpm-lock.yaml: an alias in a catalog has its package, and the entry behind it its own', () => {
  const catalog = '  default:\n    utils:\n      specifier: npm:underscore@^1.13.0\n      version: 1.13.6\n    react:';
  const { locked } = pnpmLock.parse(nine.replace('  default:\n    react:', catalog));
  const { dependencies } = pnpmWorkspace.parse('catalog:\n  utils: npm:underscore@^1.13.0\n  react: ^18.3.1');
  assert.deepEqual(
    dependencies.map((it) => locked(it, '')),
    ['1.13.6', '18.3.1'],
  );
});

test('pnpm-lock.yaml: version 6 of a single package', () => {
  const dependencies = { 'old-lodash': 'npm:lodash@^3.10.0', forked: 'npm:@scope/a_b@^1.0.0', 'react-dom': '^18.3.1' };
  const expected = { 'old-lodash': '3.10.1', forked: '1.0.0', 'react-dom': '18.3.1' };
  assert.deepEqual(lockedBy(pnpmLock, six, { dependencies }), expected);
});

const five = `lockfileVersion: 5.4

specifiers:
  lodash: ^4.17.21

dependencies:
  lodash: 4.17.21
  old-lodash: /lodash/3.10.1
  forked: /@scope/it/1.0.0_react@18.3.1
  a: link:packages/a
  hosted: github.example/user/repo/abc

devDependencies:
  react-dom: 18.3.1_react@18.3.1

packages:

  /lodash/4.17.21:
    resolution: {integrity: sha512-abc}
    dev: false
`;

test('pnpm-lock.yaml: version 5, alone and in a workspace', () => {
  const dependencies = {
    lodash: '^4.17.21',
    'old-lodash': 'npm:lodash@^3.10.0',
    forked: 'npm:@scope/it@^1.0.0',
    a: 'workspace:*',
    hosted: 'user/repo',
    'react-dom': '^18.3.1',
  };
  const expected = {
    lodash: '4.17.21',
    'old-lodash': '3.10.1',
    forked: '1.0.0',
    a: undefined,
    hosted: undefined,
    'react-dom': '18.3.1',
  };
  assert.deepEqual(lockedBy(pnpmLock, five, { dependencies }), expected);
  const [head = '', rest = ''] = five.split('\n\nspecifiers:');
  const nested = `specifiers:${rest.split('\n\npackages:')[0]}`.replace(/^(?=.)/gm, '    ');
  const workspace = `${head}\n\nimporters:\n\n  packages/b:\n${nested}\n`;
  assert.deepEqual(lockedBy(pnpmLock, workspace, { dependencies }, 'packages/b'), expected);
});

test('pnpm-lock.yaml: a document before the lockfile itself is ignored', () => {
  const two = `---\nlockfileVersion: '9.0'\nimporters:\n  .:\n    configDependencies:\n      x:\n        version: 1.0.0\n---\n${nine}`;
  assert.deepEqual(lockedBy(pnpmLock, two, { dependencies: { x: '1', react: 'catalog:' } }), {
    x: undefined,
    react: '18.3.1',
  });
});

test('pnpm-lock.yaml: whatever else stands in a file is passed over', () => {
  const dependencies = { a: '^1' };
  const wrong = [
    '',
    'importers:',
    'importers: {}',
    'importers:\n  .: {}',
    'importers:\n   .:\n     dependencies:\n',
    'dependencies:\n      a: 1.0.0',
    'dependencies:\n  a:\n    version:',
  ];
  const hostile = [
    'a'.repeat(1e6),
    ': '.repeat(1e5),
    `importers:\n${' '.repeat(1e5)}a:`,
    `dependencies:\n  a: ${'@'.repeat(1e5)}`,
    `dependencies:\n  a: /${'/'.repeat(1e5)}`,
  ];
  for (const text of [...wrong, ...hostile])
    assert.deepEqual(lockedBy(pnpmLock, text, { dependencies }), { a: undefined }, text.slice(0, 60));
  for (let end = 0; end < nine.length; end += 7) pnpmLock.parse(nine.slice(0, end));
});
