import { closeSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, troubleOf } from '../../storage/database.ts';
import type { Results } from './results.ts';
import { SCHEMA_VERSION, type Sql, type SqlRow, type SqlValue, schema } from './sql.ts';
import { createResults } from './sql-results.ts';

/** Marks the files. Source: “PIFl” in ASCII; not in SQLite's list of magic numbers. */
const APPLICATION_ID = 0x5049466c;

/** How long a writer waits for others, in ms: a result of a large repository takes a second to write. */
const PATIENCE = 60_000;
/** Between two tries, in ms. */
const PAUSE = 50;

/**
 * Opens a file of results, which several processes may use at once. It is created for this user alone.
 * @throws errors of SQLite, of the disk, and `Foreign` for a file of another program
 */
export function openSqliteResults(path: string): Results {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const create = schema('BLOB').join(';');
  return createResults(sqlOver(openDatabase(path, { applicationId: APPLICATION_ID, version: SCHEMA_VERSION, create })));
}

/** Statements run one after another, and none of another caller within a transaction. */
function sqlOver(database: DatabaseSync): Sql {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
  const execute = (text: string, values: readonly SqlValue[]): readonly SqlRow[] =>
    database.prepare(text).all(...values);
  const direct = {
    all: async (text: string, values: readonly SqlValue[] = []) => execute(text, values),
    async run(text: string, values: readonly SqlValue[] = []) {
      execute(text, values);
    },
  };
  return {
    all: (text, values = []) => inTurn(() => patiently(() => execute(text, values))),
    run: (text, values = []) =>
      inTurn(async () => {
        await patiently(() => execute(text, values));
      }),
    transaction: (work) =>
      inTurn(async () => {
        await patiently(() => database.exec('BEGIN IMMEDIATE'));
        try {
          await work(direct);
          database.exec('COMMIT');
        } catch (error) {
          if (database.isTransaction) database.exec('ROLLBACK');
          throw error;
        }
      }),
    close: () =>
      inTurn(async () => {
        database.close();
      }),
  };
}

/** Tries again while another process writes. SQLite's own wait would block all other work of this process. */
async function patiently<T>(work: () => T): Promise<T> {
  for (let waited = 0; ; waited += PAUSE) {
    try {
      return work();
    } catch (error) {
      if (troubleOf(error) !== 'busy' || waited >= PATIENCE) throw error;
      await pause(PAUSE);
    }
  }
}
