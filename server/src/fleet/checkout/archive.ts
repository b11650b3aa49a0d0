import { mkdir, mkdtemp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileTrouble } from '../../engine/base/file-error.ts';
import type { Failure } from '../../engine/report/report.ts';
import { type Archive, type ArchiveEntry, ArchiveError } from './archive-entry.ts';
import { type CheckoutResult, checkoutLimits } from './checkout.ts';
import { tarArchive } from './tar.ts';
import { wantedFiles } from './wanted-files.ts';
import { isSafePath, removeFiles, writeFilesTo } from './write-files.ts';
import { zipArchive } from './zip.ts';

/** Files that manifests name, such as requirements in further files. */
const nameable = /\.(?:txt|in|toml|gradle|kts|props|targets|xml|cfg|ya?ml|properties|json)$/i;
/** Of one of them, in bytes. */
const MAX_NAMEABLE_BYTES = 1024 * 1024;

/**
 * Unpacks the manifests, lockfiles and settings of an archive, and small files that they may name.
 * @param scratch a folder for temporary files
 */
export async function openArchive(path: string, scratch: string, signal: AbortSignal): Promise<CheckoutResult> {
  let folder: string | undefined;
  try {
    if (!(await stat(path)).isFile()) return { kind: 'refused', reason: 'it is not a file', isTransient: false };
    folder = await mkdtemp(join(scratch, 'archive-'));
    // What is above the folder is not its repository.
    await mkdir(join(folder, '.git'));
    const left = await unpack(/\.zip$/i.test(path) ? zipArchive(path, signal) : tarArchive(path, signal), folder);
    const made = folder;
    return { kind: 'checkout', checkout: { directory: made, left, close: () => removeFiles(made) } };
  } catch (error) {
    if (folder !== undefined) await removeFiles(folder);
    if (error instanceof ArchiveError) return { kind: 'refused', reason: error.message, isTransient: false };
    return { kind: 'refused', reason: fileTrouble(error), isTransient: true };
  }
}

async function unpack(archive: Archive, directory: string): Promise<readonly Failure[]> {
  const entries = await archive.list();
  const top = topOf(entries);
  const pathOf = (it: string): string => it.replace(/^\.\//, '').slice(top.length);
  const usable = entries.filter((it) => isSafePath(pathOf(it.path)));
  const kindOf = wantedFiles(usable.map((it) => pathOf(it.path)));
  const [settings, manifests, others]: [ArchiveEntry[], ArchiveEntry[], ArchiveEntry[]] = [[], [], []];
  let [beyond, unreadable] = [0, 0];
  const seen = new Set<string>();
  for (const it of usable) {
    const kind = kindOf(pathOf(it.path));
    const isRepeated = seen.has(pathOf(it.path));
    seen.add(pathOf(it.path));
    if (kind === 'other') {
      if (!isRepeated && it.kind === 'file' && nameable.test(it.path) && it.size <= MAX_NAMEABLE_BYTES) others.push(it);
    } else if (isRepeated || it.kind === 'other') unreadable++;
    else (kind === 'settings' ? settings : manifests).push(it);
  }
  if (settings.length > checkoutLimits.files)
    throw new ArchiveError(`it has more than ${checkoutLimits.files} files of settings`);
  const files = writeFilesTo(directory);
  const chosen: ArchiveEntry[] = [];
  let bytes = 0;
  for (const [index, it] of [...settings, ...manifests, ...others].entries()) {
    const isWanted = index < settings.length + manifests.length;
    if (it.size > checkoutLimits.fileBytes && it.kind === 'file') await files.writeTooLarge(pathOf(it.path));
    else if (chosen.length === checkoutLimits.files || bytes + it.size > checkoutLimits.bytes)
      beyond += Number(isWanted);
    else {
      bytes += it.size;
      chosen.push(it);
    }
  }
  const links = new Map<string, string>();
  const isLink = new Set(chosen.filter((it) => it.kind === 'link').map((it) => it.path));
  await archive.read(new Set(chosen.map((it) => it.path)), async (path, content) => {
    // Links come last, so that no path leads through one.
    if (isLink.has(path)) links.set(pathOf(path), content.toString());
    else await files.write(pathOf(path), content);
  });
  for (const [path, target] of links) if (target !== '' && !target.includes('\0')) await files.link(path, target);
  return [
    { reason: 'files beyond the limits of a checkout', count: beyond },
    { reason: 'files that cannot be unpacked', count: unreadable + entries.length - usable.length },
  ].filter((it) => it.count > 0);
}

/** `shop-1.2.0/`, where all is in one folder, as code hosts pack it; otherwise `''`. */
function topOf(entries: readonly ArchiveEntry[]): string {
  const tops = new Set(entries.map((it) => it.path.replace(/^\.\//, '').split('/', 2)));
  const names = new Set([...tops].map((it) => (it.length > 1 ? it[0] : '')));
  const [only = ''] = names;
  return names.size === 1 && only !== '' && isSafePath(only) ? `${only}/` : '';
}
