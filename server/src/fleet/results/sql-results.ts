import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FindingCode, Severity } from '../../engine/model/finding.ts';
import type { System } from '../../engine/model/system.ts';
import type { Coverage, Report } from '../../engine/report/report.ts';
import type { SqlDatabase, SqlRow, SqlSession, SqlValue } from '../../engine/storage/sql/sql-database.ts';
import type { RunOptions } from '../check-repository.ts';
import type { BadLine, Repository, RepositorySource } from '../repository.ts';
import type { FleetFinding, FleetFix, RepositoryResult, RepositoryState, Use } from './result.ts';
import type { FindingRow, RepositoryRow, Results, RowFilter, Run, UseRow } from './results.ts';
import { type TableName, tables } from './schema.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** In bytes: the report of a repository at its limits. A database that others write to may contain anything. */
const MAX_REPORT_BYTES = 512 * 1024 * 1024;

/** Repositories of one run have consecutive numbers. A list has at most a tenth of it. */
const NUMBERS_OF_RUN = 1_000_000;

/** The results over a database. Its tables exist. */
export function createResults(database: SqlDatabase): Results {
  const write = (sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> =>
    database.transaction((session) => session.all(sql, values));

  return {
    create: ({ id, at, options, bad }, repositories) =>
      database.transaction(async (session) => {
        // Two runs may begin at the same time.
        if (database.dialect.name === 'postgres') await session.all('LOCK TABLE fleet_runs IN EXCLUSIVE MODE');
        const [run] = await session.all(
          `INSERT INTO fleet_runs (number, id, at, options, bad)
            VALUES ((SELECT coalesce(max(number), 0) + 1 FROM fleet_runs), $1, $2, $3, $4) RETURNING number`,
          [id, at, JSON.stringify(options), JSON.stringify(bad)],
        );
        const number = Number(run?.['number']);
        const columns = { repository: 'bigint', run: 'bigint', name: 'text', source: 'text', begun: 'bigint' } as const;
        const rows = repositories.map(({ name, source }, place) => ({
          repository: number * NUMBERS_OF_RUN + place,
          run: number,
          name,
          source: JSON.stringify(source),
          begun: 0,
        }));
        await insert(session, database, 'fleet_repositories', columns, rows);
      }),

    async runs() {
      const rows = await database.all(
        `${selectRuns} GROUP BY r.number, r.id, r.at, r.options, r.bad ORDER BY r.number DESC`,
      );
      return rows.map(runIn);
    },

    async run(id) {
      const [row] = await database.all(
        `${selectRuns} WHERE r.id = $1 GROUP BY r.number, r.id, r.at, r.options, r.bad`,
        [id],
      );
      return row && runIn(row);
    },

    async pending(run) {
      const rows = await database.all(`SELECT f.name, f.source ${fromRun} AND f.state IS NULL ORDER BY f.repository`, [
        run,
      ]);
      return rows.map(repositoryIn);
    },

    async done(run) {
      const [row] = await database.all(`SELECT count(*) AS n ${fromRun} AND f.state IS NOT NULL`, [run]);
      return Number(row?.['n'] ?? 0);
    },

    async open(run, name) {
      const [row] = await database.all(`SELECT f.name, f.source ${fromRun} AND f.name = $2 AND f.state IS NULL`, [
        run,
        name,
      ]);
      return row && repositoryIn(row);
    },

    async begin(run, name) {
      const [row] = await write(
        `UPDATE fleet_repositories SET begun = begun + 1 WHERE ${isRepository} RETURNING begun`,
        [run, name],
      );
      return Math.max(0, Number(row?.['begun'] ?? 1) - 1);
    },

    async giveUp(run, name) {
      await write(`UPDATE fleet_repositories SET begun = begun - 1 WHERE ${isRepository} AND begun > 0`, [run, name]);
    },

    async put(run, name, result) {
      const report = result.report ? (await pack(JSON.stringify(result.report))).toString('base64') : null;
      await database.transaction((session) => replace(session, database, run, name, result, report));
    },

    async repositories(run) {
      const columns = ['name', 'state', 'reasons', 'code', 'revision', 'ms', 'manifests', 'coverage'];
      const rows = await database.all(
        `SELECT ${columns.map((it) => `f.${it}`).join(', ')} ${fromRun} ORDER BY f.repository`,
        [run],
      );
      return rows.map(repositoryRowIn);
    },

    async uses(run, filter) {
      const { advisory: _, ...rest } = filter;
      return (await select(database, 'fleet_uses', run, rest)).map(useIn);
    },

    findings: async (run, filter) => (await select(database, 'fleet_findings', run, filter)).map(findingIn),

    async *reports(run) {
      const names = await database.all(`SELECT f.name ${fromRun} AND f.report IS NOT NULL ORDER BY f.repository`, [
        run,
      ]);
      for (const { name = null } of names) {
        const [row] = await database.all(`SELECT f.report ${fromRun} AND f.name = $2`, [run, name]);
        const packed = textIn(row?.['report']);
        if (packed === undefined) continue;
        const text = await unpack(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_REPORT_BYTES });
        yield { repository: String(name), report: JSON.parse(text.toString()) as Report };
      }
    },

    close: () => database.close(),
  };
}

