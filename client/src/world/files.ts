import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type {
  FindFilesParams,
  ListFoldersParams,
  ReadFilesParams,
} from '../../../server/src/editor/sync/client-files.ts';
import { type FileSystem, listFolder, readFile } from './read-files.ts';
import type { World } from './world.ts';

/** Answers requests of the server for files of VS Code's file systems. The server restricts them to the workspace. */
export function provideFiles(client: BaseLanguageClient, { encode }: World): vscode.Disposable {
  return vscode.Disposable.from(
    client.onRequest('packageInsights/readFiles', ({ uris, most }: ReadFilesParams) =>
      Promise.all(uris.map((it) => readFile(fileSystem, it, most, encode))),
    ),
    client.onRequest('packageInsights/listFolders', ({ uris }: ListFoldersParams) =>
      Promise.all(uris.map((it) => listFolder(fileSystem, it))),
    ),
    client.onRequest('packageInsights/findFiles', (params: FindFilesParams) => findFiles(params)),
  );
}

const fileSystem: FileSystem = {
  stat: (uri) => vscode.workspace.fs.stat(vscode.Uri.parse(uri)),
  readFile: (uri) => vscode.workspace.fs.readFile(vscode.Uri.parse(uri)),
  readDirectory: (uri) => vscode.workspace.fs.readDirectory(vscode.Uri.parse(uri)),
  codeOf: (error) => (error instanceof vscode.FileSystemError ? error.code : 'Unknown'),
};

async function findFiles({ directory, pattern, flags, most }: FindFilesParams): Promise<string[]> {
  const matches = new RegExp(pattern, flags);
  const found = await indexed(vscode.Uri.parse(directory));
  return found.flatMap((it) => (matches.test(it.path) ? [it.toString()] : [])).slice(0, most);
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

/** Folders of generated files and of third-party packages, as in a walk. */
const skippedGlob = '**/{.*,node_modules,target,bin,obj,dist,build,out,vendor,venv,__pycache__,site-packages}/**';
