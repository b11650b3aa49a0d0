import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type {
  FindFilesParams,
  ReadFile,
  ReadFilesParams,
} from '../../../server/src/language-server/sync/client-files.ts';
import type { World } from './world.ts';

/** Answers requests of the server for files of VS Code's file systems. The server restricts them to the workspace. */
export function provideFiles(client: BaseLanguageClient, { encode }: World): vscode.Disposable {
  return vscode.Disposable.from(
    client.onRequest('packageInsights/readFiles', ({ uris, most }: ReadFilesParams) =>
      Promise.all(uris.map((it) => readFile(vscode.Uri.parse(it), most, encode))),
    ),
    client.onRequest('packageInsights/findFiles', (params: FindFilesParams) => findFiles(params)),
  );
}

async function readFile(uri: vscode.Uri, most: number, encode: World['encode']): Promise<ReadFile> {
  const { fs } = vscode.workspace;
  try {
    const { type, size } = await fs.stat(uri);
    if (type & vscode.FileType.SymbolicLink) return { why: 'outside' };
    if (!(type & vscode.FileType.File)) return { why: 'no file' };
    if (size > most) return { why: 'too large' };
    const bytes = await fs.readFile(uri);
    // A file system may not know sizes, and report 0.
    return bytes.length > most ? { why: 'too large' } : encode(bytes);
  } catch (error) {
    return failureOf(error);
  }
}

/** Null for a file that does not exist. */
function failureOf(error: unknown): ReadFile {
  const code = error instanceof vscode.FileSystemError ? error.code : 'Unknown';
  switch (code) {
    case 'FileNotFound':
    case 'FileNotADirectory':
      return null;
    case 'NoPermissions':
      return { why: 'denied' };
    case 'FileIsADirectory':
      return { why: 'no file' };
    default:
      return { why: 'failed', code };
  }
}

/** Folders of generated files and of third-party packages, as in a search of the disk. */
const skippedFolders = /^(?:\..*|node_modules|target|bin|obj|dist|build|out|vendor|venv|__pycache__|site-packages)$/;
/** Folders that are read in one search. */
const MAX_FOLDERS = 5000;
/** Folders that are read at a time: each may be a request of the file system over the network. */
const MAX_CONCURRENT = 32;
/** In ms. A slower file system is searched by its own index, where it has one. */
const SEARCH_TIME = 20_000;

/**
 * Walks through folders, near ones first. A file system's own search may leave out what settings exclude, and a member of
 * the workspace that is not found counts as a public package: so it only adds to what a walk does not reach in time.
 */
async function findFiles({ directory, pattern, flags, most, depth }: FindFilesParams): Promise<string[]> {
  const matches = new RegExp(pattern, flags);
  const root = vscode.Uri.parse(directory);
  const found = new Map<string, vscode.Uri>();
  const isSkipped = (name: string): boolean => (depth === null ? skippedFolders.test(name) : name === 'node_modules');
  const queue = [{ folder: root, below: depth ?? Number.POSITIVE_INFINITY }];
  const until = Date.now() + SEARCH_TIME;
  let read = 0;
  while (queue.length > 0 && read < MAX_FOLDERS && found.size < most && Date.now() < until) {
    const some = queue.splice(0, MAX_CONCURRENT);
    read += some.length;
    const all = await Promise.all(some.map(({ folder }) => entriesOf(folder)));
    for (const [at, entries] of all.entries()) {
      const { folder = root, below = 0 } = some[at] ?? {};
      for (const [name, type] of entries) {
        const uri = vscode.Uri.joinPath(folder, name);
        if (type === vscode.FileType.File && matches.test(uri.path)) found.set(uri.toString(), uri);
        if (type === vscode.FileType.Directory && below > 0 && !isSkipped(name))
          queue.push({ folder: uri, below: below - 1 });
      }
    }
  }
  if (queue.length > 0 && found.size < most && depth === null) {
    for (const uri of await indexed(root)) if (matches.test(uri.path)) found.set(uri.toString(), uri);
  }
  return [...found.keys()].slice(0, most);
}

async function entriesOf(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}

/** Files that a file system's own search returns. */
const MAX_INDEXED = 50_000;
/** In ms. VS Code waits without end for the search of a file system that has none. */
const INDEX_TIME = 10_000;

async function indexed(root: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const everything = new vscode.RelativePattern(root, '**/*');
  const cancelling = new vscode.CancellationTokenSource();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<readonly vscode.Uri[]>((resolve) => {
    timer = setTimeout(() => resolve([]), INDEX_TIME);
  });
  const found = vscode.workspace.findFiles(everything, skippedGlob, MAX_INDEXED, cancelling.token);
  try {
    return await Promise.race([found, late]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
    cancelling.cancel();
  }
}

/** `skippedFolders` for that search. */
const skippedGlob = '**/{.*,node_modules,target,bin,obj,dist,build,out,vendor,venv,__pycache__,site-packages}/**';
