import type { Connection } from 'vscode-languageserver';
import { directoryOf, nameOf, pathOf, sameUri } from '../../base/uri.ts';
import { decode } from '../../formats/text/decode.ts';
import { digestsOfBytes } from '../../lookup/digests-of-bytes.ts';
import type { FindLocalFile } from '../../lookup/local-file.ts';
import { type Clock, type Files, textOf, type Unreadable } from '../../model/ports.ts';
import { fieldsIn } from '../params.ts';

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

/** Searches a directory, folder by folder, near files first. */
const findRequest = 'packageInsights/findFiles';

export interface FindFilesParams {
  readonly directory: string;
  /** A regular expression for decoded paths. */
  readonly pattern: string;
  readonly flags: string;
  readonly most: number;
  /** The number of levels to search; null for all, without folders of built files. */
  readonly depth: number | null;
}

/** In bytes, as of files on disk. */
const MAX_BYTES = 32 * 1024 * 1024;

/** How long the file system of an editor may take, in ms. A file that is late counts as unreadable, not as missing. */
const READ_TIMEOUT_MS = 20_000;
/** A search reads many folders. What it does not find in time is not known to be the workspace's own. */
const FIND_TIMEOUT_MS = 60_000;

/** In bytes. Archives of packages are smaller; the whole of a file is in memory, since editors do not read parts. */
const MAX_IDENTIFIED_BYTES = 256 * 1024 * 1024;
/** A large file travels over the person's network. */
const IDENTIFY_TIMEOUT_MS = 300_000;

/** Files in one request. */
const MAX_TOGETHER = 200;

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

  async function readAll(uris: readonly string[], most: number): Promise<readonly unknown[]> {
    const params: ReadFilesParams = { uris, most };
    const answer = await ask(readRequest, params, READ_TIMEOUT_MS).catch((error: unknown) => {
      connection.console.warn(`files of the editor: ${String(error)}`);
      return undefined;
    });
    return Array.isArray(answer) ? answer : [];
  }

  const look = together((uris) => readAll(uris, MAX_BYTES));
  /** Asks for no content. */
  const exists = together((uris) => readAll(uris, 0));
  const tryRead: NonNullable<Files['tryRead']> = async (uri) => {
    if (!isInside(uri)) {
      const isMissing = liesAbove(uri, roots()) || (await exists(uri)) === null;
      return isMissing ? undefined : { why: 'outside' };
    }
    const found = readFileIn(await look(uri));
    return found instanceof Uint8Array ? decode(found).text : found;
  };

  return {
    read: async (uri) => textOf(await tryRead(uri)),
    tryRead,
    async isBlocked(uri) {
      const found = await tryRead(uri);
      return found !== undefined && typeof found !== 'string';
    },
    async find(directory, matches, most, depth) {
      if (!isInside(directory)) return [];
      const levels = depth !== undefined && Number.isFinite(depth) ? depth : null;
      const params: FindFilesParams = {
        directory,
        pattern: matches.source,
        flags: matches.flags,
        most,
        depth: levels,
      };
      const found = await ask(findRequest, params, FIND_TIMEOUT_MS);
      const uris = Array.isArray(found) ? found.filter((it) => typeof it === 'string') : [];
      return uris.filter((it) => isInside(it) && matches.test(pathOf(it))).slice(0, most);
    },
  };
}

/**
 * The files of a disk, and those of the client's other file systems.
 * @param readsFiles whether the client announced that it reads them
 */
export function filesOnBoth(disk: Files, client: Files, readsFiles: () => boolean): Files {
  const from = (uri: string): Files => (/^file:/i.test(uri) || !readsFiles() ? disk : client);
  const tryRead: NonNullable<Files['tryRead']> = (uri) => (from(uri).tryRead ?? from(uri).read)(uri);
  return {
    ...disk,
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

/** Reads of one turn travel together: a manifest probes some 50 names in the folders above it. */
function together(
  readAll: (uris: readonly string[]) => Promise<readonly unknown[]>,
): (uri: string) => Promise<unknown> {
  let waiting: { readonly uri: string; readonly resolve: (found: unknown) => void }[] = [];
  async function send(): Promise<void> {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += MAX_TOGETHER) {
      const some = all.slice(from, from + MAX_TOGETHER);
      readAll(some.map((it) => it.uri)).then((found) => {
        for (const [at, { resolve }] of some.entries()) resolve(found[at]);
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
