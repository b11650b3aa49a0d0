import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { VersionKey } from '../../../server/src/engine/model/keys.ts';
import { migrate, NewerSchema } from '../../../server/src/engine/storage/sql/migrate.ts';
import { openPostgres } from '../../../server/src/engine/storage/sql/postgres.ts';
import { openSqlite } from '../../../server/src/engine/storage/sql/sqlite.ts';
import type { FactAnswer, Store } from '../../../server/src/service/store/store.ts';
import { openStores, postgresForFile, sqliteFile, storeKinds } from '../../harness/stores.ts';

/* What every store keeps, and how. */

const stores = await openStores();
after(() => stores.close());

const key = (name: string, version = '1.0.0'): VersionKey => ({ system: 'NPM', name, version });
const answer = (name: string, body: string | undefined, asOf = 1000, version?: string): FactAnswer => ({
  fact: { kind: 'version', key: key(name, version) },
  answer: { body, asOf, lifetime: 5 },
});

for (const kind of storeKinds) {
  const options = { skip: stores.whyNot[kind] ?? false };
  const using = (call: (store: Store) => Promise<void>) => async () => call(await stores.open(kind));

  test(
    `${kind}: of the replies of registries those that are too old or too many go, the oldest first`,
    options,
    using(async (store) => {
      const ids = ['a', 'b', 'c', 'd', 'e'];
      const reply = (id: string) => ({ kind: 'reply', id }) as const;
      const kept = async () => {
        const found = await store.read(ids.map(reply));
        return ids.filter((_, at) => found[at] !== undefined).join('');
      };
      await store.write([
        ...ids.map((id, at) => ({ fact: reply(id), answer: { body: 'x'.repeat(10), asOf: at + 1, lifetime: 0 } })),
        answer('other', '{}', 1),
      ]);
      await store.pruneReplies(2, 1000);
      assert.equal(await kept(), 'bcde');
      await store.pruneReplies(0, 30);
      assert.equal(await kept(), 'cde');
      await store.pruneReplies(0, 29);
      assert.equal(await kept(), 'de');
      assert.ok((await store.read([answer('other', undefined).fact]))[0], 'nothing else goes');
      await store.pruneReplies(100, 0);
      assert.equal(await kept(), '');
    }),
  );

  test(
    `${kind}: an answer is kept, in the order of the questions, and the unknown as such`,
    options,
    using(async (store) => {
      await store.write([
        answer('one', '{"a":"\\u0000 \\ud800 ü"}'),
        {
          fact: { kind: 'version', key: key('none') },
          answer: { body: undefined, asOf: 7, lifetime: 8 },
        },
        { fact: { kind: 'file', type: 'SHA1', digest: 'ab' }, answer: { body: '[]', asOf: 1, lifetime: 1 } },
      ]);
      const facts = [
        { kind: 'version', key: key('none') },
        { kind: 'file', type: 'SHA1', digest: 'ab' },
        { kind: 'version', key: key('never') },
        { kind: 'version', key: key('one') },
        { kind: 'version', key: key('one') },
        { kind: 'requirements', key: key('one') },
      ] as const;
      const one = { body: '{"a":"\\u0000 \\ud800 ü"}', asOf: 1000, lifetime: 5 };
      assert.deepEqual(await store.read(facts), [
        { body: undefined, asOf: 7, lifetime: 8 },
        { body: '[]', asOf: 1, lifetime: 1 },
        undefined,
        one,
        one,
        undefined,
      ]);
    }),
  );

  test(
    `${kind}: an older answer replaces none, and of two in one write the later counts`,
    options,
    using(async (store) => {
      await store.write([answer('a', '1', 50), answer('a', '2', 50)]);
      await store.write([answer('a', '3', 49)]);
      const [found] = await store.read([{ kind: 'version', key: key('a') }]);
      assert.equal(found?.body, '2');
      await store.write([answer('a', undefined, 51)]);
      assert.equal((await store.read([{ kind: 'version', key: key('a') }]))[0]?.body, undefined);
    }),
  );

  test(
    `${kind}: names are values, never statements`,
    options,
    using(async (store) => {
      const names = ["'; DROP TABLE versions; --", '"quoted"', '$1', '%_\\', '{"a":1}', '💣', 'a\nb'];
      await store.write(names.map((it) => answer(it, JSON.stringify(it))));
      const found = await store.read(names.map((it) => ({ kind: 'version', key: key(it) })));
      assert.deepEqual(
        found.map((it) => JSON.parse(it?.body ?? '')),
        names,
      );
      assert.equal((await store.versionsOf(key('%_\\'))).length, 1);
      assert.deepEqual(await store.affecting(names.map((name) => ({ system: 'NPM', name }))), []);
    }),
  );

  test(
    `${kind}: a part of an import is kept with its position, once`,
    options,
    using(async (store) => {
      const part = { id: 'x', from: 0, to: 10, answers: [answer('imported', '1')], advisories: [] };
      assert.equal(await store.importPosition('x'), undefined);
      assert.equal(await store.importPart(part), true);
      assert.equal(await store.importPosition('x'), 10);
      // Another process is behind.
      assert.equal(await store.importPart({ ...part, answers: [answer('imported', 'other')] }), false);
      assert.equal((await store.read([{ kind: 'version', key: key('imported') }]))[0]?.body, '1');
      assert.equal(await store.importPart({ ...part, from: 10, to: 20 }), true);
    }),
  );

  test(
    `${kind}: an advisory replaces what its former state affected; a former state replaces nothing`,
    options,
    using(async (store) => {
      const affects = (name: string) => ({ system: 'NPM', name, ranges: [{ introduced: '0' }], versions: [] }) as const;
      const advise = async (from: number, modified: number, ...names: readonly string[]) =>
        assert.ok(
          await store.importPart({
            id: 'advisories',
            from,
            to: from + 1,
            answers: [],
            advisories: [{ id: 'GHSA-1', modified, affected: names.map(affects) }],
          }),
        );
      const affecting = async () =>
        (await store.affecting([key('a'), key('b'), key('a')])).map((it) => `${it.advisory} ${it.affected.name}`);
      await advise(0, 100, 'a', 'b');
      assert.deepEqual(await affecting(), ['GHSA-1 a', 'GHSA-1 b']);
      await advise(1, 200, 'b');
      assert.deepEqual(await affecting(), ['GHSA-1 b']);
      await advise(2, 100, 'a', 'b');
      assert.deepEqual(await affecting(), ['GHSA-1 b']);
      // Withdrawn.
      await advise(3, 300);
      await advise(4, 200, 'b');
      assert.deepEqual(await affecting(), []);
    }),
  );

  test(
    `${kind}: a note is set once`,
    options,
    using(async (store) => {
      assert.equal(await store.note('upstream'), undefined);
      assert.equal(await store.setNote('upstream', 'https://a.example'), 'https://a.example');
      assert.equal(await store.setNote('upstream', 'https://b.example'), 'https://a.example');
      assert.equal(await store.note('upstream'), 'https://a.example');
    }),
  );
}

