import type { SchemaStep } from '../../engine/storage/sql/migrate.ts';
import type { Fact } from './store.ts';

/** The table of each kind of fact, and the columns of its key. */
export const factTables = {
  package: { table: 'packages', key: ['system', 'name'] },
  version: { table: 'versions', key: ['system', 'name', 'version'] },
  requirements: { table: 'requirements', key: ['system', 'name', 'version'] },
  similar: { table: 'similar_names', key: ['system', 'name'] },
  advisory: { table: 'advisories', key: ['id'] },
  project: { table: 'projects', key: ['id'] },
  file: { table: 'hashes', key: ['type', 'digest'] },
  reply: { table: 'registry_replies', key: ['id'] },
} as const satisfies Record<Fact['kind'], FactTable>;

export interface FactTable {
  readonly table: string;
  readonly key: readonly string[];
}

/** Further steps are added at the end. */
export const schemaSteps: readonly SchemaStep[] = [
  ({ text }) => [
    ...Object.values(factTables)
      .filter((it) => it !== factTables.reply)
      .map((it) => tableOf(it, text)),
    `CREATE TABLE affected (
       system ${text} NOT NULL,
       name ${text} NOT NULL,
       advisory ${text} NOT NULL,
       ranges TEXT NOT NULL,
       PRIMARY KEY (system, name, advisory)
     )`,
    'CREATE INDEX affected_by_advisory ON affected (advisory)',
    `CREATE TABLE imported_advisories (id ${text} PRIMARY KEY, modified BIGINT NOT NULL)`,
    `CREATE TABLE imports (id ${text} PRIMARY KEY, position BIGINT NOT NULL)`,
    `CREATE TABLE notes (name ${text} PRIMARY KEY, value TEXT NOT NULL)`,
  ],
  ({ text }) => [tableOf(factTables.reply, text)],
  // Has all that pruning reads: the bodies are long.
  () => ['CREATE INDEX replies_by_age ON registry_replies (as_of, (length(body)))'],
];

function tableOf({ table, key }: FactTable, text: string): string {
  return `
    CREATE TABLE ${table} (
      ${key.map((it) => `${it} ${text} NOT NULL`).join(', ')},
      body TEXT,
      as_of BIGINT NOT NULL,
      lifetime BIGINT NOT NULL,
      PRIMARY KEY (${key.join(', ')})
    )`;
}
