import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { type Archive, type ArchiveEntry, ArchiveError, archiveLimits } from './archive-entry.ts';

/**
 * A file `.tar`, `.tar.gz` or `.tgz`. Each method reads it from its start.
 * @param most bytes that are unpacked
 */
export function tarArchive(path: string, signal: AbortSignal, most: number = archiveLimits.bytes): Archive {
  return {
    async list() {
      const entries: ArchiveEntry[] = [];
      await parse(path, most, signal, (entry) => {
        const kind = kindOf(entry);
        if (kind !== undefined) entries.push({ path: entry.path, size: entry.size, kind });
        if (entries.length > archiveLimits.entries)
          throw new ArchiveError(`it has more than ${archiveLimits.entries} files`);
        entry.resume();
        return undefined;
      });
      return entries;
    },
    async read(paths, take) {
      const left = new Set(paths);
      await parse(path, most, signal, (entry) => {
        const kind = kindOf(entry);
        if (kind === undefined || kind === 'other' || !left.delete(entry.path)) {
          entry.resume();
          return undefined;
        }
        if (kind === 'link') {
          entry.resume();
          return () => take(entry.path, Buffer.from(entry.linkpath ?? ''));
        }
        const chunks: Buffer[] = [];
        entry.on('data', (it: Buffer) => chunks.push(it));
        return () => take(entry.path, Buffer.concat(chunks));
      });
    },
  };
}

/** Undefined for a folder. */
function kindOf({ type }: ReadEntry): ArchiveEntry['kind'] | undefined {
  switch (type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile':
      return 'file';
    case 'SymbolicLink':
      return 'link';
    case 'Directory':
    case 'GNUDumpDir':
      return undefined;
    default:
      return 'other';
  }
}

/**
 * Reads an archive to its end.
 * @param begin called for each entry. It returns what to do once its content is read, before the archive is read on
 */
async function parse(
  path: string,
  most: number,
  signal: AbortSignal,
  begin: (entry: ReadEntry) => (() => Promise<void>) | undefined,
): Promise<void> {
  const work: (() => Promise<void>)[] = [];
  let fault: unknown;
  const parser = new Parser({
    // It would unpack what was unpacked here, beyond the limit.
    brotli: false,
    zstd: false,
    strict: true,
    onReadEntry(entry) {
      try {
        const then = begin(entry);
        if (then) entry.on('end', () => work.push(then));
      } catch (error) {
        fault ??= error;
        entry.resume();
      }
    },
  });
  parser.on('error', (error: unknown) => {
    fault ??= new ArchiveError(`it is damaged: ${error instanceof Error ? error.message : 'unknown'}`);
  });
  const file = createReadStream(path, { signal });
  const isPacked = /gz$/i.test(path);
  const source = isPacked ? file.pipe(createGunzip()) : file;
  file.on('error', (error) => source.destroy(error));
  let bytes = 0;
  try {
    for await (const chunk of source) {
      const part = chunk as Buffer;
      if (bytes === 0 && part[0] === 0x1f && part[1] === 0x8b)
        throw new ArchiveError('it is packed twice, or not named .gz');
      bytes += part.length;
      if (bytes > most) throw new ArchiveError(`it unpacks to more than ${most / 1024 ** 2} MiB`);
      parser.write(part);
      for (let next = work.shift(); next !== undefined; next = work.shift()) await next();
      if (fault !== undefined) throw fault;
    }
    parser.end();
    for (let next = work.shift(); next !== undefined; next = work.shift()) await next();
    if (fault !== undefined) throw fault;
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new ArchiveError(`it is damaged: ${error.message}`);
    throw error;
  } finally {
    file.destroy();
  }
}
