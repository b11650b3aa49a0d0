import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from './eventually.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const secret = 'opensesame-0123456789';

/** A code host that accepts one credential, and whose rate limit is used up. */
const seen: (string | undefined)[] = [];
const codeHost = createServer(({ headers, url }, response) => {
  seen.push(headers.authorization);
  const isKnown = headers.authorization === `Bearer ${secret}`;
  const isLimited = isKnown && url?.endsWith('/rate_limit') === false;
  const reset = Math.floor(Date.now() / 1000) + 900;
  const limits = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${reset}`, 'x-ratelimit-resource': 'core' };
  response
    .writeHead(isLimited ? 403 : isKnown ? 200 : 401, { 'content-type': 'application/json', ...(isLimited && limits) })
    .end('{"resources":{}}');
});
before(() => new Promise<void>((resolve) => codeHost.listen(0, '127.0.0.1', resolve)));
after(() => codeHost.close());

test('a service is tried before it is connected, listed, and disconnected', async (context) => {
  const settings = { 'workbench.colorTheme': 'Default High Contrast Light' };
  const screen = await stage.open(context, {
    release: 'newest',
    name: 'connections',
    settings,
    viewport: { width: 900, height: 700 },
  });
  const { page } = screen;
  const widget = page.locator('.quick-input-widget:visible');
  const address = `http://127.0.0.1:${(codeHost.address() as AddressInfo).port}/github.com`;
  const connect = async (credential: string): Promise<void> => {
    await widget.filter({ hasText: 'Code Host: Address' }).waitFor();
    await widget.locator('input').fill(address);
    await page.keyboard.press('Enter');
    await widget.getByText('Paste a Credential').waitFor();
    await screen.picture('credential');
    await page.keyboard.press('Enter');
    await widget.filter({ hasText: 'Sent to 127.0.0.1' }).waitFor();
    await widget.locator('input[type=password]').fill(credential);
    await page.keyboard.press('Enter');
  };

  // A workspace connects nothing, and lifts no budget.
  const service = { baseUrl: address, dailyBudget: 1_000_000 };
  const hostile = { codeHost: service, linkSafety: { ...service, mode: 'lookup' }, tokenAudit: service };
  const flat = Object.entries(hostile).flatMap(([name, its]) =>
    Object.entries(its).map(([key, value]) => [`packageInsights.connections.${name}.${key}`, value]),
  );
  mkdirSync(join(screen.folder, '.vscode'), { recursive: true });
  const own = { ...Object.fromEntries(flat), 'packageInsights.severity.advisory': 'warning' };
  writeFileSync(join(screen.folder, '.vscode', 'settings.json'), JSON.stringify(own));
  writeFileSync(join(screen.folder, '.env'), `PACKAGE_INSIGHTS_CODE_HOST_URL=${address}\n`);

  await screen.open('package.json');
  // Its settings are in force as far as they may be.
  await screen.squiggle('warning');
  // There is no view of connections before there is one.
  const view = page.locator('.pane').filter({ hasText: 'Connections' });
  assert.equal(await view.count(), 0);
  assert.deepEqual(seen, []);

  await screen.command('Package Insights: Connect a Service…');
  await widget.getByText('Code Host').waitFor();
  await screen.picture('services');
  await page.keyboard.press('Enter');
  await connect('wrong-credential');
  const toast = page.locator('.notification-toast').filter({ hasText: 'was not connected' });
  await toast.filter({ hasText: 'does not accept the credential' }).waitFor();
  await screen.picture('refused');
  assert.equal(await view.count(), 0);

  await toast.getByText('Change…').click();
  await connect(secret);
  const header = view.locator('.pane-header');
  await header.waitFor();
  if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
  const row = view.locator('.monaco-list-row').filter({ hasText: 'Code Host' });
  // What pauses a connection is in sight, with its end.
  await row.filter({ hasText: 'paused · 127.0.0.1' }).waitFor();
  await view
    .locator('.monaco-list-row')
    .filter({ hasText: /Paused until \d/ })
    .filter({ hasText: 'rate limit' })
    .waitFor();
  await view.getByText('With a credential').waitFor();
  await screen.picture('connected');
  assert.equal(seen.at(-1), `Bearer ${secret}`);
  assert.doesNotMatch(JSON.stringify(screen.settings()), /opensesame/);

  // The rows move while more becomes known, and a click meets another one: then the service is a question.
  await eventually(async (timeout) => {
    await page.keyboard.press('Escape');
    await screen.menu(row, 'Set Budget…');
    await widget.filter({ hasText: 'Code Host: Requests a Day' }).waitFor({ timeout });
  });
  await widget.locator('input').fill('1.5');
  await widget.getByText('A whole number').waitFor();
  await widget.locator('input').fill('0');
  await page.keyboard.press('Enter');
  await view.getByText('of 0 requests').waitFor();
  await screen.picture('budget');

  await screen.menu(row, 'Disconnect a Service…');
  await view.waitFor({ state: 'detached' });

  // YAML is sent to the server only while deployments are connected.
  writeFileSync(join(screen.folder, 'stack.yaml'), 'resources:\n- name: a\n  type: b\n- name: a\n  type: b\n');
  await screen.open('stack.yaml');
  await screen.shows('resources:');
  const squiggle = page.locator('.editor-instance .monaco-editor[data-uri$="/stack.yaml"] .squiggly-error');
  assert.equal(await squiggle.count(), 0);
  screen.change({ 'packageInsights.connections.deployments.baseUrl': 'http://127.0.0.1:9/v2beta/projects' });
  await squiggle.first().waitFor({ state: 'attached' });
  screen.change({ 'packageInsights.connections.deployments.baseUrl': undefined });
  await squiggle.first().waitFor({ state: 'detached' });
  await screen.open('package.json');
  await screen.squiggle('error');
});

test('connected services show an archived repository, a suspected link, a spent budget and the use of credentials', async (context) => {
  const screen = await stage.open(context, {
    release: 'newest',
    name: 'connected',
    viewport: { width: 1000, height: 1200 },
    isConnected: true,
    isNew: true,
    // Opening the file spends it.
    settings: { 'packageInsights.connections.codeHost.dailyBudget': 1 },
  });
  const { page } = screen;
  await screen.open('connected/package.json');
  await screen.shows('1.1.0');
  const hover = await screen.hover('"@example/retired"', 'archived');
  await screen.picture('hover');
  assert.match(hover, /archived/);
  const view = page.locator('.pane').filter({ hasText: 'Connections' });
  await view.locator('.pane-header').click();
  await view.getByText('1 of 1 requests').waitFor();
  const host = view.locator('.monaco-list-row').filter({ hasText: 'Code Host' }).first();
  assert.match((await host.getAttribute('aria-label')) ?? '', /^Code Host, paused · 127\.0\.0\.1:\d+$/);
  // Rows that are not in sight are not there.
  await page.locator('.pane-header').filter({ hasText: 'sample' }).click();
  await screen.picture('view');
  await view.locator('.monaco-list-row').filter({ hasText: 'Token Audit' }).click();
  await view.locator('.monaco-list-row').filter({ hasText: '0 of 2000' }).waitFor({ state: 'attached' });
  for (const key of ['End', 'ArrowRight']) await page.keyboard.press(key);
  // Listing them is a use itself, which must not list them again.
  await view.locator('.monaco-list-row').filter({ hasText: '1 of 2000' }).last().waitFor({ state: 'attached' });
  await page.keyboard.press('End');
  await view.locator('.monaco-list-row').filter({ hasText: 'GET /github.com/repos/example/retired' }).first().waitFor();
  await screen.picture('uses');
});
