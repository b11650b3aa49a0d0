import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('..', import.meta.url).pathname;
const page = readFileSync(`${root}docs/threat-model.md`, 'utf8');

test('every source and test that the threat model names is there', () => {
  const named = [...page.matchAll(/`([\w./-]+(?:\.ts|\.txt|\/))`/g)].map(([, path = '']) => path);
  assert.ok(named.length > 150);
  const found = (path: string) =>
    globSync(path.startsWith('test/') ? path : `{,client/src/,server/src/**/}${path}`, { cwd: root }).length > 0;
  assert.deepEqual(
    named.filter((it) => !found(it)),
    [],
  );
});
