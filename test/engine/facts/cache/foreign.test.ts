import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { openStore, readAnswers } from '../../../../server/src/engine/facts/cache/sqlite.ts';
import { Foreign } from '../../../../server/src/engine/storage/database.ts';
import { folderWith } from '../../../terminal/program.ts';

const folder = folderWith({ nonsense: 'nonsense'.repeat(1000) });
after(() => folder.remove());

const columns = 'id TEXT PRIMARY KEY, value, at, fresh_until, bytes, used';
/** Counts for ever. */
const endless = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n AS id, n AS value, 1 AS at,';

const strange = {
  view: `CREATE VIEW answers AS ${endless} 1 AS fresh_until, 1 AS bytes, 1 AS used FROM c`,
  trigger: `CREATE TABLE answers (${columns}); CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM answers; END`,
  virtual: 'CREATE VIRTUAL TABLE answers USING fts5(id, value, at, fresh_until, bytes, used)',
};

for (const [name, sql] of Object.entries(strange)) {
  test(`a file with a ${name} is refused, although it claims to be ours`, () => {
    const path = join(folder.path, name);
    const database = new DatabaseSync(path);
    database.exec(`${sql}; PRAGMA application_id = ${0x506b496e}; PRAGMA user_version = 1`);
    database.close();
    assert.throws(() => readAnswers(path), Foreign);
    assert.throws(() => openStore(path), Foreign);
  });
}

test('a file that is no database is refused', () => {
  assert.throws(() => readAnswers(join(folder.path, 'nonsense')), /not a database/);
});
