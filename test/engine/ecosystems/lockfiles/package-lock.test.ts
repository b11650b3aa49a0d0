import assert from 'node:assert/strict';
import { test } from 'node:test';
import { npmShrinkwrap, packageLock } from '../../../../server/src/engine/ecosystems/npm/lockfiles/package-lock.ts';
import { packageJson } from '../../../../server/src/engine/ecosystems/npm/package-json.ts';

/** What a lockfile says of every dependency of a manifest, in the order of the text. */
function locked(lockfile: unknown, manifest: unknown, importer = ''): (string | undefined)[] {
  const text = typeof lockfile === 'string' ? lockfile : JSON.stringify(lockfile);
  const read = packageLock.parse(text);
  return packageJson.parse(JSON.stringify(manifest)).dependencies.map((it) => read.locked(it, importer));
}

const workspace = {
  lockfileVersion: 3,
  packages: {
    '': { name: 'root', workspaces: ['packages/*'] },
    'node_modules/a': { resolved: 'packages/a', link: true },
    'node_modules/lodash': { version: '4.17.21' },
    'node_modules/@babel/core': { version: '7.24.0', dev: true },
    'node_modules/old-lodash': { name: 'lodash', version: '3.10.1' },
    'node_modules/hosted': { version: '1.0.0', resolved: 'git+ssh://git@host.example/user/repo.git#abc' },
    'node_modules/webpack/node_modules/acorn': { version: '6.4.2' },
    'node_modules/v': { version: 'v1.2.3' },
    'packages/a': { version: '1.0.0' },
    'packages/a/node_modules/lodash': { version: '3.0.0' },
    'packages/b': { version: '1.0.0' },
  },
};

test('package-lock.json: version 1 with addresses of archives', () => {
  const lock = {
    lockfileVersion: 1,
    dependencies: {
      '@babel/core': { version: 'https://registry.example/@babel/core/-/core-7.24.0.tgz', from: '@babel/core@^7.0.0' },
      alias: { version: 'https://registry.example/lodash/-/lodash-3.10.1.tgz', from: 'npm:lodash@^3.10.0' },
      pinned: { version: 'https://registry.example/download/pinned/0a1b2c', from: 'pinned@1.2.3' },
      packed: { version: 'https://files.example/packed-2.0.0.tgz' },
      other: { version: 'npm:left@1.0.0' },
    },
  };
  const dependencies = {
    '@babel/core': '^7.0.0',
    alias: 'npm:lodash@^3.10.0',
    pinned: '1.2.3',
    packed: '^2.0.0',
    other: 'npm:left@^1.0.0',
  };
  assert.deepEqual(locked(lock, { dependencies }), ['7.24.0', '3.10.1', '1.2.3', undefined, '1.0.0']);
});

test('versions 2 and 3 are read by directory', () => {
  const dependencies = { lodash: '^4', '@babel/core': '^7', a: '*', missing: '1', acorn: '^6' };
  assert.deepEqual(locked(workspace, { dependencies }), ['4.17.21', '7.24.0', undefined, undefined, undefined]);
  assert.deepEqual(
    locked({ ...workspace, lockfileVersion: 2, dependencies: { lodash: { version: '1.0.0' } } }, { dependencies })[0],
    '4.17.21',
  );
});

test('a member of the workspace looks into its own directory, then around it', () => {
  const dependencies = { lodash: '^4', '@babel/core': '^7' };
  assert.deepEqual(locked(workspace, { dependencies }, 'packages/a'), ['3.0.0', '7.24.0']);
  assert.deepEqual(locked(workspace, { dependencies }, 'packages/b'), ['4.17.21', '7.24.0']);
});

test('a manifest that is no member of the workspace is not served', () => {
  assert.deepEqual(locked(workspace, { dependencies: { lodash: '^4' } }, 'examples/one'), [undefined]);
});

test('an alias is found under its own name, while it stands for the same package', () => {
  assert.deepEqual(locked(workspace, { dependencies: { 'old-lodash': 'npm:lodash@^3' } }), ['3.10.1']);
  assert.deepEqual(locked(workspace, { dependencies: { 'old-lodash': 'npm:underscore@^1' } }), [undefined]);
  assert.deepEqual(locked(workspace, { dependencies: { lodash: 'npm:underscore@^1' } }), [undefined]);
});

