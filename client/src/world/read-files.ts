import type { FileStat, FileType } from 'vscode';
import type { FolderListing, ReadFile } from '../../../server/src/editor/sync/client-files.ts';
import type { World } from './world.ts';

/* Files and folders of VS Code's file systems, as requests of the server ask for them. */

/** What is used of VS Code's file systems, by addresses. */
export interface FileSystem {
  readonly stat: (uri: string) => PromiseLike<Pick<FileStat, 'type' | 'size'>>;
  readonly readFile: (uri: string) => PromiseLike<Uint8Array>;
  readonly readDirectory: (uri: string) => PromiseLike<readonly (readonly [string, FileType])[]>;
  /** The code of a `FileSystemError`; `Unknown` for another error. */
  readonly codeOf: (error: unknown) => string;
}

/** `FileType` of VS Code. Its bits are part of its interface. */
const types = { file: 1, folder: 2, link: 64 } as const;

export async function readFile(fs: FileSystem, uri: string, most: number, encode: World['encode']): Promise<ReadFile> {
  try {
    const { type, size } = await fs.stat(uri);
    if (type & types.link) return { why: 'outside' };
    if (!(type & types.file)) return { why: 'no file' };
    if (size > most) return { why: 'too large' };
    const bytes = await fs.readFile(uri);
    // A file system may not know sizes, and report 0.
    return bytes.length > most ? { why: 'too large' } : encode(bytes);
  } catch (error) {
    return failureOf(fs.codeOf(error));
  }
}

export async function listFolder(fs: FileSystem, uri: string): Promise<FolderListing> {
  try {
    const entries = await fs.readDirectory(uri);
    const named = (is: (type: FileType) => boolean): string[] =>
      entries.flatMap(([name, type]) => (is(type) ? [name] : []));
    const isFile = (type: number): boolean => type === types.file;
    const isFolder = (type: number): boolean => type === types.folder;
    return { files: named(isFile), folders: named(isFolder), others: named((it) => !isFile(it) && !isFolder(it)) };
  } catch (error) {
    return failureOf(fs.codeOf(error));
  }
}

/** Null for what does not exist. */
function failureOf(code: string): Exclude<ReadFile, Uint8Array | string> {
  switch (code) {
    case 'FileNotFound':
    case 'FileNotADirectory':
      return null;
    case 'NoPermissions':
      return { why: 'denied' };
    case 'FileIsADirectory':
      return { why: 'no file' };
    default:
      return { why: 'failed', code };
  }
}
