import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { IDBFactory as Databases, forceCloseDatabase, IDBObjectStore as Store } from 'fake-indexeddb';
import { type CacheEntry, createMemoryCache } from '../../../../server/src/engine/facts/cache/cache.ts';
import {
  createIndexedCache,
  type IndexedCache,
  indexedLimits,
} from '../../../../server/src/engine/facts/cache/indexed-db.ts';
import { type FakeClock, fakeClock } from '../../../harness/fake-clock.ts';

/* What the answers that a browser keeps promise: those of the file of a desktop, as far as a browser can hold them. */

const START = Date.UTC(2026, 0, 1);
const [databaseName, storeName] = ['package-insights', 'answers'];

interface Opened {
  readonly cache: IndexedCache;
  readonly clock: FakeClock;
  readonly said: readonly string[];
}

function start(
  factory: IDBFactory | undefined,
  { now = START, maximalBytes = indexedLimits.maximalBytes } = {},
): Opened {
  const said: string[] = [];
  const log = (line: string) => void said.push(line);
  const clock = fakeClock(now);
  return { cache: createIndexedCache({ factory, front: createMemoryCache(), clock, log, maximalBytes }), clock, said };
}

async function open(...given: Parameters<typeof start>): Promise<Opened> {
  const opened = start(...given);
  await opened.cache.loaded;
  return opened;
}

function cached(value: unknown, at = START): CacheEntry {
  return { value, at, freshUntil: at + 3_600_000, bytes: 100 };
}

/** Puts answers away in a window of its own. */
async function keep(factory: IDBFactory, ...entries: readonly (readonly [string, CacheEntry])[]): Promise<void> {
  const { cache, said } = await open(factory);
  cache.set(entries);
  await cache.close();
  assert.deepEqual(said, []);
}

async function reread(factory: IDBFactory, id: string): Promise<unknown> {
  const { cache } = await open(factory);
  await cache.close();
  return cache.get(id)?.value;
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Another window, which is not ours: works on the rows and closes. */
async function work<T>(factory: IDBFactory, make: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await done(factory.open(databaseName));
  const result = await done(make(database.transaction(storeName, 'readwrite').objectStore(storeName)));
  database.close();
  return result;
}

test('what one window keeps, the next one finds', async () => {
  const factory = new Databases();
  await keep(factory, ['a', cached({ licenses: ['MIT'], name: 'größer 😀' })]);
  const { cache, said } = await open(factory);
  assert.deepEqual(cache.get('a'), cached({ licenses: ['MIT'], name: 'größer 😀' }));
  assert.equal(cache.get('b'), undefined);
  await cache.close();
  assert.deepEqual(said, []);
});

test('answers are written soon, since a worker may be ended without notice', async () => {
  const factory = new Databases();
  const { cache, clock } = await open(factory);
  cache.set([['a', cached(1)]]);
  await clock.advance(indexedLimits.gather);
  assert.equal(await reread(factory, 'a'), 1);
  await cache.close();
});

test('an answer that arrives before the database is open is kept, and wins over the former one', async () => {
  const factory = new Databases();
  await keep(factory, ['a', cached('former')]);
  const { cache } = start(factory);
  cache.set([['a', cached('new', START + 1)]]);
  await cache.loaded;
  assert.equal(cache.get('a')?.value, 'new');
  await cache.close();
  assert.equal(await reread(factory, 'a'), 'new');
});

test('the later answer stays, whichever window writes last', async () => {
  const factory = new Databases();
  const [one, late] = [await open(factory), await open(factory)];
  one.cache.set([['a', cached('newer', START)]]);
  late.cache.set([['a', cached('older', START - 1)]]);
  await one.cache.close();
  await late.cache.close();
  assert.equal(await reread(factory, 'a'), 'newer');
});

test('what is read once only is not kept', async () => {
  const factory = new Databases();
  const { cache } = await open(factory);
  cache.set([['a', cached(1)]], true);
  await cache.close();
  assert.equal(await reread(factory, 'a'), undefined);
});

test('an expired answer is returned, and is no longer fresh', async () => {
  const factory = new Databases();
  await keep(factory, ['a', cached(1)]);
  const { cache } = await open(factory);
  cache.expire();
  assert.deepEqual(cache.get('a'), { ...cached(1), freshUntil: 0 });
  await cache.close();
});

test('an answer from the future, of a clock that was set back, is not fresh', async () => {
  const factory = new Databases();
  await keep(factory, ['a', cached(1)]);
  const { cache } = await open(factory, { now: START - 1 });
  assert.deepEqual(cache.get('a'), { ...cached(1), freshUntil: 0 });
  await cache.close();
});

test('the oldest answers go first, and out of the database, too', async () => {
  const factory = new Databases();
  await keep(factory, ...Array.from({ length: 20 }, (_, at) => [`${at}`, cached(at, START - at)] as const));
  const { cache } = await open(factory, { maximalBytes: 1000 });
  for (let at = 0; at < 20; at++) assert.equal(cache.get(`${at}`)?.value, at < 10 ? at : undefined);
  await cache.close();
  assert.equal(await work(factory, (store) => store.count()), 10);
});

const noAnswers: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'without a value': { id: 'x', at: 1, freshUntil: 2, bytes: 3 },
  'without a time': { id: 'x', value: 1, freshUntil: 2, bytes: 3 },
  'with a text for a time': { id: 'x', value: 1, at: 'now', freshUntil: 2, bytes: 3 },
  'of a negative size, which would make room for others': { id: 'x', value: 1, at: 1, freshUntil: 2, bytes: -1e9 },
  'of no finite size': { id: 'x', value: 1, at: 1, freshUntil: 2, bytes: Number.NaN },
  'with a number for a name': { id: 7, value: 1, at: 1, freshUntil: 2, bytes: 3 },
};

