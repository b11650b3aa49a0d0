import { createHash, randomUUID } from 'node:crypto';
import { isRecord } from '../../engine/base/text.ts';
import { type System, systemNames } from '../../engine/model/system.ts';
import { affectsSystem, isOsv } from './osv.ts';
import { readRecord } from './read-record.ts';
import type { RecordFile } from './record-files.ts';

/** The archive of all advisories of an ecosystem, read to its end. */
export interface WholeArchive {
  /** Its records again. Rejects at their end where they are others: the file has changed meanwhile. */
  readonly file: RecordFile;
  /** When its newest record was changed, in ms since the epoch: what was published later is not in it. */
  readonly asOf: number;
}

/**
 * Reads all of an archive before any of it is kept, so that one that is damaged, or of another ecosystem, changes nothing.
 * @param onProgress called with the number of records that were read, once in a while
 * @returns undefined where it was aborted
 * @throws with the reason for a file that is not such an archive
 */
export async function readWhole(
  file: RecordFile,
  system: System,
  signal: AbortSignal,
  onProgress: (records: number) => void,
): Promise<WholeArchive | undefined> {
  if (!file.isArchive) throw new Error('only a ZIP archive can be whole');
  const digest = createHash('sha256');
  let asOf: number | undefined;
  let records = 0;
  for await (const { place, text } of file.records()) {
    if (signal.aborted) return undefined;
    if (++records % PROGRESS_RECORDS === 0) onProgress(records);
    const content = await text();
    digest.update(`${place}\n${content}\n`);
    // Not a JSON file.
    if (content === '') continue;
    const modified = modifiedIn(content, system);
    if (typeof modified === 'string') throw new Error(`${place}: ${modified}`);
    asOf = Math.max(asOf ?? 0, modified);
  }
  if (asOf === undefined) throw new Error('it has no advisories');
  const read = digest.digest('hex');
  return {
    file: {
      ...file,
      // Nothing that an earlier run has left counts for this one.
      id: `whole ${system} ${randomUUID()}`,
      async *records() {
        const again = createHash('sha256');
        for await (const { place, text } of file.records()) {
          const content = await text();
          again.update(`${place}\n${content}\n`);
          yield { place, text: async () => content };
        }
        if (again.digest('hex') !== read) throw new Error('it has changed while it was read');
      },
    },
    asOf: Math.min(asOf, file.writtenAt),
  };
}

/** Between two reports of progress. */
const PROGRESS_RECORDS = 500;

/** When a record was changed, or why it is none of such an archive. */
function modifiedIn(content: string | undefined, system: System): number | string {
  if (content === undefined) return 'it is too long';
  const read = readRecord(content, { asOf: 0, lifetime: 0 });
  if (read.kind === 'bad') return read.reason;
  const record: unknown = JSON.parse(content);
  if (!isRecord(record) || !isOsv(record)) return 'it is no advisory';
  if (!affectsSystem(record, system)) return `it affects nothing of ${systemNames[system]}`;
  return Date.parse(String(record['modified'])) || 0;
}
