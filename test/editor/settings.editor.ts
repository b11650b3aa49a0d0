import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../tools/paths.ts';
import { eventually } from './eventually.ts';
import type { Screen } from './screen.ts';
import { setStage } from './stage.ts';

const stage = setStage();

/** A setting as package.json declares it. */
interface Declared {
  readonly type: string;
  readonly default: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly items?: { readonly pattern?: string };
}

const { properties }: { readonly properties: Readonly<Record<string, Declared>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
).contributes.configuration;

/** What a person may write for a setting: all there is to choose from, or other values that fit; and what does not fit. */
function valuesOf({ type, default: usual, enum: choices, minimum, maximum, pattern, items }: Declared): unknown[] {
  const texts = ['http://127.0.0.1:1', 'mirror.example', '', '*'];
  if (choices) return [...choices, 'no such choice'];
  switch (type) {
    case 'boolean':
      return [!usual, usual, 'true', null];
    case 'integer':
      return [minimum, maximum, Number(minimum) - 1, 'many'];
    case 'string':
      return [...texts.filter((it) => pattern === undefined || new RegExp(pattern).test(it)).slice(0, 1), ...texts, 7];
    case 'array':
      return [texts.filter((it) => new RegExp(items?.pattern ?? '').test(it)), texts, 'mirror.example', [7]];
    default:
      throw new Error(`There is no value for a setting of the type ${type}`);
  }
}

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

/** Changes a setting, and waits until the editor has read its files. */
async function set(screen: Screen, name: string, value: unknown): Promise<void> {
  // The title stands in the file that is written last.
  const title = `step ${++steps}`;
  screen.change({ [name]: value, 'window.title': title });
  await eventually(async () => assert.equal(await screen.page.title(), title));
}

test('no setting brings up a message, whatever it is set to, and the hover answers on', async (context) => {
  const screen = await stage.open(context, { release: 'newest', name: 'settings' });
  await screen.open('package.json');
  await screen.shows('⚠ high');
  const toasts = await followToasts(screen);
  for (const [name, declared] of Object.entries(properties)) {
    // The settings of each connection are of the same kinds.
    if (/connections\.(?:codeHost|scheduling|deployments|tokenAudit)\./.test(name)) continue;
    const before = screen.settings()[name];
    for (const value of valuesOf(declared)) {
      await set(screen, name, value);
      assert.deepEqual(await toasts(), [], `${name}: ${JSON.stringify(value)}`);
    }
    await set(screen, name, before);
    await screen.hover('"lodash"', 'License MIT');
    assert.deepEqual(await toasts(), [], name);
  }
  // Faster than anything could be started anew.
  for (const isOn of [true, false, true, false, true]) screen.change({ 'packageInsights.purlHovers': isOn });
  await set(screen, 'packageInsights.purlHovers', false);
  await screen.hover('"lodash"', 'License MIT');
  await screen.shows('⚠ high');
  await screen.picture('hover');
  assert.deepEqual(await toasts(), []);
});
