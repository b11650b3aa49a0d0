import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileUri } from '../../engine/base/uri.ts';
import { type Files, withReader } from '../../engine/model/ports.ts';
import type { Failure } from '../../engine/report/report.ts';
import { type CheckoutResult, checkoutLimits } from './checkout.ts';
import { createGit, type Git, GitError } from './git.ts';
import { type WantedKind, wantedFiles } from './wanted-files.ts';
import { type FileWriter, isSafePath, removeFiles, writeFilesTo } from './write-files.ts';

/** Files of a repository that are listed. Source: a million is five times the largest public monorepos. */
const MAX_LISTED = 1_000_000;
/** Of the list, in bytes. */
const MAX_LIST_BYTES = 256 * 1024 * 1024;
/** Files that are brought because another one names them. */
const MAX_NAMED = 500;

/** A file of a commit. */
interface Entry {
  readonly path: string;
  readonly id: string;
  readonly isLink: boolean;
}

/**
 * Brings the manifests, lockfiles and settings of a repository, without its history and its other files. git checks
 * nothing out, so that neither filters nor links of the repository take effect.
 * @param scratch a folder for temporary files
 */
export async function openGit(
  { address, branch }: { readonly address: string; readonly branch?: string },
  scratch: string,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<CheckoutResult> {
  const folder = await mkdtemp(join(scratch, 'git-'));
  const protocol = /^([a-z]+):\/\//i.exec(address)?.[1]?.toLowerCase() ?? 'ssh';
  const git = createGit(folder, protocol, environment, signal);
  try {
    const directory = join(folder, 'tree');
    await git.run([
      ...['clone', '--quiet', '--depth=1', '--filter=blob:none', '--no-checkout', '--no-tags', '--single-branch'],
      ...['--no-recurse-submodules', '--template='],
      ...(branch === undefined ? [] : [`--branch=${branch}`]),
      ...['--', address, directory],
    ]);
    const revision = await headOf(git);
    const entries = revision === undefined ? [] : await listFiles(git);
    // The index says which files are tracked.
    if (revision !== undefined) await git.run([...inTree, 'read-tree', 'HEAD']);
    const bringing = await bring(git, directory, entries);
    const close = () => removeFiles(folder);
    return {
      kind: 'checkout',
      checkout: { directory, ...(revision !== undefined && { revision }), ...bringing, close },
    };
  } catch (error) {
    await removeFiles(folder);
    if (!(error instanceof GitError)) throw error;
    return { kind: 'refused', reason: error.message, isTransient: error.isTransient };
  }
}

const inTree = ['-C', 'tree'] as const;

/** Undefined for a repository without commits. */
async function headOf(git: Git): Promise<string | undefined> {
  const text = await git
    .run([...inTree, 'rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}'], { read: textOf })
    .catch((error: unknown) => {
      // Without a message it only means that there is none.
      if (error instanceof GitError && error.message === 'git: git failed') return undefined;
      throw error;
    });
  const id = text?.trim() ?? '';
  return /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

async function listFiles(git: Git): Promise<readonly Entry[]> {
  const listed = await git.run([...inTree, 'ls-tree', '-r', '-z', '--full-tree', 'HEAD'], {
    async read(output) {
      const entries: Entry[] = [];
      let bytes = 0;
      let rest: Buffer = Buffer.alloc(0);
      for await (const chunk of output) {
        bytes += (chunk as Buffer).length;
        rest = Buffer.concat([rest, chunk as Buffer]);
        let start = 0;
        for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0, start)) {
          const [, mode = '', id = '', path = ''] =
            /^(\d{6}) blob ([0-9a-f]{40,64})\t(.*)$/s.exec(rest.toString('utf8', start, end)) ?? [];
          // Submodules are not read.
          if (path !== '') entries.push({ path, id, isLink: mode === '120000' });
          start = end + 1;
        }
        rest = rest.subarray(start);
        if (entries.length > MAX_LISTED || bytes > MAX_LIST_BYTES)
          throw new GitError(`it has more than ${MAX_LISTED} files`, false);
      }
      return entries;
    },
  });
  return listed ?? [];
}

/** What a checkout has of its files. */
interface Brought {
  readonly left: readonly Failure[];
  readonly bringing: (files: Files) => Files;
}

async function bring(git: Git, directory: string, all: readonly Entry[]): Promise<Brought> {
  const usable = all.filter((it) => isSafePath(it.path));
  const kindOf = wantedFiles(usable.map((it) => it.path));
  const byKind = new Map<WantedKind, Entry[]>([
    ['settings', []],
    ['manifest', []],
    ['other', []],
  ]);
  for (const it of usable) byKind.get(kindOf(it.path))?.push(it);
  const settings = byKind.get('settings') ?? [];
  if (settings.length > checkoutLimits.files)
    throw new GitError(`it has more than ${checkoutLimits.files} files of settings`, false);
  const wanted = [...settings, ...(byKind.get('manifest') ?? [])];
  const chosen = wanted.slice(0, checkoutLimits.files);
  const files = writeFilesTo(directory);
  const beyond = await writeAll(git, files, chosen);
  const byUri = new Map(
    (byKind.get('other') ?? []).filter((it) => !it.isLink).map((it) => [fileUri(join(directory, it.path)), it]),
  );
  const count = wanted.length - chosen.length + beyond;
  const unsafe = all.filter((it) => !isSafePath(it.path)).length;
  return {
    left: [
      { reason: 'files beyond the limits of a checkout', count },
      { reason: 'files with paths that cannot be written', count: unsafe },
    ].filter((it) => it.count > 0),
    bringing: (disk) => bringingNamed(disk, byUri, (it) => writeAll(git, files, [it])),
  };
}

