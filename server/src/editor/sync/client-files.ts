import type { Connection } from 'vscode-languageserver';
import type { Unreadable } from '../../engine/base/unreadable.ts';
import { directoryOf, nameOf, pathOf, sameUri } from '../../engine/base/uri.ts';
import { decode } from '../../engine/formats/text/decode.ts';
import { digestsOfBytes } from '../../engine/lookup/digests-of-bytes.ts';
import type { FindLocalFile } from '../../engine/lookup/local-file.ts';
import { type Clock, type Files, textOf } from '../../engine/model/ports.ts';
import { fieldsIn } from '../params.ts';
import {
  type Folder,
  type ListedFolders,
  type ListFolder,
  listedOnce,
  readFolder,
  walkFolders,
} from './client-folders.ts';

/*
 * The files of an editor that has its own file systems: a repository that is opened without a clone, a browser. They are
 * read by requests to the client, which announces `experimental.packageInsightsFiles`.
 */

/** Reads files. `FilesAnswer` has as many entries as there are URIs. */
const readRequest = 'packageInsights/readFiles';

export interface ReadFilesParams {
  readonly uris: readonly string[];
  /** In bytes. A longer file is `too large`. */
  readonly most: number;
}

/** The bytes of a file: in base64 where messages are JSON. Null for a file that does not exist. */
export type ReadFile = Uint8Array | string | Unreadable | null;

/** Lists folders. `FolderListing` for each address, in their order. */
const listRequest = 'packageInsights/listFolders';

export interface ListFoldersParams {
  readonly uris: readonly string[];
}

/** The names in a folder: null for one that does not exist, `why` for one that cannot be listed. */
export type FolderListing = Folder | Unreadable | null;

/** Asks a file system's own search, where it has one, for what a walk did not reach. */
const findRequest = 'packageInsights/findFiles';

export interface FindFilesParams {
  readonly directory: string;
  /** A regular expression for decoded paths. */
  readonly pattern: string;
  readonly flags: string;
  readonly most: number;
}

/** In bytes, as of files on disk. */
const MAX_BYTES = 32 * 1024 * 1024;

/** How long the file system of an editor may take, in ms. A file that is late counts as unreadable, not as missing. */
const READ_TIMEOUT_MS = 20_000;
/** A search of the editor. What it does not find in time is not known to be the workspace's own. */
const FIND_TIMEOUT_MS = 20_000;

/** How long to wait before a file is asked for again that could not be read, in ms. */
const RETRIES_MS = [200, 800];

/** In bytes. Archives of packages are smaller; the whole of a file is in memory, since editors do not read parts. */
const MAX_IDENTIFIED_BYTES = 256 * 1024 * 1024;
/** A large file travels over the person's network. */
const IDENTIFY_TIMEOUT_MS = 300_000;

/** Files, and folders, that are asked for at a time: each may be a request of the file system over the network. */
const MAX_CONCURRENT = 50;

export interface ClientFilesOptions {
  readonly connection: Pick<Connection, 'sendRequest' | 'console'>;
  readonly clock: Clock;
  /** URIs of the folders that may be read, with their final slashes; asked for at each reading. */
  readonly roots: () => readonly string[];
}

/**
 * The files below certain folders. Everything else counts as outside. An editor resolves no links, so a link counts as
 * one that leads outside.
 */
export function clientFiles({ connection, clock, roots }: ClientFilesOptions): Files {
  const isInside = (uri: string): boolean => {
    const path = sameUri(normal(uri));
    return roots().some((it) => path.startsWith(sameUri(normal(it))));
  };
  const ask = (method: string, params: object, ms: number): Promise<unknown> =>
    answerInTime(connection.sendRequest(method, params), ms, clock);

  /** Asks again where a file system has failed: over a network it does now and then. */
  function retried(one: (uri: string) => Promise<unknown>): (uri: string) => Promise<unknown> {
    return async (uri) => {
      let found = await one(uri);
      for (const pause of RETRIES_MS) {
        if (fieldsIn(found)['why'] !== 'failed') break;
        await new Promise<void>((resolve) => clock.after(pause, resolve));
        found = await one(uri);
      }
      return found;
    };
  }

  async function askAll(method: string, params: ReadFilesParams | ListFoldersParams): Promise<readonly unknown[]> {
    const answer = await ask(method, params, READ_TIMEOUT_MS).catch((error: unknown) => {
      connection.console.warn(`files of the editor: ${String(error)}`);
      return undefined;
    });
    return Array.isArray(answer) ? answer : [];
  }

  const look = retried(together((uris) => askAll(readRequest, { uris, most: MAX_BYTES })));
  /** Asks for no content. */
  const exists = together((uris) => askAll(readRequest, { uris, most: 0 }));
  const listing = retried(together((uris) => askAll(listRequest, { uris })));
  const list: ListFolder = async (directory) =>
    isInside(directory) ? readFolder(await listing(directory)) : undefined;
  const tryRead: NonNullable<Files['tryRead']> = async (uri) => {
    if (!isInside(uri)) {
      const isMissing = liesAbove(uri, roots()) || (await exists(uri)) === null;
      return isMissing ? undefined : { why: 'outside' };
    }
    const found = readFileIn(await look(uri));
    return found instanceof Uint8Array ? decode(found).text : found;
  };

  async function find(by: ListFolder, directory: string, matches: RegExp, most: number, depth: number | null) {
    if (!isInside(directory)) return [];
    const { uris, isWhole } = await walkFolders({ list: by, clock }, directory, matches, most, depth);
    if (isWhole || uris.length >= most || depth !== null) return uris;
    const params: FindFilesParams = { directory, pattern: matches.source, flags: matches.flags, most };
    const answer = await ask(findRequest, params, FIND_TIMEOUT_MS).catch(() => []);
    const more = Array.isArray(answer) ? answer.filter((it) => typeof it === 'string') : [];
    const known = new Set(uris.map(sameUri));
    const others = more.filter((it) => isInside(it) && matches.test(pathOf(it)) && !known.has(sameUri(it)));
    return [...uris, ...others].slice(0, most);
  }

  const through = ({ list: by, isAbsent }: ListedFolders): Files => {
    const look: NonNullable<Files['tryRead']> = async (uri) => ((await isAbsent(uri)) ? undefined : tryRead(uri));
    return {
      read: async (uri) => textOf(await look(uri)),
      tryRead: look,
      async isBlocked(uri) {
        const found = await look(uri);
        return found !== undefined && typeof found !== 'string';
      },
      find: (directory, matches, most, depth) =>
        find(by, directory, matches, most, depth !== undefined && Number.isFinite(depth) ? depth : null),
    };
  };
  return {
    ...through({ list, isAbsent: async () => false }),
    listed: () => through(listedOnce(list, isInside)),
  };
}

