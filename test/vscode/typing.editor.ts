import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setStage } from './stage.ts';

const stage = setStage();

test('versions are offered behind the quote that begins a version', async (context) => {
  const settings = { 'files.autoSave': 'off' };
  const screen = await stage.open(context, { release: 'newest', name: 'typing', settings });
  const { page, folder } = screen;
  mkdirSync(join(folder, 'typed'));
  writeFileSync(join(folder, 'typed', 'package.json'), '{\n  "dependencies": {\n    \n  }\n}\n');
  await screen.open('typed/package.json');
  await page.locator('.statusbar-item').filter({ hasText: 'Package Insights' }).first().waitFor();
  await page.keyboard.press('Control+Home');
  for (let down = 0; down < 2; down++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type('"minimist": "', { delay: 30 });
  const offered = page.locator('.suggest-widget.visible .monaco-list-row');
  await offered.filter({ hasText: '1.2.8' }).first().waitFor();
  await screen.picture('suggestions');
  await page.keyboard.press('Enter');
  await screen.shows('"minimist": "1.2.8"');
});