const selectRuns = `SELECT r.number, r.id, r.at, r.options, r.bad, count(f.name) AS repositories
  FROM fleet_runs r LEFT JOIN fleet_repositories f ON f.run = r.number`;

const fromRun = 'FROM fleet_repositories f JOIN fleet_runs r ON r.number = f.run WHERE r.id = $1';

const isRepository = 'run = (SELECT number FROM fleet_runs WHERE id = $1) AND name = $2';

/** Replaces the result of a repository. Its row is locked first: two workers may write the same result at once. */
async function replace(
  session: SqlSession,
  database: SqlDatabase,
  run: string,
  name: string,
  { state, reasons, code, revision, ms, uses, findings, report }: RepositoryResult,
  packed: string | null,
): Promise<void> {
  const [row] = await session.all(
    `UPDATE fleet_repositories SET begun = 0, state = $3, reasons = $4, code = $5, revision = $6, ms = $7,
      manifests = $8, coverage = $9, report = $10 WHERE ${isRepository} RETURNING repository`,
    [
      run,
      name,
      state,
      jsonOf(reasons),
      code,
      revision ?? null,
      Math.round(ms),
      report?.manifests ?? 0,
      report ? JSON.stringify(report.coverage) : null,
      packed,
    ],
  );
  if (row === undefined) return;
  const repository = Number(row['repository']);
  const distinct = [...new Map(findings.map((it) => [it.fingerprint, it])).values()];
  const rows = {
    fleet_uses: uses.map((it) => useRow(repository, it)),
    fleet_findings: distinct.map((it) => findingRow(repository, it)),
    fleet_advisories: distinct.flatMap(({ advisories, fingerprint }) =>
      [...new Set(advisories.flat())].map((id) => ({ id: plain(id), repository, fingerprint })),
    ),
  } as const satisfies Record<TableName, unknown>;
  for (const table of Object.keys(tables) as TableName[]) {
    await session.all(`DELETE FROM ${table} WHERE repository = $1`, [repository]);
    await insert(session, database, table, tables[table], rows[table]);
  }
}

/** Rows of one statement: some MB of JSON. */
const MAX_ROWS = 20_000;

async function insert(
  session: SqlSession,
  { dialect }: SqlDatabase,
  table: string,
  columns: Parameters<SqlDatabase['dialect']['rowsOf']>[1],
  rows: readonly object[],
): Promise<void> {
  const names = Object.keys(columns).join(', ');
  for (let from = 0; from < rows.length; from += MAX_ROWS) {
    await session.all(`INSERT INTO ${table} (${names}) SELECT ${names} FROM ${dialect.rowsOf('$1', columns, 'r')}`, [
      JSON.stringify(rows.slice(from, from + MAX_ROWS)),
    ]);
  }
}

function select(
  database: SqlDatabase,
  table: 'fleet_uses' | 'fleet_findings',
  run: string,
  { system, name, advisory, repository }: RowFilter,
): Promise<readonly SqlRow[]> {
  const values: SqlValue[] = [run];
  const place = (value: string): string => `$${values.push(value)}`;
  const conditions = [
    ...(system === undefined ? [] : [`t.system = ${place(system)}`]),
    ...(name === undefined ? [] : [`t.name = ${place(name)}`]),
    ...(repository === undefined ? [] : [`f.name = ${place(repository)}`]),
    ...(advisory === undefined
      ? []
      : [
          `EXISTS (SELECT 1 FROM fleet_advisories a
            WHERE a.id = ${place(advisory)} AND a.repository = t.repository AND a.fingerprint = t.fingerprint)`,
        ]),
  ];
  const columns = Object.keys(tables[table]).filter((it) => it !== 'repository');
  return database.all(
    `SELECT f.name AS of, ${columns.map((it) => `t.${it}`).join(', ')}
      FROM ${table} t JOIN fleet_repositories f ON f.repository = t.repository JOIN fleet_runs r ON r.number = f.run
      WHERE ${['r.id = $1', ...conditions].join(' AND ')}
      ORDER BY f.repository, t.path, t.line, t.name, t.version`,
    values,
  );
}

