import {
  type ClientCapabilities,
  type Connection,
  DidChangeWatchedFilesNotification,
  type FileEvent,
} from 'vscode-languageserver';
import { nextTurn } from '../../base/next-turn.ts';
import { directoryOf, nameOf } from '../../base/uri.ts';
import { type Clock, type Files, textOf, withReader } from '../../model/ports.ts';

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

export function createRecentFiles(files: Files, clock: Clock): RecentFiles {
  const all: { clear(): void }[] = [];
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
