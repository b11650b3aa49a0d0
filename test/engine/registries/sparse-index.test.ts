import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';
import { sparseIndexClient } from '../../../server/src/engine/registries/sparse-index.ts';
import { tarEntry } from '../../tools/clients/archive.ts';
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

/** A crate with its manifest behind so many random bytes, as one character for each byte. */
function crate(manifest: string, before: number = 0): string {
  const files = [tarEntry('core-1.0.0/Cargo.toml', manifest), Buffer.alloc(1024)];
  const first = before === 0 ? [] : [tarEntry('core-1.0.0/.first', randomBytes(before).toString('base64'))];
  return gzipSync(Buffer.concat([...first, ...files])).toString('latin1');
}

const manifest = (license: string): string => `[package]
edition = "2021"
name = "core"
version = "1.0.0"
${license}
[dependencies.other]
version = "1"
license = "not this"
`;

const row = { name: 'core', vers: '1.0.0', cksum: 'ab'.repeat(32) };

async function licenseOf(answers: Answers, asked: string[] = []): Promise<readonly string[]> {
  const question = questionAt('sparse-index', 'core', { '/co/re/core': lines(row), ...answers }, asked);
  const list = await sparseIndexClient.list(question);
  assert.equal(list.kind, 'found');
  const answer = await sparseIndexClient.version?.({ ...question, listed: list.value }, '1.0.0');
  assert.equal(answer?.kind, 'found');
  return answer.value.licenses;
}

test('the license is read in the manifest at the head of the file', async () => {
  const config = JSON.stringify({ dl: 'https://files.example/crates' });
  const at = 'https://files.example/crates/core/1.0.0/download';
  const head = (text: string): Answers => ({ '/config.json': config, [at]: { status: 206, text } });
  assert.deepEqual(await licenseOf(head(crate(manifest('license = "MIT OR Apache-2.0"')))), ['MIT OR Apache-2.0']);
  assert.deepEqual(await licenseOf(head(crate(manifest('license = "MIT/Apache-2.0"')))), ['MIT OR Apache-2.0']);
  assert.deepEqual(await licenseOf(head(crate(manifest('license-file = "LICENSE"')))), []);
  const cut = crate(manifest('license = "MIT"'), 30_000).slice(0, 16_384);
  assert.deepEqual(await licenseOf(head(cut)), [], 'the manifest is further behind');
  for (const text of ['', '<html>', crate('').slice(0, 20)]) assert.deepEqual(await licenseOf(head(text)), []);
});

test('a version stays known where its file is not to be had', async () => {
  const config = JSON.stringify({ dl: 'https://files.example/crates' });
  assert.deepEqual(await licenseOf({}), []);
  assert.deepEqual(await licenseOf({ '/config.json': config }), []);
  assert.deepEqual(await licenseOf({ '/config.json': '[]' }), []);
});

test('the address of a file is made as the index says', async () => {
  const cases: readonly (readonly [string, string])[] = [
    ['https://files.example/{crate}-{version}.crate', 'https://files.example/core-1.0.0.crate'],
    ['https://files.example/{prefix}/{lowerprefix}/{crate}', 'https://files.example/co/re/co/re/core'],
    ['https://files.example/{sha256-checksum}', `https://files.example/${'ab'.repeat(32)}`],
  ];
  for (const [dl, expected] of cases) {
    const asked: string[] = [];
    await licenseOf({ '/config.json': JSON.stringify({ dl }) }, asked);
    assert.equal(asked.at(-1), expected);
  }
});
