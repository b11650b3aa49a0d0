import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../../vscode/eventually.ts';
import { installedOnce } from '../../vscode/installed.ts';
import { environment } from '../../vscode/workspace.ts';
import { launchBrowser } from '../chromium.ts';
import { editorUrl, startEditorServer, writeSettings } from '../editor-server.ts';
import { cache } from '../paths.ts';
import { type ServerRelease, vscodeServer } from '../vscode.ts';
import type { MeasuredService } from './processes.ts';
import { median, type Row } from './table.ts';
import { manyPackages, packageJson, packageLock, variousRanges } from './texts.ts';

/*
 * What a person waits for in a real VS Code, with the service 100 ms away: from Enter on a package.json of 50 pins in the
 * list of files to its text, and to its first hints.
 *
 *     Enter ─ text on the screen ─ didOpen at the server ─ hints requested ─ hints sent ─ hints on the screen
 *
 * The window is open on another file. cold: nothing was ever known. kept: the window is new, and answers of an
 * earlier one are on disk. ahead: the same window has shown another manifest with the same packages. reopened: the window
 * opens with the manifest, and answers are on disk; time begins with its page.
 *
 * In the first JSON file of a window, VS Code loads its own extensions for JSON before any other one is asked. The floor
 * shows how long that takes.
 */
const situations = ['cold', 'kept', 'ahead', 'reopened'] as const;
type Situation = (typeof situations)[number];

const steps = ['text', 'active', 'started', 'didOpen', 'requested', 'sent', 'hints'] as const;
/** In ms since Enter; undefined for what was done before. */
type Times = Readonly<Record<(typeof steps)[number], number | undefined>>;

const labels: Readonly<Record<(typeof steps)[number], string>> = {
  text: 'text on the screen',
  active: '  extension activated',
  started: '  server up',
  didOpen: '  didOpen at the server',
  requested: '  hints requested',
  sent: '  first hints sent',
  hints: 'first hints on the screen',
};

/** How long a window stands open before a person opens the manifest, in ms: it has started what starts with it. */
const IDLE = 6000;

export async function inEditor(service: MeasuredService, times: number): Promise<Row[]> {
  const found: Found[] = [];
  const browser = await launchBrowser();
  const release = await vscodeServer('newest');
  const installed = await installedOnce(release, join(cache, 'bench', 'package-insights.vsix'));
  for (let time = 0; time < times; time++) {
    const folder = join(cache, 'bench', `editor-${time}`);
    rmSync(folder, { recursive: true, force: true });
    const own = await visit(browser, release, join(folder, 'own'), service.at[100], (extensions, trace) => {
      cpSync(installed, extensions, { recursive: true });
      traceMessages(extensions, trace);
    });
    const least = await visit(browser, release, join(folder, 'least'), service.at[100], writeLeastExtension);
    found.push({ own, least });
  }
  await browser.close();
  return situations.flatMap((it) => rowsOf(it, found));
}

type Visit = Readonly<Record<Situation, Times>>;

interface Found {
  readonly own: Visit;
  readonly least: Visit;
}

/** Opens the manifests in an editor of its own. */
async function visit(
  browser: Browser,
  release: ServerRelease,
  folder: string,
  baseUrl: string,
  install: (extensions: string, trace: string) => void,
): Promise<Visit> {
  const home = join(folder, 'home');
  const trace = join(folder, 'trace');
  const extensions = join(folder, 'extensions');
  const workspace = writeWorkspace(folder);
  writeFileSync(trace, '');
  install(extensions, trace);
  // It opens each package.json of a workspace out of sight.
  writeSettings(home, { 'packageInsights.baseUrl': baseUrl, 'npm.autoDetect': 'off' });
  const env = { ...environment, XDG_CACHE_HOME: join(folder, 'cache') };
  const server = await startEditorServer({ release, home, vsix: [], extensions, env });
  const found: [Situation, Times][] = [];
  for (const window of [['cold', 'ahead'], ['kept'], ['reopened']] as const) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    for (const it of window) {
      const manifest = join(workspace, it === 'ahead' ? 'second' : 'first', 'package.json');
      if (it === 'reopened') {
        found.push([it, await openWith(page, server.authority, workspace, manifest, trace)]);
      } else {
        if (it !== 'ahead') await openWindow(page, server.authority, workspace, trace);
        found.push([it, await openManifest(page, manifest, trace)]);
      }
    }
    await page.close();
    // The extension host of a closed window ends after a while, and its server writes what it keeps.
    await pause(IDLE);
  }
  await server.stop();
  return Object.fromEntries(found) as Visit;
}

