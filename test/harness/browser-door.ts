import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import {
  createMessageConnection,
  type MessageConnection,
  PortMessageReader,
  PortMessageWriter,
} from 'vscode-jsonrpc/node';
import type {
  FindFilesParams,
  FolderListing,
  ListFoldersParams,
  ReadFile,
  ReadFilesParams,
} from '../../server/src/editor/sync/client-files.ts';
import type { WorkerStart } from '../../server/src/platform/worker-start.ts';
import { root } from '../tools/paths.ts';

/*
 * The language server of a browser, in a thread that has the globals of a web worker and none of Node. The files of the
 * editor are those of the disk, read by the requests of the server.
 */

/** What the requests for files are answered with; the disk, where a test does not replace it. */
export interface EditorFiles {
  readonly readFiles: (params: ReadFilesParams) => Promise<readonly ReadFile[]>;
  readonly listFolders: (params: ListFoldersParams) => Promise<readonly FolderListing[]>;
  readonly findFiles: (params: FindFilesParams) => Promise<readonly string[]>;
}

export interface BrowserServer {
  readonly connection: MessageConnection;
  /** Answers a request of the server for files; undefined for another request. */
  readonly fileRequest: (method: string, params: unknown) => Promise<unknown> | undefined;
  close(): Promise<unknown>;
}

export interface BrowserServerOptions {
  readonly files?: Partial<EditorFiles>;
  /** JavaScript that runs before the server: what a browser has or lacks. */
  readonly before?: string;
}

/** Starts the server as the extension does. The connection does not listen yet. */
export async function startBrowserServer({ files, before = '' }: BrowserServerOptions = {}): Promise<BrowserServer> {
  const worker = new Worker(`${scope};\n${before};\nrun();`, { eval: true, workerData: await bundled() });
  const started = new Promise<unknown>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const start: WorkerStart = { start: {} };
  worker.postMessage(start);
  await started;
  const answers: EditorFiles = { ...disk, ...files };
  return {
    connection: createMessageConnection(new PortMessageReader(worker), new PortMessageWriter(worker)),
    fileRequest(method, params) {
      if (method === 'packageInsights/readFiles') return answers.readFiles(params as ReadFilesParams);
      if (method === 'packageInsights/listFolders') return answers.listFolders(params as ListFoldersParams);
      if (method === 'packageInsights/findFiles') return answers.findFiles(params as FindFilesParams);
      return undefined;
    },
    close: () => worker.terminate(),
  };
}

/** The globals of a worker. Those of Node are hidden from the server; `fetch` itself needs them. */
const scope = `
const vm = require('node:vm');
const { parentPort, workerData } = require('node:worker_threads');
const { code, ofNode, cachedData } = workerData;
const run = vm.compileFunction(code, ofNode, { cachedData });
Object.assign(globalThis, { onmessage: null, postMessage: (message) => parentPort.postMessage(message) });
globalThis.addEventListener ??= () => {};
parentPort.on('message', (data) => globalThis.onmessage?.({ data }));
delete globalThis.setImmediate;
`;

const ofNode = ['Buffer', 'process', 'global', 'require', 'module', 'exports', '__dirname', '__filename'];

/** The server, compiled once for all its threads: that takes as long as all else that starts one. */
interface Bundle {
  readonly code: string;
  readonly ofNode: readonly string[];
  readonly cachedData: Uint8Array | undefined;
}

let bundle: Promise<Bundle> | undefined;

function bundled(): Promise<Bundle> {
  bundle ??= build({
    absWorkingDir: root,
    entryPoints: ['server/src/bin/browser.ts'],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    define: { 'process.env': '{}' },
  }).then(({ outputFiles: [file] }) => {
    const code = file?.text ?? '';
    return { code, ofNode, cachedData: compileFunction(code, ofNode, { produceCachedData: true }).cachedData };
  });
  return bundle;
}

const disk: EditorFiles = {
  readFiles: ({ uris, most }) => Promise.all(uris.map((it) => readOne(it, most))),
  listFolders: ({ uris }) => Promise.all(uris.map(listOne)),
  // A disk has no index.
  findFiles: async () => [],
};

async function listOne(uri: string): Promise<FolderListing> {
  try {
    const all = await readdir(fileURLToPath(uri), { withFileTypes: true });
    const named = (is: (it: Dirent) => boolean): string[] => all.filter(is).map((it) => it.name);
    return {
      files: named((it) => it.isFile()),
      folders: named((it) => it.isDirectory()),
      others: named((it) => !it.isFile() && !it.isDirectory()),
    };
  } catch {
    return null;
  }
}

async function readOne(uri: string, most: number): Promise<ReadFile> {
  try {
    const path = fileURLToPath(uri);
    const about = await stat(path);
    if (!about.isFile()) return { why: 'no file' };
    return about.size > most ? { why: 'too large' } : new Uint8Array(await readFile(path));
  } catch {
    return null;
  }
}
