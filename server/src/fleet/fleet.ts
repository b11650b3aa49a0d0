import { stat } from 'node:fs/promises';
import type { FlatTable } from './answers/columns.ts';
import { parquetOf } from './answers/parquet.ts';
import type { Summary } from './answers/summary.ts';
import { type CheckParts, checkRepository } from './check-repository.ts';
import { openArchive } from './checkout/archive.ts';
import type { CheckoutResult } from './checkout/checkout.ts';
import { openDirectory } from './checkout/directory.ts';
import { openGit } from './checkout/git-checkout.ts';
import { runInProcess } from './queue/in-process.ts';
import { createPerformJob } from './queue/perform.ts';
import { watchQueue } from './queue/watch.ts';
import { type RepositorySource, readRepositoryList } from './repository.ts';
import { openDatabaseResults, openFileResults } from './results/open.ts';
import { isDatabaseAddress, type Results, type Run } from './results/results.ts';

/*
 * Checks many repositories as one. A bundle of its own, which the terminal program loads for `fleet` alone. What it
 * writes is read by programs and by people of several languages, so it is English.
 */

export type FleetParts = Omit<CheckParts, 'open'> & {
  /** Repositories that are checked at a time. */
  readonly concurrency: number;
  /** The environment of git. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** An absolute path: the folder for temporary files. Each checkout has a folder of its own there while it is checked. */
  readonly scratch: string;
};

export interface FleetRun {
  readonly id: string;
  readonly results: Results;
  readonly signal: AbortSignal;
  /** Called at the start and after results. `workers`: those at the queue, where they are known. */
  readonly progress: (done: number, total: number, workers?: number) => void;
}

/**
 * Opens the results of a fleet. Rejects with errors of the disk and of the database.
 * @param address the absolute path of a file, or `postgres://…`
 * @param isCreated whether a missing file is created
 */
export async function openResults(address: string, isCreated: boolean): Promise<Results> {
  if (isDatabaseAddress(address)) return openDatabaseResults(address);
  if (!isCreated) await stat(address);
  return openFileResults(address);
}

export interface NewRun extends Pick<Run, 'id' | 'at' | 'options'> {
  /** The list. */
  readonly text: string;
  /** What its paths are relative to. */
  readonly directory: string;
}

/** Begins a run with the repositories of a list. Rejects where results cannot be written. */
export async function beginRun(results: Results, { id, at, options, text, directory }: NewRun): Promise<Run> {
  const { repositories, bad } = readRepositoryList(text, directory);
  await results.create({ id, at, options, bad }, repositories);
  return { id, at, options, bad, repositories: repositories.length };
}

/**
 * Checks the repositories of a run that have no result yet. Rejects where results cannot be written.
 */
export async function runFleet({ id, results, signal, progress }: FleetRun, parts: FleetParts): Promise<void> {
  const [pending, done] = [await results.pending(id), await results.done(id)];
  const total = pending.length + done;
  let count = done;
  progress(count, total);
  await runInProcess(
    id,
    pending.map((it) => it.name),
    {
      perform: performIn(results, parts),
      concurrency: parts.concurrency,
      signal,
      onDone: () => progress(++count, total),
    },
  );
}

function performIn(results: Results, parts: FleetParts): ReturnType<typeof createPerformJob> {
  const checking: CheckParts = { ...parts, open: (source, signal) => openSource(source, signal, parts) };
  return createPerformJob(results, (repository, options, signal) =>
    checkRepository(repository, options, checking, signal),
  );
}

function openSource(source: RepositorySource, signal: AbortSignal, parts: FleetParts): Promise<CheckoutResult> {
  switch (source.kind) {
    case 'directory':
      return openDirectory(source.path);
    case 'git':
      return openGit(source, parts.scratch, parts.environment, signal);
    case 'archive':
      return openArchive(source.path, parts.scratch, signal);
  }
}

/**
 * Gives the repositories of a run that have no result yet to the workers of a queue, and waits for them. Rejects where the
 * queue cannot be reached, and with errors of the database.
 * @param queue `redis://…`
 */
export async function runFleetByWorkers({ id, results, signal, progress }: FleetRun, queue: string): Promise<void> {
  const { openQueue } = await import('./queue/redis-queue.ts');
  const opened = await openQueue(queue);
  try {
    await watchQueue({ run: id, results, queue: opened, signal, progress });
  } finally {
    await opened.close();
  }
}

/**
 * Takes repositories from a queue until it is stopped. Rejects where the queue cannot be reached.
 * @param queue `redis://…`
 */
export async function workForFleets(
  queue: string,
  {
    results,
    signal,
    log,
  }: { readonly results: Results; readonly signal: AbortSignal; readonly log: (line: string) => void },
  parts: FleetParts,
): Promise<void> {
  const { workFromQueue } = await import('./queue/redis-queue.ts');
  const { concurrency } = parts;
  await workFromQueue(queue, { perform: performIn(results, parts), concurrency, signal, log });
}

/** The table in the format Apache Parquet, with the summary in its metadata. */
export function writeParquet(table: FlatTable, summary: Summary): Uint8Array {
  return parquetOf(table, summary);
}
