import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../engine/base/text.ts';
import { isLasting } from '../store/open-store.ts';
import type { FactAnswer, ImportedAdvisory, ImportPart, Store } from '../store/store.ts';
import type { KnownExploited } from './known-exploited.ts';
import { type ReadRecord, type RecordTime, readRecord } from './read-record.ts';
import type { RecordFile } from './record-files.ts';

export interface ImportOptions {
  readonly store: Store;
  readonly file: RecordFile;
  /** Marks the advisories of the file. */
  readonly exploited?: KnownExploited;
  /** In ms since the epoch. */
  readonly now: number;
  /** Ends the import after the part that is being written. */
  readonly signal: AbortSignal;
  readonly onProgress: (counts: ImportCounts) => void;
  /** Called with the error of the database, before another attempt. */
  readonly onTrouble: (error: unknown) => void;
}

export interface ImportCounts {
  /** Records that are behind, those of earlier runs included. */
  readonly position: number;
  readonly kept: number;
  readonly ignored: number;
  readonly bad: number;
}

export interface ImportResult extends ImportCounts {
  /** `elsewhere`: another process imports the same file. */
  readonly state: 'complete' | 'was complete' | 'stopped' | 'elsewhere';
  /** The position at which it began. */
  readonly from: number;
  /** The first bad records. */
  readonly faults: readonly string[];
}

/** Records of one transaction: some 20 ms, and a megabyte. */
const PART_RECORDS = 500;
const PART_CHARACTERS = 8 * 1024 * 1024;

/** Bad records that are listed. All are counted. */
const MAX_FAULTS = 20;

/** How long an imported record is fresh, in ms. With an upstream service it is asked again then; without one, it stays. */
const IMPORT_LIFETIME = 24 * 3_600_000;

/** How long a database is waited for, and between two attempts, in ms. */
const TROUBLE_PATIENCE = 60_000;
const TROUBLE_WAIT = 500;

/** The database takes nothing more. What is in it is whole, and the import continues there. */
export class StoreFailed extends Error {
  override readonly name = 'StoreFailed';
  readonly trouble: unknown;
  readonly result: ImportResult;

  constructor(trouble: unknown, result: ImportResult) {
    super(messageOf(trouble));
    this.trouble = trouble;
    this.result = result;
  }
}

/**
 * Imports the records of a file, from where an earlier run ended. Each part is written together with its position, so a
 * process that is killed loses and doubles nothing. Rejects where the file is damaged.
 * @throws `StoreFailed` at once where the database cannot be written, and after a while where it stays away
 */
export async function runImport(options: ImportOptions): Promise<ImportResult> {
  const { store, file, signal, exploited } = options;
  // Another list marks the same records otherwise.
  const id = exploited ? `${file.id} ${exploited.id}` : file.id;
  const done = `imported ${id}`;
  const from = (await store.importPosition(id)) ?? 0;
  const counts = { position: from, kept: 0, ignored: 0, bad: 0 };
  /** What is in the database: a part that was read and not written does not count. */
  let written: ImportCounts = { ...counts };
  const faults: string[] = [];
  const result = (state: ImportResult['state']): ImportResult => ({ ...written, state, from, faults });
  const failing = <T>(writing: Promise<T>): Promise<T> =>
    writing.catch((error: unknown) => {
      throw new StoreFailed(error, result('stopped'));
    });
  const write = (it: ImportPart): Promise<boolean> => failing(writePart(it, options));
  const noted = await store.note(done);
  if (noted !== undefined) return { ...result('was complete'), bad: Number(noted) || 0 };
  const time = { asOf: Math.min(file.writtenAt, options.now), lifetime: IMPORT_LIFETIME };
  let part = emptyPart(id, from);
  let index = 0;
  for await (const record of file.records()) {
    if (signal.aborted) break;
    if (index++ < from) continue;
    const read = await readText(record, time, exploited?.cves);
    count(counts, read);
    if (read?.kind === 'bad' && faults.length < MAX_FAULTS) faults.push(`${record.place}: ${read.reason}`);
    add(part, read);
    part.to = index;
    if (index - part.from < PART_RECORDS && part.characters < PART_CHARACTERS) continue;
    if (!(await write(part))) return result('elsewhere');
    counts.position = index;
    written = { ...counts };
    options.onProgress(written);
    part = emptyPart(id, index);
  }
  if (signal.aborted) return result('stopped');
  if (part.to > part.from && !(await write(part))) return result('elsewhere');
  counts.position = Math.max(index, from);
  written = counts;
  // A file of which nothing was kept is not complete the next time either.
  await failing(store.setNote(done, String(from === 0 && counts.kept === 0 ? counts.bad : 0)));
  return result('complete');
}

interface OpenPart extends Omit<ImportPart, 'to' | 'answers' | 'advisories'> {
  to: number;
  characters: number;
  readonly answers: FactAnswer[];
  readonly advisories: ImportedAdvisory[];
}

function emptyPart(id: string, from: number): OpenPart {
  return { id, from, to: from, characters: 0, answers: [], advisories: [] };
}

function add(part: OpenPart, read: ReadRecord | undefined): void {
  if (read?.kind !== 'kept') return;
  part.answers.push(read.answer);
  part.characters += read.answer.answer.body?.length ?? 0;
  if (read.advisory) part.advisories.push(read.advisory);
}

function count(counts: { kept: number; ignored: number; bad: number }, read: ReadRecord | undefined): void {
  if (read) counts[read.kind]++;
}

/** Undefined for an empty line. */
async function readText(
  record: { text(): Promise<string | undefined> },
  time: RecordTime,
  exploited: ReadonlySet<string> | undefined,
): Promise<ReadRecord | undefined> {
  const text = await record.text();
  if (text === undefined) return { kind: 'bad', reason: 'it is too long' };
  return text.trim() === '' ? undefined : readRecord(text, time, exploited);
}

/** @returns false if another process has written a part of the same import */
async function writePart(part: ImportPart, { store, onTrouble }: ImportOptions): Promise<boolean> {
  for (let waited = 0; ; waited += TROUBLE_WAIT) {
    try {
      // An attempt that failed may have been written all the same, when its connection was lost in the end.
      if (waited > 0 && (await store.importPosition(part.id)) === part.to) return true;
      return await store.importPart(part);
    } catch (error) {
      if (waited >= TROUBLE_PATIENCE || isLasting(error)) throw error;
      onTrouble(error);
      await delay(TROUBLE_WAIT);
    }
  }
}
