import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { eventually, patience } from './eventually.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

/** The status item by what it says to a screen reader, which is what its tooltip says. */
const itemOf = ({ page }: Screen, text: string | RegExp): Locator =>
  page
    .locator('.statusbar-item')
    .filter({ has: page.getByLabel(text) })
    .first();
/** Whether the item has the background of warnings. */
const warns = async (item: Locator): Promise<void> =>
  assert.match((await item.getAttribute('class')) ?? '', /warning-kind/);
const rowOf = ({ page }: Screen, text: string | RegExp): Locator =>
  page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();

/** Runs an entry of the menu. */
async function choose(screen: Screen, title: string): Promise<void> {
  await screen.command('Package Insights: Show Status and Log');
  await rowOf(screen, title).click();
}

test('the status item and the hover say why an answer takes so long, while it is asked again', async (context) => {
  let requests = 0;
  // Nobody knows the address at first; then there is no answer.
  const service = createServer((_, response) => {
    requests++;
    if (requests <= 8) response.writeHead(404).end('Not Found');
  }).listen(0);
  context.after(() => service.close().closeAllConnections());
  await once(service, 'listening');
  const settings = { 'packageInsights.baseUrl': `http://127.0.0.1:${(service.address() as AddressInfo).port}/wrong` };
  const screen = await stage.open(context, { release: 'newest', name: 'trying', settings });
  await screen.open('package.json');
  await itemOf(screen, /Lookups failed: there is no Package Insights Service at/).waitFor();
  // Whether it is still asked for by now, or given up for a while, is a matter of moments.
  await screen.hover('"lodash"', 'there is no Package Insights Service at');
  await screen.picture('hover');
});

test('the menu of the status item says why nothing is asked, and leads to the setting', async (context) => {
  const settings = { 'packageInsights.offline': true };
  const screen = await stage.open(context, { release: 'newest', name: 'offline', settings });
  await screen.open('package.json');
  await itemOf(screen, /Working offline\. packageInsights\.offline is on/).click();
  await rowOf(screen, 'Working offline').waitFor();
  await screen.picture('menu');
  await screen.page.keyboard.press('Escape');
  // Nothing is known, so there is no number that could pass for “nothing wrong”.
  await itemOf(screen, /\d+ dependencies\.\s0 checked, \d+ not requested\./).waitFor();
  assert.equal((await itemOf(screen, /Working offline/).innerText()).trim(), 'Package Insights: offline');
  await screen.command('Package Insights: Show Status and Log');
  await rowOf(screen, 'Working offline').click();
  await screen.page.locator('.setting-item-label').getByText('Offline').waitFor();
  await screen.picture('setting');
});

test('an invalid address sends no requests, and is reported in every place', async (context) => {
  const slip = { 'packageInsights.baseUrl': '127.0.0.1:8099' };
  const screen = await stage.open(context, { release: 'newest', name: 'closed' });
  const { page } = screen;
  await screen.open('package.json');
  await screen.shows('⚠ high');
  const { 'packageInsights.baseUrl': address } = screen.settings();
  screen.change(slip);
  const reason = 'invalid address in packageInsights.baseUrl: "127.0.0.1:8099"';
  const item = itemOf(screen, new RegExp(`Nothing is looked up: ${reason.replaceAll('.', '\\.')}`));
  await item.waitFor();
  assert.equal((await item.innerText()).trim(), 'Package Insights: invalid setting');
  await warns(item);
  const hover = await screen.hover('"lodash"', 'Not looked up');
  assert.ok(hover.includes(`Not looked up: ${reason}.`), hover);
  assert.doesNotMatch(hover, /MIT/);
  await screen.picture('hover');
  await page.mouse.move(100, 5);
  await item.click();
  await rowOf(screen, `Nothing is looked up: ${reason}`).waitFor();
  await screen.picture('menu');
  await rowOf(screen, 'Nothing is looked up').click();
  await page.locator('.setting-item-validation-message').filter({ hasText: 'Invalid address' }).waitFor();
  await screen.picture('setting');
  // It lies over all else.
  await eventually(async (timeout) => {
    await page.keyboard.press('Escape');
    await page.locator('.settings-editor').waitFor({ state: 'hidden', timeout });
  });
  await choose(screen, 'Show the log');
  await page.locator('.output-view .view-line').filter({ hasText: 'nothing is looked up' }).first().waitFor();
  await screen.picture('log');
  // Put right, it counts at once.
  screen.change({ 'packageInsights.baseUrl': address });
  await screen.open('package.json');
  await screen.shows('⚠ high');
  await item.waitFor({ state: 'detached' });
  await screen.picture('right');
});

test('the menu of the status item says until when the service wants to be left alone', async (context) => {
  const service = createServer((_, response) => response.writeHead(429, { 'retry-after': '3000' }).end()).listen(0);
  context.after(() => void service.close());
  await once(service, 'listening');
  const settings = { 'packageInsights.baseUrl': `http://127.0.0.1:${(service.address() as AddressInfo).port}` };
  const screen = await stage.open(context, { release: 'oldest', name: 'held', settings });
  await screen.open('package.json');
  await itemOf(screen, /No requests until \d+:\d+.*The service requested a wait/).click();
  await rowOf(screen, 'The service requested a wait').waitFor();
  await screen.picture('menu');
});

