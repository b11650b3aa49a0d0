import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cooldownFiles, cooldownReaders } from '../../../../server/src/engine/ecosystems/cooldowns.ts';
import type { CooldownLimit } from '../../../../server/src/engine/model/registries/cooldown.ts';

const DAY = 24 * 3_600_000;
const age = (days: number): CooldownLimit => ({ kind: 'age', age: days * DAY });
const unclear = (text: string): CooldownLimit => ({ kind: 'unclear', text });

/*
 * Sources: Cargo's book, “registry.global-min-publish-age”, and Cargo itself (`parse_time_span`, `PublishAgePolicy`): a
 * number and one unit, a month is 2,629,746 seconds, the value of a registry comes before that of all.
 */
const limits: readonly (readonly [string, string, CooldownLimit | undefined])[] = [
  ['config.toml', '[registry]\nglobal-min-publish-age = "7 days"', age(7)],
  ['config', '[registry]\nglobal-min-publish-age = "7 days"', age(7)],
  ['config.toml', '[registry]\nglobal-min-publish-age = "1day"', age(1)],
  ['config.toml', '[registry]\nglobal-min-publish-age = "36 hours"', age(1.5)],
  ['config.toml', '[registry]\nglobal-min-publish-age = "2 weeks"', age(14)],
  ['config.toml', '[registry]\nglobal-min-publish-age = "1 month"', { kind: 'age', age: 2_629_746_000 }],
  ['config.toml', '[registry]\nglobal-min-publish-age = "0"', age(0)],
  ['config.toml', '[registry]\nglobal-min-publish-age = "7"', unclear('“7”')],
  ['config.toml', '[registry]\nglobal-min-publish-age = "7d"', unclear('“7d”')],
  ['config.toml', '[registry]\nglobal-min-publish-age = "2 weeks 1 day"', unclear('“2 weeks 1 day”')],
  ['config.toml', '[registry]\nglobal-min-publish-age = "7 days', unclear('“…”')],
  ['config.toml', 'registries.crates-io.min-publish-age = "7 days"', age(7)],
  [
    'config.toml',
    '[registry]\nglobal-min-publish-age = "7 days"\n[registries.crates-io]\nmin-publish-age = "0"',
    age(0),
  ],
  ['config.toml', '[registries.acme]\nmin-publish-age = "7 days"', undefined],
  [
    'config.toml',
    '[registry]\nglobal-min-publish-age = "7 days"\n[resolver]\nincompatible-publish-age = "allow"',
    undefined,
  ],
  [
    'config.toml',
    '[registry]\nglobal-min-publish-age = "7 days"\n[resolver]\nincompatible-publish-age = "deny"',
    age(7),
  ],
  ['config.toml', '[build]\njobs = 1', undefined],
  ['CARGO_REGISTRY_GLOBAL_MIN_PUBLISH_AGE', '7 days', age(7)],
  ['CARGO_REGISTRIES_CRATES_IO_MIN_PUBLISH_AGE', '7 days', age(7)],
];

for (const [name, text, limit] of limits) {
  test(`${name}: ${text}`, () => {
    const readers = cooldownReaders.filter(
      (it) => it.systems !== 'all' && it.systems.includes('CARGO') && it.names.some((one) => one.endsWith(name)),
    );
    assert.equal(readers.length, 1);
    assert.deepEqual(
      readers.flatMap((it) => it.read({ name, text }, 'CARGO')).map((it) => [it.limit, it.refuses]),
      limit ? [[limit, true]] : [],
    );
  });
}

test('the configuration of Cargo lies in a folder of its own', () => {
  assert.deepEqual(cooldownFiles('CARGO'), ['.cargo/config.toml', '.cargo/config']);
});
