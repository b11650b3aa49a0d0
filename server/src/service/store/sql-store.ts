import { groupBy } from '../../engine/base/collections.ts';
import type { PackageKey } from '../../engine/model/keys.ts';
import { isSystem } from '../../engine/model/system.ts';
import { migrate } from '../../engine/storage/sql/migrate.ts';
import type { Columns, SqlDatabase, SqlDialect, SqlRow, SqlSession } from '../../engine/storage/sql/sql-database.ts';
import type { Affecting } from '../affected.ts';
import type { AffectedRecord } from '../catalog/record.ts';
import { factTables, schemaSteps } from './schema.ts';
import {
  type Fact,
  type FactAnswer,
  factId,
  type ImportedAdvisory,
  type KeptAnswer,
  keyOf,
  type Store,
} from './store.ts';

/**
 * A store in a database, whose schema is brought up to date first.
 * @throws `NewerSchema`, and errors of the database
 */
export async function openSqlStore(database: SqlDatabase): Promise<Store> {
  await migrate(database, 'insights', schemaSteps);
  const { dialect } = database;
  return {
    async read(facts) {
      const kinds = groupBy(facts, (it) => it.kind);
      const found = new Map<string, KeptAnswer>();
      const reads = [...kinds].map(async ([kind, of]) => {
        for (const row of await database.all(readStatement(dialect, kind), [keysOf(of)]))
          found.set(idOfRow(kind, row), answerOf(row));
      });
      await Promise.all(reads);
      return facts.map((it) => found.get(factId(it)));
    },
    write: (answers) => database.transaction((session) => writeAnswers(session, dialect, answers)),
    async affecting(packages) {
      const distinct = [...new Map(packages.map((it) => [`${it.system} ${it.name}`, it])).values()];
      const rows = await database.all(affectingStatement(dialect), [JSON.stringify(distinct.map(nameOf))]);
      return rows.flatMap(affectingOf);
    },
    async versionsOf({ system, name }) {
      const sql = `SELECT body, as_of, lifetime FROM versions
        WHERE system = $1 AND name = $2 AND body IS NOT NULL`;
      return (await database.all(sql, [system, name])).map(answerOf);
    },
    importPart: ({ id, from, to, answers, advisories }) =>
      database.transaction(async (session) => {
        if (!(await movePosition(session, id, from, to))) return false;
        await writeAnswers(session, dialect, answers);
        await writeAffected(session, dialect, advisories);
        return true;
      }),
    async importPosition(id) {
      const [row] = await database.all('SELECT position FROM imports WHERE id = $1', [id]);
      return row && Number(row['position']);
    },
    async note(name) {
      const [row] = await database.all('SELECT value FROM notes WHERE name = $1', [name]);
      return row && String(row['value']);
    },
    setNote: (name, value) =>
      database.transaction(async (session) => {
        await session.all('INSERT INTO notes (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
          name,
          value,
        ]);
        const [row] = await session.all('SELECT value FROM notes WHERE name = $1', [name]);
        return String(row?.['value'] ?? value);
      }),
    async raiseNote(name, value) {
      const raise = `INSERT INTO notes (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE
        SET value = excluded.value WHERE CAST(excluded.value AS BIGINT) > CAST(notes.value AS BIGINT)`;
      await database.transaction((session) => session.all(raise, [name, String(Math.round(value))]));
    },
    async pruneReplies(before, mostCharacters) {
      const oldest = `SELECT MAX(as_of) FROM (
        SELECT as_of, SUM(length(body)) OVER (ORDER BY as_of DESC) AS characters FROM registry_replies
      ) AS t WHERE characters > $2`;
      await database.transaction((session) =>
        session.all(`DELETE FROM registry_replies WHERE as_of < $1 OR as_of <= (${oldest})`, [
          Math.round(before),
          mostCharacters,
        ]),
      );
    },
    async ping() {
      await database.all('SELECT step FROM schema_steps WHERE area = $1', ['insights']);
    },
    close: () => database.close(),
  };
}

type Kind = Fact['kind'];

function textColumns(names: readonly string[]): Columns {
  return Object.fromEntries(names.map((it) => [it, 'text']));
}

function readStatement(dialect: SqlDialect, kind: Kind): string {
  const { table, key } = factTables[kind];
  const columns = key.map((it) => `t.${it} AS ${it}`).join(', ');
  const same = key.map((it) => `t.${it} = k.${it}`).join(' AND ');
  return `SELECT ${columns}, t.body, t.as_of, t.lifetime
    FROM ${dialect.rowsOf('$1', textColumns(key), 'k')} JOIN ${table} t ON ${same}`;
}

function affectingStatement(dialect: SqlDialect): string {
  return `SELECT t.system AS system, t.name AS name, t.advisory, t.ranges
    FROM ${dialect.rowsOf('$1', textColumns(['system', 'name']), 'k')}
    JOIN affected t ON t.system = k.system AND t.name = k.name ORDER BY t.advisory`;
}

function keysOf(facts: readonly Fact[]): string {
  return JSON.stringify([...new Map(facts.map((it) => [factId(it), keyObject(it)])).values()]);
}

