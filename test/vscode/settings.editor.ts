import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingValues } from '../harness/setting-values.ts';
import { eventually } from './eventually.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

/** Writes down every notification that pops up from now on, however soon it goes. */
async function followToasts({ page }: Screen): Promise<() => Promise<readonly string[]>> {
  // A text, since the types of a browser are not among those of this project.
  await page.evaluate(`{
    const toasts = (globalThis.toasts = new Set());
    const look = () => document.querySelectorAll('.notification-toast').forEach((it) => toasts.add(it.innerText));
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  }`);
  // An address where no service listens is said once a window; that is no message about a setting.
  return async () => {
    const all: readonly string[] = await page.evaluate('[...globalThis.toasts]');
    return all.filter((it) => !it.includes('The Package Insights Service cannot be reached'));
  };
}

let steps = 0;

/** Changes settings, and waits until the editor has read its files. */
async function set(screen: Screen, settings: Readonly<Record<string, unknown>>): Promise<void> {
  // The title is in the file that is written last.
  const title = `step ${++steps}`;
  screen.change({ ...settings, 'window.title': title });
  await eventually(async () => assert.equal(await screen.page.title(), title));
}

/** The server is held to each value by itself, in test/editor/setting-values.test.ts. */
test('no setting brings up a message, whatever it is set to, and the hover answers on', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'settings' });
  await screen.open('package.json');
  await screen.shows('⚠ high');
  const toasts = await followToasts(screen);
  const before = Object.fromEntries([...settingValues.keys()].map((it) => [it, screen.settings()[it]]));
  const most = Math.max(...[...settingValues.values()].map((it) => it.length));
  // All settings at once take their first values, then their second ones.
  for (let round = 0; round < most; round++) {
    const all = [...settingValues].map(([name, values]) => [name, values[round % values.length]]);
    await set(screen, Object.fromEntries(all));
    assert.deepEqual(await toasts(), [], `value ${round}`);
    await set(screen, before);
    await screen.hover('"lodash"', 'License MIT');
    assert.deepEqual(await toasts(), [], `after value ${round}`);
  }
  // Faster than anything could be started anew.
  for (const isOn of [true, false, true, false, true]) screen.change({ 'packageInsights.purlHovers': isOn });
  await set(screen, { 'packageInsights.purlHovers': false });
  await screen.hover('"lodash"', 'License MIT');
  await screen.shows('⚠ high');
  await screen.picture('hover');
  assert.deepEqual(await toasts(), []);
});
