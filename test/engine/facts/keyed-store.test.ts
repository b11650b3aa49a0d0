import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  KeyedStore,
  type KeyedStoreParts,
  type Obtained,
  type Wish,
} from '../../../server/src/engine/facts/store/keyed-store.ts';
import { fakeClock } from '../../harness/fake-clock.ts';

const MINUTE = 60_000;

type Answer = Obtained<string> | Promise<Obtained<string>>;

/** A store whose owner wants some letters. @param answer of a request, by its number from 1 */
function setUp(
  answer: (count: number, id: string, signal: AbortSignal) => Answer,
  given: Partial<KeyedStoreParts<string, string>> = {},
) {
  const clock = fakeClock();
  const wanted = new Map<string, Wish<string>>();
  const asked: { readonly id: string; readonly at: number; readonly validator: string | undefined }[] = [];
  const start = clock.now();
  const store = new KeyedStore<string, string>({
    clock,
    retry: { first: MINUTE, longest: 10 * MINUTE },
    longest: 60 * MINUTE,
    maxEntries: 3,
    wishes: () => wanted.values(),
    hasPlace: () => true,
    renews: () => true,
    async obtain({ id }, { validator }, signal) {
      asked.push({ id, at: (clock.now() - start) / MINUTE, validator });
      return answer(asked.length, id, signal);
    },
    changed: () => {},
    ...given,
  });
  const want = async (id: string, priority: Wish<string>['priority'] = 'background'): Promise<void> => {
    wanted.set(id, { id, wanted: id, priority });
    store.pump();
    await turn();
  };
  const forgo = (id: string): void => void wanted.delete(id);
  return { store, clock, asked, want, forgo, times: () => asked.map((it) => it.at) };
}

const facts = (value: string, minutes = 10): Obtained<string> => ({
  kind: 'facts',
  value,
  lifetime: minutes * MINUTE,
});
const failed = { kind: 'failed', reason: 'it is down' } as const;

test('an answer is requested again when it is due, and stays until there is a newer one', async () => {
  const { store, clock, want, times } = setUp((count) => (count === 2 ? failed : facts(`answer ${count}`)));
  await want('a');
  assert.deepEqual(store.peek('a'), { state: 'ready', value: 'answer 1', at: clock.now() });
  await clock.advance(10 * MINUTE);
  const { insight } = store.entry({ id: 'a', wanted: 'a' });
  assert.ok(insight.state === 'ready' && insight.value === 'answer 1');
  assert.deepEqual(insight.refresh, { failed: 'it is down' });
  await clock.advance(MINUTE);
  assert.deepEqual(store.peek('a'), { state: 'ready', value: 'answer 3', at: clock.now() });
  assert.deepEqual(times(), [0, 10, 11]);
});

test('what fails is requested again later and later, up to a bound', async () => {
  const { want, clock, times } = setUp(() => failed);
  await want('a');
  for (let minute = 0; minute < 60; minute++) await clock.advance(MINUTE);
  assert.deepEqual(times(), [0, 1, 3, 7, 15, 25, 35, 45, 55]);
});

test('a due time that is over, or in a far future, is no loop and no hang', async () => {
  let until = 0;
  const { want, clock, asked } = setUp(() => ({ ...failed, until }));
  await want('a');
  for (let second = 0; second < 10; second++) await clock.advance(1000);
  assert.equal(asked.length, 11);
  until = clock.now() + 1000 * 24 * 60 * MINUTE;
  await clock.advance(1000);
  for (let hour = 0; hour < 3; hour++) await clock.advance(60 * MINUTE);
  assert.ok(asked.length > 12, 'a time that no service means comes from a clock that was wrong');
});

test('what a budget has stopped is requested when a person waits for it', async () => {
  const { want, store, times, clock } = setUp((count) =>
    count === 1 ? { ...failed, until: clock.now() + 50 * MINUTE, isOverBudget: true } : facts('a'),
  );
  await want('a');
  await want('a', 'asked');
  assert.equal(store.peek('a').state, 'ready');
  assert.deepEqual(times(), [0, 0]);
});

test('an answer for somebody else is not shown', async () => {
  let arrive = (_: Obtained<string>): void => {};
  const { want, store } = setUp((count) =>
    count === 1 ? new Promise<Obtained<string>>((resolve) => (arrive = resolve)) : facts('for the second'),
  );
  await want('a');
  store.clear();
  await want('a');
  arrive(facts('for the first'));
  await turn();
  const insight = store.peek('a');
  assert.ok(insight.state === 'ready' && insight.value === 'for the second');
});

test('a request that was ended is sent again when it is wanted again', async () => {
  const { want, forgo, store, asked } = setUp((count, _, signal) =>
    count > 1
      ? facts('a')
      : new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'aborted' }))),
  );
  await want('a');
  forgo('a');
  store.abort(({ id }) => id === 'a');
  await turn();
  assert.deepEqual(store.peek('a'), { state: 'pending' });
  await want('a');
  assert.equal(store.peek('a').state, 'ready');
  assert.equal(asked.length, 2);
});

test('what the service gave to compare with is sent, and what has not changed is fresh again', async () => {
  const { want, clock, store, asked } = setUp((count) =>
    count === 1
      ? { kind: 'facts', value: 'a', lifetime: 10 * MINUTE, validator: '"1"' }
      : { kind: 'unchanged', lifetime: 20 * MINUTE },
  );
  await want('a');
  await clock.advance(10 * MINUTE);
  assert.deepEqual(store.peek('a'), { state: 'ready', value: 'a', at: clock.now() });
  await clock.advance(20 * MINUTE);
  assert.deepEqual(
    asked.map((it) => it.validator),
    [undefined, '"1"', '"1"'],
  );
});

test('no more is under way than there is place for, and only what nobody wants is forgotten', async () => {
  const arrive = new Map<string, (it: Obtained<string>) => void>();
  const { want, forgo, store, asked } = setUp((_, id) => new Promise((resolve) => void arrive.set(id, resolve)), {
    hasPlace: (_, underWay) => underWay.size < 2,
  });
  const letters = ['a', 'b', 'c', 'd', 'e'];
  for (const it of letters) await want(it);
  assert.deepEqual(
    asked.map((it) => it.id),
    ['a', 'b'],
  );
  for (const it of letters) {
    arrive.get(it)?.(facts(it));
    await turn();
  }
  assert.deepEqual(
    letters.map((it) => store.peek(it).state),
    letters.map(() => 'ready'),
  );
  forgo('b');
  forgo('d');
  await want('a');
  assert.deepEqual(
    letters.filter((it) => store.peek(it).state === 'pending'),
    ['b', 'd'],
  );
});
