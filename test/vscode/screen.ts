import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { cache } from '../tools/paths.ts';
import { eventually } from './eventually.ts';
import { middleOf } from './middle-of.ts';
import { type EditorWindow, openWindow, type WindowOptions } from './window.ts';
import type { Afterwards } from './workspace.ts';

/** The color themes of VS Code, and the class by which its window shows which of them it has. */
export const themes = {
  light: { title: 'Default Light Modern', shown: '.vs' },
  contrast: { title: 'Default High Contrast', shown: '.hc-black' },
  'contrast-light': { title: 'Default High Contrast Light', shown: '.hc-light' },
  dark: { title: 'Default Dark Modern', shown: '.vs-dark' },
} as const;

/** Where a failure leaves a picture and a log, and every step a picture where that is requested. */
const screenshots = join(cache, 'screenshots');

/** Whether every step leaves a picture: each takes as long as a step. */
const takesPictures = process.env['PICTURES'] === '1';

/** One window of VS Code in a browser, worked like a person would: by mouse and keys, looking at what is shown. */
export interface Screen {
  readonly page: Page;
  /** The folder that is open: a copy of the sample. */
  readonly folder: string;
  /** The environment of the editor, with the credential of connected services. */
  readonly environment: NodeJS.ProcessEnv;
  /** Opens a file of the folder. */
  open(file: string): Promise<void>;
  /** Waits until a line of the text shows this, hints included. */
  shows(text: string, within?: number): Promise<void>;
  /** Waits for a squiggle: `error`, `warning`, `info`. */
  squiggle(severity: string): Promise<void>;
  /** Puts the cursor into a text. */
  putCursor(text: string): Promise<void>;
  /** Rests the mouse on a text and waits for a hover that contains another. Returns what the hover says. */
  hover(text: string, containing: string): Promise<string>;
  /** Opens the Problems panel and returns its rows. */
  problems(): Promise<readonly string[]>;
  problemsAway(): Promise<void>;
  /** Puts the cursor into a text, opens the list of quick fixes and returns their titles. */
  quickFixes(text: string): Promise<readonly string[]>;
  /** Takes a fix of the list that `quickFixes` opened. */
  take(title: string): Promise<void>;
  save(): Promise<void>;
  /** Those of its settings that a test has set. */
  settings(): Readonly<Record<string, unknown>>;
  /** Changes settings; one that is undefined is taken out. */
  change(settings: Readonly<Record<string, unknown>>): void;
  /** Changes the color theme, and waits until the window has it. */
  wear(theme: keyof typeof themes): Promise<void>;
  /** Runs a command by its title from the command palette. */
  command(title: string): Promise<void>;
  /** Runs an entry of an item's context menu. */
  menu(item: Locator, title: string): Promise<void>;
  /** Leaves a picture, with PICTURES=1. */
  picture(name: string): Promise<void>;
  /** Keeps what explains why a test failed: what is shown, and the log of the extension. */
  keepFailure(): Promise<void>;
}

export interface ScreenOptions extends WindowOptions {
  /** What the pictures of this test are called. */
  readonly name: string;
}

/** An editor on a copy of the sample, gone when the test is. */
export async function openScreen(context: Afterwards, options: ScreenOptions): Promise<Screen> {
  return screenOf(await openWindow(context, options), options.name);
}

/**
 * What a person does in a window, and sees there.
 * @param testName what the pictures are called
 */
