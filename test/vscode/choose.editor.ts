import assert from 'node:assert/strict';
import { test } from 'node:test';
import { update } from './preview.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const list = ({ page }: Screen) => page.locator('.quick-input-widget:visible');
const rows = (screen: Screen) => list(screen).locator('.monaco-list-row');

/** Hints reach beyond the edge of so narrow an editor: what moves the cursor behind one scrolls. */
const viewport = { width: 800, height: 700 };

/** An update leaves the editor where it was; only the End key goes behind a hint. */
async function assertNotScrolled({ page }: Screen): Promise<void> {
  const lines = page.locator('.editor-instance .monaco-editor .lines-content').first();
  assert.equal(await lines.evaluate((it) => it.style.left), '0px');
}

test('a version is chosen by keyboard alone, and one undo takes it back', async (context) => {
  const screen = await stage.open(context, {
    release: 'newest',
    name: 'choose',
    viewport,
    settings: { 'packageInsights.offerInstall': false },
  });
  const { page } = screen;
  await screen.open('package.json');
  await screen.squiggle('error');
  await screen.quickFixes('"^4.17.15"');
  await screen.picture('actions');
  await screen.take('Choose a version of lodash');
  await list(screen).filter({ hasText: 'Choose a version of lodash' }).waitFor();
  await rows(screen).filter({ hasText: 'no known vulnerabilities' }).first().waitFor();
  await screen.picture('list');
  await page.keyboard.press('End');
  await screen.picture('end-of-list');
  await page.keyboard.type('4.17.2');
  await rows(screen)
    .filter({ hasText: /^\s*4\.17\.2(?!\d)/ })
    .and(page.locator('.focused'))
    .waitFor();
  await screen.picture('filtered');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await list(screen).waitFor({ state: 'hidden' });
  // Typed in full is 4.17.2, the last of the list, behind which its first follows: the safe version.
  await screen.shows('"^4.17.21"');
  await screen.picture('updated');
  await assertNotScrolled(screen);
  await page.keyboard.press('Control+Z');
  await screen.shows('"^4.17.15"');
  await assertNotScrolled(screen);
});

test('an update of everything is confirmed in a preview', async (context) => {
  const screen = await stage.open(context, {
    release: 'newest',
    name: 'update-all',
    viewport,
    settings: { 'packageInsights.offerInstall': false },
  });
  const { page } = screen;
  await screen.open('package.json');
  await screen.squiggle('error');
  await update(screen, 'Latest minor versions of this file');
  const preview = page.locator('.quick-input-widget:visible').filter({ hasText: 'Update to these versions?' });
  await preview.getByText('lodash 4.17.15 → 4.18.1').waitFor();
  await screen.picture('preview');
  // Everything is selected: Enter makes it.
  await page.keyboard.press('Enter');
  await screen.shows('"chalk": "^5.6.2"');
  await page
    .locator('.notification-toast')
    .filter({ hasText: /\d versions updated/ })
    .waitFor();
  await screen.picture('after');
  await assertNotScrolled(screen);
  await page.locator('.editor-instance .monaco-editor').first().click();
  await page.keyboard.press('Control+Z');
  await screen.shows('"chalk": "^5.3.0"');
  await screen.shows('"lodash": "^4.17.15"');

  await update(screen, 'Safe versions of the workspace');
  await preview.locator('.monaco-list-row').first().waitFor();
  await screen.picture('workspace');
  await page.keyboard.press('Escape');
  await preview.waitFor({ state: 'hidden' });
  await screen.shows('"lodash": "^4.17.15"');
});
