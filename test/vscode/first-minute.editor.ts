import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { eventually, patience } from './eventually.ts';
import { confirmPreview, update } from './preview.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const offer = ({ page }: Screen) => page.locator('.notification-toast').filter({ hasText: 'Run “npm install”' });

/** What a test leaves unsaved is not on the disk of the next one in its window. */
const unsaved = { 'files.autoSave': 'off' };

async function walkthrough({ page, command }: Screen): Promise<void> {
  const input = page.locator('.quick-input-widget:visible input');
  const focused = page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: 'Package Insights' });
  // The list of walkthroughs takes the place of that of commands a moment later, and with it of what was typed.
  await eventually(async (timeout) => {
    if (await input.isVisible()) await page.keyboard.press('Escape');
    await command('Welcome: Open Walkthrough');
    await page.getByPlaceholder('Select a walkthrough').waitFor({ timeout });
    await input.fill('Package Insights', { timeout });
    await focused.waitFor({ timeout });
  });
  await page.keyboard.press('Enter');
}

/** What the extension host has logged about the extension. */
function hostWarnings(logs: string): readonly string[] {
  return readdirSync(logs, { recursive: true, encoding: 'utf8' })
    .filter((it) => it.endsWith('remoteexthost.log'))
    .flatMap((it) => readFileSync(join(logs, it), 'utf8').split('\n'))
    .filter((it) => /\[(warning|error)\]/.test(it) && it.includes('package-insights'));
}

// The offer is made once a window, unless the update is undone: the tests that leave it open for others come first.

test('the steps of the walkthrough act, and are done when the person has done them', async (context) => {
  const viewport = { width: 900, height: 700 };
  const settings = { 'packageInsights.offerInstall': false, ...unsaved };
  const screen = await stage.open(context, { release: 'newest', name: 'walkthrough', viewport, settings, isNew: true });
  const { page } = screen;
  const warnings: string[] = [];
  page.on('console', (it) => {
    if (it.text().includes('package-insights') && it.type() !== 'info') warnings.push(it.text());
  });
  await screen.open('package.json');
  await screen.squiggle('error');
  // What VS Code writes about an extension is read by its authors, and by people who search for another cause.
  assert.deepEqual([...warnings, ...hostWarnings(join(screen.folder, '..', 'home', 'logs'))], []);
  await page.keyboard.press('Control+B');
  await walkthrough(screen);
  const step = (title: string) => page.locator('.getting-started-step').filter({ hasText: title });
  await step('Read a line').getByText('Show the First Finding').waitFor();
  await screen.picture('walkthrough');
  // The step of npm start is about its catalog.
  assert.equal(await step('What this window knows').count(), 0);
  const isDone = async (title: string): Promise<void> =>
    step(title).locator('.codicon-getting-started-step-checked').waitFor();
  /** Clicks a step's button until something is shown: a step that unfolds moves the button away from under the click. */
  const click = async (title: string, button: string, shown: Locator): Promise<void> =>
    eventually(async () => {
      const it = step(title).getByText(button);
      if (!(await step(title).isVisible())) await walkthrough(screen);
      if (!(await it.isVisible())) await step(title).click({ timeout: patience / 10 });
      await it.click({ timeout: patience / 10 });
      await shown.waitFor({ timeout: patience / 10 });
    });
  await click(
    'Read a line',
    'Show the First Finding',
    page.locator('.monaco-hover:visible').filter({ hasText: 'express' }).first(),
  );
  await screen.picture('hovered');
  await walkthrough(screen);
  await isDone('Read a line');
  await click(
    'Fix a line',
    'Show the Quick Fixes',
    page.locator('.action-widget .monaco-list-row.action').filter({ hasText: 'Update express' }).first(),
  );
  await screen.picture('fixes');
  await page.keyboard.press('Escape');
  await update(screen);
  await confirmPreview(screen);
  await screen.shows('"1.2.6"');
  await walkthrough(screen);
  await isDone('Fix a line');
  await screen.picture('done');
});

test('with the offer switched off an update is made without one', async (context) => {
  const settings = { 'packageInsights.offerInstall': false, ...unsaved };
  const screen = await stage.open(context, { release: 'newest', name: 'no-offer', settings });
  await screen.open('package.json');
  await screen.squiggle('error');
  await update(screen);
  await confirmPreview(screen);
  await screen.shows('"1.2.6"');
  // The answer of the server, and with it an offer, is there before the hint is.
  await screen.shows('1.2.6 · MIT');
  await screen.picture('no-offer');
  assert.equal(await offer(screen).count(), 0);
});

