import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDesktop } from './desktop.ts';

/** A fake `code` that behaves like VS Code's: it records its arguments and hands the window over to another process. */
function fakeCode(context: TestContext): {
  readonly command: string;
  readonly home: string;
  readonly calls: () => string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'desktop-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  context.after(() => rmSync(folder, { recursive: true, maxRetries: 3 }));
  const command = join(folder, 'code');
  writeFileSync(
    command,
    `#!${process.execPath}
    const fs = require('node:fs');
    const { spawn } = require('node:child_process');
    const args = process.argv.slice(2);
    fs.appendFileSync('${folder}/calls', args.slice(4).join(' ') + '\\n');
    if (args.includes('--wait')) {
      const window = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
      fs.writeFileSync('${home}/code.lock', String(window.pid));
      window.on('exit', () => process.exit());
    }`,
  );
  chmodSync(command, 0o755);
  return { command, home, calls: () => readFileSync(join(folder, 'calls'), 'utf8') };
}

const skip = process.platform === 'win32' ? 'the stand-in is a script with a shebang' : false;

test('the window is ended, though another process holds it', { skip }, async (context) => {
  const { command, home, calls } = fakeCode(context);
  const window = await openDesktop(command, { home, folder: '/a/folder', vsix: ['/x.vsix', '/y.vsix'] });
  const lock = join(home, 'code.lock');
  while (!existsSync(lock) || readFileSync(lock, 'utf8') === '') await new Promise((resolve) => setImmediate(resolve));
  const pid = Number(readFileSync(lock, 'utf8'));
  process.kill(pid, 0);
  await window.stop();
  await gone(pid);
  assert.equal(calls(), '--install-extension /x.vsix --install-extension /y.vsix\n--new-window --wait /a/folder\n');
});

test('it has ended when the person closes the window', { skip }, async (context) => {
  const { command, home } = fakeCode(context);
  const window = await openDesktop(command, { home, folder: '/a/folder', vsix: ['/x.vsix', '/y.vsix'] });
  const lock = join(home, 'code.lock');
  while (!existsSync(lock) || readFileSync(lock, 'utf8') === '') await new Promise((resolve) => setImmediate(resolve));
  process.kill(Number(readFileSync(lock, 'utf8')));
  assert.equal(await window.ended, 'exit code 0');
});

/** Waits until a process is gone; the test's own timeout ends the wait. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
