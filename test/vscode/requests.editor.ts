import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import { setStage } from './stage.ts';

const stage = setStage();

test('a method of a service is called from a document, whose answer is beside it', async (context) => {
  const screen = await stage.open(context, {
    release: 'newest',
    name: 'requests',
    isConnected: true,
    viewport: { width: 1280, height: 720 },
    settings: { 'workbench.colorTheme': 'Default Dark Modern', 'editor.minimap.enabled': false },
  });
  const { page } = screen;
  const widget = page.locator('.quick-input-widget:visible');
  const answer = page.locator('.editor-instance .monaco-editor[data-uri^="package-insights-answer:"]');
  const request = page.locator('.editor-instance .monaco-editor[data-uri^="untitled:"]');
  const lens = (title: string) => request.locator('.codelens-decoration a').filter({ hasText: title });

  async function callMethod(method: string): Promise<void> {
    await screen.command('Package Insights: Call a Service Method…');
    await widget.getByText('code-host', { exact: false }).first().waitFor();
    await widget.locator('input').fill(method);
    await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: method }).first().waitFor();
    if (method === 'link-safety.threatLists.list') await screen.picture('methods');
    await page.keyboard.press('Enter');
    await request.locator('.view-line').filter({ hasText: method }).first().waitFor();
  }

  await screen.open('package.json');
  // The extension is there, and its commands with it.
  await screen.squiggle('error');
  await callMethod('link-safety.threatLists.list');
  await lens('Send').click();
  await answer.locator('.view-line').filter({ hasText: 'MALWARE' }).first().waitFor();
  await answer
    .locator('.view-line')
    .filter({ hasText: /200.*ms.*bytes.*1.quota.unit/ })
    .waitFor();
  await screen.picture('answer');

  await lens('Copy as cURL').click();
  await page.locator('.statusbar-item').filter({ hasText: 'Copied: curl' }).waitFor();

  // Typed over: the name is completed, its value is wrong, and a fix corrects it.
  await request.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('METHOD scheduling.events.list\ncalendarId: primary\n');
  await page.keyboard.type('orde');
  await page.keyboard.press('Control+Space');
  const offered = page.locator('.suggest-widget.visible .monaco-list-row.focused');
  await offered.filter({ hasText: 'orderBy' }).waitFor();
  await screen.picture('completion');
  await page.keyboard.press('Enter');
  await page.locator('.suggest-widget.visible .monaco-list-row').filter({ hasText: 'startTime' }).waitFor();
  await page.keyboard.type('dat');
  await page.keyboard.press('Escape');
  await request.locator('.squiggly-error').first().waitFor({ state: 'attached' });
  await request.getByText('(1 error)').first().waitFor();
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget .monaco-list-row.action').filter({ hasText: 'Change to startTime' }).waitFor();
  await screen.picture('fix');
  await screen.take('Change to updated');
  await request.locator('.view-line').filter({ hasText: 'updated' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await answer.locator('.view-line').filter({ hasText: 'scheduling.events.list' }).first().waitFor();
  await answer
    .locator('.view-line')
    .filter({ hasText: /200.*ms/ })
    .waitFor();
  screen.change({ 'workbench.colorTheme': 'Default Light Modern' });
  await page.locator('.monaco-workbench.vs').first().waitFor();
  await screen.picture('light');

  // What removes something asks for its name.
  await request.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('METHOD scheduling.calendars.clear\ncalendarId: primary\n');
  await page.keyboard.press('Escape');
  await lens('Send').first().waitFor();
  await page.keyboard.press('Control+Enter');
  await widget.getByText('cannot be undone').waitFor();
  await widget.locator('input').fill('secondary');
  await widget.getByText('The name is primary').waitFor();
  await screen.picture('confirm');
  await widget.locator('input').fill('primary');
  await page.keyboard.press('Enter');
  const shown = await eventually(async () => {
    const text = (await answer.locator('.view-lines').innerText()).replaceAll('\u00a0', ' ');
    assert.match(text, /scheduling\.calendars\.clear/);
    return text;
  });
  assert.match(shown, /20\d · \d+ ms/);
});
