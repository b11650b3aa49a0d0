import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { closedOnError, inTransaction, openDatabase } from '../../../server/src/engine/storage/database.ts';
import { openSharedFile, type SharedFile, sharedFileLimits } from '../../../server/src/engine/storage/shared-file.ts';
import { type FakeClock, fakeClock } from '../../harness/fake-clock.ts';

const schema = { applicationId: 7, version: 1, create: 'CREATE TABLE IF NOT EXISTS words (word TEXT)' } as const;

interface Words {
  all(): readonly unknown[];
  add(...words: readonly string[]): void;
  close(): void;
}

function openWords(path: string, toRead: boolean): Words {
  return closedOnError(openDatabase(path, { ...schema, toRead }), (database) => {
    const reading = database.prepare('SELECT word FROM words ORDER BY word');
    const adding = database.prepare('INSERT INTO words VALUES (?)');
    return {
      all: () => reading.all().map((it) => it['word']),
      add: (...words) => inTransaction(database, () => words.forEach((it) => void adding.run(it))),
      close: () => database.close(),
    };
  });
}

function folder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'package-insights-shared-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'cache');
}

function share(
  t: TestContext,
  directory: string,
  clock: FakeClock = fakeClock(),
  troubles: string[] = [],
): SharedFile<Words> {
  const onTrouble = (trouble: string) => void troubles.push(trouble);
  const file = openSharedFile({ directory, name: 'words-1', open: openWords, clock, onTrouble });
  t.after(() => file.close());
  return file;
}

test('nothing is created before the first use, and then for this user alone', (t) => {
  const directory = folder(t);
  const file = share(t, directory);
  assert.equal(existsSync(directory), false);
  file.use((it) => it.add('a'));
  if (process.platform !== 'win32') {
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    for (const it of readdirSync(directory)) assert.equal(statSync(join(directory, it)).mode & 0o777, 0o600, it);
  }
  assert.deepEqual(
    share(t, directory).use((it) => it.all()),
    { done: ['a'] },
  );
});

test('a locked file is left alone for some seconds, and used again after that', async (t) => {
  const directory = folder(t);
  const clock = fakeClock();
  const file = share(t, directory, clock);
  file.use((it) => it.add('a'));
  const other = new DatabaseSync(join(directory, 'words-1.sqlite'));
  t.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  assert.equal(
    file.use((it) => it.add('b')),
    undefined,
  );
  other.exec('ROLLBACK');
  assert.equal(
    file.use((it) => it.add('c')),
    undefined,
    'it is left alone',
  );
  await clock.advance(sharedFileLimits.rest);
  file.use((it) => it.add('d'));
  assert.deepEqual(
    file.use((it) => it.all()),
    { done: ['a', 'd'] },
  );
});

const unusable: Readonly<Record<string, (path: string) => void>> = {
  'that is no database': (path) => writeFileSync(path, 'no database '.repeat(500)),
  'of another program': (path) =>
    write(path, 'PRAGMA application_id = 8; PRAGMA user_version = 1; CREATE TABLE words (word)'),
  'of another version': (path) =>
    write(path, 'PRAGMA application_id = 7; PRAGMA user_version = 2; CREATE TABLE words (word)'),
  'without its mark': (path) => write(path, 'CREATE TABLE words (word TEXT)'),
  'without its column': (path) =>
    write(path, 'PRAGMA application_id = 7; PRAGMA user_version = 1; CREATE TABLE words (name TEXT)'),
};

function write(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

for (const [what, spoil] of Object.entries(unusable)) {
  test(`a file ${what} is set aside`, (t) => {
    const directory = folder(t);
    const troubles: string[] = [];
    share(t, directory).use((it) => it.all());
    const path = join(directory, 'words-1.sqlite');
    for (const it of ['', '-wal', '-shm']) rmSync(path + it, { force: true });
    spoil(path);
    const file = share(t, directory, fakeClock(), troubles);
    assert.equal(
      file.use((it) => it.add('a')),
      undefined,
    );
    file.use((it) => it.add('b'));
    assert.deepEqual(
      file.use((it) => it.all()),
      { done: ['b'] },
    );
    assert.deepEqual(troubles, ['renamed']);
    assert.ok(existsSync(join(directory, 'words-1.damaged.sqlite')));
  });
}

test('a failed transaction leaves nothing, and does not prevent the next', (t) => {
  const directory = folder(t);
  share(t, directory).use((it) => it.close());
  const database = openDatabase(join(directory, 'words-1.sqlite'), schema);
  t.after(() => database.close());
  const failing = () => {
    database.exec("INSERT INTO words VALUES ('a')");
    throw new Error('failed');
  };
  assert.throws(() => inTransaction(database, failing), /failed/);
  inTransaction(database, () => database.exec("INSERT INTO words VALUES ('b')"));
  assert.equal(database.prepare('SELECT group_concat(word) AS words FROM words').get()?.['words'], 'b');
});

test('a file without SQLite is off, and its folder is not created', (t) => {
  t.mock.method(process, 'getBuiltinModule', () => undefined);
  const directory = folder(t);
  const file = share(t, directory);
  assert.equal(file.state, 'off');
  assert.equal(
    file.use((it) => it.all()),
    undefined,
  );
  assert.equal(existsSync(directory), false);
});
