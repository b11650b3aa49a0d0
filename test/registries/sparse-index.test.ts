import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from '../../server/src/model/facts.ts';
import { sparseIndexClient } from '../../server/src/registries/sparse-index.ts';
import { type Answers, questionAt } from './question.ts';

async function list(name: string, answers: Answers, asked: string[] = []) {
  return sparseIndexClient.list(questionAt('sparse-index', name, answers, asked));
}

function lines(...rows: readonly object[]): string {
  return rows.map((it) => `${JSON.stringify(it)}\n`).join('');
}

test('a crate has one line a version: yanked ones, pre-releases, and the times that newer registries write', async () => {
  const answer = await list('Acme-Core', {
    '/ac/me/acme-core': lines(
      { name: 'acme-core', vers: '1.0.0', deps: [], cksum: '00', features: {}, yanked: false, rust_version: '1.70' },
      { name: 'Acme-Core', vers: '1.1.0', yanked: false, pubtime: '2026-01-02T03:04:05Z', v: 2 },
      { name: 'acme-core', vers: '1.2.0', yanked: true },
      { name: 'acme-core', vers: '2.0.0-rc.1', yanked: false },
    ),
  });
  assert.equal(answer.kind, 'found');
  const { facts, version } = answer.value;
  assert.equal(facts.purl, 'pkg:cargo/Acme-Core');
  assert.deepEqual(rowsOf(facts.versions), [
    { version: '1.0.0', isDeprecated: false, isDefault: false },
    { version: '1.1.0', publishedAt: Date.UTC(2026, 0, 2, 3, 4, 5), isDeprecated: false, isDefault: true },
    { version: '1.2.0', isDeprecated: true, isDefault: false },
    { version: '2.0.0-rc.1', isDeprecated: false, isDefault: false },
  ]);
  assert.deepEqual(version('1.1.0')?.licenses, []);
  assert.deepEqual(version('1.1.0')?.registries, ['https://registry.example/team']);
  assert.equal(version('3.0.0'), undefined);
});

test('the path of a crate is that of the index', async () => {
  const asked: string[] = [];
  for (const name of ['a', 'Ab', 'abc', 'abcd', 'A_b-c']) await list(name, {}, asked);
  assert.deepEqual(asked, ['/1/a', '/2/ab', '/3/a/abc', '/ab/cd/abcd', '/a_/b-/a_b-c']);
  asked.length = 0;
  for (const name of ['', '..', 'a/b', 'a?b', 'a b', 'https:']) {
    assert.deepEqual(await list(name, {}, asked), { kind: 'absent' }, name);
  }
  assert.deepEqual(asked, []);
});

test('lines that are none, of other crates and of unknown forms are passed over', async () => {
  const sound = { name: 'core', vers: '1.0.0' };
  const odd = [{ name: 'other', vers: '9.0.0' }, { name: 'core', vers: '9.0.0', v: 3 }, { name: 'core', vers: 9 }, []];
  const text = `\n<html>\n{"name":\n${lines(...odd, { name: 'core', vers: '9'.repeat(5000) })}${lines(sound)}${lines(sound)}`;
  const answer = await list('core', { '/co/re/core': text });
  assert.equal(answer.kind, 'found');
  assert.deepEqual(rowsOf(answer.value.facts.versions), [{ version: '1.0.0', isDeprecated: false, isDefault: true }]);
  const page = await list('core', { '/co/re/core': '<html>please log in</html>' });
  assert.deepEqual(page, { kind: 'failed', reason: 'the answer is not JSON' });
  assert.deepEqual(await list('core', { '/co/re/core': '\n' }), { kind: 'absent' });
  assert.deepEqual(await list('core', { '/co/re/core': { status: 401 } }), { kind: 'denied' });
  assert.deepEqual(await list('core', { '/co/re/core': { status: 451 } }), { kind: 'absent' });
});

test('of a list without end the newest versions are read, and it says so', async () => {
  const rows = Array.from({ length: 60_000 }, (_, at) => ({ name: 'core', vers: `1.0.${at}` }));
  const answer = await list('core', { '/co/re/core': lines(...rows) });
  const { facts } = answer.kind === 'found' ? answer.value : assert.fail(answer.kind);
  assert.equal(facts.isSample, true);
  assert.equal(rowsOf(facts.versions).at(-1)?.version, '1.0.59999');
  assert.equal(facts.versions.names.length, 50_000);
});