function keyObject(fact: Fact): Readonly<Record<string, string>> {
  const values = keyOf(fact);
  return Object.fromEntries(factTables[fact.kind].key.map((column, index) => [column, values[index] ?? '']));
}

function idOfRow(kind: Kind, row: SqlRow): string {
  return `${kind} ${factTables[kind].key.map((it) => row[it]).join('\n')}`;
}

function answerOf(row: SqlRow): KeptAnswer {
  const { body, as_of: asOf, lifetime } = row;
  return {
    body: body === null || body === undefined ? undefined : String(body),
    asOf: Number(asOf),
    lifetime: Number(lifetime),
  };
}

/**
 * Rows are written in the order of their keys, so that two instances that write the same never wait for each other in a
 * circle.
 */
async function writeAnswers(session: SqlSession, dialect: SqlDialect, answers: readonly FactAnswer[]): Promise<void> {
  // A statement may write a row once only; the later answer counts.
  const distinct = [...new Map(answers.map((it) => [factId(it.fact), it])).entries()].sort(byId).map(([, it]) => it);
  for (const [kind, of] of groupBy(distinct, (it) => it.fact.kind)) {
    const rows = of.map(({ fact, answer: { body = null, asOf, lifetime } }) => ({
      ...keyObject(fact),
      body,
      as_of: Math.round(asOf),
      lifetime: Math.round(lifetime),
    }));
    await session.all(writeStatement(dialect, kind), [JSON.stringify(rows)]);
  }
}

function byId([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function writeStatement(dialect: SqlDialect, kind: Kind): string {
  const { table, key } = factTables[kind];
  const columns: Columns = { ...textColumns([...key, 'body']), as_of: 'bigint', lifetime: 'bigint' };
  const names = Object.keys(columns).join(', ');
  // `WHERE true` tells SQLite's parser that `ON` begins no join.
  return `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${dialect.rowsOf('$1', columns, 'r')} WHERE true
    ON CONFLICT (${key.join(', ')}) DO UPDATE
    SET body = excluded.body, as_of = excluded.as_of, lifetime = excluded.lifetime
    WHERE excluded.as_of >= ${table}.as_of`;
}

/** Replaces what the advisories affected before, unless that is from a later state of the advisory. */
async function writeAffected(
  session: SqlSession,
  dialect: SqlDialect,
  advisories: readonly ImportedAdvisory[],
): Promise<void> {
  if (advisories.length === 0) return;
  const latest = [...new Map(advisories.map((it) => [it.id, it])).entries()].sort(byId).map(([, it]) => it);
  const states: Columns = { id: 'text', modified: 'bigint' };
  const moved = await session.all(
    `INSERT INTO imported_advisories (id, modified) SELECT id, modified FROM ${dialect.rowsOf('$1', states, 'r')} WHERE true
     ON CONFLICT (id) DO UPDATE SET modified = excluded.modified
     WHERE excluded.modified >= imported_advisories.modified RETURNING id`,
    [JSON.stringify(latest.map(({ id, modified }) => ({ id, modified })))],
  );
  const newer = new Set(moved.map((it) => it['id']));
  const replaced = latest.filter((it) => newer.has(it.id));
  await session.all(
    `DELETE FROM affected WHERE advisory IN (SELECT id FROM ${dialect.rowsOf('$1', { id: 'text' }, 'r')})`,
    [JSON.stringify(replaced.map(({ id }) => ({ id })))],
  );
  const rows = replaced.flatMap(({ id, affected }) =>
    [...groupBy(affected, (it) => `${it.system} ${it.name}`).values()].flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const ranges = [first, ...others].map(({ ranges = [], versions = [] }) => ({ ranges, versions }));
      return { ...nameOf(first), advisory: id, ranges: JSON.stringify(ranges) };
    }),
  );
  const columns = textColumns(['system', 'name', 'advisory', 'ranges']);
  const names = Object.keys(columns).join(', ');
  await session.all(
    `INSERT INTO affected (${names}) SELECT ${names} FROM ${dialect.rowsOf('$1', columns, 'r')} WHERE true`,
    [JSON.stringify(rows)],
  );
}

function nameOf({ system, name }: Pick<PackageKey, 'system' | 'name'>): { system: string; name: string } {
  return { system, name };
}

function affectingOf(row: SqlRow): readonly Affecting[] {
  const [system, name] = [String(row['system']), String(row['name'])];
  if (!isSystem(system)) return [];
  // Written by `writeAffected` alone.
  const parts = JSON.parse(String(row['ranges'])) as readonly Pick<AffectedRecord, 'ranges' | 'versions'>[];
  return parts.map((it) => ({ advisory: String(row['advisory']), affected: { system, name, ...it } }));
}

/** @returns whether the import was at `from` */
async function movePosition(session: SqlSession, id: string, from: number, to: number): Promise<boolean> {
  if (from === 0) {
    const begun = await session.all(
      'INSERT INTO imports (id, position) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING position',
      [id, to],
    );
    if (begun.length > 0) return true;
  }
  const moved = await session.all(
    'UPDATE imports SET position = $1 WHERE id = $2 AND position = $3 RETURNING position',
    [to, id, from],
  );
  return moved.length > 0;
}
