import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Files } from '../model/ports.ts';
import { decode } from '../text/decode.ts';

/** A manifest or lockfile larger than this is none that a person or a tool would write. Lockfiles of large monorepos reach 20 MB. */
const largest = 32 * 1024 * 1024;

/**
 * The files on disk below certain folders. What lies outside them, however a path or a symbolic link leads there, is
 * not there; nor are devices, sockets and pipes.
 * @param roots file URIs of the folders, asked for at each reading
 */
export function diskFiles(roots: () => readonly string[]): Files {
  return {
    async read(uri) {
      const path = await allowed(uri, roots());
      if (path === undefined) return undefined;
      const bytes = await readFile(path).catch(() => undefined);
      return bytes && decode(bytes).text;
    },
    async list(directory) {
      const path = localPath(directory);
      if (path === undefined || !(await isWithin(path, roots()))) return [];
      const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
      return entries.filter((it) => it.isFile()).map((it) => it.name);
    },
  };
}

async function allowed(uri: string, roots: readonly string[]): Promise<string | undefined> {
  const path = localPath(uri);
  if (path === undefined) return undefined;
  const about = await stat(path).catch(() => undefined);
  if (!about?.isFile() || about.size > largest) return undefined;
  return (await isWithin(path, roots)) ? path : undefined;
}

async function isWithin(path: string, roots: readonly string[]): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return false;
  for (const root of roots) {
    const folder = localPath(root);
    const realRoot = folder && (await realpath(folder).catch(() => undefined));
    if (realRoot && (real === realRoot || real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)))
      return true;
  }
  return false;
}

/** The path of a file URI on this machine; undefined for other schemes and for hosts. */
function localPath(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  if (url.protocol !== 'file:' || url.host !== '') return undefined;
  // A percent-encoded slash or a null byte is no file name.
  return /%2f|%00/i.test(url.pathname) ? undefined : fileURLToPath(url);
}
