import { constants, type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, sep } from 'node:path';
import type { BuiltInRegistries } from '../../engine/model/registries/built-in.ts';
import { isInnerHost } from '../../engine/model/registries/inner-host.ts';
import type { System } from '../../engine/model/system.ts';
import { isWithin, realFoldersAround } from '../files.ts';
import { readZipEntry } from '../zip-entry.ts';
import { addressesNamedIn, type ProgramFiles, programFiles } from './program-files.ts';

/** What is known of this machine. */
export interface Machine {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/**
 * Reads which registries the package managers of this machine have built in, without starting any of them. A file counts
 * where it really lies: not in an open folder or its repository, and not where another user of the machine could have put
 * it. Nothing is read before an unknown registry is met.
 * @param roots URIs of the open folders, asked for at each reading
 */
export function builtInRegistries(
  roots: () => readonly string[],
  machine: () => Machine = () => ({ environment: process.env, platform: process.platform, home: homedir() }),
): BuiltInRegistries {
  const known = new Map<System, ReadonlySet<string>>();
  const asked = new Map<System, Promise<void> | undefined>();
  let revision = 0;
  let folders = '';

  /** Another folder may contain what was read before. */
  function renew(): void {
    const now = roots().join('\n');
    if (now === folders) return;
    folders = now;
    known.clear();
    asked.clear();
  }

  async function read(system: System): Promise<void> {
    const open = roots();
    const found = await addressesBuiltIn(programFiles[system], await realFoldersAround(open), machine()).catch(
      () => [],
    );
    if (open.join('\n') !== folders) return;
    known.set(system, new Set(found.map(hostOf)));
    asked.delete(system);
    revision++;
  }

  return {
    hosts(system) {
      renew();
      const hosts = known.get(system);
      if (hosts === undefined && !asked.has(system)) asked.set(system, undefined);
      return hosts;
    },
    async readAsked() {
      renew();
      await Promise.all(
        [...asked].map(([system, before]) => {
          const reading = before ?? read(system);
          asked.set(system, reading);
          return reading;
        }),
      );
    },
    revision: () => revision,
  };
}

/** Directories of PATH that are searched. Real ones have about ten. */
const MAX_ON_PATH = 50;
/** In bytes. The largest is yarn's, with 6 MB. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The addresses that the programs of this machine have built in, those of the first program first.
 * @param folders files below them do not count
 */
export async function addressesBuiltIn(
  all: readonly ProgramFiles[],
  folders: readonly string[],
  machine: Machine,
): Promise<readonly URL[]> {
  const found = await Promise.all(
    all.map(async (files) => {
      for (const path of await candidates(files, machine)) {
        const text = await textOf(path, files, folders, machine);
        const named = text === undefined ? [] : addressesNamedIn(text, files).filter((it) => !isInnerHost(hostOf(it)));
        // All installations of a program name the same.
        if (named.length > 0) return named;
      }
      return [];
    }),
  );
  return found.flat();
}

function hostOf({ hostname }: URL): string {
  return hostname.toLowerCase();
}

/** The files that there may be, those of programs on the PATH first. */
async function candidates({ programs, paths, inHome = [] }: ProgramFiles, machine: Machine): Promise<Set<string>> {
  const { environment, platform, home } = machine;
  const isWindows = platform === 'win32';
  const [, path = ''] = Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH') ?? [];
  const onPath = path
    .split(isWindows ? ';' : ':')
    .filter(isAbsolute)
    .slice(0, MAX_ON_PATH);
  const names = isWindows ? programs.flatMap((it) => [`${it}.exe`, `${it}.cmd`]) : programs;
  const found = new Set<string>();
  for (const name of names) {
    const real = await Promise.all(onPath.map((it) => realpath(join(it, name)).catch(() => undefined)));
    for (const program of new Set(real.filter((it) => it !== undefined)))
      for (const it of paths) for (const one of await expanded(dirname(program), it)) found.add(one);
  }
  for (const it of home === '' ? [] : inHome) for (const one of await expanded(home, it)) found.add(one);
  return found;
}

/** What an asterisk matches; the last by name, so the newest version is among them. */
const MAX_EXPANDED = 3;

async function expanded(directory: string, pattern: string): Promise<readonly string[]> {
  let places = [directory];
  for (const part of pattern.split('/')) {
    const [before = '', behind] = part.split('*');
    if (behind === undefined) places = places.map((it) => join(it, part));
    else {
      const lists = await Promise.all(places.map((it) => readdir(it).catch((): string[] => [])));
      places = lists.flatMap((entries, at) =>
        entries
          .filter((it) => it.startsWith(before) && it.endsWith(behind) && it.length >= before.length + behind.length)
          .sort()
          .slice(-MAX_EXPANDED)
          .map((it) => join(places[at] ?? '', it)),
      );
    }
  }
  return places.reverse();
}

async function textOf(
  path: string,
  { entry, encoding = 'utf8', maxBytes = MAX_BYTES }: ProgramFiles,
  folders: readonly string[],
  machine: Machine,
): Promise<string | undefined> {
  let file: FileHandle | undefined;
  try {
    const real = await realpath(path);
    if (folders.some((it) => isWithin(real, it)) || !(await isProtected(real, machine))) return undefined;
    file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const about = await file.stat();
    if (!about.isFile() || about.size > maxBytes) return undefined;
    const bytes = await file.readFile();
    return (entry === undefined ? bytes : readZipEntry(bytes, entry))?.toString(encoding);
  } catch {
    // Missing, or not readable: the next place counts.
    return undefined;
  } finally {
    file?.close().catch(() => undefined);
  }
}

/** The group of macOS whose members may become root anyway. Homebrew's folders are theirs. */
const MAC_ADMINS = 80;
const STICKY = 0o1000;

/** Whether no other user of this machine, root excepted, can replace a file or a directory above it. */
async function isProtected(real: string, { environment, platform, home }: Machine): Promise<boolean> {
  if (platform === 'win32') {
    // Windows has no modes: these folders belong to the administrators and to this user.
    const own = ['ProgramFiles', 'ProgramFiles(x86)', 'ProgramW6432'].flatMap((it) => environment[it] ?? []);
    return [...own, home].some((it) => it !== '' && isWithin(real.toLowerCase(), it.toLowerCase()));
  }
  const user = process.getuid?.();
  // A group with the number of the user is the user's alone.
  const groups = new Set([0, user, ...(platform === 'darwin' ? [MAC_ADMINS] : [])]);
  for (let at = real; ; at = dirname(at)) {
    const { uid, gid, mode } = await stat(at);
    if (uid !== 0 && uid !== user) return false;
    // In a sticky directory only the owner can replace an entry.
    const isSticky = at !== real && (mode & STICKY) !== 0;
    const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !groups.has(gid));
    if (isOpen && !isSticky) return false;
    if (at === dirname(at) || at === sep) return true;
  }
}
