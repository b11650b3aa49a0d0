import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { directoryOf, fileUri, sameUri } from '../../engine/base/uri.ts';
import { repositoryAbove } from '../../engine/git/git-directory.ts';
import { originOf } from '../../engine/git/origin.ts';
import type { FolderId, ScheduledFolder } from '../model/scheduling/planned.ts';

/** The folders of manifests. A repository that gets another origin is another folder after a restart. */
export interface Folders {
  folderAt(uri: string, workspaceFolder?: string): ScheduledFolder | undefined;
  folderOf(uri: string, workspaceFolder?: string): Promise<ScheduledFolder>;
}

/** More than the folders with manifests of any workspace. */
const MAX_FOLDERS = 10_000;

/** @param onKnown called when a folder that `folderAt` was asked for is known */
export function createFolders(onKnown: () => void): Folders {
  const known = new Map<string, ScheduledFolder>();
  const looking = new Map<string, Promise<ScheduledFolder>>();

  const keyOf = (uri: string, workspaceFolder = ''): string => `${directoryOf(uri)} ${workspaceFolder}`;

  function folderOf(uri: string, workspaceFolder?: string): Promise<ScheduledFolder> {
    const key = keyOf(uri, workspaceFolder);
    const before = looking.get(key);
    if (before) return before;
    const found = findFolder(uri, workspaceFolder);
    if (looking.size >= MAX_FOLDERS) looking.clear();
    looking.set(key, found);
    found.then((it) => known.set(key, it));
    return found;
  }

  return {
    folderOf,
    folderAt(uri, workspaceFolder) {
      const key = keyOf(uri, workspaceFolder);
      const folder = known.get(key);
      if (!folder && !looking.has(key)) folderOf(uri, workspaceFolder).then(onKnown);
      return folder;
    },
  };
}

async function findFolder(uri: string, workspaceFolder: string | undefined): Promise<ScheduledFolder> {
  const given = `${(workspaceFolder ?? directoryOf(uri)).replace(/\/+$/, '')}/`;
  const path = pathIn(uri);
  const repository = path === undefined ? undefined : await repositoryAbove(dirname(path)).catch(() => undefined);
  if (repository === undefined) return { id: folderId(['path', sameUri(given)]), root: given };
  const root = `${fileUri(repository)}/`;
  const origin = await originOf(repository).catch(() => undefined);
  return { id: folderId(origin === undefined ? ['path', sameUri(root)] : ['origin', origin]), root };
}

/** Undefined for a URI of another scheme, or of another machine. */
function pathIn(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function folderId(parts: readonly string[]): FolderId {
  return base32Hash(['package-insights folder', ...parts]);
}

/** Base32hex in lower case, the alphabet of event ids. Source: RFC 4648, section 7. */
const alphabet = '0123456789abcdefghijklmnopqrstuv';

/** The SHA-256 of some texts as 52 characters of `[0-9a-v]`. */
export function base32Hash(parts: readonly string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest();
  let bits = 0;
  let value = 0;
  let text = '';
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet[(value >> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31];
}