function rowsOf(situation: Situation, found: readonly Found[]): Row[] {
  const middle = (of: keyof Found, figure: (times: Times) => number | undefined): number =>
    median(found.flatMap((it) => figure(it[of][situation]) ?? []));
  const against = 'an extension that knows all hints';
  const rows = steps.map((step): Row => {
    const value = middle('own', (it) => it[step]);
    const floor = middle('least', (it) => it[step]);
    const row = { what: `${situation}: ${labels[step]}`, unit: 'ms', value } as const;
    return Number.isNaN(floor) ? row : { ...row, floor, against };
  });
  const afterText = ({ text, hints }: Times): number | undefined => text && hints && hints - text;
  rows.push({
    what: `${situation}: first hints after the text`,
    unit: 'ms',
    value: middle('own', afterText),
    floor: middle('least', afterText),
    against,
  });
  // What was done before Enter each time has no figure.
  return rows.filter((it) => !Number.isNaN(it.value));
}

/** Two manifests of the same packages beside a plain text. */
function writeWorkspace(folder: string): string {
  const workspace = join(folder, 'workspace');
  const names = manyPackages(50);
  for (const it of ['first', 'second']) {
    mkdirSync(join(workspace, it), { recursive: true });
    writeFileSync(join(workspace, it, 'package.json'), packageJson(names, variousRanges));
    writeFileSync(join(workspace, it, 'package-lock.json'), packageLock(names));
  }
  writeFileSync(join(workspace, 'text.txt'), 'Nothing to look up.\n');
  return workspace;
}

/** Makes the installed server record when messages come and go. Without a change of its own, it is what is measured. */
function traceMessages(extensions: string, trace: string): void {
  const noting = `
    const { appendFileSync } = require('node:fs');
    const note = (what) => appendFileSync(${JSON.stringify(trace)}, Date.now() + ' ' + what + '\\n');`;
  prepend(extensions, 'client', `{${noting} note('active'); }`);
  const code = `{${noting}
    const asked = new Set();
    process.prependListener('message', ({ id, method, params }) => {
      if (method === 'initialized') note('started');
      if (!params?.textDocument?.uri?.endsWith('/package.json')) return;
      if (method === 'textDocument/didOpen') note('didOpen');
      if (method !== 'textDocument/inlayHint') return;
      note('requested');
      asked.add(id);
    });
    const send = process.send.bind(process);
    process.send = (message, ...rest) => {
      if (asked.delete(message.id) && message.result?.length > 0) note('sent');
      return send(message, ...rest);
    };
  }`;
  prepend(extensions, 'server', code);
}

function prepend(extensions: string, bundle: string, code: string): void {
  const [file] = globSync(`package-insights.*/dist/${bundle}.js`, { cwd: extensions });
  const path = join(extensions, file ?? '');
  writeFileSync(path, `${code}\n${readFileSync(path, 'utf8')}`);
}