test('a double click on a hint is followed by the offer, which runs nothing once the update is undone', async (context) => {
  const settings = unsaved;
  const screen = await stage.open(context, { release: 'newest', name: 'double-click', settings });
  await screen.open('package.json');
  const hint = screen.page
    .locator('.view-line span')
    .filter({ hasText: /^\s*⚠\s*high/ })
    .first();
  await hint.waitFor();
  const updated = screen.page.locator('.view-line').filter({ hasText: '"^4.17.21"' }).first();
  // A hint that the editor replaces just then takes no click.
  await eventually(async () => {
    if ((await updated.count()) === 0) await hint.dblclick({ timeout: patience / 10 });
    await updated.waitFor({ timeout: patience / 10 });
  });
  await offer(screen).waitFor();
  await screen.picture('offer');
  await screen.page.locator('.editor-instance .monaco-editor').first().click();
  await screen.page.keyboard.press('Control+Z');
  await screen.shows('"^4.17.15"');
  // The next update has an offer of its own, in place of the first.
  await screen.quickFixes('^4.17.15');
  await screen.take('Update lodash to 4.17.21');
  await screen.shows('"^4.17.21"');
  // For a moment there is neither.
  await eventually(async () => assert.equal(await offer(screen).count(), 1));
  await screen.page.keyboard.press('Control+Z');
  await screen.shows('"^4.17.15"');
  await offer(screen).getByText('Save and Run').click();
  await screen.page.getByText('Nothing to install: the update was undone.').waitFor();
  assert.equal(await screen.page.locator('.terminal-wrapper').count(), 0);
});

test('an update is followed by one offer to install it, and nothing runs before the click', async (context) => {
  const settings = unsaved;
  const screen = await stage.open(context, { release: 'newest', name: 'installing', settings });
  const file = join(screen.folder, 'package.json');
  const before = readFileSync(file, 'utf8');
  await screen.open('package.json');
  await screen.squiggle('error');
  await update(screen);
  await confirmPreview(screen);
  await offer(screen).waitFor();
  await screen.picture('offer');
  assert.equal(readFileSync(file, 'utf8'), before);
  assert.equal(await screen.page.locator('.terminal-wrapper').count(), 0);
  await offer(screen).getByText('Save and Run').click();
  await screen.page.locator('.part.panel').getByText('Package Insights', { exact: false }).first().waitFor();
  await eventually(() => assert.notEqual(readFileSync(file, 'utf8'), before));
  await screen.picture('running');
  // Once a window.
  await screen.page.locator('.editor-instance .monaco-editor').first().click();
  await screen.page.keyboard.press('Control+Z');
  await screen.shows('"^4.17.15"');
  await update(screen);
  await confirmPreview(screen);
  await screen.shows('"1.2.6"');
  assert.equal(await offer(screen).count(), 0);
});

test('a quick fix is followed by the offer, too', async (context) => {
  const screen = await stage.open(context, { release: 'oldest', name: 'fixing', isNew: true });
  await screen.open('package.json');
  await screen.squiggle('error');
  await screen.quickFixes('^4.17.15');
  await screen.take('Update lodash to 4.17.21');
  await screen.shows('"^4.17.21"');
  await offer(screen).waitFor();
  await screen.picture('offer');
  // Undone, the next one is followed by an offer again.
  await screen.page.locator('.editor-instance .monaco-editor').first().click();
  await screen.page.keyboard.press('Control+Z');
  await screen.shows('"^4.17.15"');
});

test('who does not want the offer is not asked again', async (context) => {
  const screen = await stage.open(context, { release: 'oldest', name: 'never-installing' });
  await screen.open('package.json');
  await screen.squiggle('error');
  await update(screen);
  await confirmPreview(screen);
  await offer(screen).waitFor();
  await screen.picture('offer');
  await offer(screen).getByText("Don't Ask Again").click();
  const settings = join(screen.folder, '..', 'home', 'User', 'settings.json');
  await eventually(() => assert.match(readFileSync(settings, 'utf8'), /"packageInsights\.offerInstall": false/));
});

test('the public service is used after a confirmation that names it', async (context) => {
  // Nothing is requested in a test.
  const settings = { 'packageInsights.offline': true };
  const screen = await stage.open(context, { release: 'newest', name: 'public-service', settings });
  const { page } = screen;
  const machine = join(screen.folder, '..', 'home', 'Machine', 'settings.json');
  await screen.open('package.json');
  // The extension runs.
  await page
    .locator('.statusbar-item')
    .filter({ has: page.getByLabel(/offline/i) })
    .first()
    .waitFor();
  await screen.command('Package Insights: Use the Public Service…');
  const dialog = page.locator('.monaco-dialog-box').filter({ hasText: 'Use the public service?' });
  await dialog.getByText(/will be sent to https:\/\/api\.deps\.dev instead of http:\/\/127\.0\.0\.1:\d+/).waitFor();
  await screen.picture('dialog');
  await dialog.getByText('Cancel').click();
  await dialog.waitFor({ state: 'detached' });
  assert.match(readFileSync(machine, 'utf8'), /packageInsights\.baseUrl": "http:\/\/127/);
  await screen.command('Package Insights: Use the Public Service…');
  await dialog.getByText('Use https://api.deps.dev').click();
  await eventually(() =>
    assert.match(readFileSync(machine, 'utf8'), /packageInsights\.baseUrl": "https:\/\/api\.deps\.dev"/),
  );
  await dialog.waitFor({ state: 'detached' });
  // With the public service there is nothing left to choose.
  await eventually(async (timeout) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget:visible input').fill('>Use the Public Service', { timeout });
    const rows = page.locator('.quick-input-list .monaco-list-row');
    // The editor offers what is similar, or says that there is nothing.
    await rows.first().waitFor({ timeout });
    assert.equal(await rows.filter({ hasText: 'Use the Public Service' }).count(), 0);
  });
  await screen.picture('in-use');
});
