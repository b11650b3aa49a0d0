import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FindingCode, Severity } from '../../model/finding.ts';
import type { System } from '../../model/system.ts';
import type { Coverage, Report } from '../../report/report.ts';
import type { RunOptions } from '../check-repository.ts';
import type { BadLine, Repository, RepositorySource } from '../repository.ts';
import type { FleetFix, RepositoryResult, RepositoryState } from './result.ts';
import type { FindingRow, RepositoryRow, Results, RowFilter, Run, UseRow } from './results.ts';
import type { Sql, SqlRow, SqlValue } from './sql.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** In bytes: the report of a repository at its limits. A database that others write to may contain anything. */
const MAX_REPORT_BYTES = 512 * 1024 * 1024;

/** The results over a database. Its tables exist. */
export function createResults(sql: Sql): Results {
  return {
    create: ({ id, at, options, bad }, repositories) =>
      sql.transaction(async (within) => {
        await within.run('INSERT INTO fleet_runs (id, at, options, bad) VALUES (?, ?, ?, ?)', [
          id,
          at,
          JSON.stringify(options),
          JSON.stringify(bad),
        ]);
        await insert(
          within,
          'fleet_repositories',
          ['run', 'name', 'place', 'source', 'begun'],
          repositories.map(({ name, source }, place) => [id, name, place, JSON.stringify(source), 0]),
        );
      }),

    async runs() {
      return (await sql.all(`${selectRuns} GROUP BY r.id, r.at, r.options, r.bad ORDER BY r.at DESC, r.id DESC`)).map(
        runIn,
      );
    },

    async run(id) {
      const [row] = await sql.all(`${selectRuns} WHERE r.id = ? GROUP BY r.id, r.at, r.options, r.bad`, [id]);
      return row && runIn(row);
    },

    async pending(run) {
      const rows = await sql.all(
        'SELECT name, source FROM fleet_repositories WHERE run = ? AND state IS NULL ORDER BY place',
        [run],
      );
      return rows.map(repositoryIn);
    },

    async done(run) {
      const [row] = await sql.all('SELECT count(*) AS n FROM fleet_repositories WHERE run = ? AND state IS NOT NULL', [
        run,
      ]);
      return Number(row?.['n'] ?? 0);
    },

    async open(run, name) {
      const [row] = await sql.all(
        'SELECT name, source FROM fleet_repositories WHERE run = ? AND name = ? AND state IS NULL',
        [run, name],
      );
      return row && repositoryIn(row);
    },

    async begin(run, name) {
      const [row] = await sql.all(
        'UPDATE fleet_repositories SET begun = begun + 1 WHERE run = ? AND name = ? RETURNING begun',
        [run, name],
      );
      return Math.max(0, Number(row?.['begun'] ?? 1) - 1);
    },

    giveUp: (run, name) =>
      sql.run('UPDATE fleet_repositories SET begun = begun - 1 WHERE run = ? AND name = ? AND begun > 0', [run, name]),

    async put(run, name, result) {
      const report = result.report && (await pack(JSON.stringify(result.report)));
      await sql.transaction((within) => write(within, run, name, result, report));
    },

    async repositories(run) {
      const rows = await sql.all(
        `SELECT name, state, reasons, code, revision, ms, manifests, coverage FROM fleet_repositories
          WHERE run = ? ORDER BY place`,
        [run],
      );
      return rows.map(repositoryRowIn);
    },

    async uses(run, filter) {
      const { where, values } = condition(run, { ...filter, advisory: undefined });
      return (
        await sql.all(`SELECT * FROM fleet_uses WHERE ${where} ORDER BY repository, path, line, name`, values)
      ).map(useIn);
    },

    async findings(run, filter) {
      const { where, values } = condition(run, filter);
      return (
        await sql.all(
          `SELECT * FROM fleet_findings WHERE ${where} ORDER BY repository, path, line, fingerprint`,
          values,
        )
      ).map(findingIn);
    },

    async *reports(run) {
      const names = await sql.all(
        'SELECT name FROM fleet_repositories WHERE run = ? AND report IS NOT NULL ORDER BY place',
        [run],
      );
      for (const { name } of names) {
        const [row] = await sql.all('SELECT report FROM fleet_repositories WHERE run = ? AND name = ?', [
          run,
          String(name),
        ]);
        const packed = row?.['report'];
        if (!(packed instanceof Uint8Array)) continue;
        const text = (await unpack(packed, { maxOutputLength: MAX_REPORT_BYTES })).toString();
        yield { repository: String(name), report: JSON.parse(text) as Report };
      }
    },

    close: () => sql.close(),
  };
}

const selectRuns = `SELECT r.id, r.at, r.options, r.bad, count(f.name) AS repositories
  FROM fleet_runs r LEFT JOIN fleet_repositories f ON f.run = r.id`;

type Statements = Pick<Sql, 'all' | 'run'>;

