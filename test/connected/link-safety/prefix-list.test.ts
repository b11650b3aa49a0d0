import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import {
  checksumOf,
  matchesHash,
  type PrefixList,
  updatedList,
} from '../../../server/src/connected/link-safety/prefix-list.ts';

function listOf(...prefixes: readonly string[]): PrefixList {
  const sizes = [...new Set(prefixes.map((it) => it.length))];
  const additions = sizes.map((size) => ({
    size,
    bytes: Buffer.from(prefixes.filter((it) => it.length === size).join('')),
  }));
  const list = updatedList([], [], additions);
  assert.ok(list);
  return list;
}

/** The entries of each size. */
function shown(list: PrefixList | undefined): string[] | undefined {
  return list?.map(({ bytes }) => bytes.toString());
}

test('a list is in the order of its bytes, by size', () => {
  assert.deepEqual(shown(listOf('zzzz', 'bbbbb', 'aaaa', 'abcde')), ['aaaazzzz', 'abcdebbbbb']);
});

test('the checksum covers all sizes in one order', () => {
  const hex = (list: PrefixList) => checksumOf(list).toString('hex');
  assert.equal(hex([]), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  assert.equal(hex(listOf('xxxx', 'yyyy', 'zzzz')), '20ffb2c3e9532153b96b956845381adc06095f8342fa2db1aafba6b0e9594d68');
  assert.equal(
    hex(listOf('dddd', 'aaaa', 'cccc', 'bbbb')),
    '147eb9dcde0e090429c01dbf634fd9b69a7f141f005c387a9c00498908499dde',
  );
  const mixed = createHash('sha256').update('aaaaabcdebbbbbbbbxzzzz').digest('hex');
  assert.equal(hex(listOf('zzzz', 'bbbbb', 'bbbx', 'aaaa', 'abcde')), mixed);
});

test('entries are removed by their index in the sorted list before others are added', () => {
  const list = listOf('dddd', 'bbbbb', 'aaaa', 'cccc');
  // aaaa, bbbbb, cccc, dddd
  assert.deepEqual(shown(updatedList(list, [1, 3], [{ size: 4, bytes: Buffer.from('0000') }])), ['0000aaaacccc']);
  assert.deepEqual(shown(updatedList(list, [2], [])), ['aaaadddd', 'bbbbb']);
  assert.deepEqual(shown(updatedList(list, [0, 1, 2, 3], [])), []);
  assert.deepEqual(shown(list), ['aaaaccccdddd', 'bbbbb']);
});

test('an invalid update is refused', () => {
  const list = listOf('aaaa', 'bbbb');
  for (const index of [-1, 2, 0.5, Number.NaN]) assert.equal(updatedList(list, [index], []), undefined, `${index}`);
  for (const size of [0, 3, 33, 4.5]) {
    assert.equal(updatedList(list, [], [{ size, bytes: Buffer.alloc(99) }]), undefined, `${size}`);
  }
  assert.equal(updatedList(list, [], [{ size: 4, bytes: Buffer.alloc(7) }]), undefined);
});

test('a hash is found by its prefix of any size', () => {
  const hashes = Array.from({ length: 500 }, (_, at) => createHash('sha256').update(`listed ${at}`).digest());
  const additions = hashes.map((hash, at) => {
    const size = 4 + (at % 29);
    return { size, bytes: hash.subarray(0, size) };
  });
  const list = updatedList([], [], additions);
  assert.ok(list);
  for (const hash of hashes) assert.ok(matchesHash(list, hash));
  for (let at = 0; at < 500; at++) {
    assert.ok(!matchesHash(list, createHash('sha256').update(`other ${at}`).digest()));
  }
  const empty: PrefixList = [];
  assert.ok(!matchesHash(empty, hashes[0] ?? Buffer.alloc(32)));
});

test('a series of updates yields what plain sorting yields', () => {
  let state = 7;
  const random = (below: number): number => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const entry = (size: number): string =>
    createHash('sha256')
      .update(`${random(2 ** 31)}`)
      .digest('hex')
      .slice(0, size * 2);
  let list: PrefixList = [];
  let plain: string[] = [];
  for (let turn = 0; turn < 40; turn++) {
    const removals = plain.flatMap((_, at) => (random(9) === 0 ? [at] : []));
    const size = turn % 3 === 0 ? 4 + random(29) : 4;
    const added = Array.from({ length: turn % 4 === 0 ? 300 : 5 }, () => entry(size));
    const next = updatedList(list, removals, [{ size, bytes: Buffer.from(added.join(''), 'hex') }]);
    assert.ok(next);
    list = next;
    plain = [...plain.filter((_, at) => !removals.includes(at)), ...added].sort();
    const expected = createHash('sha256')
      .update(Buffer.from(plain.join(''), 'hex'))
      .digest('hex');
    assert.equal(checksumOf(list).toString('hex'), expected, `turn ${turn}`);
  }
  for (const it of plain) assert.ok(matchesHash(list, Buffer.from(it.padEnd(64, '0'), 'hex')));
});