export function screenOf({ page, surroundings, open }: EditorWindow, testName: string): Screen {
  const { home, folder, settings, change, environment } = surroundings;
  const editor = page.locator('.editor-instance .monaco-editor').first();
  let step = 0;

  async function shows(text: string, within?: number): Promise<void> {
    await line(text).waitFor(within === undefined ? {} : { timeout: within });
  }

  function line(text: string): Locator {
    // The editor paints every space as a no-break space.
    const words = text.split(' ').map((it) => it.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return editor
      .locator('.view-line')
      .filter({ hasText: new RegExp(words.join('[\\s\\u00a0]+')) })
      .first();
  }

  async function squiggle(severity: string): Promise<void> {
    await editor.locator(`.squiggly-${severity}`).first().waitFor({ state: 'attached' });
  }

  async function centre(text: string): Promise<{ readonly x: number; readonly y: number }> {
    await shows(text);
    return middleOf(line(text), text);
  }

  /** An open hover lies over the text and takes the clicks. */
  async function moveAway(): Promise<void> {
    await page.mouse.move(100, 5);
    await page.locator('.monaco-hover:visible').waitFor({ state: 'hidden' });
  }

  async function hover(text: string, containing: string): Promise<string> {
    const shown = page.locator('.monaco-hover:visible').filter({ hasText: containing }).first();
    // A text that moves, or of which more becomes known meanwhile, is pointed at again.
    return eventually(async (timeout) => {
      await moveAway();
      const { x, y } = await centre(text);
      await page.mouse.move(x - 2, y);
      await page.mouse.move(x, y);
      await shown.waitFor({ timeout });
      return (await shown.textContent()) ?? '';
    });
  }

  async function putCursor(text: string): Promise<void> {
    const number = editor.locator('.active-line-number').first();
    // A click on a text that moves, or that a hover covers, goes astray.
    await eventually(async (timeout) => {
      await moveAway();
      const { x, y } = await centre(text);
      await page.mouse.click(x, y);
      await eventually(async () => {
        const box = await number.boundingBox({ timeout });
        assert.ok(box && box.y < y && y < box.y + box.height, `the cursor is not in ${text}`);
      }, timeout);
    });
  }

  async function problems(): Promise<readonly string[]> {
    const rows = page.locator('.markers-panel .monaco-list-row');
    await page.keyboard.press('Control+Shift+M');
    await rows.nth(1).waitFor();
    return rows.allInnerTexts();
  }

  async function problemsAway(): Promise<void> {
    await page.keyboard.press('Control+J');
    await page.locator('.markers-panel').waitFor({ state: 'hidden' });
  }

  async function quickFixes(text: string): Promise<readonly string[]> {
    const rows = page.locator('.action-widget:not(.action-list-submenu-panel) .monaco-list-row.action');
    // The list is lost when diagnostics change below it, so it is asked for until it is there.
    return eventually(async (timeout) => {
      if (await rows.first().isVisible()) await page.keyboard.press('Escape');
      await moveAway();
      const { x, y } = await centre(text);
      await page.mouse.click(x, y);
      // A text that moved in the meantime was not hit.
      await page.locator('.monaco-editor.focused').first().waitFor({ timeout });
      await page.keyboard.press('Control+.');
      await rows.first().waitFor({ timeout });
      return rows.allInnerTexts();
    });
  }

  async function take(title: string): Promise<void> {
    const rows = page.locator('.action-widget:not(.action-list-submenu-panel) .monaco-list-row.action');
    const titles = await rows.allInnerTexts();
    const index = titles.findIndex((it) => it.includes(title));
    if (index < 0) throw new Error(`There is no fix "${title}", but: ${titles.join(', ')}`);
    for (let down = 0; down < index; down++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await rows.first().waitFor({ state: 'hidden' });
  }

  async function save(): Promise<void> {
    await page.keyboard.press('Control+S');
  }

  async function wear(theme: keyof typeof themes): Promise<void> {
    change({ 'workbench.colorTheme': themes[theme].title });
    await page.locator(`.monaco-workbench${themes[theme].shown}`).waitFor();
    // The colors follow the class one by one, those of a page within the window last.
    await new Promise((resolve) => setTimeout(resolve, 500));
  }

  async function command(title: string): Promise<void> {
    const input = page.locator('.quick-input-widget:visible input');
    const focused = page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: title }).first();
    // The list has the commands that there were when it was opened: those of a manifest come a moment after its text.
    await eventually(async (timeout) => {
      if (await input.isVisible()) await page.keyboard.press('Escape');
      await page.keyboard.press('F1');
      await input.fill(`>${title}`, { timeout });
      // The one that Enter takes: while the list is being narrowed down another may stand there.
      await focused.waitFor({ timeout });
    });
    await page.keyboard.press('Enter');
  }

  async function menu(item: Locator, title: string): Promise<void> {
    await item.click({ button: 'right' });
    const entry = page.locator('.monaco-menu').getByText(title);
    await entry.waitFor();
    // A menu takes no clicks in its first tenth of a second, and says nothing of it.
    await eventually(async (timeout) => {
      if (await entry.isVisible()) await entry.click();
      await entry.waitFor({ state: 'hidden', timeout });
    });
  }

  async function picture(name: string): Promise<void> {
    step++;
    if (takesPictures) await shoot(name);
  }

  async function shoot(name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true });
    await page.screenshot({ path: join(screenshots, `${testName}-${step}-${name}.png`) });
  }

  async function keepFailure(): Promise<void> {
    await shoot('failed');
    const logs = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((it) =>
      it.endsWith('Package Insights.log'),
    );
    for (const [at, log] of logs.entries())
      copyFileSync(join(home, log), join(screenshots, `${testName}-${step}-failed${at || ''}.log`));
  }

  return {
    page,
    folder,
    environment,
    open,
    shows,
    squiggle,
    putCursor,
    hover,
    problems,
    problemsAway,
    quickFixes,
    take,
    save,
    settings,
    change,
    wear,
    command,
    menu,
    picture,
    keepFailure,
  };
}