async function write(
  sql: Statements,
  run: string,
  name: string,
  { state, reasons, code, revision, ms, uses, findings: all, report }: RepositoryResult,
  packed: Uint8Array | undefined,
): Promise<void> {
  const findings = [...new Map(all.map((it) => [it.fingerprint, it])).values()];
  // The row is locked first: two workers may write the same result at once.
  await sql.run(
    `UPDATE fleet_repositories SET begun = 0, state = ?, reasons = ?, code = ?, revision = ?, ms = ?, manifests = ?,
      coverage = ?, report = ? WHERE run = ? AND name = ?`,
    [
      state,
      JSON.stringify(reasons),
      code,
      revision ?? null,
      Math.round(ms),
      report?.manifests ?? 0,
      report ? JSON.stringify(report.coverage) : null,
      packed ?? null,
      run,
      name,
    ],
  );
  for (const table of ['fleet_uses', 'fleet_findings', 'fleet_advisories'])
    await sql.run(`DELETE FROM ${table} WHERE run = ? AND repository = ?`, [run, name]);
  await insert(
    sql,
    'fleet_uses',
    [
      'run',
      'repository',
      'system',
      'name',
      'version',
      'path',
      'line',
      'relation',
      'via',
      'licenses',
      'class',
      'target',
      'gap',
      'owners',
    ],
    uses.map((it) => [
      run,
      name,
      it.system,
      plain(it.name),
      orNull(it.version),
      plain(it.path),
      it.line,
      it.relation,
      orNull(it.via),
      it.licenses ? plain(JSON.stringify(it.licenses)) : null,
      it.licenseClass ?? null,
      orNull(it.target),
      it.gap ?? null,
      listOrNull(it.owners),
    ]),
  );
  await insert(
    sql,
    'fleet_findings',
    [
      ...[
        'run',
        'repository',
        'fingerprint',
        'subject',
        'code',
        'severity',
        'system',
        'name',
        'version',
        'path',
        'line',
      ],
      ...['via', 'advisories', 'score', 'message', 'fix', 'owners', 'counts'],
    ],
    findings.map((it) => [
      ...[run, name, it.fingerprint, it.subject, it.code, it.severity, it.system, plain(it.name), orNull(it.version)],
      ...[plain(it.path), it.line, orNull(it.via), plain(JSON.stringify(it.advisories)), it.score ?? null],
      ...[plain(it.message), plain(JSON.stringify(it.fix)), listOrNull(it.owners), it.counts ? 1 : 0],
    ]),
  );
  const ids = findings.flatMap((it) =>
    [...new Set(it.advisories.flat())].map((id) => [run, plain(id), name, it.fingerprint]),
  );
  await insert(sql, 'fleet_advisories', ['run', 'id', 'repository', 'fingerprint'], ids);
}

/** Values of one statement. Source: SQLite accepts 32,766, PostgreSQL 65,535. */
const MAX_VALUES = 30_000;

async function insert(
  sql: Statements,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  const size = Math.floor(MAX_VALUES / columns.length);
  const places = `(${columns.map(() => '?').join(', ')})`;
  for (let from = 0; from < rows.length; from += size) {
    const some = rows.slice(from, from + size);
    await sql.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${some.map(() => places).join(', ')}`,
      some.flat(),
    );
  }
}

function condition(
  run: string,
  { system, name, advisory, repository }: { readonly [Name in keyof RowFilter]: RowFilter[Name] | undefined },
): { readonly where: string; readonly values: readonly SqlValue[] } {
  const parts: (readonly [text: string, ...values: readonly string[]])[] = [
    ['run = ?', run],
    ...(system === undefined ? [] : [['system = ?', system] as const]),
    ...(name === undefined ? [] : [['name = ?', name] as const]),
    ...(repository === undefined ? [] : [['repository = ?', repository] as const]),
    ...(advisory === undefined
      ? []
      : [
          [
            `EXISTS (SELECT 1 FROM fleet_advisories a WHERE a.run = fleet_findings.run AND a.id = ?
              AND a.repository = fleet_findings.repository AND a.fingerprint = fleet_findings.fingerprint)`,
            advisory,
          ] as const,
        ]),
  ];
  return { where: parts.map(([text]) => text).join(' AND '), values: parts.flatMap(([, ...values]) => values) };
}

/** PostgreSQL keeps neither null characters nor half surrogate pairs, which a hostile file can contain. */
function plain(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function orNull(text: string | undefined): string | null {
  return text === undefined ? null : plain(text);
}

function listOrNull(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : plain(texts.join(' '));
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
  const [version, via, licenseClass, target, gap] = ['version', 'via', 'class', 'target', 'gap'].map((it) =>
    textIn(row[it]),
  );
  return {
    repository: String(row['repository']),
    system: row['system'] as System,
    name: String(row['name']),
    ...(version !== undefined && { version }),
    path: String(row['path']),
    line: Number(row['line']),
    relation: row['relation'] === 'below' ? 'below' : 'direct',
    ...(via !== undefined && { via }),
    ...(row['licenses'] !== null && { licenses: jsonIn<readonly string[]>(row['licenses']) }),
    ...(licenseClass !== undefined && { licenseClass }),
    ...(target !== undefined && { target }),
    ...(gap !== undefined && { gap }),
    owners: listIn(row['owners']),
  };
}

function findingIn(row: SqlRow): FindingRow {
  const [version, via] = ['version', 'via'].map((it) => textIn(row[it]));
  return {
    repository: String(row['repository']),
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
    ...(typeof row['score'] === 'number' && { score: row['score'] }),
    message: String(row['message']),
    fix: jsonIn<FleetFix>(row['fix']),
    owners: listIn(row['owners']),
    counts: Number(row['counts']) === 1,
  };
}
