import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import { confirmPreview, update } from './preview.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const list = ({ page }: Screen) => page.locator('.quick-input-widget:visible');

/** The keys of one task: a chord, a typed text and a click count once each. */
function keysOf({ page }: Screen) {
  let count = 0;
  return {
    async press(...keys: readonly string[]): Promise<void> {
      for (const it of keys) await page.keyboard.press(it);
      count += keys.length;
    },
    async chord(...keys: readonly string[]): Promise<void> {
      for (const it of keys) await page.keyboard.press(it);
      count++;
    },
    async type(text: string): Promise<void> {
      await page.keyboard.type(text);
      count++;
    },
    /** A key or click that a helper has made. */
    add: (more: number): void => {
      count += more;
    },
    atMost(most: number): void {
      assert.ok(count <= most, `${count} keys, and not ${most}`);
      count = 0;
    },
  };
}

test('what a person does most takes few keys from the line', async (context) => {
  const screen = await stage.open(context, {
    release: 'newest',
    name: 'keys',
    settings: { 'packageInsights.offerInstall': false, 'workbench.colorTheme': 'Default High Contrast' },
  });
  const { page } = screen;
  const keys = keysOf(screen);
  await screen.open('package.json');
  await screen.squiggle('error');
  const open = async (): Promise<void> => {
    await screen.quickFixes('"^4.17.15"');
    keys.add(1);
  };

  await open();
  await keys.press('Enter');
  await screen.shows('"^4.17.21"');
  // The safe update of the line.
  keys.atMost(2);
  await page.keyboard.press('Control+Z');

  await open();
  await keys.press('ArrowUp', 'ArrowUp');
  await screen.picture('update-all');
  await keys.press('Enter');
  await screen.shows('"^4.17.21"');
  await screen.shows('"1.2.6"');
  // All safe versions of the file.
  keys.atMost(4);
  await page.keyboard.press('Control+Z');
  await screen.shows('"1.2.5"');

  await screen.putCursor('"^4.17.15"');
  const changes = page.locator('.part.sidebar .monaco-list-row').filter({ hasText: 'Fixes 3 vulnerabilities' });
  await keys.chord('Control+K', 'Control+Alt+U');
  await changes.first().waitFor();
  // What changes.
  keys.atMost(1);
  await screen.picture('changes');

  await page.locator('.editor-instance .monaco-editor').first().click();
  await keys.press('F1');
  await keys.type('copyleft');
  await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: 'Show Report' }).waitFor();
  await keys.press('Enter');
  const report = page.frameLocator('iframe.webview').frameLocator('#active-frame');
  await report.getByRole('button', { name: /^Weak copyleft: \d/ }).click();
  keys.add(1);
  await report.locator('.body [role=row]').filter({ hasText: 'junit' }).first().waitFor();
  // What has a copyleft license.
  keys.atMost(5);
  await screen.picture('copyleft');

  await screen.open('package.json');
  await open();
  await keys.press('ArrowUp', 'Enter');
  await list(screen).filter({ hasText: 'Ignore which findings of npm/' }).waitFor();
  await screen.picture('ignores');
  await keys.press('Enter');
  await list(screen).filter({ hasText: 'Why is it ignored?' }).waitFor();
  await keys.type('test');
  await keys.press('Enter');
  await list(screen).filter({ hasText: 'Ignore until' }).waitFor();
  await keys.press('Enter');
  await eventually(() => {
    const text = readFileSync(join(screen.folder, '.package-insights.json'), 'utf8');
    assert.equal(text.match(/GHSA-/g)?.length, 3);
  });
  // Ignoring all findings of the line; policy.editor.ts has one of them, and the way back.
  keys.atMost(7);
});

const parent = '<groupId>w</groupId><artifactId>parent</artifactId><version>1</version>';
const maven: Record<string, string> = {
  'keys/pom.xml': `<project>\n  ${parent}\n  <properties>\n    <slf4j.version>2.0.9</slf4j.version>\n  </properties>\n</project>\n`,
  'keys/m/pom.xml': `<project>\n  <parent>${parent}</parent>\n  <artifactId>m</artifactId>\n  <dependencies>\n    <dependency>\n      <groupId>org.slf4j</groupId>\n      <artifactId>slf4j-api</artifactId>\n      <version>\${slf4j.version}</version>\n    </dependency>\n  </dependencies>\n</project>\n`,
};
maven['keys/n/pom.xml'] = maven['keys/m/pom.xml']?.replace('<artifactId>m<', '<artifactId>n<') ?? '';

function write({ folder }: Screen, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

test('where a version comes from and who uses it take one key, a new name of a property three', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'keys-of-names', settings: {} });
  const { page, folder } = screen;
  const keys = keysOf(screen);
  write(screen, maven);
  await screen.open('keys/m/pom.xml');
  await screen.shows('2.0.9');
  await screen.putCursor('{slf4j.version}');
  await keys.press('F12');
  await screen.shows('<slf4j.version>2.0.9');
  keys.atMost(1);
  await screen.putCursor('slf4j.version');
  await keys.press('Shift+F12');
  await page.locator('.peekview-widget .ref-tree').getByText('slf4j.version').first().waitFor();
  keys.atMost(1);
  await page.keyboard.press('Escape');
  await screen.putCursor('slf4j.version');
  await keys.press('F2');
  const box = page.locator('.rename-box input');
  await box.fill('logging.version');
  await box.press('Enter');
  keys.add(2);
  await eventually(() => assert.match(readFileSync(join(folder, 'keys/m/pom.xml'), 'utf8'), /\$\{logging\.version\}/));
  keys.atMost(3);
});

test('an update of the workspace is taken back in all files by one undo', async (context) => {
  const settings = { 'packageInsights.offerInstall': false, 'files.autoSave': 'off' };
  const screen = await stage.open(context, { release: 'newest', name: 'undo', settings });
  const { page } = screen;
  write(screen, {
    'one/package.json': '{\n  "dependencies": {\n    "minimist": "1.2.5"\n  }\n}\n',
    'two/package.json': '{\n  "dependencies": {\n    "lodash": "4.17.15"\n  }\n}\n',
  });
  await screen.open('two/package.json');
  await screen.shows('⚠ high');
  await screen.open('one/package.json');
  await screen.shows('⚠ critical');
  await update(screen, 'Safe versions of the workspace');
  await screen.picture('preview');
  await confirmPreview(screen);
  await screen.shows('"minimist": "1.2.6"');
  await page.locator('.editor-instance .monaco-editor').first().click();
  await page.keyboard.press('Control+Z');
  await screen.shows('"minimist": "1.2.5"');
  await screen.open('two/package.json');
  await screen.shows('"lodash": "4.17.15"');
});
