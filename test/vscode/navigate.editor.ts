import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const parent = '<groupId>w</groupId><artifactId>parent</artifactId><version>1</version>';
const files: Readonly<Record<string, string>> = {
  'web/pnpm-workspace.yaml': 'packages:\n  - packages/*\ncatalog:\n  minimist: 1.2.8\n',
  'web/packages/a/package.json': '{\n  "dependencies": { "minimist": "catalog:" }\n}\n',
  'web/packages/b/package.json': '{\n  "devDependencies": { "minimist": "catalog:" }\n}\n',
  'java/pom.xml': `<project>\n  ${parent}\n  <properties>\n    <slf4j.version>2.0.9</slf4j.version>\n  </properties>\n</project>\n`,
  'java/m/pom.xml': `<project>\n  <parent>${parent}</parent>\n  <artifactId>m</artifactId>\n  <dependencies>\n    <dependency>\n      <groupId>org.slf4j</groupId>\n      <artifactId>slf4j-api</artifactId>\n      <version>\${slf4j.version}</version>\n    </dependency>\n  </dependencies>\n</project>\n`,
  'build/settings.gradle': '\n',
  'build/gradle/libs.versions.toml': '[libraries]\nslf4j-api = "org.slf4j:slf4j-api:2.0.9"\n',
  'build/app/build.gradle': 'dependencies {\n    implementation libs.slf4j.api\n}\n',
};

test('F12 leads to the definition, Shift+F12 back to its users, and F2 renames it in all files', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'navigate', settings: {} });
  const { page } = screen;
  const read = (name: string): string => readFileSync(join(screen.folder, name), 'utf8');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(screen.folder, name)), { recursive: true });
    writeFileSync(join(screen.folder, name), text);
  }

  for (const [from, at, name, line] of [
    ['web/packages/a/package.json', 'catalog:', 'pnpm-workspace.yaml', 4],
    ['java/m/pom.xml', '{slf4j.version}', 'pom.xml', 4],
    ['build/app/build.gradle', 'slf4j.api', 'libs.versions.toml', 2],
  ] as const) {
    await screen.open(from);
    await screen.putCursor(at);
    // At first the server may not be up.
    await eventually(async (timeout) => {
      await page.keyboard.press('F12');
      await page.locator('.tab.active').filter({ hasText: name }).waitFor({ timeout });
    });
    await atLine(screen, line);
  }
  await screen.picture('definition');

  await screen.open('web/pnpm-workspace.yaml');
  await screen.putCursor('minimist');
  await page.keyboard.press('Shift+F12');
  const peek = page.locator('.peekview-widget');
  await peek.locator('.ref-tree').getByText('package.json').nth(1).waitFor();
  await screen.picture('references');
  await page.keyboard.press('Escape');

  await screen.open('java/pom.xml');
  await screen.putCursor('slf4j.version');
  await page.keyboard.press('F2');
  const box = page.locator('.rename-box input');
  await box.fill('logging.version');
  await box.press('Enter');
  await eventually(() => {
    const name = (of: string): string => (files[of] ?? '').replaceAll('slf4j.version', 'logging.version');
    assert.equal(read('java/pom.xml'), name('java/pom.xml'));
    assert.equal(read('java/m/pom.xml'), name('java/m/pom.xml'));
  });
  await screen.picture('renamed');

  // One undo takes it back in both files.
  await page.keyboard.press('Control+Z');
  await screen.shows('<slf4j.version>');
  await screen.open('java/m/pom.xml');
  await screen.shows('${slf4j.version}');

  await screen.open('web/packages/a/package.json');
  await screen.putCursor('minimist');
  await page.keyboard.press('F2');
  await page.getByText('It has the name of its package, which cannot be changed here.').first().waitFor();
});

async function atLine({ page }: Screen, line: number): Promise<void> {
  await page
    .locator('.statusbar-item')
    .filter({ hasText: `Ln ${line},` })
    .waitFor();
}

test('the code of a problem leads to its heading on the page that is shipped', async (context) => {
  const screen = await stage.open(context, { release: 'oldest', name: 'pages' });
  const { page } = screen;
  const preview = page.locator('iframe.webview.ready').last().contentFrame().locator('#active-frame').contentFrame();
  const heading = preview.getByRole('heading', { name: 'no-match', exact: true });
  const code = page.locator('.markers-panel .monaco-list-row').getByText('no-match', { exact: true });
  await screen.open('package.json');
  await screen.squiggle('error');
  await screen.problems();
  // The rows move while more becomes known, and a click goes astray. A slow machine styles the preview after it has scrolled.
  await eventually(async (timeout) => {
    await code.click();
    await heading.waitFor({ timeout });
    await eventually(async () => {
      const top = await heading.evaluate((it) => it.getBoundingClientRect().top);
      assert.ok(top > -1 && top < 200, `at ${top}`);
    }, timeout);
  });
  await screen.picture('preview');
});