for (const [what, row] of Object.entries(noAnswers)) {
  test(`a row ${what} is removed, and the others count`, async () => {
    const factory = new Databases();
    await keep(factory, ['a', cached(1)]);
    await work(factory, (store) => store.put(row));
    const { cache, said } = await open(factory);
    assert.equal(cache.get('x'), undefined);
    assert.equal(cache.get('a')?.value, 1);
    await cache.close();
    assert.deepEqual(said, []);
    assert.equal(await work(factory, (store) => store.count()), 1);
  });
}

test('a store that cannot be read any more is emptied, and used again', async (t) => {
  const factory = new Databases();
  await keep(factory, ['a', cached(1)]);
  const lost = t.mock.method(Store.prototype, 'getAll', () => {
    throw new DOMException('Failed to read large value', 'DataError');
  });
  const { cache, said } = await open(factory);
  lost.mock.restore();
  assert.equal(cache.get('a'), undefined);
  cache.set([['b', cached(2)]]);
  await cache.close();
  assert.deepEqual(said, ['the kept answers could not be read and were dropped: Failed to read large value']);
  assert.equal(await reread(factory, 'b'), 2);
  assert.equal(await work(factory, (store) => store.count()), 1);
});

/** Lets so many answers be written, and refuses the others as a browser does whose disk is full. */
function fill(t: TestContext, room: () => number): void {
  const put = Store.prototype.put;
  t.mock.method(Store.prototype, 'put', function (this: IDBObjectStore, row: unknown) {
    if (room() > 0) return put.call(this, row);
    const { transaction } = this;
    transaction.abort();
    Object.defineProperty(transaction, 'error', { value: new DOMException('full', 'QuotaExceededError') });
    return undefined;
  });
}

test('a full store is emptied for the new answers', async (t) => {
  const factory = new Databases();
  await keep(factory, ['a', cached(1)]);
  const { cache, said } = await open(factory);
  let refused = 1;
  fill(t, () => 1 - refused--);
  cache.set([['b', cached(2)]]);
  await cache.close();
  t.mock.restoreAll();
  assert.deepEqual(said, []);
  assert.equal(cache.get('a')?.value, 1);
  assert.equal(await reread(factory, 'b'), 2);
  assert.equal(await reread(factory, 'a'), undefined);
});

test('where not even an empty store has room, the window goes on with its memory, and logs it once', async (t) => {
  const factory = new Databases();
  await keep(factory, ['a', cached(1)]);
  const { cache, clock, said } = await open(factory);
  fill(t, () => 0);
  for (const id of ['b', 'c']) {
    cache.set([[id, cached(id)]]);
    await clock.advance(indexedLimits.gather);
    await clock.advance(0);
  }
  await cache.close();
  assert.deepEqual(
    ['a', 'b', 'c'].map((it) => cache.get(it)?.value),
    [1, 'b', 'c'],
  );
  assert.deepEqual(said, ['answers are not kept in this browser: full']);
});

