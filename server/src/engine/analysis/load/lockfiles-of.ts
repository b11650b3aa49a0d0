import { directoryOf, nameOf, relativeTo, sameUri, upwardFrom } from '../../base/uri.ts';
import { lockfileFormats } from '../../ecosystems/lockfile-formats.ts';
import { compiledFormats } from '../../ecosystems/python/compiled.ts';
import { isNoLockfile } from '../../ecosystems/shared/lockfile.ts';
import {
  clientIn,
  clientManifest,
  nameOfClient,
  settingsOfClients,
  writerOf,
} from '../../ecosystems/workspace-clients.ts';
import type { LockfileFormat } from '../../model/lockfile.ts';
import type { ClosedLockfile, FoundLockfile, ManifestChain, ParsedManifest } from '../../model/manifest-chain.ts';
import { textOf } from '../../model/ports.ts';
import type { FileReads } from './file-reads.ts';

interface Lockfiles {
  readonly lockfiles: readonly FoundLockfile[];
  readonly closedLockfiles: readonly ClosedLockfile[];
  /** The package manager of the project, as far as its files name one. */
  readonly client?: string;
}

/** The lockfiles that serve the document of a chain, nearest first, and those of them that cannot be read. */
export async function lockfilesOf(reading: FileReads, { files }: ManifestChain): Promise<Lockfiles> {
  const none = { lockfiles: [], closedLockfiles: [] };
  const [document] = files;
  if (document === undefined) return none;
  const { uri, format, manifest } = document;
  const rows = lockfileFormats
    .filter((it) => it.serves.includes(format.id))
    .flatMap((it) => [it, ...(it.others?.(manifest) ?? [])])
    .concat(format.system === 'PYPI' ? compiledFormats(nameOf(uri), format.id) : []);
  if (rows.length === 0) return none;
  const { found, closed } = await nearestLockfiles(reading, uri, rows);
  const writers = new Set(found.map((it) => writerOf(it.format.id)));
  if (writers.size === 1) {
    // Of others there is one kind.
    const [first] = writers.has('yarn') && manifest.client === undefined ? found : [];
    const written = first && clientIn(first.format.id, first.text);
    return { lockfiles: found, closedLockfiles: closed, ...(written !== undefined && { client: written }) };
  }
  const client = format.system === 'NPM' ? await clientOf(reading, files, found[0]?.directory) : manifest.client;
  // Of several package managers' all count where nothing decides.
  const ofClient = found.filter((it) => writerOf(it.format.id) === (client && nameOfClient(client)));
  const lockfiles = ofClient.length > 0 ? ofClient : found;
  return { lockfiles, closedLockfiles: closed, ...(client !== undefined && { client }) };
}

/** Those of the nearest directory that has some. */
async function nearestLockfiles(
  reading: FileReads,
  uri: string,
  rows: readonly LockfileFormat[],
): Promise<{ readonly found: FoundLockfile[]; readonly closed: ClosedLockfile[] }> {
  const own = directoryOf(uri);
  const found: FoundLockfile[] = [];
  const closed: ClosedLockfile[] = [];
  for (const directory of upwardFrom(own)) {
    for (const row of rows) {
      if (directory !== own && !row.below) continue;
      const address = directory + row.id;
      const text = await reading.tryReadInRepository(address);
      const isRead = found.some((it) => it.directory + it.format.id === address);
      if (text === undefined || isRead || sameUri(address) === sameUri(uri)) continue;
      const others = (row.beside?.files ?? []).map((it) => reading.tryReadInRepository(directory + it));
      const beside = row.beside?.read((await Promise.all(others)).map(textOf));
      const lockfile = typeof text === 'string' ? reading.reader.lockfile(address, row, text, beside) : undefined;
      // Under a name that manifests have as well.
      if (row.opened.record !== 'lockfile' && lockfile?.isOf?.(relativeTo(directory, uri) ?? '') !== true) continue;
      if (typeof text !== 'string') closed.push({ uri: address, format: row, unreadable: text });
      else if (lockfile && isNoLockfile(lockfile, text)) {
        closed.push({ uri: address, format: row, unreadable: { why: 'no lockfile' } });
      } else if (lockfile)
        found.push({
          format: row.asWritten?.(text) ?? row,
          directory,
          lockfile,
          text,
          ...(beside !== undefined && { beside }),
        });
    }
    if (found.length + closed.length > 0) break;
  }
  return { found, closed };
}

/**
 * The package manager that a project names, or whose settings lie at its root.
 * @param locked the directory of its lockfile
 */
async function clientOf(
  reading: FileReads,
  files: readonly ParsedManifest[],
  locked: string | undefined,
): Promise<string | undefined> {
  const root = files.findLast((it) => it.format.id === clientManifest.id) ?? files[0];
  const directory = locked ?? directoryOf(root?.uri ?? '');
  const beside = `${directory}package.json`;
  const other = files.some((it) => sameUri(it.uri) === sameUri(beside))
    ? undefined
    : await reading.readManifest(beside, clientManifest);
  let client = [...files, ...(other ? [other] : [])].map((it) => it.manifest.client).find((it) => it !== undefined);
  for (const [settings, by] of client === undefined ? settingsOfClients : [])
    if (typeof (await reading.tryReadInRepository(directory + settings)) === 'string') client ??= by;
  return client;
}
