import { types } from 'node:util';
import { type FileSystem, listFolder, readFile } from '../../client/src/world/read-files.ts';
import {
  clientFiles,
  type ListFoldersParams,
  type ReadFilesParams,
} from '../../server/src/editor/sync/client-files.ts';
import type { Clock, Files } from '../../server/src/engine/model/ports.ts';

/*
 * A file system of an editor that is far away: each call takes its time and may fail. It is read as the extension reads
 * it, and asked for as the server asks.
 */

export interface FarFiles {
  readonly files: Files;
  /** The calls of the file system so far: `stat memfs:/app/package.json`. */
  readonly calls: string[];
  /** The most calls that were under way at a time. */
  readonly most: () => number;
  /** Makes a call fail: returns the code of the error, undefined for an answer. */
  fail: (call: string) => string | undefined;
}

/**
 * @param texts by the path below the root: `app/package.json`
 * @param ms how long a call takes
 */
export function farFiles(texts: Readonly<Record<string, string>>, root: string, clock: Clock, ms = 0): FarFiles {
  const far = farEditor(texts, root, ms);
  const { answers } = far;
  const connection = {
    async sendRequest(method: string, params: never): Promise<unknown> {
      if (method === 'packageInsights/listFolders') return answers.listFolders(params);
      return method === 'packageInsights/readFiles' ? answers.readFiles(params) : [];
    },
    console: { warn: () => {} },
  };
  return Object.assign(far, {
    files: clientFiles({ connection: connection as never, clock, roots: () => [root] }),
  });
}

/** The same as an editor answers the requests of its server. */
export function farEditor(texts: Readonly<Record<string, string>>, root: string, ms = 0) {
  const far = farFileSystem(texts, root, ms);
  const { fs } = far;
  const answers = {
    listFolders: ({ uris }: ListFoldersParams) => Promise.all(uris.map((it) => listFolder(fs, it))),
    readFiles: ({ uris, most }: ReadFilesParams) =>
      Promise.all(uris.map((it) => readFile(fs, it, most, (bytes) => bytes))),
  };
  return Object.assign(far, { answers });
}

class FarError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

function farFileSystem(texts: Readonly<Record<string, string>>, root: string, ms: number) {
  const calls: string[] = [];
  let [underway, most] = [0, 0];
  const folders = new Map<string, Map<string, number>>([['', new Map()]]);
  for (const path of Object.keys(texts)) {
    const parts = path.split('/');
    for (const [at, name] of parts.entries()) {
      const parent = parts.slice(0, at).join('/');
      const isFile = at === parts.length - 1;
      if (!folders.has(parent)) folders.set(parent, new Map());
      folders.get(parent)?.set(name, isFile ? 1 : 2);
    }
  }
  const counted = { calls, most: () => most, fail: (_: string): string | undefined => undefined };
  const call = async <T>(name: string, uri: string, answer: (path: string) => T | undefined): Promise<T> => {
    const said = `${name} ${uri}`;
    calls.push(said);
    underway++;
    most = Math.max(most, underway);
    await new Promise((resolve) => setTimeout(resolve, ms));
    underway--;
    const code = counted.fail(said);
    if (code !== undefined) throw new FarError(code);
    const found = answer(decodeURIComponent(uri).replace(root, '').replace(/\/$/, ''));
    if (found === undefined) throw new FarError('FileNotFound');
    return found;
  };
  const sizeOf = (path: string): { type: number; size: number } | undefined => {
    const text = texts[path];
    if (text !== undefined) return { type: 1, size: text.length };
    return folders.has(path) ? { type: 2, size: 0 } : undefined;
  };
  const fs: FileSystem = {
    stat: (uri) => call('stat', uri, sizeOf),
    readFile: (uri) =>
      call('read', uri, (it) => {
        const text = texts[it];
        return text === undefined ? undefined : new TextEncoder().encode(text);
      }),
    readDirectory: (uri) => call('list', uri, (it) => folders.get(it) && [...(folders.get(it) ?? [])]),
    codeOf: (error) => (types.isNativeError(error) && error instanceof FarError ? error.code : 'Unknown'),
  };
  return Object.assign(counted, { fs });
}
