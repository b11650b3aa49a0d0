import * as yauzl from 'yauzl';
import { type Archive, type ArchiveEntry, ArchiveError, archiveLimits } from './archive-entry.ts';
import { checkoutLimits } from './checkout.ts';

/** A zip file. Names that lead out of it, and sizes that are not those of the content, make all of it unreadable. */
export function zipArchive(path: string, signal: AbortSignal): Archive {
  return {
    async list() {
      const entries: ArchiveEntry[] = [];
      await eachEntry(path, signal, async (entry) => {
        if (entry.fileName.endsWith('/')) return;
        if (entries.length === archiveLimits.entries)
          throw new ArchiveError(`it has more than ${archiveLimits.entries} files`);
        entries.push({ path: entry.fileName, size: entry.uncompressedSize, kind: kindOf(entry) });
      });
      return entries;
    },
    async read(paths, take) {
      const left = new Set(paths);
      await eachEntry(path, signal, async (entry, zip) => {
        if (left.delete(entry.fileName)) await take(entry.fileName, await contentOf(entry, zip));
      });
    },
  };
}

/** The kind of a file as Unix stores it. Source: the field `external file attributes`, with the mode in its upper half. */
function kindOf(entry: yauzl.Entry): ArchiveEntry['kind'] {
  if (entry.isEncrypted()) return 'other';
  const type = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (type === 0o120000) return 'link';
  return type === 0 || type === 0o100000 ? 'file' : 'other';
}

function eachEntry(
  path: string,
  signal: AbortSignal,
  visit: (entry: yauzl.Entry, zip: yauzl.ZipFile) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, validateEntrySizes: true, strictFileNames: false }, (error, zip) => {
      if (error) {
        reject(damaged(error));
        return;
      }
      const fail = (why: unknown): void => {
        zip.close();
        reject(why);
      };
      zip.on('error', (it: Error) => fail(damaged(it)));
      zip.on('end', () => resolve());
      zip.on('entry', (entry: yauzl.Entry) => {
        if (signal.aborted) fail(new ArchiveError('interrupted'));
        else visit(entry, zip).then(() => zip.readEntry(), fail);
      });
      zip.readEntry();
    });
  });
}

function contentOf(entry: yauzl.Entry, zip: yauzl.ZipFile): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) {
        reject(damaged(error));
        return;
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      stream.on('data', (it: Buffer) => {
        bytes += it.length;
        chunks.push(it);
        if (bytes > checkoutLimits.fileBytes) stream.destroy(new Error('a file is larger than it declares'));
      });
      stream.on('error', (it) => reject(damaged(it)));
      stream.on('end', () => resolve(Buffer.concat(chunks)));
    });
  });
}

function damaged(error: Error): Error {
  return 'code' in error ? error : new ArchiveError(`it is damaged: ${error.message}`);
}
