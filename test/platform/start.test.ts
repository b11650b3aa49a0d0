import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { build } from 'esbuild';
import { nobody } from '../harness/nobody.ts';

/** Prints the files of CommonJS and the modules of Node that a program has loaded when it ends. */
const atExit = `import Module from 'node:module';
process.on('exit', () => process.stderr.write([...Object.keys(Module._cache), ...process.moduleLoadList].join('\\n')));`;

const root = join(import.meta.dirname, '..', '..');

test('a window without manifests loads nothing of the language client', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['client/src/world/desktop.ts'],
    bundle: true,
    platform: 'node',
    packages: 'external',
    metafile: true,
    write: false,
  });
  const loaded = new Map<string, readonly string[]>();
  const load = (path: string): void => {
    const imports = metafile.inputs[path]?.imports.filter((it) => it.kind !== 'dynamic-import') ?? [];
    loaded.set(
      path,
      imports.map((it) => it.path),
    );
    for (const it of imports) if (!it.external && !loaded.has(it.path)) load(it.path);
  };
  load('client/src/world/desktop.ts');
  assert(loaded.has('client/src/commands.ts'));
  assert.deepEqual([...new Set([...loaded.values()].flat())].filter((it) => !/\.ts$/.test(it)).sort(), [
    'node:child_process',
    'node:crypto',
    'vscode',
  ]);
});

/** Arguments of Node: the language server, which reports what it has loaded when it ends. */
const server = [
  '--disable-warning=ExperimentalWarning',
  '--import',
  `data:text/javascript,${encodeURIComponent(atExit)}`,
  join(root, 'server', 'src', 'bin', 'server.ts'),
  '--stdio',
];

test('the language server starts with the protocol alone', () => {
  const env = { ...process.env, ...nobody };
  const { stderr } = spawnSync(process.execPath, server, { encoding: 'utf8', input: '', env });
  const loaded = stderr.replaceAll('\\', '/');
  assert(loaded.includes('/node_modules/vscode-languageserver/'), stderr);
  // The versions of all ecosystems need it.
  assert(!loaded.includes('/node_modules/semver/'), stderr);
});

test('the engine is loaded without what makes connections, and without the database', async () => {
  const env = { ...process.env, ...nobody, PACKAGE_INSIGHTS_CACHE_DIR: '' };
  const child = spawn(process.execPath, server, { env });
  const messages = [
    { id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } },
    { id: 2, method: 'shutdown' },
    { method: 'exit' },
  ];
  for (const it of messages.map((it) => JSON.stringify({ jsonrpc: '2.0', ...it })))
    child.stdin.write(`Content-Length: ${it.length}\r\n\r\n${it}`);
  const loaded = `${(await text(child.stderr)).replaceAll('\\', '/')}\n`;
  assert(loaded.includes('/node_modules/semver/'), loaded);
  assert(!loaded.includes('/node_modules/undici/'));
  for (const it of ['tls', 'http', 'http2', 'sqlite']) assert(!loaded.includes(`NativeModule ${it}\n`), it);
});

test('a server whose engine cannot be loaded ends with the reason', async (context) => {
  const broken = `export async function load(url, context, next) {
    if (url.endsWith('/engine.ts')) throw new Error('the disk is full');
    return next(url, context);
  }`;
  const hook = `data:text/javascript,${encodeURIComponent(broken)}`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(hook)});`;
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(register)}`, ...server],
    { env: { ...process.env, ...nobody } },
  );
  context.after(() => child.kill('SIGKILL'));
  const log = text(child.stderr);
  const ended = once(child, 'exit');
  const messages = [
    { id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } },
    { method: 'initialized', params: {} },
    { id: 2, method: 'textDocument/hover', params: {} },
  ];
  for (const it of messages.map((it) => JSON.stringify({ jsonrpc: '2.0', ...it })))
    child.stdin.write(`Content-Length: ${it.length}\r\n\r\n${it}`);
  const patience = AbortSignal.timeout(20_000);
  patience.onabort = () => child.kill('SIGKILL');
  assert.deepEqual(await ended, [1, null]);
  assert.match(await log, /^package-insights: the engine cannot be loaded: the disk is full$/m);
});
