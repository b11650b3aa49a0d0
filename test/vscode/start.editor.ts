import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { launchBrowser } from '../tools/chromium.ts';
import { root } from '../tools/paths.ts';
import { patience } from './eventually.ts';

const bootstrap = ['test/tools/bootstrap.mjs', 'test/tools/start.ts'];

/** Every process that `npm start` starts carries this in its environment, however deep. */
const mark = `PACKAGE_INSIGHTS_START=${randomUUID()}`;

test('npm start serves the service and an editor, and SIGTERM ends them all', async (context) => {
  // The others may start what a run of all tests has packed.
  const { child, service, editor, printed } = await startUp(context, { PACKAGE_INSIGHTS_VSIX: undefined });
  assert.equal((await fetch(`${service}/v3alpha/systems/NPM/packages/lodash`)).status, 200);
  const { origin, searchParams } = new URL(editor);
  assert.equal((await fetch(origin)).status, 403, 'who does not know the token is not let in');
  const cookie = `vscode-tkn=${searchParams.get('tkn')}`;
  const page = await (await fetch(origin, { headers: { cookie } })).text();
  assert.match(page, /vscode-workbench/);
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  assert.equal(code, 0, printed());
  await assertGone(service, editor);
});

test('its window has the manifest of the sample, with the walkthrough beside it', async (context) => {
  const { editor, printed } = await startUp(context);
  assert.match(printed(), /It knows \d+ packages \(Go \d+, npm \d+, .*\): the embedded catalog/);
  assert.match(printed(), /Every other package is "unknown" here/);
  const browser = await launchBrowser();
  context.after(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(patience);
  await page.goto(editor);
  await page.locator('.editor-instance .view-line').filter({ hasText: '"lodash"' }).waitFor();
  await page.locator('.editor-instance .squiggly-error').first().waitFor({ state: 'attached' });
  const line = page.locator('.editor-instance .view-line');
  await line.filter({ hasText: /request.*⚠\s*high\s+transitive/ }).waitFor();
  assert.doesNotMatch(printed(), /Connected services/);
  const step = page.locator('.getting-started-step');
  await step.getByText('Show the First Finding').waitFor();
  assert.equal(await page.locator('.editor-group-container').count(), 2);
  await step.filter({ hasText: 'What this window knows' }).waitFor();
  // Whoever looks at a line first finds the cursor there.
  await page.locator('.monaco-editor.focused').waitFor();
});

test('in a browser, a folder has the same public registries as on the desktop', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'start-web-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"dependencies":{"lodash":"4.17.15"}}');
  const { editor } = await startUp(context, {}, [folder, '--web']);
  const page = await (await fetch(editor)).text();
  const [, settings = ''] = /data-settings="([^"]*)"/.exec(page) ?? [];
  const { configurationDefaults } = JSON.parse(settings.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
  // Without them every address in a lockfile would count as private: the service of a trial reports none.
  assert.equal(configurationDefaults['packageInsights.publicRegistries'].length, 1);
});

test('npm start ends when the service does', async (context) => {
  const { child, service, editor, printed } = await startUp(context);
  const [pid] = processes().filter((it) => it.command.includes('serve'));
  assert.ok(pid, 'the service runs');
  process.kill(pid.pid, 'SIGKILL');
  const [code] = await once(child, 'close');
  assert.equal(code, 1, printed());
  assert.match(printed(), /the Package Insights Service ended/);
  await assertGone(service, editor);
});

test('npm start says what it does not understand', () => {
  for (const [args, message] of [
    [['--color'], /Unknown option '--color'/],
    [['no-such-folder'], /There is no folder .*no-such-folder/],
    [['--base-url', 'ftp://x'], /ftp:\/\/x is not an http/],
    [['a', 'b'], /Only one folder/],
    [['--connected', '--web'], /--connected is for the sample/],
    [['--public', '--base-url', 'http://x.example'], /two services/],
  ] as const) {
    const { status, stderr } = spawnSync(process.execPath, [...bootstrap, ...args], { cwd: root, encoding: 'utf8' });
    assert.equal(status, 2, stderr);
    assert.match(stderr, message);
    assert.match(stderr, /^Usage: /m);
  }
});

async function startUp(
  context: TestContext,
  changed: NodeJS.ProcessEnv = {},
  given: readonly string[] = [],
): Promise<{
  readonly child: ChildProcess;
  readonly service: string;
  readonly editor: string;
  readonly printed: () => string;
}> {
  const [name = '', value] = mark.split('=');
  const child = spawn(process.execPath, [...bootstrap, '--no-open', ...given], {
    cwd: root,
    env: { ...process.env, ...changed, [name]: value },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.after(() => child.kill('SIGKILL'));
  let printed = '';
  return new Promise((resolve, reject) => {
    const listen = (chunk: string): void => {
      printed += chunk;
      if (!printed.includes('Press Ctrl-C')) return;
      const [, service = ''] = /Service: (\S+)/.exec(printed) ?? [];
      const [, editor = ''] = /VS Code [\d.]+(?: for the web)?: (\S+)/.exec(printed) ?? [];
      resolve({ child, service, editor, printed: () => printed });
    };
    child.stdout.setEncoding('utf8').on('data', listen);
    child.stderr.setEncoding('utf8').on('data', listen);
    child.on('close', () => reject(new Error(printed)));
  });
}

async function assertGone(service: string, editor: string): Promise<void> {
  for (const address of [service, editor]) await assert.rejects(fetch(address), `${address} still answers`);
  assert.deepEqual(processes(), []);
  const folder = new URL(editor).searchParams.get('folder') ?? '';
  assert.ok(!existsSync(folder), `${folder} is still there`);
}

/** Processes that carry the mark, where the system tells. */
function processes(): { readonly pid: number; readonly command: string }[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const environment = readFileSync(join('/proc', pid, 'environ'), 'utf8').split('\0');
      if (!environment.includes(mark)) return [];
      const command = readFileSync(join('/proc', pid, 'cmdline'), 'utf8').replaceAll('\0', ' ');
      return [{ pid: Number(pid), command }];
    } catch {
      // Not a process, one of somebody else, or gone meanwhile.
      return [];
    }
  });
}