/** Brings further files when they are first read. One that cannot be brought is unreadable, not absent. */
function bringingNamed(
  disk: Files,
  others: ReadonlyMap<string, Entry>,
  write: (entry: Entry) => Promise<unknown>,
): Files {
  const brought = new Map<string, Promise<boolean>>();
  return withReader(disk, (look) => async (uri) => {
    const entry = others.get(uri);
    if (entry === undefined) return look(uri);
    if (!brought.has(uri) && brought.size === MAX_NAMED) return { why: 'too many' };
    const writing =
      brought.get(uri) ??
      write(entry).then(
        () => true,
        () => false,
      );
    brought.set(uri, writing);
    return (await writing) ? look(uri) : { why: 'failed' };
  });
}

/**
 * Fetches and writes files: regular ones first, so that no link exists when a path is made.
 * @returns how many are beyond the limit of all together
 */
async function writeAll(git: Git, files: FileWriter, entries: readonly Entry[]): Promise<number> {
  if (entries.length === 0) return 0;
  const ids = [...new Set(entries.map((it) => it.id))];
  await git.run(
    [
      ...[...inTree, 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--filter=blob:none'],
      ...['--no-recurse-submodules', '--no-auto-maintenance', '--stdin', 'origin'],
    ],
    { input: `${ids.join('\n')}\n` },
  );
  const sizes = await sizesOf(git, ids);
  let bytes = 0;
  let beyond = 0;
  const read: Entry[] = [];
  for (const it of entries) {
    const size = sizes.get(it.id) ?? 0;
    if (size > checkoutLimits.fileBytes) await files.writeTooLarge(it.path);
    else if (bytes + size > checkoutLimits.bytes) beyond++;
    else {
      bytes += size;
      read.push(it);
    }
  }
  const links: { readonly path: string; readonly target: string }[] = [];
  await readBlobs(
    git,
    [...read].sort((a, b) => Number(a.isLink) - Number(b.isLink)),
    async (entry, content) => {
      if (entry.isLink) links.push({ path: entry.path, target: content.toString() });
      else await files.write(entry.path, content);
    },
  );
  for (const it of links) if (it.target !== '' && !it.target.includes('\0')) await files.link(it.path, it.target);
  return beyond;
}

async function sizesOf(git: Git, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const text = await git.run([...inTree, 'cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer'], {
    input: `${ids.join('\n')}\n`,
    read: textOf,
  });
  return new Map(
    (text ?? '').split('\n').flatMap((line): [string, number][] => {
      const [, id, size] = /^([0-9a-f]+) (\d+)$/.exec(line) ?? [];
      return id === undefined ? [] : [[id, Number(size)]];
    }),
  );
}

/** Reads the contents of files one after the other, in their order. */
async function readBlobs(
  git: Git,
  entries: readonly Entry[],
  take: (entry: Entry, content: Buffer) => Promise<void>,
): Promise<void> {
  await git.run([...inTree, 'cat-file', '--batch', '--buffer'], {
    input: entries.map((it) => `${it.id}\n`).join(''),
    async read(output) {
      const left = entries.values();
      const read = createReader(output);
      for (const entry of left) {
        const header = await read.line();
        const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(header) ?? [];
        if (size === undefined) throw new GitError(`git has no content of ${entry.path}`, true);
        const content = await read.bytes(Number(size) + 1);
        await take(entry, content.subarray(0, -1));
      }
    },
  });
}

/** Reads lines and counted bytes from a stream. Rejects at its end. */
function createReader(stream: Readable): { line(): Promise<string>; bytes(count: number): Promise<Buffer> } {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  async function more(): Promise<Buffer> {
    const next = await chunks.next();
    if (next.done) throw new GitError('git ended too early', true);
    return next.value as Buffer;
  }
  return {
    async line() {
      let end = rest.indexOf(10);
      while (end < 0) {
        rest = Buffer.concat([rest, await more()]);
        end = rest.indexOf(10);
      }
      const line = rest.toString('utf8', 0, end);
      rest = rest.subarray(end + 1);
      return line;
    },
    async bytes(count) {
      const parts = [rest];
      let length = rest.length;
      while (length < count) {
        const next = await more();
        parts.push(next);
        length += next.length;
      }
      const all = Buffer.concat(parts);
      rest = all.subarray(count);
      return all.subarray(0, count);
    },
  };
}

async function textOf(output: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const it of output) chunks.push(it as Buffer);
  return Buffer.concat(chunks).toString();
}
