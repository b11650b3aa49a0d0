import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bunLock } from '../../../../server/src/engine/ecosystems/npm/lockfiles/bun-lock.ts';
import { lockedBy } from './locked.ts';

const text = `{
  "lockfileVersion": 1,
  "workspaces": {
    "": {
      "name": "root",
      "dependencies": {
        "lodash": "^4.17.21",
      },
    },
    "packages/a": {
      "name": "@scope/a",
    },
    "packages/b": {},
  },
  "catalog": {
    "react": "^19.0.0",
  },
  "packages": {
    "@babel/core": ["@babel/core@7.24.0", "", { "dependencies": { "lodash": "^4" } }, "sha512-abc,}=="],

    "@scope/a": ["@scope/a@workspace:packages/a"],

    "lodash": ["lodash@4.17.21", "", {}, "sha512-abc"],

    "old-lodash": ["lodash@3.10.1", "", {}, "sha512-abc"],

    "hosted": ["hosted@github:user/repo#abc", {}, "user-repo-abc"],

    "react": ["react@19.0.0", "", {}, "sha512-abc"],

    "@scope/a/lodash": ["lodash@4.0.0", "", {}, "sha512-abc"],
  }
}
`;

const dependencies = {
  '@babel/core': '^7.24.0',
  '@scope/a': 'workspace:*',
  lodash: '^4.17.21',
  'old-lodash': 'npm:lodash@^3.10.0',
  hosted: 'user/repo',
  react: 'catalog:',
  missing: '1',
};

const expected = {
  '@babel/core': '7.24.0',
  '@scope/a': undefined,
  lodash: '4.17.21',
  'old-lodash': '3.10.1',
  hosted: undefined,
  react: '19.0.0',
  missing: undefined,
};

test('bun.lock: read with its trailing commas', () => {
  assert.deepEqual(lockedBy(bunLock, text, { dependencies }), expected);
  assert.deepEqual(lockedBy(bunLock, `\uFEFF${text.replaceAll('\n', '\r\n')}`, { dependencies }), expected);
});

test('bun.lock: a member of the workspace has its own version, or the one at the top', () => {
  assert.deepEqual(lockedBy(bunLock, text, { dependencies }, 'packages/a'), { ...expected, lodash: '4.0.0' });
  assert.deepEqual(lockedBy(bunLock, text, { dependencies }, 'packages/b'), expected);
  assert.deepEqual(lockedBy(bunLock, text, { dependencies: { lodash: '^4' } }, 'examples/one'), {
    lodash: undefined,
  });
});

test('bun.lock: an alias that was changed since is not the same package', () => {
  assert.deepEqual(lockedBy(bunLock, text, { dependencies: { lodash: 'npm:underscore@^1' } }), {
    lodash: undefined,
  });
});

test('bun.lock: catalogs are looked up, overrides are not', () => {
  assert.deepEqual(lockedBy(bunLock, text, { catalog: { react: '^19.0.0' } }), { react: '19.0.0' });
  assert.deepEqual(lockedBy(bunLock, text, { overrides: { lodash: '4.17.21' } }), { lodash: undefined });
});

test('bun.lock: a broken file gives what can be read', () => {
  const cut = text.slice(0, text.indexOf('"@scope/a/lodash'));
  const conflict = text.replace('    "lodash": [', '<<<<<<< HEAD\n=======\n>>>>>>> main\n    "lodash": [');
  for (const it of [cut, conflict]) {
    assert.deepEqual(lockedBy(bunLock, it, { dependencies: { react: '^19' } }), { react: '19.0.0' });
  }
  for (const it of [
    '',
    '[]',
    '{"packages": 1}',
    '{"workspaces": {"": 1}, "packages": {"react": 1, "lodash": []}}',
    '['.repeat(1e5),
  ]) {
    assert.deepEqual(lockedBy(bunLock, it, { dependencies: { react: '^19', lodash: '1' } }), {
      react: undefined,
      lodash: undefined,
    });
  }
  for (let end = 0; end < text.length; end += 5) bunLock.parse(text.slice(0, end));
});
