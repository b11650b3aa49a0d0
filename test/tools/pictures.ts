/* `npm run pictures`: the pictures of the README, taken from the real editor on the sample, light and dark. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openScreen, type Screen, type ScreenOptions } from '../vscode/screen.ts';
import { launchBrowser } from './chromium.ts';
import { packVsix } from './packing.ts';
import { cache, root } from './paths.ts';

const themes = { light: 'Default Light Modern', dark: 'Default Dark Modern' } as const;

const settings = {
  'breadcrumbs.enabled': false,
  'editor.lightbulb.enabled': 'off',
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'window.commandCenter': false,
  'workbench.activityBar.location': 'hidden',
  'workbench.layoutControl.enabled': false,
};

/** A request document. */
const request = `METHOD scheduling.events.insert
calendarId: primary

{
  "summary": "Update lodash",
  "start": { "date": "2026-11-24" },
  "end": { "date": "2026-11-25" }
}
`;

/** Dependencies that are sound or deprecated themselves, and bring affected packages. */
const affectedBelow = {
  'package.json': { name: 'below', version: '1.0.0', dependencies: { express: '^4.17.1', request: '^2.88.2' } },
  'package-lock.json': {
    name: 'below',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: {
      '': { name: 'below', version: '1.0.0', dependencies: { express: '^4.17.1', request: '^2.88.2' } },
      'node_modules/express': { version: '4.17.1', dependencies: { 'body-parser': '1.19.0', qs: '6.7.0' } },
      'node_modules/body-parser': { version: '1.19.0', dependencies: { qs: '6.7.0' } },
      'node_modules/qs': { version: '6.7.0' },
      'node_modules/request': { version: '2.88.2', dependencies: { 'http-signature': '~1.2.0', qs: '~6.5.2' } },
      'node_modules/request/node_modules/qs': { version: '6.5.2' },
      'node_modules/http-signature': { version: '1.2.0', dependencies: { jsprim: '^1.2.2' } },
      'node_modules/jsprim': { version: '1.4.1', dependencies: { 'json-schema': '0.2.3' } },
      'node_modules/json-schema': { version: '0.2.3' },
    },
  },
};

const folder = join(root, 'docs', 'pictures');
mkdirSync(folder, { recursive: true });
const vsix = join(cache, 'pictures.vsix');
await packVsix(vsix);
const browser = await launchBrowser();
try {
  for (const theme of ['light', 'dark'] as const) await takePictures(browser, theme);
} finally {
  await browser.close();
}

async function takePictures(browser: Browser, theme: keyof typeof themes): Promise<void> {
  await inEditor(browser, theme, {}, (screen) => drive(screen, theme));
  await inEditor(browser, theme, { isConnected: true }, (screen) => driveConnected(screen, theme));
}

async function inEditor(
  browser: Browser,
  theme: keyof typeof themes,
  more: Pick<ScreenOptions, 'isConnected'>,
  work: (screen: Screen) => Promise<void>,
): Promise<void> {
  const afterwards: (() => Promise<void> | void)[] = [];
  try {
    const screen = await openScreen(
      { after: (it) => afterwards.unshift(it) },
      {
        browser,
        release: 'newest',
        vsix,
        name: `picture-${theme}`,
        settings: { ...settings, 'workbench.colorTheme': themes[theme] },
        viewport: { width: 900, height: 560 },
        scale: 1.5,
        ...more,
      },
    );
    await work(screen);
  } finally {
    for (const action of afterwards) await action();
  }
}

async function takePicture({ page }: Screen, name: string, theme: string): Promise<void> {
  const path = join(folder, `${name}-${theme}.png`);
  // A hover fades in.
  await page.waitForTimeout(500);
  await page.screenshot({ path });
  console.log(path);
}

