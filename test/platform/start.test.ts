import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { nobody } from '../harness/nobody.ts';

/** Prints the files of CommonJS and the modules of Node that a program has loaded when it ends. */
const atExit = `import Module from 'node:module';
process.on('exit', () => process.stderr.write([...Object.keys(Module._cache), ...process.moduleLoadList].join('\\n')));`;

test('the language server starts without what makes connections, and without the database', () => {
  const server = join(import.meta.dirname, '..', '..', 'server', 'src', 'server.ts');
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