function useRow(repository: number, it: Use): Readonly<Record<keyof (typeof tables)['fleet_uses'], SqlValue>> {
  return {
    repository,
    system: it.system,
    name: plain(it.name),
    version: orNull(it.version),
    path: plain(it.path),
    line: it.line,
    relation: it.relation,
    via: orNull(it.via),
    licenses: it.licenses ? jsonOf(it.licenses) : null,
    class: it.licenseClass ?? null,
    gap: it.gap ?? null,
    owners: plain(it.owners.join(' ')),
  };
}

function findingRow(
  repository: number,
  it: FleetFinding,
): Readonly<Record<keyof (typeof tables)['fleet_findings'], SqlValue>> {
  return {
    repository,
    fingerprint: it.fingerprint,
    subject: it.subject,
    code: it.code,
    severity: it.severity,
    system: it.system,
    name: plain(it.name),
    version: orNull(it.version),
    path: plain(it.path),
    line: it.line,
    via: orNull(it.via),
    advisories: jsonOf(it.advisories),
    score: it.score === undefined ? null : `${it.score}`,
    message: plain(it.message),
    fix: jsonOf(it.fix),
    owners: plain(it.owners.join(' ')),
    counts: it.counts ? 1 : 0,
  };
}

/** PostgreSQL keeps neither null characters nor half surrogate pairs, which a hostile file can contain. */
function plain(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, it: unknown) => (typeof it === 'string' ? plain(it) : it));
}

function orNull(text: string | undefined): string | null {
  return text === undefined ? null : plain(text);
}

function listIn(value: unknown): readonly string[] {
  return typeof value === 'string' && value !== '' ? value.split(' ') : [];
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** What these functions wrote themselves. */
function jsonIn<T>(value: unknown): T {
  return JSON.parse(String(value)) as T;
}

function runIn(row: SqlRow): Run {
  return {
    id: String(row['id']),
    at: String(row['at']),
    options: jsonIn<RunOptions>(row['options']),
    bad: jsonIn<readonly BadLine[]>(row['bad']),
    repositories: Number(row['repositories']),
  };
}

function repositoryIn(row: SqlRow): Repository {
  return { name: String(row['name']), source: jsonIn<RepositorySource>(row['source']) };
}

function repositoryRowIn(row: SqlRow): RepositoryRow {
  const revision = textIn(row['revision']);
  return {
    name: String(row['name']),
    state: (textIn(row['state']) ?? 'pending') as RepositoryState | 'pending',
    reasons: row['reasons'] === null ? [] : jsonIn<readonly string[]>(row['reasons']),
    code: Number(row['code'] ?? 2) as 0 | 1 | 2,
    ms: Number(row['ms'] ?? 0),
    manifests: Number(row['manifests'] ?? 0),
    ...(revision !== undefined && { revision }),
    ...(row['coverage'] !== null && { coverage: jsonIn<Coverage>(row['coverage']) }),
  };
}

function useIn(row: SqlRow): UseRow {
  const [version, via, licenseClass, gap] = ['version', 'via', 'class', 'gap'].map((it) => textIn(row[it]));
  return {
    repository: String(row['of']),
    system: row['system'] as System,
    name: String(row['name']),
    ...(version !== undefined && { version }),
    path: String(row['path']),
    line: Number(row['line']),
    relation: row['relation'] === 'below' ? 'below' : 'direct',
    ...(via !== undefined && { via }),
    ...(row['licenses'] !== null && { licenses: jsonIn<readonly string[]>(row['licenses']) }),
    ...(licenseClass !== undefined && { licenseClass }),
    ...(gap !== undefined && { gap }),
    owners: listIn(row['owners']),
  };
}

function findingIn(row: SqlRow): FindingRow {
  const [version, via] = ['version', 'via'].map((it) => textIn(row[it]));
  return {
    repository: String(row['of']),
    fingerprint: String(row['fingerprint']),
    subject: String(row['subject']),
    code: row['code'] as FindingCode,
    severity: row['severity'] as Severity,
    system: row['system'] as System,
    name: String(row['name']),
    ...(version !== undefined && { version }),
    path: String(row['path']),
    line: Number(row['line']),
    ...(via !== undefined && { via }),
    advisories: jsonIn<readonly (readonly string[])[]>(row['advisories']),
    ...(row['score'] !== null && { score: Number(row['score']) }),
    message: String(row['message']),
    fix: jsonIn<FleetFix>(row['fix']),
    owners: listIn(row['owners']),
    counts: Number(row['counts']) === 1,
  };
}
