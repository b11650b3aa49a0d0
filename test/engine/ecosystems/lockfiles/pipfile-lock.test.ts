import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pipfileLock } from '../../../../server/src/engine/ecosystems/python/lockfiles/pipfile-lock.ts';
import { pipfile } from '../../../../server/src/engine/ecosystems/python/pipfile.ts';

/** What a lockfile says of every dependency of a Pipfile. */
function locked(text: string, manifest: string): string[] {
  const { locked } = pipfileLock.parse(text);
  return pipfile.parse(manifest).dependencies.map((it) => `${it.name} ${locked(it, '') ?? 'none'}`);
}

test('Pipfile.lock: each table has a category', () => {
  const text = JSON.stringify({
    _meta: { hash: { sha256: 'aa' }, sources: [] },
    default: {
      requests: { version: '==2.31.0', hashes: ['sha256:aa'], index: 'inside' },
      'zope-interface': { version: '==6.0' },
      lib: { git: 'https://git.example/lib.git', ref: 'abc' },
      odd: { version: { toString: 1 } },
    },
    develop: { requests: { version: '===2.30.0' } },
    docs: { sphinx: { version: '==7.3.7' } },
  });
  const manifest = `[packages]\nrequests = "*"\n"Zope.Interface" = "*"\nlib = "*"\nodd = "*"\nsphinx = "*"
[dev-packages]\nrequests = "*"\n[docs]\nsphinx = "*"\n[_meta]\nhash = "*"\n`;
  const expected = ['requests 2.31.0', 'Zope.Interface 6.0', 'lib none', 'odd none', 'sphinx none'];
  const others = ['requests 2.30.0', 'sphinx 7.3.7', 'hash none'];
  assert.deepEqual(locked(text, manifest), [...expected, ...others]);
  assert.deepEqual(locked(`\uFEFF${text}`, manifest), [...expected, ...others]);
});

test('Pipfile.lock: names of the prototype are names', () => {
  assert.deepEqual(locked('{"default": {}}', '[constructor]\nname = "*"\n[__proto__]\nname = "*"\n'), [
    'name none',
    'name none',
  ]);
});

test('Pipfile.lock: whatever stands in it, it is read', () => {
  for (const text of [
    '',
    '[]',
    'null',
    '{"default": []}',
    '{"default": {"a": 1}}',
    '{"default": {"a": {"version": 1}}}',
  ]) {
    assert.deepEqual(locked(text, '[packages]\na = "*"\n'), ['a none'], text);
  }
  for (const unit of ['[', '{"a":', '"', '\\']) pipfileLock.parse(unit.repeat(100_000));
  const cut = '{"default": {"a": {"version": "==1.0"}, "b": {"vers';
  assert.deepEqual(locked(cut, '[packages]\na = "*"\n'), ['a 1.0']);
});
