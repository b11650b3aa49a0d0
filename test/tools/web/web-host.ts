import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join, normalize, relative, sep } from 'node:path';
import type { ServerRelease } from '../vscode.ts';

/*
 * VS Code for the web, as vscode.dev has it: static files, no server behind the editor. Extensions run in the browser, and
 * the folder is on a file system in memory.
 *
 *     /?tkn=TOKEN     the page of the workbench
 *     /static/…       VS Code's files
 *     /extension/…    the extension, as packed
 *     /TOKEN/…        the file system in memory, and the files to fill it with: not for other users of this machine
 */

export interface WebHostOptions {
  readonly release: ServerRelease;
  /** The folder of the extension: its package.json and what that names. */
  readonly extension: string;
  /** Copied into memory. */
  readonly folder: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface WebHost {
  /** The address of the editor; `payload` are the extras of the workbench, such as a file to open. */
  url(payload?: readonly (readonly [string, string])[]): string;
  close(): Promise<void>;
}

/** The folder in the editor. */
export const memoryFolder = 'memfs:/sample';

export async function serveWebEditor({ release, extension, folder, settings }: WebHostOptions): Promise<WebHost> {
  const vscode = dirname(dirname(release.main));
  const files = join(import.meta.dirname, 'memory-files');
  const listing = JSON.stringify({ files: await filesIn(folder) });
  const token = randomUUID();
  const workbench = withoutRemote(readFileSync(join(vscode, workbenchPath), 'utf8'));
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
    const path = decodeURIComponent(pathname);
    const host = request.headers.host ?? '';
    if (path === '/' && searchParams.get('tkn') === token) return send(response, '.html', page(host, token, settings));
    if (path === `/${token}/files.json`) return send(response, '.json', listing);
    if (path === `/static/${workbenchPath}`) return send(response, '.js', workbench);
    const [root, rest] = [/^\/[^/]*\//.exec(path)?.[0] ?? '', path.replace(/^\/[^/]*\//, '')];
    const base = { '/static/': vscode, '/extension/': extension, [`/${token}/`]: files }[root];
    const file = base && normalize(join(base, rest));
    // Nothing outside of the folders.
    if (base === undefined || !file?.startsWith(base + sep)) return missing(response);
    const content = await readFile(file).catch(() => undefined);
    if (content === undefined) return missing(response);
    send(response, extname(file), content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (payload = []) => {
      const query = new URLSearchParams({ tkn: token, payload: JSON.stringify(payload) });
      return `http://127.0.0.1:${port}/?${query}`;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const workbenchPath = 'out/vs/code/browser/workbench/workbench.js';

/**
 * The builds of VS Code in npm belong to a server: their pages connect to it, and keep the person's settings there. Here
 * there is none, so both are as in VS Code's own build for the web.
 */
function withoutRemote(source: string): string {
  const changes = [
    [/remoteAuthority:location\.host/, 'remoteAuthority:void 0'],
    [/(?<=\(this\.userDataPath\)\.with\(\{scheme:\w+\.)vscodeRemote/, 'vscodeUserData'],
  ] as const;
  return changes.reduce((text, [place, other]) => {
    if (!place.test(text)) throw new Error(`The workbench of this VS Code has no ${place.source}`);
    return text.replace(place, other);
  }, source);
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

function send(response: ServerResponse, type: string, content: string | Uint8Array): void {
  response.writeHead(200, {
    'Content-Type': types[type] ?? 'application/octet-stream',
    'Cache-Control': 'no-store',
    ...(type === '.html' &&
      !String(content).includes('vscodeWebWorkerExtHostId') && { 'Content-Security-Policy': policy }),
  });
  response.end(content);
}

function missing(response: ServerResponse): void {
  response.writeHead(404).end();
}

/** As VS Code's own servers set it for the workbench; connections are also permitted to this machine. */
const policy = [
  "default-src 'self'",
  "img-src 'self' https: data: blob:",
  "media-src 'self'",
  "script-src 'self' 'unsafe-eval' 'unsafe-inline' blob:",
  "child-src 'self'",
  "frame-src 'self' data:",
  "worker-src 'self' data: blob:",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self' ws: wss: https: http://127.0.0.1:*",
  "font-src 'self' blob:",
  "manifest-src 'self'",
].join('; ');

function page(host: string, token: string, settings: Readonly<Record<string, unknown>>): string {
  const at = (path: string) => ({ scheme: 'http', authority: host, path });
  const configuration = {
    folderUri: { scheme: 'memfs', path: memoryFolder.replace('memfs:', '') },
    additionalBuiltinExtensions: [at('/extension'), at(`/${token}`)],
    configurationDefaults: settings,
    enableWorkspaceTrust: false,
    webviewEndpoint: `http://${host}/static/out/vs/workbench/contrib/webview/browser/pre`,
    // Only the builds of npm need these.
    userDataPath: '/user',
    isEnabledFileDownloads: true,
    isEnabledFileUploads: true,
    isEnabledCoderGettingStarted: false,
    productConfiguration: { enableTelemetry: false },
  };
  const data = JSON.stringify(configuration).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta id="vscode-workbench-web-configuration" data-settings="${data}">
<link rel="stylesheet" href="/static/out/vs/code/browser/workbench/workbench.css">
</head>
<body aria-label=""></body>
<script>globalThis._VSCODE_FILE_ROOT = new URL('/static/out/', location).toString();</script>
<script type="module" src="/static/out/nls.messages.js"></script>
<script type="module" src="/static/${workbenchPath}"></script>
</html>`;
}

/** Installed packages, and what git keeps. */
const leftOut = /(?:^|[\\/])(?:node_modules|\.git)(?:[\\/]|$)/;

/** The files of a folder by their paths in memory, in base64. */
async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((it) => it.isFile() && !leftOut.test(relative(folder, it.parentPath)))
    .map((it) => join(it.parentPath, it.name));
  const top = memoryFolder.replace('memfs:', '');
  const all = await Promise.all(
    paths.map(async (it) => {
      const path = `${top}/${relative(folder, it).split(sep).join('/')}`;
      return [path, await readFile(it, 'base64')] as const;
    }),
  );
  return Object.fromEntries(all);
}
