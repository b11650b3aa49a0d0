import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
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
    entryPoints: ['client/src/extension.ts'],
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
  load('client/src/extension.ts');
  assert(loaded.has('client/src/commands.ts'));
  assert.deepEqual(
    [...new Set([...loaded.values()].flat())].filter((it) => !/\.ts$/.test(it)),
    ['vscode'],
  );
});

test('the language server starts without what makes connections, and without the database', () => {
  const server = join(root, 'server', 'src', 'server.ts');
  const watch = `data:text/javascript,${encodeURIComponent(atExit)}`;
  const { stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', watch, server, '--stdio'],
    { encoding: 'utf8', input: '', env: { ...process.env, ...nobody, PACKAGE_INSIGHTS_CACHE_DIR: '' } },
  );
  const loaded = stderr.replaceAll('\\', '/').split('\n');
  const ofLibrary = (name: string): boolean => loaded.some((it) => it.includes(`node_modules/${name}/`));
  assert(ofLibrary('vscode-languageserver'), stderr);
  assert(!ofLibrary('undici'));
  for (const it of ['tls', 'http', 'http2', 'sqlite']) assert(!loaded.includes(`NativeModule ${it}`), it);
});
