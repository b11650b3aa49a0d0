import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { type StartedService, startService } from '../harness/service.ts';
import { eventually } from './eventually.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';
import type { Afterwards } from './workspace.ts';

const stage = setStage();

/** A gateway before the service that refuses, or holds back, what is asked about requirements. */
interface Gateway {
  readonly url: string;
  readonly requests: StartedService['requests'];
  isRefusing: boolean;
  /** Answers about requirements wait for it. */
  held: Promise<void>;
}

async function startGateway(context: Afterwards): Promise<Gateway> {
  const { url, requests, close } = await startService();
  context.after(close);
  const gateway = { url: '', requests, isRefusing: false, held: Promise.resolve() };
  const server = createServer(async (incoming, outgoing) => {
    const isAboutRequirements = /:requirements/.test(incoming.url ?? '');
    if (isAboutRequirements) await gateway.held;
    if (isAboutRequirements && gateway.isRefusing) {
      outgoing.writeHead(400).end('not today');
      return;
    }
    const { method, headers } = incoming;
    const passed = send(new URL(incoming.url ?? '', url), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  gateway.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return gateway;
}

/** Has express bring a package that the service does not know. */
function bringUnknown(lockfile: string): void {
  const lock = JSON.parse(readFileSync(lockfile, 'utf8'));
  lock.packages['node_modules/express'].dependencies['@example/internal-send'] = '1.0.0';
  lock.packages['node_modules/@example/internal-send'] = { version: '1.0.0' };
  writeFileSync(lockfile, JSON.stringify(lock, undefined, 2));
}

const rowOf = ({ page }: Screen, text: string | RegExp): Locator =>
  page.locator('.pane .monaco-list-row').filter({ hasText: text }).first();

const allThemes = ['light', 'contrast', 'contrast-light', 'dark'] as const;

/** Longer than the cursor must rest before the view shows what is below it, in ms. */
const REST = 1500;

test('the requirements view asks while it is seen, says what is late or failed, and fits 900 px', async (context) => {
  const gateway = await startGateway(context);
  const screen = await stage.open(context, {
    release: 'newest',
    name: 'requirements',
    settings: { 'packageInsights.baseUrl': gateway.url },
    viewport: { width: 900, height: 800 },
  });
  const { page } = screen;
  const askedAboutRequirements = (): readonly string[] =>
    gateway.requests.map((it) => it.path).filter((it) => it.includes(':requirements'));
  bringUnknown(join(screen.folder, 'package-lock.json'));
  await screen.open('package.json');
  await screen.shows('4.17.15');

  await context.test('nothing is requested while it is hidden', async () => {
    for (const name of ['"express"', '"lodash"']) await screen.putCursor(name);
    await pause(REST);
    assert.deepEqual(askedAboutRequirements(), []);
  });

  await context.test('a row says that it loads, then what failed, and can be tried again by key', async () => {
    let release = (): void => {};
    gateway.held = new Promise((resolve) => {
      release = resolve;
    });
    gateway.isRefusing = true;
    await screen.putCursor('"express"');
    await screen.command('Package Insights: Show Requirements');
    await page.locator('.pane-header').filter({ hasText: 'sample' }).first().click();
    await rowOf(screen, 'Loading…').waitFor();
    await screen.picture('loading');
    release();
    const failed = rowOf(screen, 'status 400');
    await failed.waitFor();
    assert.match((await failed.getAttribute('aria-label')) ?? '', /Lookup failed.*Press Enter to try again\./);
    await screen.picture('failed');
    gateway.isRefusing = false;
    await failed.click();
    await rowOf(screen, 'dependencies').waitFor();
    assert.ok(askedAboutRequirements().length > 0);
  });

  await context.test('each row has a name for screen readers', async () => {
    await screen.putCursor('"lodash"');
    await rowOf(screen, /lodash.*4\.17\.15/).waitFor();
    const rows = page.locator('.pane .monaco-list-row');
    const labels = await rows.evaluateAll((all) => all.map((it) => it.getAttribute('aria-label')));
    assert.match(labels[0] ?? '', /^lodash 4\.17\.15 \(package-lock\.json\), 3 vulnerabilities \(high\), MIT/);
    assert.match(labels[1] ?? '', /^Changes with 4\.\d+\.\d+, /);
    assert.ok(labels.includes('Requirements of lodash 4.17.15'), labels.join('\n'));
    const buttons = page.locator('.pane .actions-container .action-label:visible');
    for (const name of await buttons.evaluateAll((all) => all.map((it) => it.getAttribute('aria-label')))) {
      assert.ok(name, 'each button has a label');
    }
  });

  await context.test(
    'a row counts what a dependency brings by its lockfile, and what is not checked of it',
    async () => {
      await screen.putCursor('"express"');
      await rowOf(screen, /express.*4\.18\.2/).waitFor();
      await rowOf(screen, /Brings \d+ packages.*package-lock\.json.*\d+ of \d+ not checked:/).waitFor();
      await screen.picture('brings');
    },
  );

  await context.test('it can be read in each theme', async () => {
    await screen.putCursor('"lodash"');
    await rowOf(screen, /lodash.*4\.17\.15/).waitFor();
    await screen.command('Package Insights: What Changes…');
    await rowOf(screen, /Fixes \d vulnerabilities/).waitFor();
    for (const theme of allThemes) {
      await screen.wear(theme);
      await screen.picture(theme);
    }
  });

  await context.test('a suggested version shows its day and its advisories in its row, in each theme', async () => {
    const row = page.locator('.suggest-widget .monaco-list-row').filter({ hasText: '1.2.5' }).first();
    // The view that was shown before may take the keys while its rows are still coming.
    await eventually(async (timeout) => {
      await page.keyboard.press('Escape');
      await screen.putCursor('"minimist"');
      // Behind the version, before the quote.
      for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
      await page.keyboard.press('Control+Space');
      await row.filter({ hasText: '⚠ 1 vulnerability (critical)' }).waitFor({ timeout });
    });
    assert.match(await row.innerText(), /\d{4}-\d\d-\d\d/);
    const [first = ''] = await page.locator('.suggest-widget .monaco-list-row').allInnerTexts();
    assert.match(first, /1\.2\.8\s+latest/);
    for (const theme of allThemes) {
      await screen.wear(theme);
      await screen.picture(`suggestions-${theme}`);
    }
  });

  await context.test('a link of the hover shows what changes with a version, in two clicks and no key', async () => {
    // The suggestions of the test before cover the line.
    await eventually(async (timeout) => {
      await page.keyboard.press('Escape');
      await page.locator('.suggest-widget.visible').waitFor({ state: 'hidden', timeout });
    });
    // The end of a line lies behind its hint, which a narrow editor has scrolled to.
    await page.keyboard.press('Home');
    await screen.putCursor('"semver"');
    await rowOf(screen, /semver.*7\.5\.4/).waitFor();
    await screen.hover('^4.17.15', 'What changes');
    await page.locator('.monaco-hover:visible a').filter({ hasText: 'What changes' }).first().click();
    await rowOf(screen, /lodash.*4\.17\.15/).waitFor();
    await rowOf(screen, /Fixes \d vulnerabilities/).waitFor();
    await screen.picture('from-hover');
    // The cursor is on another dependency, and does not take the view back.
    await pause(REST);
    await rowOf(screen, /lodash.*4\.17\.15/).waitFor();
  });

  await context.test('a row of the view updates its dependency, and shows the new version', async () => {
    const upgrade = page.locator('.pane .monaco-list-row.focused');
    assert.match(
      (await upgrade.getAttribute('aria-label')) ?? '',
      /^Changes with 4\.17\.\d+, patch, fixes 3 vulnerabilities/,
    );
    await upgrade.hover();
    await upgrade.getByRole('button', { name: 'Update to This Version' }).click();
    await screen.shows('"lodash": "^4.17.2');
    // What the range allows now: the lockfile does not fit any longer.
    await rowOf(screen, /lodash.*4\.18\.\d/).waitFor();
    await screen.picture('updated');
  });
});
