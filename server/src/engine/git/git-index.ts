import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesAt, gitConfig, gitDirectory } from './git-directory.ts';

/** In bytes. The indexes of the largest public repositories, with half a million files, have about 60 MB. */
const MAX_INDEX_BYTES = 128 * 1024 * 1024;
/** In bytes: longer paths do not exist. Source: PATH_MAX of Linux. */
const MAX_PATH_BYTES = 4096;

/** The content of an index. */
interface Listed {
  /** Paths relative to the root of the repository, with `/`. */
  readonly paths: readonly string[];
  /** The end of the file name of the shared index that this one extends (`git update-index --split-index`). */
  readonly shared?: string;
}

/**
 * Reads an index of git in version 2, 3 or 4; undefined for anything else. Source: gitformat-index.
 * @param hash the length of a hash in bytes: 20, or 32 where the repository has SHA-256
 */
export function readGitIndex(bytes: Buffer, hash: number): Listed | undefined {
  if (bytes.length < 12 + hash || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const end = bytes.length - hash;
  const flagsAt = 40 + hash;
  const paths: string[] = [];
  let at = 12;
  let before: Buffer = Buffer.alloc(0);
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    if (at + flagsAt + 2 > end) return undefined;
    const isExtended = version > 2 && (bytes.readUInt16BE(at + flagsAt) & 0x4000) !== 0;
    const start = at + flagsAt + (isExtended ? 4 : 2);
    if (version === 4) {
      // Each path begins with the number of bytes to remove from the end of the path before it.
      const cut = readLength(bytes, start, end);
      const close = cut && bytes.indexOf(0, cut.next);
      if (!cut || close === undefined || close < 0 || close >= end) return undefined;
      before = Buffer.concat([
        before.subarray(0, Math.max(0, before.length - cut.value)),
        bytes.subarray(cut.next, close),
      ]);
      // Each path may repeat the one before: without a limit, a few bytes each would expand to terabytes.
      if (before.length > MAX_PATH_BYTES) return undefined;
      paths.push(before.toString());
      at = close + 1;
    } else {
      const close = bytes.indexOf(0, start);
      if (close < 0 || close >= end) return undefined;
      paths.push(bytes.toString('utf8', start, close));
      // Entries end with one to eight zeros, so that each has a multiple of eight bytes.
      at += (close - at + 8) & ~7;
    }
  }
  const shared = sharedBy(bytes, at, end, hash);
  // An entry that replaces one of the shared index has no path of its own.
  return { paths: paths.filter((it) => it !== ''), ...(shared !== undefined && { shared }) };
}

/** Reads a variable-length number in the `offset encoding` of packs. */
function readLength(
  bytes: Buffer,
  start: number,
  end: number,
): { readonly value: number; readonly next: number } | undefined {
  let value = -1;
  for (let at = start; at < end && at < start + 6; at++) {
    const byte = bytes[at] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
    if (byte < 128) return { value, next: at + 1 };
  }
  return undefined;
}

/** The hash of the shared index, from the extension `link` after the entries. */
function sharedBy(bytes: Buffer, start: number, end: number, hash: number): string | undefined {
  for (let at = start; at + 8 <= end; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.toString('latin1', at, at + 4) !== 'link') continue;
    const id = bytes.toString('hex', at + 8, at + 8 + hash);
    return /^0*$/.test(id) ? undefined : id;
  }
  return undefined;
}

/** The tracked files of a repository: paths relative to its root, with `/`. Empty where its index cannot be read. */
export type ReadTrackedFiles = (repository: string) => Promise<ReadonlySet<string>>;

interface Known {
  readonly mark: string;
  readonly paths: Promise<ReadonlySet<string>>;
}

const nothing: ReadonlySet<string> = new Set();

/** Reads the indexes of repositories without git itself. Each is read again once it has changed. */
export function createTrackedFiles(): ReadTrackedFiles {
  const known = new Map<string, Known>();
  return async (repository) => {
    const place = await gitDirectory(repository);
    const stats = place && (await stat(join(place, 'index')).catch(() => undefined));
    if (!stats) return nothing;
    const mark = `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
    const before = known.get(repository);
    if (before?.mark === mark) return before.paths;
    const paths = readPaths(place);
    known.set(repository, { mark, paths });
    return paths;
  };
}

async function readPaths(place: string): Promise<ReadonlySet<string>> {
  const config = await gitConfig(place);
  const hash = /^\s*objectformat\s*=\s*"?sha256/im.test(config) ? 32 : 20;
  const index = await bytesAt(join(place, 'index'), MAX_INDEX_BYTES);
  const own = index && readGitIndex(index, hash);
  if (own?.shared === undefined) return new Set(own?.paths);
  const other = await bytesAt(join(place, `sharedindex.${own.shared}`), MAX_INDEX_BYTES);
  return new Set([...own.paths, ...((other && readGitIndex(other, hash))?.paths ?? [])]);
}
