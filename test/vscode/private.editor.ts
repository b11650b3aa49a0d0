import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const offer = ({ page }: Screen) => page.locator('.notification-toast').filter({ hasText: 'Ask Registries' });
const ours = '{\n  "dependencies": {\n    "@ours/ui": "1.0.0"\n  }\n}\n';

test('the offer to ask private registries appears once, and changes nothing if it is declined', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'private-offer', isNew: true });
  const { page } = screen;
  const scope = (host: string): void =>
    writeFileSync(join(screen.folder, '.npmrc'), `@ours:registry=https://${host}/\n`);
  scope('npm.ours.example');
  writeFileSync(join(screen.folder, 'package.json'), ours);
  await screen.open('package.json');
  await offer(screen).filter({ hasText: 'Packages from npm.ours.example are not looked up' }).waitFor();
  await screen.picture('offer');
  await offer(screen).locator('.monaco-button').filter({ hasText: 'Keep Off' }).click();
  await offer(screen).waitFor({ state: 'detached' });
  scope('npm.theirs.example');
  await screen.shows('private: npm.theirs.example');
  await screen.hover('"@ours/ui"', 'The name stays on this machine');
  await page.reload();
  await screen.open('package.json');
  await screen.shows('private: npm.theirs.example');
  assert.equal(await offer(screen).count(), 0);
  assert.doesNotMatch(writtenSettings(screen), /privateRegistries/);
});

test('the offer sets the setting of the person, and the hover names the registry', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'private-ask', isNew: true });
  writeFileSync(join(screen.folder, '.npmrc'), '@ours:registry=https://npm.ours.example/\n');
  writeFileSync(join(screen.folder, 'package.json'), ours);
  await screen.open('package.json');
  await screen.hover('"@ours/ui"', 'The name stays on this machine');
  await offer(screen).locator('.monaco-button').filter({ hasText: 'Ask Registries' }).click();
  await eventually(() => assert.match(writtenSettings(screen), /"packageInsights\.privateRegistries": "ask"/));
  // Nothing answers at that host.
  await screen.hover('"@ours/ui"', 'npm.ours.example: ');
  await screen.picture('asked');
});

/** The settings that the editor has written for its person. */
function writtenSettings({ folder }: Screen): string {
  return ['User', 'Machine']
    .map((it) => join(folder, '..', 'home', it, 'settings.json'))
    .filter((it) => existsSync(it))
    .map((it) => readFileSync(it, 'utf8'))
    .join('\n');
}

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
  await screen.shows('unknown');
  await screen.picture('public');
});

test('an unknown package is not underlined in any theme, and its scope becomes private by a quick fix', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'private-scope' });
  const { page } = screen;
  const dependencies = { '@example/internal-ui': '^1.0.0', '@example/other': '2.0.0', lodash: '4.18.1' };
  writeFileSync(join(screen.folder, 'package.json'), `${JSON.stringify({ dependencies }, undefined, 2)}\n`);
  await screen.open('package.json');
  await screen.shows('unknown');
  await screen.shows('4.18.1 · MIT');
  assert.equal(await page.locator('.squiggly-info, .squiggly-warning, .squiggly-error').count(), 0);
  const item = page
    .locator('.statusbar-item')
    .filter({ hasText: /Package Insights: .*2 (?:unknown to the service|not checked)/ });
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
