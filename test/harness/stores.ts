import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasSqlite } from '../../server/src/engine/storage/database.ts';
import { openPostgres } from '../../server/src/engine/storage/sql/postgres.ts';
import type { SqlDatabase } from '../../server/src/engine/storage/sql/sql-database.ts';
import { openSqlite } from '../../server/src/engine/storage/sql/sqlite.ts';
import { createMemoryStore } from '../../server/src/service/store/memory-store.ts';
import { openSqlStore } from '../../server/src/service/store/sql-store.ts';
import type { Store } from '../../server/src/service/store/store.ts';
import { noPostgres, type RunningDatabase, startPostgres } from './databases.ts';

/** Every implementation of the store. */
export const storeKinds = ['memory', 'sqlite', 'postgres'] as const;
export type StoreKind = (typeof storeKinds)[number];

export interface Stores {
  /** An empty store. */
  open(kind: StoreKind): Promise<Store>;
  /** Why a kind cannot be tested here. */
  readonly whyNot: Readonly<Record<StoreKind, string | undefined>>;
  close(): Promise<void>;
}

const opened: Store[] = [];
const folders: string[] = [];
let postgres: Promise<RunningDatabase> | undefined;
let databases = 0;

export async function openStores(): Promise<Stores> {
  return {
    whyNot: { memory: undefined, sqlite: hasSqlite() ? undefined : 'this Node has no SQLite', postgres: noPostgres },
    async open(kind) {
      const store = await openStore(kind);
      opened.push(store);
      return store;
    },
    async close() {
      await Promise.all(opened.map((it) => it.close()));
      await (await postgres)?.stop();
      for (const it of folders) rmSync(it, { recursive: true, force: true });
    },
  };
}

/** The PostgreSQL of this file of tests, which ends with its stores. */
export function postgresForFile(): Promise<RunningDatabase> {
  postgres ??= startPostgres();
  return postgres;
}

/** The path of a file that does not exist. */
export function sqliteFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'insights-store-'));
  folders.push(folder);
  return join(folder, 'store.sqlite');
}

async function openStore(kind: StoreKind): Promise<Store> {
  switch (kind) {
    case 'memory':
      return createMemoryStore();
    case 'sqlite':
      return openSqlStore(openSqlite(sqliteFile()));
    case 'postgres':
      return openSqlStore(openPostgres(await emptyDatabase()));
  }
}

async function emptyDatabase(): Promise<string> {
  const { address } = await postgresForFile();
  const name = `store_${++databases}`;
  const server: SqlDatabase = openPostgres(address);
  await server.all(`CREATE DATABASE ${name}`);
  await server.close();
  return address.replace('/postgres?', `/${name}?`);
}
