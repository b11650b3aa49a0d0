import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32, createGunzip } from 'node:zlib';
import { openPromise } from 'yauzl';

/** The records of a file or folder, in an order that is always the same. */
export interface RecordFile {
  /** Identifies its content: another state of the file is another one. */
  readonly id: string;
  /** When it was written, in ms since the epoch. */
  readonly writtenAt: number;
  /** A ZIP archive: whether a part of it is missing is known. */
  readonly isArchive?: true;
  /** How many records it has, where that is known before it is read. */
  readonly count?: number;
  /** Rejects where it is damaged; the records before that have been read. */
  records(): AsyncIterable<FoundRecord>;
}

export interface FoundRecord {
  /** Where it is: `line 7`, `GHSA-….json`. */
  readonly place: string;
  /** Undefined for one that is too long to be one. Read when it is called, so that a skipped record costs little. */
  text(): Promise<string | undefined>;
}

/** In bytes. The longest answer known (a package with 30,000 versions) has some 6 MB. */
const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/**
 * Opens a folder or a ZIP archive of JSON files, or a file with one JSON text a line, which may be compressed by gzip.
 * @throws errors of the file system, and of damaged archives
 */
export async function openRecordFile(path: string): Promise<RecordFile> {
  const about = await stat(path);
  if (about.isDirectory()) return openFolder(path);
  const id = `${path} ${about.size} ${about.mtimeMs}`;
  const writtenAt = about.mtimeMs;
  const [first, second] = await firstBytes(path);
  if (first === 0x50 && second === 0x4b) return { id, writtenAt, ...(await openZip(path)) };
  const isGzip = first === 0x1f && second === 0x8b;
  return { id, writtenAt, records: () => linesOf(path, isGzip) };
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function openFolder(path: string): Promise<RecordFile> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((it) => it.isFile() && it.name.endsWith('.json'))
    .map((it) => join(it.parentPath, it.name));
  const files = await Promise.all(names.sort().map(async (name) => ({ name, about: await stat(name) })));
  const digest = createHash('sha256');
  for (const { name, about } of files) digest.update(`${name} ${about.size} ${about.mtimeMs}\n`);
  return {
    id: `${path} ${digest.digest('hex')}`,
    writtenAt: files.reduce((latest, it) => Math.max(latest, it.about.mtimeMs), 0),
    count: files.length,
    async *records() {
      for (const { name, about } of files) {
        const read = async () => (about.size > MAX_RECORD_BYTES ? undefined : readFile(name, 'utf8'));
        yield { place: name.slice(path.length + 1), text: read };
      }
    },
  };
}

async function openZip(path: string): Promise<Pick<RecordFile, 'isArchive' | 'count' | 'records'>> {
  const counted = await openPromise(path);
  const count = counted.entryCount;
  counted.close();
  return {
    isArchive: true,
    count,
    async *records() {
      const zip = await openPromise(path, { autoClose: false });
      try {
        for await (const entry of zip.eachEntry()) {
          const place = String(entry.fileName);
          const isRecord = place.endsWith('.json');
          const read = async () => {
            if (entry.uncompressedSize > MAX_RECORD_BYTES) return undefined;
            // An entry that unpacks to more than it declares is an error of the stream.
            const content = await buffer(await zip.openReadStreamPromise(entry));
            if (crc32(content) !== entry.crc32) throw new Error(`${place} is damaged`);
            return content.toString();
          };
          yield { place, text: isRecord ? read : async () => '' };
        }
      } finally {
        zip.close();
      }
    },
  };
}

async function* linesOf(path: string, isGzip: boolean): AsyncIterable<FoundRecord> {
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 });
  const stream = isGzip ? file.pipe(createGunzip({ chunkSize: 256 * 1024 })) : file;
  // A pipe passes no errors on.
  file.on('error', (error) => stream.destroy(error));
  let number = 0;
  for await (const line of splitLines(stream)) {
    number++;
    yield { place: `line ${number}`, text: async () => line };
  }
}

/** Yields undefined for a line that is too long, without holding it. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncIterable<string | undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (): string | undefined => {
    const line = length > MAX_RECORD_BYTES ? undefined : Buffer.concat(parts).toString();
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      hold(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    hold(chunk.subarray(start));
  }
  if (length > 0) yield take();

  function hold(part: Buffer): void {
    length += part.length;
    if (length > MAX_RECORD_BYTES) parts = [];
    else if (part.length > 0) parts.push(part);
  }
}