/** Never opens, as in some private windows. */
const silent = { open: () => ({}) } as unknown as IDBFactory;

const unusable: Readonly<Record<string, IDBFactory | undefined>> = {
  'no database': undefined,
  'a database that may not be opened': {
    open() {
      throw new DOMException('not permitted', 'SecurityError');
    },
  } as unknown as IDBFactory,
  'a database that never opens': silent,
};

for (const [what, factory] of Object.entries(unusable)) {
  test(`with ${what}, a window works with its memory, logs it once, and ends`, async () => {
    const { cache, clock, said } = start(factory);
    cache.set([['a', cached(1)]]);
    await clock.advance(indexedLimits.open);
    await cache.loaded;
    cache.set([['b', cached(2)]]);
    await clock.advance(indexedLimits.gather);
    await cache.close();
    assert.deepEqual([cache.get('a')?.value, cache.get('b')?.value], [1, 2]);
    assert.equal(said.length, 1, said.join('\n'));
    assert.match(said[0] ?? '', /^answers are not kept in this browser: /);
  });
}

test('a database of a newer program is left as it is', async () => {
  const factory = new Databases();
  const newer = factory.open(databaseName, 99);
  newer.onupgradeneeded = () => newer.result.createObjectStore('other').put(1, 'a');
  (await done(newer)).close();
  const { cache, said } = await open(factory);
  cache.set([['a', cached(1)]]);
  await cache.close();
  assert.equal(cache.get('a')?.value, 1);
  assert.equal(said.length, 1);
  const database = await done(factory.open(databaseName));
  assert.equal(database.version, 99);
  assert.equal(await done(database.transaction('other').objectStore('other').get('a')), 1);
  database.close();
});

const ways: Readonly<Record<string, (factory: IDBFactory) => IDBOpenDBRequest>> = {
  changes: (factory) => factory.open(databaseName, 99),
  deletes: (factory) => factory.deleteDatabase(databaseName),
};

for (const [does, request] of Object.entries(ways)) {
  test(`another window ${does} the database at once, and this one goes on with its memory`, async () => {
    const factory = new Databases();
    await keep(factory, ['a', cached(1)]);
    const { cache, clock, said } = await open(factory);
    const asked = request(factory);
    let isBlocked = false;
    asked.onblocked = () => {
      isBlocked = true;
    };
    const result: unknown = await done(asked);
    if (result) (result as IDBDatabase).close();
    assert.equal(isBlocked, false);
    cache.set([['b', cached(2)]]);
    await clock.advance(indexedLimits.gather);
    await cache.close();
    assert.deepEqual([cache.get('a')?.value, cache.get('b')?.value], [1, 2]);
    assert.equal(said.length, 1);
  });
}

test('a deletion that another window holds up delays no answer, and the database that opens after it blocks nothing', async () => {
  const factory = new Databases();
  await keep(factory, ['a', cached(1)]);
  const holding = await done(factory.open(databaseName));
  const deleting = done(factory.deleteDatabase(databaseName));
  const { cache, clock, said } = start(factory);
  cache.set([['b', cached(2)]]);
  await clock.advance(indexedLimits.open);
  await cache.loaded;
  await cache.close();
  assert.equal(cache.get('b')?.value, 2);
  assert.deepEqual(said, ['answers are not kept in this browser: their database does not open']);
  holding.close();
  await deleting;
  await done(factory.deleteDatabase(databaseName));
  assert.equal(await reread(factory, 'b'), undefined);
});

test('a database that the browser closes, as it does when a person clears its data, ends only the keeping', async (t) => {
  const factory = new Databases();
  const opened: IDBDatabase[] = [];
  const { open: former } = factory;
  t.mock.method(factory, 'open', (...given: Parameters<typeof former>) => {
    const request = former.apply(factory, given);
    request.addEventListener('success', () => opened.push(request.result));
    return request;
  });
  const { cache, clock, said } = await open(factory);
  for (const it of opened) forceCloseDatabase(it as never);
  cache.set([['a', cached(1)]]);
  await clock.advance(indexedLimits.gather);
  await cache.close();
  assert.equal(cache.get('a')?.value, 1);
  assert.equal(said.length, 1);
});
