import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const dependencies = { express: '^4.17.1', request: '^2.88.2' };
const files = {
  'package.json': { name: 'below', version: '1.0.0', dependencies },
  'package-lock.json': {
    name: 'below',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: {
      '': { name: 'below', version: '1.0.0', dependencies },
      'node_modules/express': { version: '4.17.1', dependencies: { 'body-parser': '1.19.0', qs: '6.7.0' } },
      'node_modules/body-parser': { version: '1.19.0', dependencies: { qs: '6.7.0' } },
      'node_modules/qs': { version: '6.7.0' },
      'node_modules/request': { version: '2.88.2', dependencies: { 'http-signature': '~1.2.0', qs: '~6.5.2' } },
      'node_modules/request/node_modules/qs': { version: '6.5.2' },
      'node_modules/http-signature': { version: '1.2.0', dependencies: { jsprim: '^1.2.2' } },
      'node_modules/jsprim': { version: '1.4.1', dependencies: { 'json-schema': '0.2.3' } },
      'node_modules/json-schema': { version: '0.2.3' },
    },
  },
};

test('a person sees what is affected below, and overrides it in one step that can be undone', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'below' });
  const { page } = screen;
  const folder = join(screen.folder, 'below');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), `${JSON.stringify(content, undefined, 2)}\n`);
  await screen.open('below/package.json');
  await screen.shows('transitive');
  await screen.squiggle('info');
  await screen.picture('hints');
  const hover = await screen.hover('"request"', 'json-schema 0.2.3');
  assert.match(hover, /request → http-signature → jsprim → json-schema 0\.2\.3/);
  await screen.picture('hover');

  await screen.quickFixes('^2.88.2');
  await screen.take('Lock qs');
  const toast = page.locator('.notifications-toasts .notification-list-item').filter({ hasText: 'npm update qs' });
  await toast.getByRole('button', { name: 'Run in Terminal' }).waitFor();
  await toast.getByRole('button', { name: 'Copy Command' }).waitFor();
  await screen.picture('command');
  await screen.command('Notifications: Clear All Notifications');

  const fixes = await screen.quickFixes('^2.88.2');
  await screen.picture('fixes');
  const override = fixes.find((it) => /Override json-schema with/.test(it));
  assert.ok(override, fixes.join('\n'));
  await screen.take('Override json-schema with');
  await screen.shows('"overrides"');
  await screen.picture('overridden');
  await page.keyboard.press('Control+Z');
  await eventually(async () => {
    const text = await page.locator('.editor-instance .view-lines').first().innerText();
    assert.doesNotMatch(text, /overrides/);
  });
});
