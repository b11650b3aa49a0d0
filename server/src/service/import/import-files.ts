import { fileTrouble } from '../../base/file-error.ts';
import { messageOf } from '../../base/text.ts';
import { type StoreAddress, shownAddress } from '../store/address.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { withoutCredentials } from '../team/log.ts';
import { readKnownExploited } from './known-exploited.ts';
import { openRecordFile, type RecordFile } from './record-files.ts';
import { type ImportCounts, type ImportResult, runImport, StoreFailed } from './run-import.ts';

/*
 * `package-insights import`. A bundle of its own, with the libraries for archives and scores.
 */

export interface ImportFilesOptions {
  readonly store: StoreAddress;
  /** Absolute paths. */
  readonly paths: readonly string[];
  /** The absolute path of a list of vulnerabilities that are known to be exploited. */
  readonly kev?: string;
  readonly now: number;
  readonly signal: AbortSignal;
  readonly onProgress: (path: string, counts: ImportCounts, count: number | undefined) => void;
  readonly onTrouble: (reason: string) => void;
  readonly onResult: (path: string, result: ImportResult) => void;
}

/** Imports files one after another. @throws `Unusable` for a file or a database that cannot be used */
export async function importFiles(options: ImportFilesOptions): Promise<void> {
  const { paths, kev, now, signal, onProgress, onResult } = options;
  const exploited = kev === undefined ? undefined : await usable(kev, () => readKnownExploited(kev));
  const onTrouble = (error: unknown): void => options.onTrouble(withoutCredentials(messageOf(error)));
  const store = await openStore(options.store, onTrouble).catch((error: unknown) => {
    throw unusable(shownAddress(options.store), error);
  });
  try {
    for (const path of paths) {
      if (signal.aborted) return;
      const file = await usable(path, () => openRecordFile(path));
      const progress = (counts: ImportCounts) => onProgress(path, counts, file.count);
      const more = { now, signal, onProgress: progress, onTrouble, ...(exploited && { exploited }) };
      const result = await usable(path, () => run(store, file, more).catch(failed));
      onResult(path, result instanceof StoreFailed ? result.result : result);
      if (result instanceof StoreFailed) throw unusable(shownAddress(options.store), result.trouble);
    }
  } finally {
    await store.close();
  }
}

function failed(error: unknown): StoreFailed {
  if (error instanceof StoreFailed) return error;
  throw error;
}

function run(
  store: Store,
  file: RecordFile,
  more: Omit<Parameters<typeof runImport>[0], 'store' | 'file'>,
): Promise<ImportResult> {
  return runImport({ store, file, ...more });
}

/** What was given cannot be used. The message is for the person. */
class Unusable extends Error {
  /** Programs in other bundles know the error by its name. */
  override readonly name = 'Unusable';
}

async function usable<T>(path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(what: string, error: unknown): Unusable {
  return new Unusable(`${what} cannot be used: ${withoutCredentials(fileTrouble(error))}`);
}
