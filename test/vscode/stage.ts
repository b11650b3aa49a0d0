import { join } from 'node:path';
import { after, afterEach, type TestContext } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../tools/chromium.ts';
import { packVsix } from '../tools/packing.ts';
import { cache } from '../tools/paths.ts';
import { type Screen, screenOf } from './screen.ts';
import { type EditorWindow, makeReady, openWindow, type WindowOptions } from './window.ts';

/** What the tests of one process share that look at a screen: the packed extension, a browser, and windows. */
export interface Stage {
  open(context: TestContext, options: StageOptions): Promise<Screen>;
}

export interface StageOptions extends Omit<WindowOptions, 'browser' | 'vsix' | 'scale'> {
  /** What the pictures of this test are called. */
  readonly name: string;
  /** For a test of what happens at the start of a window, or once in it: no other test has had it before. */
  readonly isNew?: true;
}

/** Packed already where a run of all tests has done so: it takes as long as many a test. */
const { PACKAGE_INSIGHTS_VSIX: packed } = process.env;

/** A window, and what closes it. */
interface OpenWindow {
  readonly options: StageOptions;
  readonly window: EditorWindow;
  readonly close: () => Promise<void>;
}

let stage: Stage | undefined;

/**
 * The stage, set before the first test that uses it, and cleared after the last of the process. To open a window takes as
 * long as many a test, so a test gets the one of a test before, made ready. One in which something failed is closed
 * instead.
 */
export function setStage(): Stage {
  stage ??= newStage();
  return stage;
}

function newStage(): Stage {
  const vsix = packed ?? join(cache, 'editor-tests.vsix');
  let launched: Promise<Browser> | undefined;
  /** Free for the next test. */
  let free: readonly OpenWindow[] = [];
  let hasFailed = false;
  /** The screen of the test that runs. */
  let current: Screen | undefined;
  // Called for tests within a test, too, after which the window changes.
  afterEach(async (context) => {
    if (!('passed' in context) || context.passed || hasFailed) return;
    hasFailed = true;
    await current?.keepFailure();
  });
  after(async () => {
    for (const it of free) await it.close();
    await (await launched)?.close();
  });

  async function launch(): Promise<Browser> {
    if (packed === undefined) await packVsix(vsix);
    return launchBrowser();
  }

  async function take(options: StageOptions): Promise<OpenWindow> {
    launched ??= launch();
    const all = { ...options, browser: await launched, vsix };
    const found = isUsual(options) ? free.find((it) => fits(it.options, options)) : undefined;
    free = free.filter((it) => it !== found);
    if (found === undefined) return openNew(all);
    if (options.isNew) {
      await found.close();
      return openNew(all);
    }
    try {
      await makeReady(found.window, all);
      return found;
    } catch (error) {
      console.error(`The window of another test could not be made ready, so a new one is opened: ${error}`);
      await found.close();
      return openNew(all);
    }
  }

  async function open(context: TestContext, options: StageOptions): Promise<Screen> {
    const taken = await take(options);
    const screen = screenOf(taken.window, options.name);
    hasFailed = false;
    current = screen;
    context.after(async () => {
      current = undefined;
      await screen.picture('end');
      if (hasFailed || !isUsual(options)) await taken.close();
      else free = [...free, taken];
    });
    return screen;
  }
  return { open };
}

/** Whether the window is on the sample and in English: that of another test will do. */
const isUsual = (it: StageOptions): boolean => it.folders === undefined && it.language === undefined;

const fits = (window: StageOptions, { release, isConnected, isRestricted }: StageOptions): boolean =>
  window.release === release && window.isConnected === isConnected && window.isRestricted === isRestricted;

async function openNew(options: WindowOptions & StageOptions): Promise<OpenWindow> {
  const closing: (() => Promise<void> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const it of closing.reverse()) await it();
  };
  try {
    return { options, close, window: await openWindow({ after: (it) => closing.push(it) }, options) };
  } catch (error) {
    await close();
    throw error;
  }
}
