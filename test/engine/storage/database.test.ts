import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { openDatabase, troubleOf } from '../../../server/src/engine/storage/database.ts';

const schema = { applicationId: 7, version: 1, create: 'CREATE TABLE IF NOT EXISTS words (word TEXT)' } as const;

/** Reads a new file, as a process does that is about to create it too. Tells when it does, and ends after `ms`. */
const reader = `
  const { parentPort, workerData: { path, ms } } = require('node:worker_threads');
  const database = new (require('node:sqlite').DatabaseSync)(path);
  database.exec('BEGIN');
  database.prepare('SELECT count(*) FROM sqlite_schema').get();
  parentPort.postMessage('reads');
  setTimeout(() => database.close(), ms);`;

test('a file that another process is about to create, too, is waited for', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'package-insights-database-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'words-1.sqlite');
  const worker = new Worker(reader, { eval: true, workerData: { path, ms: 300 } });
  await once(worker, 'message');
  // An editor does not wait as long.
  assert.throws(
    () => openDatabase(path, { ...schema, busyTimeout: 0 }),
    (error) => troubleOf(error) === 'busy',
  );
  const database = openDatabase(path, { ...schema, busyTimeout: 60_000 });
  database.exec("INSERT INTO words VALUES ('a')");
  database.close();
  await worker.terminate();
});