/**
 * The files of a disk, and those of the client's other file systems.
 * @param readsFiles whether the client announced that it reads them
 */
export function filesOnBoth(disk: Files, client: Files, readsFiles: () => boolean): Files {
  const from = (uri: string): Files => (/^file:/i.test(uri) || !readsFiles() ? disk : client);
  const tryRead: NonNullable<Files['tryRead']> = (uri) => (from(uri).tryRead ?? from(uri).read)(uri);
  const { listed } = client;
  return {
    ...disk,
    ...(listed && { listed: () => filesOnBoth(disk, { ...client, ...listed() }, readsFiles) }),
    read: (uri) => from(uri).read(uri),
    tryRead,
    find: (directory, ...rest) => from(directory).find(directory, ...rest),
    stamp: async (uri) => from(uri).stamp?.(uri),
    isBlocked: async (uri) => (await from(uri).isBlocked?.(uri)) ?? false,
    isLinked: async (uri) => (await from(uri).isLinked?.(uri)) ?? false,
  };
}

/** Finds files that a person chose to identify, wherever they are. */
export function fileInEditor({ connection, clock }: Omit<ClientFilesOptions, 'roots'>): FindLocalFile {
  return async (uri) => {
    const params: ReadFilesParams = { uris: [uri], most: MAX_IDENTIFIED_BYTES };
    const answer = await answerInTime(connection.sendRequest(readRequest, params), IDENTIFY_TIMEOUT_MS, clock);
    const found = readFileIn(Array.isArray(answer) ? answer[0] : undefined, MAX_IDENTIFIED_BYTES);
    if (!(found instanceof Uint8Array)) return undefined;
    return { name: nameOf(uri), size: found.length, digests: (signal, tell) => digestsOfBytes(found, signal, tell) };
  };
}

function answerInTime(answer: Promise<unknown>, ms: number, clock: Clock): Promise<unknown> {
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(ms, () => reject(new Error('the editor does not answer in time')));
  });
  return Promise.race([answer, late]).finally(() => cancel());
}

/** What is asked for in one turn travels together, within a bound: the rest follows as answers arrive. */
function together(askAll: (uris: readonly string[]) => Promise<readonly unknown[]>): (uri: string) => Promise<unknown> {
  const waiting: { readonly uri: string; readonly resolve: (found: unknown) => void }[] = [];
  let free = MAX_CONCURRENT;
  async function send(): Promise<void> {
    while (free > 0 && waiting.length > 0) {
      const some = waiting.splice(0, free);
      free -= some.length;
      askAll(some.map((it) => it.uri)).then((found) => {
        free += some.length;
        for (const [at, { resolve }] of some.entries()) resolve(found[at]);
        queueMicrotask(send);
      });
    }
  }
  return (uri) =>
    new Promise((resolve) => {
      if (waiting.push({ uri, resolve }) === 1) queueMicrotask(send);
    });
}

function readFileIn(found: unknown, most = MAX_BYTES): Uint8Array | Unreadable | undefined {
  if (found === null) return undefined;
  const bytes = typeof found === 'string' ? bytesIn(found) : found;
  if (bytes instanceof Uint8Array) return bytes.length <= most ? bytes : { why: 'too large' };
  const { why, code } = fieldsIn(found);
  const reason = reasons.find((it) => it === why);
  return reason === undefined ? { why: 'failed' } : { why: reason, ...(typeof code === 'string' && { code }) };
}

/** Undefined for a text that is not base64. */
function bytesIn(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** What a client may report. */
const reasons = ['denied', 'outside', 'no file', 'too large', 'failed'] as const satisfies readonly Unreadable['why'][];

/** Without `..`, however it is encoded. */
function normal(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri;
}

/** Whether a file is directly in a directory above all folders, which most searches upward end with. */
function liesAbove(uri: string, folders: readonly string[]): boolean {
  const directory = sameUri(normal(directoryOf(uri)));
  return folders.some((it) => sameUri(normal(it)).startsWith(directory));
}
