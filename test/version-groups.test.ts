import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupVersions, uncheckedBeforeSound } from '../client/src/actions/version-groups.ts';

const row = (version: string) => ({ version, notes: [], isDeprecated: false });
const details = (version: string, flags: object = {}) =>
  [version, { version, notes: [], isAffected: false, isMalicious: false, ...flags }] as const;

test('a list of versions opens with sound ones, however many newer ones have problems, and has none twice', () => {
  const bad = Array.from({ length: 40 }, (_, at) => `2.0.${40 - at}`);
  const list = {
    targets: [
      { ...row('1.1.0'), kinds: ['safe'] as const },
      { ...row('3.0.0'), kinds: ['default'] as const, hasFlaw: true as const },
    ],
    versions: [...bad.map(row), { ...row('1.0.9'), isDeprecated: true }, row('1.0.0'), row('0.9.0')],
  };
  const known = new Map([
    ...bad.map((it) => details(it, { isAffected: true })),
    details('0.9.0', { isMalicious: true, isAffected: true }),
  ]);
  const { targets, others, troubled, malicious } = groupVersions(list, known);
  const names = (rows: readonly { readonly version: string }[]) => rows.map((it) => it.version);
  assert.deepEqual(names(targets), ['1.1.0']);
  assert.deepEqual(names(others), ['1.0.0']);
  assert.deepEqual(names(troubled), ['3.0.0', ...bad, '1.0.9']);
  assert.deepEqual(names(malicious), ['0.9.0']);
});

test('what is not checked is looked up as long as the list begins with it', () => {
  const list = { targets: [], versions: ['3.0.0', '2.0.0', '1.0.0'].map(row) };
  const next = (known: Map<string, ReturnType<typeof details>[1]>) =>
    uncheckedBeforeSound(groupVersions(list, known), known).map((it) => it.version);
  assert.deepEqual(next(new Map()), ['3.0.0', '2.0.0', '1.0.0']);
  assert.deepEqual(next(new Map([details('3.0.0', { isAffected: true })])), ['2.0.0', '1.0.0']);
  assert.deepEqual(next(new Map([details('3.0.0', { isAffected: true }), details('2.0.0')])), []);
});
