import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import { type Screen, themes } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

const projectFile = '.package-insights.json';

/** Answers the input box that is open, which shows `prompt`. */
async function answer({ page }: Screen, prompt: string, text: string | undefined): Promise<void> {
  const box = page.locator('.quick-input-widget:visible').filter({ hasText: prompt });
  await box.waitFor();
  if (text !== undefined) await box.locator('input').fill(text);
  await page.keyboard.press('Enter');
}

test('what a project has decided, on the screen', async (context) => {
  // One window for all of these: to start it takes as long as each of them.
  const screen = await stage.open(context, { release: 'newest', name: 'policy' });

  await context.test('the licenses of the workspace are exported into a file, which opens', async () => {
    await screen.open('package.json');
    await screen.squiggle('error');
    await screen.command('Package Insights: Export License Notices');
    // The dialog of a workspace on a server: it is ready when it lists the folder.
    await answer(screen, 'package-lock.json', undefined);
    await screen.page.locator('.tab').filter({ hasText: 'NOTICES.txt' }).waitFor();
    await screen.shows('Licenses of');
    await screen.picture('opened');
    assert.match(readFileSync(join(screen.folder, 'NOTICES.txt'), 'utf8'), /MIT\n---\n/);
  });

  await context.test('a finding is ignored for a reason, which is kept in the project file', async () => {
    await screen.open('package.json');
    await screen.squiggle('error');
    await screen.quickFixes('1.2.5');
    await screen.picture('actions');
    await screen.take('Ignore GHSA-');
    await screen.page.locator('.quick-input-widget:visible').filter({ hasText: 'Why is it ignored?' }).waitFor();
    await screen.picture('reason');
    await answer(screen, 'Why is it ignored?', 'Never receives external input');
    await screen.page.locator('.quick-input-widget:visible').filter({ hasText: 'Ignore until (date)?' }).waitFor();
    await screen.picture('day');
    await answer(screen, 'Ignore until (date)?', '2099-12-31');
    // The finding is gone, and its hint says why.
    await screen.shows('1 ignored');
    await screen.picture('ignored');
    await screen.hover('"minimist"', 'is ignored until 2099-12-31: Never receives external input');
    await screen.picture('hover');
    const file = join(screen.folder, projectFile);
    await eventually(() =>
      assert.match(
        readFileSync(file, 'utf8'),
        /"package": "npm\/minimist", "reason": "Never [^"]*", "until": "2099-12-31"/,
      ),
    );
    await screen.open(projectFile);
    await screen.shows('Never receives external input');
    await screen.picture('file');
  });

  await context.test('few keys ignore a finding and stop ignoring it, and one undo takes that back', async () => {
    const file = join(screen.folder, projectFile);
    const press = async (...keys: readonly string[]): Promise<number> => {
      for (const it of keys) await screen.page.keyboard.press(it);
      // With the key that opens the list.
      return keys.length + 1;
    };
    await screen.open('package.json');
    const fixes = await screen.quickFixes('1.2.5');
    await screen.picture('ignored-actions');
    const [edit = '', stop = ''] = fixes.slice(-2);
    assert.match(edit, /^Edit the Ignore of GHSA-[\w-]+ for minimist…$/);
    assert.match(stop, /^Stop Ignoring GHSA-[\w-]+ for minimist$/);
    assert.ok((await press('ArrowUp', 'Enter')) <= 3);
    await screen.shows('⚠ critical');
    await screen.picture('not-ignored');
    await eventually(() => assert.doesNotMatch(readFileSync(file, 'utf8'), /minimist/));

    await screen.open(projectFile);
    await screen.page.locator('.editor-instance .monaco-editor').first().click();
    await screen.page.keyboard.press('Control+Z');
    await screen.shows('"npm/minimist"');
    await screen.page.keyboard.press('Control+Y');
    await screen.save();
    await eventually(() => assert.doesNotMatch(readFileSync(file, 'utf8'), /minimist/));

    await screen.open('package.json');
    await screen.quickFixes('1.2.5');
    const opened = await press('ArrowUp', 'Enter');
    await answer(screen, 'Why is it ignored?', 'A test');
    await answer(screen, 'Ignore until (date)?', undefined);
    // Each answer is one more.
    assert.ok(opened + 2 <= 7);
    await screen.shows('1 ignored');
    for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
      await screen.wear(theme);
      await screen.picture(`ignored-${theme}`);
    }

    await screen.quickFixes('1.2.5');
    await screen.take('Edit the Ignore of GHSA-');
    await screen.page.locator('.tab.active').filter({ hasText: projectFile }).waitFor();
    await screen.shows('A test');
    await screen.picture('entry');
  });

  await context.test(
    'a license that the policy denies is underlined, and the hover says which rule denies it',
    async () => {
      const policy = { licenses: { deny: ['Apache-2.0'], review: ['ISC'] }, cooldownDays: 7 };
      writeFileSync(join(screen.folder, projectFile), JSON.stringify(policy));
      await screen.open('package.json');
      await screen.shows('license denied');
      await screen.squiggle('error');
      await screen.hover('~5.4.5', 'Apache-2.0 is denied');
      await screen.picture('hover');
    },
  );
});

test('a project file shows which ignore has ended, and each of its mistakes once', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'project-file' });
  const text = `{
  // the old client goes away this year
  "ignores": [
    { "id": "GHSA-vh95-rmgr-6w4m", "until": "2001-01-01", "reason": "only used in tests" },
    { "id": "deprecated", "package": "npm/request" }
  ],
  "licenses": { "deny": ["GPL3"] },
  "baseUrl": "https://insights.example"
}
`;
  writeFileSync(join(screen.folder, projectFile), text);
  await screen.open(projectFile);
  await screen.squiggle('info');
  await screen.squiggle('warning');
  await screen.hover('2001-01-01', 'This ignore expired on 2001-01-01');
  await screen.picture('ended');
  await screen.problems();
  const rows = screen.page.locator('.markers-panel .monaco-list-row');
  // What the schema says is said by the editor itself, in its time, and not twice.
  for (const it of ['reason', 'GPL3']) await rows.filter({ hasText: it }).first().waitFor();
  assert.equal(await rows.filter({ hasText: 'reason' }).count(), 1);
  await screen.picture('problems');
});
