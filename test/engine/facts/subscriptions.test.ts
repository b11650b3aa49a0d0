import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, newEntry, pending } from '../../../server/src/engine/facts/store/entry.ts';
import { createSubscriptions } from '../../../server/src/engine/facts/store/subscriptions.ts';
import type { Insight } from '../../../server/src/engine/model/facts.ts';
import { wanted } from './setup.ts';

const unknown: Insight<never> = { state: 'unknown', at: 0 };

function entries(count: number): Entry[] {
  return Array.from({ length: count }, (_, at) => {
    const asked = wanted(`package-${at}`);
    return newEntry({ id: asked.key.name, wanted: asked }, asked, undefined);
  });
}

test('whether all of thousands have an answer is found out again and again without going through them', () => {
  const all = entries(5000);
  let looks = 0;
  for (const it of all) {
    let insight: Insight<unknown> = pending;
    const get = (): Insight<unknown> => {
      looks++;
      return insight;
    };
    const set = (now: Insight<unknown>) => {
      insight = now;
    };
    Object.defineProperty(it, 'insight', { get, set });
  }
  const owners = createSubscriptions();
  owners.set('a', new Set(all), new Set());
  for (const it of all) {
    assert.equal(owners.isSettled('a'), false);
    it.insight = unknown;
  }
  assert.equal(owners.isSettled('a'), true);
  assert.ok(looks <= 2 * all.length, `${looks} looks`);
});

test('added lookups are waited for, and so are repeated ones', () => {
  const [first, second] = entries(2) as [Entry, Entry];
  const owners = createSubscriptions();
  owners.add('a', [first]);
  first.insight = unknown;
  assert.equal(owners.isSettled('a'), true);
  owners.add('a', [second]);
  assert.equal(owners.isSettled('a'), false);
  second.insight = unknown;
  assert.equal(owners.isSettled('a'), true);
  first.insight = pending;
  owners.reopen();
  assert.equal(owners.isSettled('a'), false);
});

test('lookups in the background are not waited for, nor an owner without lookups', () => {
  const owners = createSubscriptions();
  owners.set('a', new Set(), new Set(entries(1)));
  assert.deepEqual(
    ['a', 'b'].map((it) => owners.isSettled(it)),
    [true, true],
  );
});
