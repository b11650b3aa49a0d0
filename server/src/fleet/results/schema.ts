import type { SchemaStep } from '../../engine/storage/sql/migrate.ts';
import type { Columns } from '../../engine/storage/sql/sql-database.ts';

/** The columns of what a result has many of. `repository` is the number of a repository in one run. */
export const tables = {
  fleet_uses: {
    repository: 'bigint',
    system: 'text',
    name: 'text',
    version: 'text',
    path: 'text',
    line: 'bigint',
    relation: 'text',
    via: 'text',
    licenses: 'text',
    class: 'text',
    gap: 'text',
    owners: 'text',
  },
  fleet_findings: {
    repository: 'bigint',
    fingerprint: 'text',
    subject: 'text',
    code: 'text',
    severity: 'text',
    system: 'text',
    name: 'text',
    version: 'text',
    path: 'text',
    line: 'bigint',
    via: 'text',
    advisories: 'text',
    score: 'text',
    message: 'text',
    fix: 'text',
    owners: 'text',
    counts: 'bigint',
  },
  fleet_advisories: { id: 'text', repository: 'bigint', fingerprint: 'text' },
} as const satisfies Readonly<Record<string, Columns>>;

export type TableName = keyof typeof tables;

/** Further steps are added at the end. */
export const fleetSchema: readonly SchemaStep[] = [
  ({ text }) => [
    `CREATE TABLE fleet_runs (
       number BIGINT PRIMARY KEY,
       id ${text} NOT NULL UNIQUE,
       at ${text} NOT NULL,
       options TEXT NOT NULL,
       bad TEXT NOT NULL
     )`,
    `CREATE TABLE fleet_repositories (
       repository BIGINT PRIMARY KEY,
       run BIGINT NOT NULL,
       name ${text} NOT NULL,
       source TEXT NOT NULL,
       begun BIGINT NOT NULL,
       state ${text},
       reasons TEXT,
       code BIGINT,
       revision ${text},
       ms BIGINT,
       manifests BIGINT,
       coverage TEXT,
       report TEXT,
       UNIQUE (run, name)
     )`,
    ...Object.entries(tables).map(([table, columns]) => {
      const lines = Object.entries(columns).map(([name, type]) => `${name} ${type === 'text' ? text : 'BIGINT'}`);
      return `CREATE TABLE ${table} (${lines.join(', ')})`;
    }),
    'CREATE INDEX fleet_uses_by_repository ON fleet_uses (repository)',
    'CREATE INDEX fleet_uses_by_name ON fleet_uses (name, system, repository)',
    'CREATE UNIQUE INDEX fleet_findings_by_repository ON fleet_findings (repository, fingerprint)',
    'CREATE INDEX fleet_findings_by_name ON fleet_findings (name, system, repository)',
    'CREATE INDEX fleet_advisories_by_repository ON fleet_advisories (repository)',
    'CREATE UNIQUE INDEX fleet_advisories_by_id ON fleet_advisories (id, repository, fingerprint)',
  ],
];
