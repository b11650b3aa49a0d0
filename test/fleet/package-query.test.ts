import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesQuery, readPackageQuery } from '../../server/src/fleet/answers/package-query.ts';

function matching(text: string, versions: readonly string[]): readonly string[] {
  const query = readPackageQuery(text);
  assert.ok(typeof query !== 'string', String(query));
  return versions.filter((it) => matchesQuery(query, it));
}

test('bounds are compared as the system orders versions', () => {
  const lodash = ['3.10.1', '4.17.9', '4.17.20', '4.17.21-rc.1', '4.17.21', '4.18.0'];
  assert.deepEqual(matching('npm:lodash<4.17.21', lodash), lodash.slice(0, 4));
  assert.deepEqual(matching('npm:lodash >= 4.17.9 < 4.17.21', lodash), lodash.slice(1, 4));
  assert.deepEqual(matching('npm:lodash>=4.17.9<4.17.21', lodash), lodash.slice(1, 4));
  assert.deepEqual(matching('npm:lodash>4.17.20,<=4.17.21', lodash), ['4.17.21-rc.1', '4.17.21']);
  assert.deepEqual(matching('NPM:lodash@4.17.20', lodash), ['4.17.20']);
  assert.deepEqual(matching('npm:lodash', lodash), lodash);
  assert.deepEqual(matching('pypi:Requests<2.31', ['2.9.1', '2.31.0', '2.31.0rc1']), ['2.9.1', '2.31.0rc1']);
  assert.deepEqual(matching('maven:org.yaml:snakeyaml<2.0', ['1.33', '2.0-rc1', '2.0']), ['1.33', '2.0-rc1']);
});

test('names are those of their systems', () => {
  const named = (text: string) => {
    const query = readPackageQuery(text);
    return typeof query === 'string' ? query : `${query.system} ${query.name} ${query.conditions.length}`;
  };
  assert.equal(named('npm:@babel/traverse<7.23.2'), 'NPM @babel/traverse 1');
  assert.equal(named('npm:@babel/traverse'), 'NPM @babel/traverse 0');
  assert.equal(named('pypi:Foo_.Bar'), 'PYPI foo-bar 0');
  assert.equal(named('pkg:npm/%40babel/traverse@7.23.2'), 'NPM @babel/traverse 1');
  assert.equal(named('go:golang.org/x/net<v0.17.0'), 'GO golang.org/x/net 1');
});

test('what cannot be read is an error, never a question that matches nothing', () => {
  for (const it of [
    'lodash',
    'npm:',
    'foo:bar',
    'npm:lodash<',
    'npm:lodash 4.17.21',
    'npm:lodash<latest',
    'pkg:npm/',
    '',
  ])
    assert.equal(typeof readPackageQuery(it), 'string', it);
});