for (const kind of ['sqlite', 'postgres'] as const) {
  const skip = stores.whyNot[kind] ?? false;
  const open = async () =>
    kind === 'sqlite' ? openSqlite(sqliteFile()) : openPostgres((await postgresForFile()).address);

  test(`${kind}: instances that start at the same time make the schema once`, { skip }, async () => {
    const area = 'at-once';
    const path = sqliteFile();
    const connect = async () => (kind === 'sqlite' ? openSqlite(path) : open());
    const step = () => ['CREATE TABLE made_once (a TEXT)'];
    const databases = await Promise.all(Array.from({ length: 6 }, connect));
    await Promise.all(databases.map((it) => migrate(it, area, [step])));
    // A later version adds a step; one that is older than the schema refuses it.
    const later = [step, () => ['ALTER TABLE made_once ADD COLUMN b TEXT']];
    await Promise.all(databases.map((it) => migrate(it, area, later)));
    await assert.rejects(migrate(databases[0] ?? assert.fail(), area, [step]), NewerSchema);
    await Promise.all(databases.map((it) => it.close()));
  });

  test(`${kind}: a step that fails leaves nothing behind`, { skip }, async () => {
    const database = await open();
    const steps = [() => ['CREATE TABLE half (a TEXT)', 'CREATE TABLE half (a TEXT)']];
    await assert.rejects(migrate(database, 'half', steps));
    await migrate(database, 'half', [() => ['CREATE TABLE half (a TEXT)']]);
    await database.close();
  });
}
