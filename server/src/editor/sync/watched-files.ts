import {
  type ClientCapabilities,
  type Connection,
  DidChangeWatchedFilesNotification,
  type FileEvent,
} from 'vscode-languageserver';
import { nextTurn } from '../../engine/base/next-turn.ts';
import { directoryOf, nameOf } from '../../engine/base/uri.ts';
import { type Clock, type Files, textOf, UnlistedFolders, withReader } from '../../engine/model/ports.ts';

/**
 * Registers for changes of files.
 * @param refused called if the client rejects the registration
 * @returns whether the client supports it: otherwise files are read again when a document is opened or saved
 */
export function watchFiles(connection: Connection, { workspace }: ClientCapabilities, refused: () => void): boolean {
  if (!workspace?.didChangeWatchedFiles?.dynamicRegistration) return false;
  connection.client
    .register(DidChangeWatchedFilesNotification.type, {
      watchers: WATCHED_GLOBS.map((globPattern) => ({ globPattern })),
    })
    .catch((error: unknown) => {
      connection.console.log(`the client does not watch files: ${String(error)}`);
      refused();
    });
  return true;
}

/**
 * Manifests, files that they include, and lockfiles. Emacs's eglot rejects all globs if one has an asterisk between
 * braces.
 */
const WATCHED_GLOBS = [
  '**/*.{json,jsonc,xml,pom,toml,lock,lockfile,yaml,yml,txt,in,props,targets,projitems,config,nuspec,cfg,mod,sum,work,gradle,kts,properties,rsp}',
  '**/*.*proj',
  // Code of a Gradle build.
  '**/{buildSrc,build-logic}/**/*.{kt,java,groovy}',
  // Every commit, and every other commit that is checked out, is a line of it; also of submodules and linked work trees.
  '**/.git/**/logs/HEAD',
  // Settings of package managers, and of services that update.
  '**/{.npmrc,.yarnrc,Pipfile,.cargo/config,pip.conf,pip.ini,.renovaterc,.renovaterc.json5,renovate.json5}',
] as const;

/**
 * Registers for the commits of repositories whose directory of git does not lie in a folder: a part of a repository is open,
 * a linked work tree, or a submodule. Clients that watch nothing outside of folders show what was new until its line changes.
 * @param isInFolder whether a file lies in an open folder
 * @returns is to be called with each document
 */
export function watchCommits(
  connection: Connection,
  { workspace }: ClientCapabilities,
  { commitLog }: Pick<Files, 'commitLog'>,
  isInFolder: (uri: string) => boolean,
): (uri: string) => void {
  const { dynamicRegistration, relativePatternSupport } = workspace?.didChangeWatchedFiles ?? {};
  if (!dynamicRegistration || !relativePatternSupport || commitLog === undefined) return () => {};
  const known = new Set<string>();
  return (uri) => {
    const directory = directoryOf(uri);
    if (known.has(directory)) return;
    known.add(directory);
    commitLog(uri)
      .then((log) => {
        if (log === undefined || known.has(log) || (isInFolder(log) && log.includes('/.git/'))) return undefined;
        known.add(log);
        const globPattern = { baseUri: directoryOf(log).slice(0, -1), pattern: nameOf(log) };
        return connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern }] });
      })
      .catch((error: unknown) => connection.console.log(`commits are not watched: ${String(error)}`));
  };
}

/** Addresses that are handled before requests have their turn: some 5 ms of work. */
const PORTION = 2000;

/** The handlers of changed files. */
export interface WatchedFiles {
  /** The client reports changes. */
  begin(): void;
  /**
   * @param isLast whether this is the last portion
   * @returns whether an open document is concerned
   */
  take(uris: readonly string[], isLast: boolean): boolean;
  /** Called at the end if an open document is concerned. */
  end(): void;
}

/**
 * Handles changed files portion by portion: a package manager that writes a folder of modules changes hundreds of
 * thousands. The first portion is handled at once, so that a single change counts for the next request.
 */
