import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

/** Opens the report, as a page in the page of the editor. */
async function showReport(screen: Screen): Promise<FrameLocator> {
  await screen.open('package.json');
  await screen.squiggle('error');
  await screen.command('Package Insights: Show Report');
  const page = screen.page.frameLocator('iframe.webview').frameLocator('#active-frame');
  await page.locator('.body [role=row]').first().waitFor();
  return page;
}

test('the report of a workspace can be read in each theme, and opens the manifest of a row', async (context) => {
  const viewport = { width: 900, height: 700 };
  const screen = await stage.open(context, { release: 'newest', name: 'report', viewport });
  const inEachTheme = async (name: string): Promise<void> => {
    for (const theme of ['light', 'contrast', 'contrast-light', 'dark'] as const) {
      await screen.wear(theme);
      await screen.picture(`${name}-${theme}`);
    }
  };
  mkdirSync(join(screen.folder, 'inside'));
  writeFileSync(join(screen.folder, 'inside', '.npmrc'), '@inside:registry=https://npm.inside.example/\n');
  writeFileSync(join(screen.folder, 'inside', 'package.json'), '{ "dependencies": { "@inside/ui": "1.0.0" } }\n');
  const page = await showReport(screen);
  await page.getByText(/private.* from (the registry )?npm\.inside\.example \((?:.*\/)?\.npmrc(?::1)?\)/).waitFor();
  await inEachTheme('report');
  // The worst comes first.
  const first = page.locator('.body [role=row]').first();
  assert.match((await first.textContent()) ?? '', /^Critical10\.0/);

  await page.getByRole('button', { name: /^Weak copyleft: \d/ }).click();
  const junit = page.locator('.body [role=row]').filter({ hasText: 'junit' }).first();
  await junit.waitFor();
  await first.filter({ hasText: 'classic' }).waitFor();
  await inEachTheme('weak-copyleft');
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await page.locator('input').fill('log4j pom.xml');
  await junit.waitFor({ state: 'hidden' });
  const found = page.locator('.body [role=row]').filter({ hasText: 'log4j' }).first();
  await found.click();
  await screen.page.locator('.tab.active').filter({ hasText: 'pom.xml' }).waitFor();
  await screen.picture('opened');

  await screen.page.locator('.tab').filter({ hasText: 'package.json' }).first().click();
  await found.waitFor({ state: 'hidden' });
  await screen.page.locator('.tab').filter({ hasText: 'Dependency Report' }).click();
  await found.waitFor();
  assert.equal(await page.locator('input').inputValue(), 'log4j pom.xml');
});

test('Update in a row changes the file beside the report, unsaved, and one undo takes it back', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'report-update' });
  const file = join(screen.folder, 'package.json');
  const before = readFileSync(file, 'utf8');
  const page = await showReport(screen);
  await page.locator('input').fill('minimist package.json');
  // The rows are those of two manifests.
  const row = page.locator('.body [role=row]').nth(1);
  const target = row.getByRole('button');
  assert.equal(await target.innerText(), '1.2.6 · patch');
  assert.equal(await target.getAttribute('title'), 'Update minimist to 1.2.6 (press U)');
  await target.click();
  await row.getByText('Updated to 1.2.6').waitFor();
  const line = (text: string) => screen.page.locator('.view-line').filter({ hasText: text }).first();
  await line('"1.2.6"').waitFor();
  await screen.picture('updated');
  assert.equal(readFileSync(file, 'utf8'), before);

  await line('"1.2.6"').click();
  await screen.page.keyboard.press('Control+Z');
  await line('"1.2.5"').waitFor();
  assert.equal(await line('"1.2.6"').count(), 0);
});
