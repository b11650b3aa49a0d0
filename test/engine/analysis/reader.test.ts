import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownLimit, ManifestReader } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { lockfileFormat } from '../../../server/src/engine/ecosystems/shared/lockfile.ts';
import type { Lockfile, LockfileFormat } from '../../../server/src/engine/model/lockfile.ts';

const files = { read: async () => undefined, find: async () => [] };

/** A lockfile format that counts how often a text of it is parsed. */
function counted(): { readonly format: LockfileFormat; readonly parses: () => number } {
  let parses = 0;
  const parse = (): Lockfile => {
    parses++;
    return { packages: [], problems: [], locked: () => undefined, graph: () => 'unrecorded' };
  };
  const format = lockfileFormat({
    id: 'lock',
    system: 'NPM',
    files: /lock/,
    serves: [],
    below: false,
    update: '',
    parse,
  });
  return { format, parses: () => parses };
}

test('a text is parsed once, until it is another or is forgotten', () => {
  const reader = new ManifestReader(files);
  const { format, parses } = counted();
  const first = reader.lockfile('file:///a/lock', format, 'a');
  assert.equal(reader.lockfile('file:///a/lock', format, 'a'), first);
  assert.equal(parses(), 1);
  reader.lockfile('file:///a/lock', format, 'b');
  assert.equal(parses(), 2);
  reader.forget('file:///a/lock');
  reader.lockfile('file:///a/lock', format, 'b');
  assert.equal(parses(), 3);
});

test('of the lockfiles of ever more projects those that were asked for last are remembered', () => {
  const reader = new ManifestReader(files);
  const { format, parses } = counted();
  const large = 'x'.repeat(knownLimit.characters / 2);
  reader.lockfile('file:///a/lock', format, large);
  reader.lockfile('file:///b/lock', format, large);
  reader.lockfile('file:///a/lock', format, large);
  reader.lockfile('file:///c/lock', format, large);
  assert.equal(parses(), 3);
  reader.lockfile('file:///a/lock', format, large);
  assert.equal(parses(), 3);
  reader.lockfile('file:///b/lock', format, large);
  assert.equal(parses(), 4);
});

test('a text that is longer than all that is remembered is parsed once all the same', () => {
  const reader = new ManifestReader(files);
  const { format, parses } = counted();
  const larger = 'x'.repeat(knownLimit.characters + 1);
  reader.lockfile('file:///a/lock', format, larger);
  reader.lockfile('file:///a/lock', format, larger);
  assert.equal(parses(), 1);
});
