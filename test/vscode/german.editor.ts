import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import { setStage } from './stage.ts';

const stage = setStage();

test('who has set the editor to German reads German', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'german', language: 'de' });
  await screen.open('package.json');
  await screen.shows('⚠ hoch → 4.17.21 · 3 Schwachstellen');
  await screen.picture('hints');
  const hover = await screen.hover('"lodash"', 'Lizenz');
  assert.match(hover, /3 Schwachstellen, schlimmste: hoch 7\.4, behoben in 4\.17\.21/);
  await screen.picture('hover');
  const item = screen.page
    .locator('.statusbar-item')
    .filter({ has: screen.page.getByLabel(/Abhängigkeiten, \d+ Befunde/) });
  // A hover that closes takes the focus back to the text, and with it the menu.
  await eventually(async (timeout) => {
    await item.click();
    await screen.page.locator('.quick-input-list').getByText('Befunde anzeigen').waitFor({ timeout });
  });
  await screen.picture('menu');
  await screen.page.keyboard.press('Escape');

  const fixes = await screen.quickFixes('^4.17.15');
  assert.ok(
    fixes.some((it) => /lodash auf 4\.18\.1 aktualisieren \(.*neueste/.test(it)),
    fixes.join('\n'),
  );
  assert.ok(
    fixes.some((it) => /3 Befunde von lodash ignorieren …/.test(it)),
    fixes.join('\n'),
  );
  await screen.picture('fixes');
  await screen.page.keyboard.press('Escape');

  await screen.command('Package Insights: Lizenzhinweise exportieren');
  await screen.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'package-lock.json' }).waitFor();
  await screen.picture('where');
  await screen.page.locator('.quick-input-widget:visible input').press('Enter');
  await screen.page.locator('.tab').filter({ hasText: 'NOTICES.txt' }).waitFor();
  await screen.shows('Lizenzen von');
  await screen.picture('notices');

  await screen.command('Package Insights: Bericht anzeigen');
  const page = screen.page.frameLocator('iframe.webview').frameLocator('#active-frame');
  await page.locator('.body [role=row]').first().waitFor();
  await screen.picture('report');
});
