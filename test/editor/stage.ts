import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../tools/chromium.ts';
import { cache } from '../tools/paths.ts';
import { packVsix } from '../tools/vsix.ts';
import { openScreen, type Screen, type ScreenOptions } from './screen.ts';
import type { Afterwards } from './workspace.ts';

/** What the tests of one file share that look at a screen: the packed extension, and a browser. */
export interface Stage {
  open(context: Afterwards, options: Omit<ScreenOptions, 'browser' | 'vsix'>): Promise<Screen>;
}

/** Packed already where a run of all tests has done so: it takes as long as many a test. */
const { PACKAGE_INSIGHTS_VSIX: packed } = process.env;

/** Sets the stage before the first test of a file, and clears it after the last. */
export function setStage(): Stage {
  const vsix = packed ?? join(cache, 'editor-tests.vsix');
  let browser: Browser;
  before(async () => {
    if (packed === undefined) await packVsix(vsix);
    browser = await launchBrowser();
  });
  after(() => browser.close());
  return { open: (context, options) => openScreen(context, { ...options, browser, vsix }) };
}
