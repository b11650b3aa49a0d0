import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { eventually } from './eventually.ts';
import { themes } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();
const service = await startServiceForFile({
  'NPM stolen': { versions: ['1.0.0', '1.0.1'] },
  'NPM brings': { versions: ['1.0.0'] },
  'NPM below': { versions: ['1.0.0'] },
  'NPM fine': { versions: ['1.0.0', '1.1.0'] },
  'PYPI held': { versions: ['1.0.0'], projectStatus: { status: 'quarantined', reason: 'Steals keys' } },
  'advisory GHSA-mmmm-mmmm-mmmm': {
    title: 'Malware in stolen',
    aliases: ['MAL-2026-1'],
    affected: [{ system: 'NPM', name: 'stolen', versions: ['1.0.1'] }],
  },
  'advisory MAL-2026-2': {
    title: 'Malicious code in below (npm)',
    affected: [{ system: 'NPM', name: 'below', versions: ['1.0.0'] }],
  },
  'advisory MAL-2026-3': {
    title: 'Malicious code in fine (npm)',
    affected: [{ system: 'NPM', name: 'fine', versions: ['1.1.0'] }],
  },
});

const manifest = `{
  "dependencies": {
    "stolen": "^1.0.0",
    "brings": "1.0.0",
    "fine": "1.0.0"
  }
}
`;
const lockfile = JSON.stringify({
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { stolen: '^1.0.0', brings: '1.0.0', fine: '1.0.0' } },
    'node_modules/stolen': { version: '1.0.1' },
    'node_modules/brings': { version: '1.0.0', dependencies: { below: '1.0.0' } },
    'node_modules/below': { version: '1.0.0' },
    'node_modules/fine': { version: '1.0.0' },
  },
});

test('malware is an error that says what to do, and its one action leads back', async (context) => {
  const settings = { 'packageInsights.baseUrl': service.url };
  const screen = await stage.open(context, { release: 'newest', name: 'malicious', settings });
  const path = join(screen.folder, 'package.json');
  writeFileSync(path, manifest);
  writeFileSync(join(screen.folder, 'package-lock.json'), lockfile);
  await screen.open('package.json');
  await screen.shows('⛔ malicious');
  await screen.squiggle('error');
  for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
    await screen.wear(theme);
    await screen.hover('"stolen"', 'Malicious version.');
    await screen.picture(`direct-${theme}`);
  }
  const brought = await screen.hover('"brings"', 'Brings below 1.0.0, which is malicious.');
  assert.match(brought, /rotate all credentials/);
  await screen.picture('brought');
  const problems = (await screen.problems()).join('\n');
  assert.match(problems, /Malicious version\..*Go back to 1\.0\.0/);
  assert.match(problems, /Brings below 1\.0\.0, which is malicious/);
  await screen.picture('problems');
  await screen.problemsAway();
  assert.ok(!(await screen.quickFixes('"fine"')).some((it) => it.includes('1.1.0')));
  await screen.picture('fine');
  await screen.page.keyboard.press('Escape');
  const fixes = await screen.quickFixes('^1.0.0');
  await screen.picture('menu');
  assert.ok(!fixes.some((it) => /Ignore/.test(it)), fixes.join('\n'));
  await screen.take('Go back to 1.0.0 of stolen');
  await screen.save();
  await eventually(() => assert.match(readFileSync(path, 'utf8'), /"stolen": "1\.0\.0"/));
});

test('malware is removed as a whole, chosen only after a question, and a quarantine is malware that is suspected', async (context) => {
  const settings = { 'packageInsights.baseUrl': service.url, 'packageInsights.offerInstall': false };
  const screen = await stage.open(context, { release: 'newest', name: 'malicious-menus', settings });
  const { page } = screen;
  const path = join(screen.folder, 'package.json');
  writeFileSync(path, manifest);
  writeFileSync(join(screen.folder, 'package-lock.json'), lockfile);
  writeFileSync(join(screen.folder, 'requirements.txt'), 'held==1.0.0\n');
  await screen.open('package.json');
  await screen.shows('⛔ malicious');
  const list = page.locator('.quick-input-widget:visible');
  const question = page.locator('.notification-toast').filter({ hasText: 'fine 1.1.0 is malicious' });
  await screen.quickFixes('"fine"');
  await screen.take('Choose a version of fine');
  await list.getByText('Malicious', { exact: true }).waitFor();
  await screen.picture('choose');
  await page.keyboard.type('1.1.0');
  await page.keyboard.press('Enter');
  await question.waitFor();
  await screen.picture('question');
  assert.match(readFileSync(path, 'utf8'), /"fine": "1\.0\.0"/);
  await question.getByText('Change Anyway').waitFor();
  await page.keyboard.press('Escape');
  const fixes = await screen.quickFixes('"brings"');
  await screen.picture('menu-brought');
  assert.ok(
    fixes.some((it) => /^Remove brings/.test(it)),
    fixes.join('\n'),
  );
  await screen.take('Remove brings');
  await screen.save();
  await eventually(() => assert.doesNotMatch(readFileSync(path, 'utf8'), /brings/));
  await page.keyboard.press('Control+Z');
  await screen.shows('"brings"');
  await screen.open('requirements.txt');
  await screen.shows('malware suspected');
  for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
    await screen.wear(theme);
    await screen.hover('held', 'PyPI has quarantined the project');
    await screen.picture(`quarantined-${theme}`);
  }
  await page.mouse.move(0, 0);
  const suspected = await screen.quickFixes('==1.0.0');
  await screen.picture('menu-quarantined');
  assert.ok(
    suspected.some((it) => /^Remove held/.test(it)),
    suspected.join('\n'),
  );
  assert.ok(!suspected.some((it) => /Ignore/.test(it)), suspected.join('\n'));
});