/** The view of connections, and a hover with the facts of connected services. */
async function driveConnected(screen: Screen, theme: string): Promise<void> {
  await screen.open('connected/package.json');
  await screen.squiggle('info');
  const view = screen.page.locator('.pane').filter({ hasText: 'Connections' });
  await view.locator('.pane-header').click();
  await view.locator('.monaco-list-row').filter({ hasText: 'Code Host' }).click();
  await view
    .getByText(/^\d+ of \d+ requests/)
    .first()
    .waitFor();
  await screen.hover('"@example/retired"', 'archived');
  await takePicture(screen, 'connections', theme);
  await view.locator('.pane-header').click();
  await driveScheduled(screen, theme);
  await driveRequest(screen, theme);
}

/** A scheduled update on its line, and in the hover. */
async function driveScheduled(screen: Screen, theme: string): Promise<void> {
  const { page } = screen;
  const row = (text: string) =>
    page.locator('.quick-input-widget:visible .monaco-list-row').filter({ hasText: text }).first();
  await screen.open('package.json');
  await screen.shows('→ 4.17.21');
  await page.keyboard.press('Control+B');
  await screen.quickFixes('^4.17.15');
  await screen.take('Schedule the update of lodash');
  await row('Make a calendar').click();
  await row('Another time…').click();
  await page.locator('.quick-input-widget:visible input').fill('tomorrow 14:00');
  await page.keyboard.press('Enter');
  await screen.shows('scheduled ');
  await screen.command('Notifications: Clear All Notifications');
  await screen.hover('"lodash"', 'Move…');
  await takePicture(screen, 'planned', theme);
  await page.keyboard.press('Control+B');
}

/** A request document, with its answer beside it. */
async function driveRequest(screen: Screen, theme: string): Promise<void> {
  const { page } = screen;
  writeFileSync(join(screen.folder, 'event.pi-request'), request);
  await page.keyboard.press('Escape');
  await screen.open('event.pi-request');
  await page.locator('.codelens-decoration').filter({ hasText: 'Send' }).waitFor();
  await page.keyboard.press('Control+B');
  await page.mouse.move(300, 400);
  await page.keyboard.press('Control+Enter');
  const answer = page.locator('.editor-instance .monaco-editor[data-uri^="package-insights-answer:"]');
  await answer.locator('.codelens-decoration').waitFor();
  await takePicture(screen, 'request', theme);
}

async function drive(screen: Screen, theme: string): Promise<void> {
  const take = (name: string): Promise<void> => takePicture(screen, name, theme);
  await screen.open('package.json');
  await screen.page.keyboard.press('Control+B');
  await screen.squiggle('error');
  await screen.shows('→ 4.17.21');
  // Away from the edge of the editor, which is marked below the mouse.
  await screen.page.mouse.move(600, 480);
  await take('hints');
  await screen.hover('^4.17.15', 'package-lock.json');
  await take('hover');
  await screen.quickFixes('^4.17.15');
  await take('fix');
  await screen.page.keyboard.press('Escape');
  await screen.page.keyboard.press('End');
  for (let left = 0; left < 2; left++) await screen.page.keyboard.press('ArrowLeft');
  await screen.page.keyboard.press('Control+Space');
  const offered = screen.page.locator('.suggest-widget.visible .monaco-list-row');
  await offered.filter({ hasText: '4.18.1' }).first().waitFor();
  await take('completion');
  await screen.page.keyboard.press('Escape');
  await screen.problems();
  await take('problems');
  await screen.problemsAway();
  await screen.command('Package Insights: Show Report');
  const report = screen.page.frameLocator('iframe.webview').frameLocator('#active-frame');
  await report.locator('.body [role=row]').first().waitFor();
  await take('report');
  await driveBelow(screen, theme);
}

/** Affected packages that dependencies bring along, in hints and in a hover. */
async function driveBelow(screen: Screen, theme: string): Promise<void> {
  mkdirSync(join(screen.folder, 'below'));
  for (const [name, content] of Object.entries(affectedBelow))
    writeFileSync(join(screen.folder, 'below', name), `${JSON.stringify(content, undefined, 2)}\n`);
  await screen.command('View: Close All Editors');
  await screen.open('below/package.json');
  await screen.shows('critical transitive');
  await screen.hover('"request"', 'json-schema 0.2.3');
  await takePicture(screen, 'below', theme);
}