test('the status item says in words what stays private, and shows no nought in its place', async (context) => {
  const screen = await stage.open(context, { release: 'oldest', name: 'private' });
  writeFileSync(join(screen.folder, '.npmrc'), '@ours:registry=https://npm.ours.example/\n');
  writeFileSync(join(screen.folder, 'package.json'), '{ "dependencies": { "@ours/ui": "1.0.0" } }\n');
  await screen.open('package.json');
  const item = itemOf(screen, /Insights: 1 dependency\.\s.*1 from npm\.ours\.example \(\.npmrc:1\)\./s);
  await item.waitFor();
  assert.equal((await item.innerText()).trim(), 'Package Insights: 1 private');
  await itemOf(screen, /0 checked, 1 private\./).waitFor();
  await screen.picture('item');
});

test('the menu of the status item says where a broken text is not understood, and leads there', async (context) => {
  const screen = await stage.open(context, { release: 'oldest', name: 'broken' });
  const dependency = (name: string): string =>
    `<dependency><groupId>org.yaml</groupId><artifactId>${name}</artifactId><version>1.33</version></dependency>`;
  const lines = ['<project>', '<dependencies>', dependency('snakeyaml'), '<dependency><groupId>', dependency('other')];
  writeFileSync(join(screen.folder, 'pom.xml'), [...lines, '</dependencies>', '</project>', ''].join('\n'));
  await screen.open('pom.xml');
  await itemOf(screen, /The manifest is only partly understood\. The first error is in line 4/).click();
  await rowOf(screen, 'The manifest is only partly').waitFor();
  await screen.picture('menu');
  await rowOf(screen, 'The manifest is only partly').click();
  await screen.page.locator('.statusbar-item').filter({ hasText: 'Ln 4, Col 1' }).waitFor();
  await screen.picture('place');
});

test('the status item stays where it is while another manifest is opened', async (context) => {
  const screen = await stage.open(context, { release: 'oldest', name: 'switching' });
  await screen.open('package.json');
  const item = itemOf(screen, /^Package Insights: \d+ dependenc/);
  await item.waitFor();
  await screen.page.evaluate(countLosses);
  await screen.open('npm/pnpm/package.json');
  await screen.page.keyboard.press('Control+PageUp');
  await screen.page.locator('.monaco-editor[data-uri$="/sample/package.json"]').waitFor();
  await item.waitFor();
  assert.equal(await screen.page.evaluate('losses'), 0);
});

/** Runs in the page, and counts how often the item disappears from the status bar. */
const countLosses = `{
  globalThis.losses = 0;
  let wasThere = true;
  const look = () => {
    const isThere = document.querySelector('.part.statusbar').textContent.includes('Package Insights');
    if (wasThere && !isThere) losses++;
    wasThere = isThere;
  };
  new MutationObserver(look).observe(document.querySelector('.part.statusbar'), { subtree: true, childList: true });
}`;

test('the status item and the hover say that there is no connection yet, before that counts as an outage', async (context) => {
  // Nothing is said over the connection, so TLS never stands.
  const host = createTcpServer((it) => it.on('error', () => {})).listen(0);
  context.after(() => void host.close());
  await once(host, 'listening');
  const settings = { 'packageInsights.baseUrl': `https://127.0.0.1:${(host.address() as AddressInfo).port}` };
  const screen = await stage.open(context, { release: 'oldest', name: 'unconnected', settings });
  await screen.open('package.json');
  const unconnected = itemOf(
    screen,
    /Looking up \d+ more….*No answer so far: no connection so far \(timeout: 10 s\)\./s,
  );
  // It is told for some seconds alone: where the editor came too late for them, everything is asked anew.
  const again = (): Promise<void> => screen.command('Package Insights: Look Up Everything Again');
  await unconnected.waitFor({ timeout: patience / 4 }).catch(again);
  await unconnected.waitFor();
  await screen.hover('"lodash"', 'No answer so far: no connection so far');
  await screen.picture('hover');
});

test('the log outlives a new start of the server', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'log' });
  await screen.open('package.json');
  await screen.squiggle('error');
  await choose(screen, 'Show the log');
  const lines = screen.page.locator('.output-view .view-line').filter({ hasText: 'asks' });
  await lines.first().waitFor();
  await choose(screen, 'Restart the language server');
  await lines.nth(1).waitFor();
  await screen.picture('restarted');
});

/** The language servers that have this environment, where the system tells. */
function serversOf({ environment }: Screen): readonly number[] {
  const mark = `XDG_CACHE_HOME=${environment['XDG_CACHE_HOME']}`;
  return readdirSync('/proc')
    .filter((pid) => {
      try {
        const of = (file: string): readonly string[] => readFileSync(join('/proc', pid, file), 'utf8').split('\0');
        return of('cmdline').some((it) => it.endsWith('/dist/server.js')) && of('environ').includes(mark);
      } catch {
        // Not a process, one of somebody else, or gone meanwhile.
        return false;
      }
    })
    .map(Number);
}

test('a server that was killed is started again, and one message says so', {
  skip: process.platform !== 'linux',
}, async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'killed' });
  await screen.open('package.json');
  await screen.shows('⚠ high');
  const told = screen.page.locator('.notification-toast').filter({ hasText: 'ended unexpectedly and was restarted' });
  for (let times = 0; times < 2; times++) {
    const [server] = await eventually(() => {
      const all = serversOf(screen);
      assert.equal(all.length, 1);
      return all;
    });
    process.kill(Number(server), 'SIGKILL');
    await eventually(() => assert.notDeepEqual(serversOf(screen), [server]));
    await told.waitFor();
    await screen.hover('"lodash"', '3 vulnerabilities');
    assert.equal(await told.count(), 1);
  }
  await screen.picture('restarted');
});
