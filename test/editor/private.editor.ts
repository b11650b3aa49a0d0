import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import { setStage } from './stage.ts';

const stage = setStage();

test('a private registry is named in the hint and the hover, and becomes public after a question', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'private-registry' });
  const { page } = screen;
  writeFileSync(join(screen.folder, '.npmrc'), '; ours\n@ours:registry=https://npm.ours.example/\n');
  writeFileSync(join(screen.folder, 'package.json'), '{\n  "dependencies": {\n    "@ours/ui": "1.0.0"\n  }\n}\n');
  await screen.open('package.json');
  await screen.shows('private: npm.ours.example');
  await screen.hover('"@ours/ui"', 'The name stays on this machine');
  await screen.picture('hover');
  await page.locator('.monaco-hover:visible a').filter({ hasText: '.npmrc' }).click();
  await page.locator('.tab').filter({ hasText: '.npmrc' }).waitFor();
  await page.locator('.statusbar-item').filter({ hasText: 'Ln 2, Col 1' }).waitFor();
  await screen.picture('place');

  await screen.open('package.json');
  await screen.quickFixes('1.0.0');
  await screen.picture('actions');
  await screen.take('npm.ours.example is a public registry');
  const dialog = page.locator('.monaco-dialog-box').filter({ hasText: 'Is npm.ours.example a public registry?' });
  await dialog.waitFor();
  assert.match(
    await dialog.innerText(),
    /names of all packages from npm\.ours\.example are then sent to http:\/\/127\.0\.0\.1/,
  );
  await screen.picture('question');
  assert.equal(screen.settings()['packageInsights.publicRegistries'], undefined);
  await dialog.locator('.monaco-button').filter({ hasText: 'Add Public Registry' }).click();
  await screen.shows('not found');
  await screen.picture('public');
});

test('an unknown package is not underlined in any theme, and its scope becomes private by a quick fix', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'private-scope' });
  const { page } = screen;
  const dependencies = { '@example/internal-ui': '^1.0.0', '@example/other': '2.0.0', lodash: '4.18.1' };
  writeFileSync(join(screen.folder, 'package.json'), `${JSON.stringify({ dependencies }, undefined, 2)}\n`);
  await screen.open('package.json');
  await screen.shows('not found');
  await screen.shows('4.18.1 · MIT');
  assert.equal(await page.locator('.squiggly-info, .squiggly-warning, .squiggly-error').count(), 0);
  const item = page.locator('.statusbar-item').filter({ hasText: 'Package Insights: 2 unknown to the service' });
  await item.waitFor();
  await item.hover();
  await page.locator('.monaco-hover:visible').filter({ hasText: '1 checked, 2 unknown to the service.' }).waitFor();
  for (const theme of ['light', 'contrast', 'dark'] as const) {
    await screen.wear(theme);
    await screen.picture(`unknown-${theme}`);
  }

  await screen.quickFixes('^1.0.0');
  await screen.picture('actions');
  await screen.take('This scope is private');
  const file = join(screen.folder, '.package-insights.json');
  await eventually(() => assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { private: ['npm/@example/*'] }));
  await screen.shows('private');
  await page
    .getByLabel(/1 checked, 2 private\./)
    .first()
    .waitFor();
  await screen.hover('"@example/other"', '.package-insights.json declares it private');
  await screen.picture('private');
});
