import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from './eventually.ts';
import { confirmPreview, update } from './preview.ts';
import { setStage } from './stage.ts';

const stage = setStage();

test('the whole file is updated from the command palette, and one undo takes it back', async (context) => {
  const settings = { 'files.autoSave': 'off' };
  const screen = await stage.open(context, { release: 'newest', name: 'updating', settings });
  const told = screen.page.locator('.statusbar-item').filter({ hasText: 'Nothing to update.' });
  await screen.open('package.json');
  await screen.shows('⚠ high');
  // The cursor is where no quick fix is offered.
  await update(screen);
  await confirmPreview(screen);
  await screen.shows('"^4.17.21"');
  await screen.shows('"1.2.6"');
  await screen.picture('updated');
  await screen.page.keyboard.press('Control+Z');
  await screen.shows('"^4.17.15"');
  await screen.shows('"1.2.5"');
  await screen.page.locator('.tab.dirty').waitFor({ state: 'detached' });
  assert.equal(await told.count(), 0);

  const sound = 'sound/package.json';
  mkdirSync(join(screen.folder, 'sound'));
  writeFileSync(join(screen.folder, sound), '{ "dependencies": { "minimist": "1.2.8" } }\n');
  await screen.open(sound);
  await screen.shows('1.2.8 · MIT');
  await update(screen);
  await told.waitFor();
  await screen.picture('nothing');
});

/** The kinds that people have run on save, and the one that all is offered as. */
const onSave = ['source', 'source.fixAll', 'source.organizeImports', 'quickfix'];

test('what is saved is what was typed, whatever is run on save', async (context) => {
  const settings = {
    'editor.codeActionsOnSave': {
      ...Object.fromEntries(onSave.map((it) => [it, 'explicit'])),
      // The editor itself would put the members in order.
      'source.sort.json': 'never',
    },
    // A browser saves by itself after a second, and then nothing is run.
    'files.autoSave': 'off',
  };
  const screen = await stage.open(context, { release: 'newest', name: 'saving', settings });
  for (const [name, text] of [
    ['package.json', '^4.17.15'],
    ['python/requirements.txt', '2.2.4'],
  ] as const) {
    const file = join(screen.folder, name);
    const before = readFileSync(file, 'utf8');
    await screen.open(name);
    // What it should be moved to is known.
    assert.match((await screen.quickFixes(text)).join(), /Update all \d+ affected dependencies/);
    await screen.page.keyboard.press('Escape');
    await screen.page.keyboard.press('Control+End');
    await screen.page.keyboard.type(' ');
    await screen.save();
    await eventually(() => assert.notEqual(readFileSync(file, 'utf8'), before));
    await screen.page.locator('.tab.dirty').waitFor({ state: 'detached' });
    await screen.picture('saved');
    assert.equal(readFileSync(file, 'utf8'), `${before} `);
  }
});
