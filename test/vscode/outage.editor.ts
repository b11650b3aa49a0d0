import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const itemOf = ({ page }: Screen, text: RegExp): Locator =>
  page
    .locator('.statusbar-item')
    .filter({ has: page.getByLabel(text) })
    .first();

const messagesOf = ({ page }: Screen): Locator =>
  page.locator('.notification-toast').filter({ hasText: 'The Package Insights Service cannot be reached' });

/** An address at which nothing listens. */
async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

test('an outage is told once in a window, and the status item says it in words, in every theme', async (context) => {
  const settings = { 'packageInsights.baseUrl': await deadAddress() };
  const screen = await stage.open(context, { release: 'newest', name: 'outage', settings, isNew: true });
  const { page } = screen;
  await screen.open('package.json');
  const message = messagesOf(screen);
  await message.waitFor();
  assert.deepEqual(await message.locator('.monaco-button').allInnerTexts(), ['Show Log', 'Settings', 'Work Offline']);
  const item = itemOf(screen, /Lookups failed: .*Not reachable since \d+:\d+:\d+/s);
  await item.waitFor();
  assert.match((await item.innerText()).trim(), /^Package Insights: .*not reachable$/);
  assert.match((await item.getAttribute('class')) ?? '', /warning-kind/);
  for (const theme of ['light', 'contrast', 'dark'] as const) {
    await screen.wear(theme);
    await screen.picture(theme);
  }

  await message.locator('.codicon-notifications-clear').click();
  await message.waitFor({ state: 'detached' });
  // It fails again, and again: there is no second message.
  await screen.command('Package Insights: Look Up Everything Again');
  await item.waitFor();
  await screen.open('maven/pom.xml');
  await item.waitFor();
  assert.equal(await message.count(), 0);
  await item.click();
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Lookups failed' }).waitFor();
  await screen.picture('menu');
});

test('who works offline by choice is shown no message, and chooses it in the message otherwise', async (context) => {
  const settings = { 'packageInsights.baseUrl': await deadAddress(), 'packageInsights.offline': true };
  const screen = await stage.open(context, { release: 'oldest', name: 'outage-chosen', settings, isNew: true });
  await screen.open('package.json');
  const item = itemOf(screen, /Working offline/);
  await item.waitFor();
  const message = messagesOf(screen);
  assert.equal(await message.count(), 0);
  // Online again, the first failure is told.
  screen.change({ 'packageInsights.offline': false });
  await message.waitFor();
  await item.waitFor({ state: 'detached' });
  await message.locator('.monaco-button').filter({ hasText: 'Work Offline' }).click();
  // At once, and the status item says so.
  await item.waitFor();
  assert.match((await item.innerText()).trim(), /^Package Insights: .*offline$/);
  await screen.picture('offline');
});
