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
