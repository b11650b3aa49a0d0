import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './paths.ts';

/** Runs `npm run package -- …`, without npm. */
function packing(...args: readonly string[]) {
  const script = join(import.meta.dirname, 'package.ts');
  return spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });
}

test('--help prints the usage, and does not become the name of a file', () => {
  const { status, stdout } = packing('--help');
  assert.deepEqual([status, stdout], [0, 'Usage: npm run package -- [--program] [FILE]\n']);
  assert.ok(!existsSync(join(root, '--help')));
});

test('what looks like an option is no name of a file', () => {
  const { status, stderr } = packing('--out=x.vsix');
  assert.equal(status, 2);
  assert.match(stderr, /Unknown option '--out'.*Usage: /s);
});

test('only one file is written', () => {
  const { status, stderr } = packing('a.vsix', 'b.vsix');
  assert.deepEqual(
    [status, stderr],
    [2, 'Only one file can be written\nUsage: npm run package -- [--program] [FILE]\n'],
  );
});