test('version 1 is read by name', () => {
  const lockfile = {
    lockfileVersion: 1,
    dependencies: {
      lodash: { version: '4.17.21', dependencies: { acorn: { version: '1.0.0' } } },
      'old-lodash': { version: 'npm:lodash@3.10.1' },
      'old-core': { version: 'npm:@babel/core@7.0.0' },
      hosted: { version: 'git+ssh://git@host.example/user/repo.git#abc' },
      address: { version: 'https://registry.example/it-1.0.0.tgz' },
      folder: { version: 'file:../folder' },
    },
  };
  const dependencies = {
    lodash: '^4',
    'old-lodash': 'npm:lodash@^3',
    'old-core': 'npm:@babel/core@^7',
    hosted: '1',
    address: '1',
    folder: '1',
    acorn: '1',
  };
  const none = undefined;
  assert.deepEqual(locked(lockfile, { dependencies }), ['4.17.21', '3.10.1', '7.0.0', none, none, none, none]);
});

test('all four sections are looked up; overrides and the package manager are not', () => {
  const lodash = { lodash: '^4' };
  assert.deepEqual(
    locked(workspace, {
      dependencies: lodash,
      devDependencies: lodash,
      optionalDependencies: lodash,
      peerDependencies: lodash,
      overrides: lodash,
      resolutions: lodash,
      pnpm: { overrides: lodash },
      packageManager: 'lodash@4.0.0',
    }),
    [...Array(4).fill('4.17.21'), ...Array(4).fill(undefined)],
  );
});

test('names of the prototype are names like others', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const section = (value: string) => `{${names.map((it) => `"${it}": ${value}`).join(', ')}}`;
  const manifest = packageJson.parse(`{ "dependencies": ${section('"^1.0.0"')} }`);
  const full = packageLock.parse(
    `{ "packages": {${names.map((it) => `"node_modules/${it}": {"version": "1.0.0"}`).join(', ')}} }`,
  );
  const old = packageLock.parse(`{ "dependencies": ${section('{ "version": "1.0.0" }')} }`);
  const broken = packageLock.parse(`{ "dependencies": ${section('{ "version": "1.0.0" }')} `);
  const empty = packageLock.parse('{ "packages": {} }');
  for (const it of manifest.dependencies) {
    assert.equal(full.locked(it, ''), '1.0.0');
    assert.equal(old.locked(it, ''), '1.0.0');
    assert.equal(broken.locked(it, ''), '1.0.0');
    assert.equal(empty.locked(it, ''), undefined);
    assert.equal(empty.locked(it, '__proto__'), undefined);
  }
});

test('a file cut by a merge gives what can be read', () => {
  const text = JSON.stringify(workspace, undefined, 2);
  const cut = text.slice(0, text.indexOf('node_modules/old-lodash'));
  const conflict = text.replace(
    '    "node_modules/@babel',
    '<<<<<<< HEAD\n=======\n>>>>>>> main\n    "node_modules/@babel',
  );
  assert.notEqual(conflict, text);
  for (const broken of [cut, conflict, `\uFEFF${cut}`]) {
    assert.deepEqual(locked(broken, { dependencies: { lodash: '^4' } }), ['4.17.21']);
  }
  assert.deepEqual(locked(`\uFEFF${text}`, { dependencies: { lodash: '^4' } }), ['4.17.21']);
});

test('whatever else stands in a file, nothing is locked', () => {
  const others = ['', '[]', 'null', '1', '{"packages": []}', '{"packages": {"node_modules/lodash": null}}'];
  const more = [
    '{"packages": {"node_modules/lodash": {"version": 1}}}',
    '{"dependencies": {"lodash": "4.0.0"}}',
    '['.repeat(300_000),
  ];
  for (const text of [...others, ...more]) {
    assert.deepEqual(locked(text, { dependencies: { lodash: '^4' } }), [undefined], text.slice(0, 60));
  }
});

test('a shrinkwrap is read the same way', () => {
  assert.equal(npmShrinkwrap.id, 'npm-shrinkwrap.json');
  assert.equal(npmShrinkwrap.parse, packageLock.parse);
});

test('package-lock.json: registries are found by the name of the package, in a broken file, too', () => {
  const address = 'https://npm.acme.example/lodash/-/lodash-3.10.1.tgz';
  const text = `{ "packages": {
    "": {},
    "node_modules/alias": { "name": "lodash", "version": "3.10.1", "resolved": "${address}" },
    "node_modules/a/node_modules/plain": { "version": "1.0.0" },
    "node_modules/linked": { "resolved": "packages/linked", "link": true }
  }`;
  const old = `{ "dependencies": { "a": { "version": "1.0.0", "dependencies": {
    "lodash": { "version": "3.10.1", "resolved": "${address}" } } } }`;
  for (const it of [text, `${text} }`, old, `${old} }`])
    assert.deepEqual(
      [...(packageLock.parse(it).registries?.() ?? [])],
      [['lodash', ['https://npm.acme.example/']]],
      it,
    );
});
