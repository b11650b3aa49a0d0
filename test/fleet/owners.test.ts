import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownersIn } from '../../server/src/fleet/owners.ts';

test('the last rule that matches a path names its owners', () => {
  const ownersOf = ownersIn(
    [
      '# comment',
      '* @org/everyone',
      '/web/ @org/web web@code.example # the shop',
      'docs/* @org/docs',
      '/web/generated/',
      '!negated @nobody',
      '*.lock @org/locks not-an-owner',
    ].join('\n'),
  );
  const owners = (path: string) => ownersOf(path).join(' ');
  assert.equal(owners('package.json'), '@org/everyone');
  assert.equal(owners('web/a/package.json'), '@org/web web@code.example');
  assert.equal(owners('lib/web/package.json'), '@org/everyone');
  assert.equal(owners('docs/package.json'), '@org/docs');
  assert.equal(owners('docs/deep/package.json'), '@org/everyone');
  assert.equal(owners('web/generated/package.json'), '');
  assert.equal(owners('Cargo.lock'), '@org/locks');
});

test('sections of GitLab give their owners to rules without owners', () => {
  const ownersOf = ownersIn('[Backend][2] @backend\n*.go\n/cmd/ @cmd\n^[Docs]\n*.md\n');
  assert.deepEqual(ownersOf('go.mod.go'), ['@backend']);
  assert.deepEqual(ownersOf('cmd/go.mod'), ['@cmd']);
  assert.deepEqual(ownersOf('a.md'), []);
});

test('a hostile file of owners ends', () => {
  const ownersOf = ownersIn(`${'a'.repeat(100_000)} @x\n${'**/*'.repeat(5000)} @y\n${'/x @z\n'.repeat(500_000)}`);
  assert.deepEqual(ownersOf('x'), ['@z']);
});
