import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLastRequests } from '../../server/src/facts/store/subscriptions.ts';
import type { Wanted } from '../../server/src/model/ports.ts';

const a: Wanted = { kind: 'package', key: { system: 'NPM', name: 'a' } };
const b: Wanted = { kind: 'package', key: { system: 'NPM', name: 'b' } };

test('the same claim a moment later is a repetition; another one, news and time are not', () => {
  let now = 0;
  const repeated = createLastRequests(() => now);
  const say = (wanted: readonly Wanted[], background: readonly Wanted[] = [], changes = 0): boolean =>
    repeated.isRepeated('x', wanted, background, changes);
  assert.equal(say([a, b]), false);
  now = 999;
  assert.equal(say([a, b]), true);
  assert.equal(say([a], [b]), false, 'what was urgent is not any more');
  assert.equal(say([a], [b]), true);
  assert.equal(say([a], [b], 1), false, 'something was learnt');
  now += 1000;
  assert.equal(say([a], [b], 1), false, 'something may be due by now');
  now -= 3_600_000;
  assert.equal(say([a], [b], 1), false, 'the clock was set back');
  assert.equal(repeated.isRepeated('y', [a], [b], 1), false, 'somebody else said it');
  repeated.clear();
  assert.equal(say([a], [b], 1), false);
  assert.equal(say([], []), false);
  assert.equal(say([a], [b], 1), false, 'it was let go meanwhile');
});