/** The floor: an extension of one file that answers each request for hints at once, in the extension host. */
function writeLeastExtension(extensions: string, trace: string): void {
  const folder = join(extensions, 'bench.least-1.0.0');
  mkdirSync(folder, { recursive: true });
  const about = {
    name: 'least',
    publisher: 'bench',
    version: '1.0.0',
    engines: { vscode: '^1.100.0' },
    main: 'extension.js',
    activationEvents: ['onStartupFinished', 'onLanguage:json'],
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
  const code = `const vscode = require('vscode');
    exports.activate = () => {
      vscode.languages.registerInlayHintsProvider({ pattern: '**/package.json' }, {
        provideInlayHints: (document, range) => Array.from(
          { length: Math.min(range.end.line, 53) - 2 },
          (_, line) => new vscode.InlayHint(document.lineAt(line + 2).range.end, '1.2.3 · MIT'),
        ),
      });
      require('node:fs').appendFileSync(${JSON.stringify(trace)}, Date.now() + ' started\\n');
    };`;
  writeFileSync(join(folder, 'extension.js'), code);
}

async function openWindow(page: Page, authority: string, workspace: string, trace: string): Promise<void> {
  const starts = startsIn(trace);
  const file = `vscode-remote://${authority}${workspace}/text.txt`;
  await page.goto(editorUrl(authority, workspace, [['openFile', file]]));
  await page.locator('.editor-instance .monaco-editor .view-line').first().waitFor();
  await eventually(() => {
    if (startsIn(trace) === starts) throw new Error('the server has not started');
  });
  await pause(IDLE);
}

function startsIn(trace: string): number {
  return readFileSync(trace, 'utf8').split(' started').length;
}

/** Opens a window that shows the manifest. */
async function openWith(
  page: Page,
  authority: string,
  workspace: string,
  manifest: string,
  trace: string,
): Promise<Times> {
  await page.addInitScript(`${watchScreen} seen.enter = Date.now();`);
  await page.goto(editorUrl(authority, workspace, [['openFile', `vscode-remote://${authority}${manifest}`]]));
  return timesOf(await seenOn(page), trace);
}

/** Opens the manifest as a person does, and closes it again. */
async function openManifest(page: Page, manifest: string, trace: string): Promise<Times> {
  await page.keyboard.press('Control+P');
  await page.locator('.quick-input-widget:visible input').fill(manifest);
  await page.locator('.quick-input-list .monaco-list-row.focused[aria-label^="package.json"]').waitFor();
  await page.evaluate(watchScreen);
  await page.keyboard.press('Enter');
  const times = timesOf(await seenOn(page), trace);
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget:visible input').fill('>View: Revert and Close Editor');
  await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: 'Revert and Close' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.monaco-editor[data-uri$="/package.json"]').waitFor({ state: 'detached' });
  await pause(2000);
  return times;
}

function seenOn(page: Page): Promise<Seen> {
  return eventually(async () => {
    const times = await page.evaluate<Partial<Seen>>('seen');
    if (times.enter === undefined || times.text === undefined || times.hints === undefined) throw new Error('not yet');
    return times as Seen;
  });
}

function timesOf(seen: Seen, trace: string): Times {
  const notes = readFileSync(trace, 'utf8')
    .split('\n')
    .map((it) => it.split(' '));
  const after = (what: string): number | undefined => {
    const at = notes.map(([time, name]) => (name === what ? Number(time) : 0)).find((it) => it >= seen.enter);
    return at === undefined ? undefined : at - seen.enter;
  };
  return {
    text: seen.text - seen.enter,
    active: after('active'),
    started: after('started'),
    didOpen: after('didOpen'),
    requested: after('requested'),
    sent: after('sent'),
    hints: seen.hints - seen.enter,
  };
}

/** In ms since the epoch. */
interface Seen {
  readonly enter: number;
  readonly text: number;
  readonly hints: number;
}

/** Runs in the page. The editor's own text and hints are all in the lines that it paints. */
const watchScreen = `{
  const seen = (globalThis.seen = {});
  addEventListener('keydown', () => (seen.enter ??= Date.now()), { capture: true, once: true });
  const look = () => {
    const text = document.querySelector('.monaco-editor[data-uri$="/package.json"] .view-lines')?.textContent ?? '';
    if (text.includes('package-0001')) seen.text ??= Date.now();
    if (text.includes('MIT')) seen.hints ??= Date.now();
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
}`;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