export function followWatchedFiles(connection: Connection, { begin, take, end }: WatchedFiles): void {
  const waiting: (readonly FileEvent[])[] = [];
  let isConcerned = false;
  const drain = async (): Promise<void> => {
    for (let files = waiting[0]; files; files = waiting[0]) {
      for (let from = 0; from === 0 || from < files.length; from += PORTION) {
        if (from > 0) await nextTurn();
        const isLast = from + PORTION >= files.length && waiting.length === 1;
        const portion = files.slice(from, from + PORTION).map((it) => it.uri);
        isConcerned = take(portion, isLast) || isConcerned;
      }
      waiting.shift();
      if (waiting.length > 0) await nextTurn();
    }
    if (isConcerned) end();
    isConcerned = false;
  };
  connection.onDidChangeWatchedFiles(({ changes }) => {
    begin();
    if (waiting.push(changes) > 1) return;
    drain().catch((error: unknown) => {
      waiting.length = 0;
      connection.console.error(`changed files: ${String(error)}`);
    });
  });
}

/** Files with a short-lived cache for the evaluation after each keystroke. */
export interface RecentFiles extends Files {
  /** Something changed: reads everything again. */
  forget(): void;
}

/** How long a text that was read stays valid, in ms: the keystrokes of a word share one read. */
const CACHE_MS = 1000;
/** Cached addresses, most of which do not exist: a manifest probes some 50 names in the folders above it. */
const MAX_CACHED = 1000;

/**
 * @param again called later, and later each time, after a file or folder could not be read that may be readable then
 */
export function createRecentFiles(disk: Files, clock: Clock, again = () => {}): RecentFiles {
  const all: { clear(): void }[] = [];
  const files = rereading(disk, clock, again);
  const listed = recentlyListed(files, clock);
  all.push(listed);
  const recent = withReader(listed.files, (look) => {
    const known = new Map<string, { readonly at: number; readonly text: ReturnType<typeof look> }>();
    all.push(known);
    return (uri) => {
      const now = clock.now();
      const before = known.get(uri);
      if (before && Math.abs(now - before.at) < CACHE_MS) return before.text;
      if (known.size >= MAX_CACHED) known.clear();
      const text = look(uri);
      known.set(uri, { at: now, text });
      return text;
    };
  });
  return {
    ...recent,
    forget() {
      for (const it of all) it.clear();
    },
  };
}

/** Folders are listed as seldom as files are read. */
function recentlyListed(files: Files, clock: Clock): { readonly files: Files; clear(): void } {
  const { listed } = files;
  if (listed === undefined) return { files, clear: () => {} };
  let at = Number.NEGATIVE_INFINITY;
  let known: ReturnType<typeof listed> = files;
  const current = (): typeof known => {
    const now = clock.now();
    if (Math.abs(now - at) < CACHE_MS) return known;
    [at, known] = [now, listed()];
    return known;
  };
  const tryRead: NonNullable<Files['tryRead']> = (uri) => (current().tryRead ?? current().read)(uri);
  return {
    files: {
      ...files,
      tryRead,
      read: async (uri) => textOf(await tryRead(uri)),
      find: (...search) => current().find(...search),
    },
    clear() {
      at = Number.NEGATIVE_INFINITY;
    },
  };
}

/** In ms. A service that limits its callers does so for seconds, or for an hour. */
const FIRST_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 120_000;
/** How long nothing is known of members of the workspace while a folder cannot be listed, in ms. */
const UNLISTED_PATIENCE_MS = 60_000;

/** Notes what could not be read this time. */
function rereading(files: Files, clock: Clock, again: () => void): Files {
  let pause = FIRST_PAUSE_MS;
  let isPlanned = false;
  /** Of the last failure, and of the first in a row. */
  let [last, first] = [Number.NEGATIVE_INFINITY, 0];
  function failed(): void {
    const now = clock.now();
    if (now - last > 2 * pause) [pause, first] = [FIRST_PAUSE_MS, now];
    last = now;
    if (isPlanned) return;
    isPlanned = true;
    clock.after(pause, () => {
      isPlanned = false;
      pause = Math.min(MAX_PAUSE_MS, 2 * pause);
      again();
    });
  }
  const finding =
    (find: Files['find']): Files['find'] =>
    async (...search) => {
      try {
        return await find(...search);
      } catch (error) {
        if (!(error instanceof UnlistedFolders)) throw error;
        failed();
        // One that can never be listed must not take everything else away.
        if (clock.now() - first > UNLISTED_PATIENCE_MS) return error.found;
        throw error;
      }
    };
  const noting = withReader(files, (look) => async (uri) => {
    const found = await look(uri);
    if (typeof found === 'object' && found.why === 'failed') failed();
    return found;
  });
  const { listed } = noting;
  return {
    ...noting,
    find: finding(noting.find),
    ...(listed && {
      listed() {
        const its = listed();
        return { ...its, find: finding(its.find) };
      },
    }),
  };
}
