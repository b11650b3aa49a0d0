import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** What packages of systems that are known by digest come as. */
export const archiveKinds = ['.jar', '.war', '.nupkg', '.tgz', '.crate'] as const;

/** Every archive of a package in a folder and below, sorted; names are relative to `directory`. Links are not followed. */
export async function archivesBelow(
  folder: string,
  directory: string,
): Promise<{ readonly name: string; readonly path: string }[]> {
  const found: { name: string; path: string }[] = [];
  const queue = [folder];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) queue.push(path);
      else if (entry.isFile() && archiveKinds.some((it) => entry.name.toLowerCase().endsWith(it))) {
        found.push({ name: relative(directory, path).split(sep).join('/'), path });
      }
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
