import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const list = ({ page }: Screen) => page.locator('.quick-input-widget:visible');
const rows = (screen: Screen) => list(screen).locator('.monaco-list-row');

test('a version is chosen by keyboard alone, and one undo takes it back', async (context) => {
  const screen = await stage.open(context, {
    release: 'newest',
    name: 'choose',
    settings: { 'packageInsights.offerInstall': false },
  });
  const { page } = screen;
  await screen.open('package.json');
  await screen.squiggle('error');
  await screen.quickFixes('"^4.17.15"');
  await screen.picture('actions');
  await screen.take('Choose a version of lodash');
  await list(screen).filter({ hasText: 'Choose a version of lodash' }).waitFor();
  await rows(screen).filter({ hasText: 'no known advisories' }).first().waitFor();
  await screen.picture('list');
  await page.keyboard.press('End');
  await screen.picture('end-of-list');
  await page.keyboard.type('4.17.2');
  await screen.picture('filtered');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await list(screen).waitFor({ state: 'hidden' });
  await screen.picture('updated');
  await page.keyboard.press('Control+Z');
  await screen.shows('"^4.17.15"');
  assert.ok(true);
});

test('an update of everything is confirmed in a preview', async (context) => {
  const screen = await stage.open(context, {
    release: 'newest',
    name: 'update-all',
    settings: { 'packageInsights.offerInstall': false },
  });
  const { page } = screen;
  await screen.open('package.json');
  await screen.squiggle('error');
  await screen.command('Package Insights: Update All (Newest Without a Major Step)');
  await page.locator('.bulk-edit-panel .monaco-list-row').first().waitFor();
  await screen.picture('preview');
  // Nothing is selected before the person does.
  await page.locator('.bulk-edit-panel .monaco-list.element-focused, .bulk-edit-panel .monaco-list:focus').waitFor();
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await screen.picture('selected');
  await page.keyboard.press('Control+Enter');
  await screen.shows('"chalk": "^5.6.2"');
  await page.locator('.notification-toast').filter({ hasText: '9 versions updated' }).waitFor();
  await screen.picture('after');
  await page.locator('.editor-instance .monaco-editor').first().click();
  await page.keyboard.press('Control+Z');
  await screen.shows('"chalk": "^5.3.0"');
  await screen.shows('"lodash": "^4.17.15"');

  await screen.command('Package Insights: Update All in the Workspace (Safe)');
  await page.locator('.bulk-edit-panel .monaco-list-row').filter({ hasText: 'pom.xml' }).first().waitFor();
  await screen.picture('workspace');
  await page.getByText('Discard', { exact: true }).click();
  await page.locator('.bulk-edit-panel').waitFor({ state: 'hidden' });
  await screen.shows('"lodash": "^4.17.15"');
});
