import type { SqlDatabase, SqlDialect, SqlSession } from './sql-database.ts';

/** A change of the schema: its statements. A step that has been released is never changed. */
export type SchemaStep = (dialect: SqlDialect) => readonly string[];

/** The schema was written by a newer version of the program. The message is for the person. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
}

/**
 * Brings the schema of one area up to date. Instances that start at the same time wait for each other: in SQLite for the
 * transaction, in PostgreSQL for an advisory lock.
 * @param area `insights`; areas have tables of their own, and steps that are counted by themselves
 */
export async function migrate(database: SqlDatabase, area: string, steps: readonly SchemaStep[]): Promise<void> {
  const { dialect } = database;
  await database.transaction(async (session) => {
    if (dialect.name === 'postgres') await session.all(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await session.all(
      `CREATE TABLE IF NOT EXISTS schema_steps (area ${dialect.text} PRIMARY KEY, step BIGINT NOT NULL)`,
    );
    const done = await stepOf(session, area);
    if (done > steps.length) {
      throw new NewerSchema(`the schema is of a newer version (step ${done} of ${area}, ${steps.length} are known)`);
    }
    if (done === steps.length) return;
    for (const step of steps.slice(done)) {
      for (const statement of step(dialect)) await session.all(statement);
    }
    await session.all(
      'INSERT INTO schema_steps (area, step) VALUES ($1, $2) ON CONFLICT (area) DO UPDATE SET step = excluded.step',
      [area, steps.length],
    );
  });
}

/** Any number does that no other program uses in the same database: “insights” in ASCII, cut to 31 bits. */
const MIGRATION_LOCK = 0x696e7369;

async function stepOf(session: SqlSession, area: string): Promise<number> {
  const [row] = await session.all('SELECT step FROM schema_steps WHERE area = $1', [area]);
  return Number(row?.['step'] ?? 0);
}
