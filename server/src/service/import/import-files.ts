import { fileTrouble } from '../../engine/base/file-error.ts';
import { messageOf } from '../../engine/base/text.ts';
import type { System } from '../../engine/model/system.ts';
import { type StoreAddress, shownAddress } from '../store/address.ts';
import { openStore } from '../store/open-store.ts';
import { type Store, wholeNote } from '../store/store.ts';
import { withoutCredentials } from '../team/log.ts';
import { readKnownExploited } from './known-exploited.ts';
import { openRecordFile, type RecordFile } from './record-files.ts';
import { type ImportCounts, type ImportResult, runImport, StoreFailed } from './run-import.ts';
import { readWhole } from './whole.ts';

/*
 * `package-insights import`. A bundle of its own, with the libraries for archives and scores.
 */

export interface ImportFilesOptions {
  readonly store: StoreAddress;
  /** Absolute paths. */
  readonly paths: readonly string[];
  /** The path, one alone, is the archive of all advisories of this system. */
  readonly whole?: System;
  /** The absolute path of a list of vulnerabilities that are known to be exploited. */
  readonly kev?: string;
  readonly now: number;
  readonly signal: AbortSignal;
  readonly onProgress: (path: string, counts: ImportCounts, count: number | undefined) => void;
  /** Called while a whole archive is read for the first time. */
  readonly onChecking: (path: string, records: number, count: number | undefined) => void;
  readonly onTrouble: (reason: string) => void;
  readonly onResult: (path: string, result: FileResult) => void;
}

export interface FileResult extends ImportResult {
  /** Now complete, up to a time in ms since the epoch. */
  readonly whole?: { readonly system: System; readonly asOf: number };
}

/** Imports files one after another. @throws `Unusable` for a file or a database that cannot be used */
export async function importFiles(options: ImportFilesOptions): Promise<void> {
  const { paths, kev, now, signal, onProgress, onResult, whole: system } = options;
  const exploited = kev === undefined ? undefined : await usable(kev, () => readKnownExploited(kev));
  const onTrouble = (error: unknown): void => options.onTrouble(withoutCredentials(messageOf(error)));
  const store = await openStore(options.store, onTrouble).catch((error: unknown) => {
    throw unusable(shownAddress(options.store), error);
  });
  try {
    for (const path of paths) {
      if (signal.aborted) return;
      const opened = await usable(path, () => openToImport(path, options));
      if (opened === undefined) return onResult(path, nothing);
      const { file, asOf } = opened;
      const progress = (counts: ImportCounts) => onProgress(path, counts, file.count);
      const more = { now, signal, onProgress: progress, onTrouble, ...(exploited && { exploited }) };
      const result = await usable(path, () => run(store, file, more).catch(failed));
      if (result instanceof StoreFailed) {
        onResult(path, result.result);
        throw unusable(shownAddress(options.store), result.trouble);
      }
      const isWhole = system !== undefined && asOf !== undefined && result.state === 'complete';
      if (isWhole) await usable(shownAddress(options.store), () => store.raiseNote(wholeNote(system), asOf));
      onResult(path, isWhole ? { ...result, whole: { system, asOf } } : result);
    }
  } finally {
    await store.close();
  }
}

interface FileToImport {
  readonly file: RecordFile;
  /** Of a whole archive. */
  readonly asOf?: number;
}

/** Of an archive that was not read to its end. */
const nothing: FileResult = { state: 'stopped', position: 0, from: 0, kept: 0, ignored: 0, bad: 0, faults: [] };

/** Undefined where it was stopped. */
async function openToImport(
  path: string,
  { whole, signal, onChecking }: ImportFilesOptions,
): Promise<FileToImport | undefined> {
  const file = await openRecordFile(path);
  return whole === undefined
    ? { file }
    : readWhole(file, whole, signal, (records) => onChecking(path, records, file.count));
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
