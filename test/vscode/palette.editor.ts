import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

/** Types into the command palette, and returns the rows of this extension without its name. */
async function typed({ page }: Screen, text: string): Promise<readonly string[]> {
  const input = page.locator('.quick-input-widget:visible input');
  await eventually(async (timeout) => {
    if (await input.isVisible()) await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    await input.fill(`>${text}`, { timeout });
  });
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor();
  const labels = await rows.locator('.label-name').allInnerTexts();
  return labels
    .map((it) => it.replaceAll('\u00a0', ' '))
    .filter((it) => it.startsWith('Package Insights: '))
    .map((it) => it.replace('Package Insights: ', ''));
}

test('the palette of a workspace without a manifest has five commands', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'palette-without', folders: ['notes'] });
  mkdirSync(join(screen.folder, 'notes', 'below'), { recursive: true });
  writeFileSync(join(screen.folder, 'notes', 'below', 'readme.md'), '# Notes\n');
  await screen.open('notes/below/readme.md');
  await screen.shows('Notes');
  const commands = await eventually(async () => {
    const rows = await typed(screen, 'Package Insights: ');
    assert.ok(rows.length > 0);
    return rows;
  });
  await screen.picture('commands');
  assert.deepEqual([...commands].sort(), [
    'Connect a Service…',
    'Get Started',
    'Identify a File…',
    'Look Up a Package…',
    'Show Report (Security, Vulnerabilities, Outdated, Copyleft)',
  ]);
  assert.equal(await screen.page.locator('.pane-header').filter({ hasText: 'Requirements' }).count(), 0);
  // Its first manifest has hints at once.
  writeFileSync(join(screen.folder, 'notes', 'package.json'), '{ "dependencies": { "lodash": "4.17.15" } }\n');
  await eventually(async () => {
    await screen.page.keyboard.press('Control+P');
    await screen.page.locator('.quick-input-widget:visible input').fill('package.json');
    await screen.page.locator('.quick-input-list .monaco-list-row.focused[aria-label^="package.json"]').waitFor();
    await screen.page.keyboard.press('Enter');
    await screen.page.locator('.editor-instance .monaco-editor[data-uri$="/package.json"]').waitFor();
  });
  await screen.shows('→ 4.17.21');
});

test('a workspace with a manifest finds its commands by the words that people type', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'palette-with' });
  await screen.open('package.json');
  await screen.shows('→ 4.17.21');
  const listed = async (text: string, title: string): Promise<void> =>
    eventually(async () => assert.ok((await typed(screen, text)).some((it) => it.startsWith(title))));
  await listed('Package Insights: ', 'Choose a Version…');
  await screen.picture('commands');
  for (const word of ['vulnerabilities', 'outdated', 'security', 'copyleft']) await listed(word, 'Show Report');
  for (const word of ['upgrade', 'latest', 'fix all']) await listed(word, 'Update…');
  await listed('ignore', 'Ignore a Finding…');
  await screen.picture('fix-all');
  assert.ok(!(await typed(screen, 'Package Insights: Set Budget')).some((it) => it.startsWith('Set')));
  assert.equal(await screen.page.locator('.pane-header').filter({ hasText: 'Connections' }).count(), 0);
  // Without an argument it takes the dependency at the cursor.
  await screen.page.keyboard.press('Escape');
  await screen.putCursor('"lodash"');
  await screen.command('Package Insights: Ignore a Finding…');
  await screen.page.locator('.quick-input-title').getByText('Ignore which findings of npm/lodash?').waitFor();
  await screen.picture('ignore');
});
