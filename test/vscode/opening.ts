import { basename, dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { editorUrl } from '../tools/editor-server.ts';
import { eventually, patience } from './eventually.ts';

/** The sample, and what of it is opened. */
export interface Opened {
  readonly folder: string;
  readonly place: string;
}

/** Opens files of the sample: the first with its window, the others as a person does, by their paths. */
export function openerOf(page: Page, authority: string, { folder, place }: Opened): (file: string) => Promise<void> {
  let isUp = false;

  async function openFirst(file: string): Promise<void> {
    const remote = `vscode-remote://${authority}${folder}/${file}`;
    await eventually(async () => {
      await page.goto(editorUrl(authority, place, [['openFile', remote]]));
      await page.locator('.monaco-workbench').waitFor();
      await page.locator('.editor-instance .monaco-editor .view-line').first().waitFor();
      // Asked for a workspace of several folders, the editor comes up with none of them now and then.
      if (place !== folder)
        await page
          .locator('.explorer-item')
          .first()
          .waitFor({ timeout: patience / 8 });
    });
  }

  /** To start the window anew takes as long as many a test. */
  async function openAnother(file: string): Promise<void> {
    // Of files of the same name the one before may still be on the list.
    const label = dirname(file) === '.' ? basename(file) : `${basename(file)} ${dirname(file)}`;
    const named = page.locator(`.quick-input-list .monaco-list-row.focused[aria-label^="${label},"]`);
    await eventually(async (timeout) => {
      await page.keyboard.press('Control+P');
      await page.locator('.quick-input-widget:visible input').fill(`${folder}/${file}`, { timeout });
      await named.waitFor({ timeout });
      await page.keyboard.press('Enter');
      // What is shown from here on is of this file, and nothing of the one before.
      const end = `/${file.split('/').map(encoded).join('/')}`;
      await page.locator(`.editor-instance .monaco-editor[data-uri$="${end}"]`).waitFor({ timeout });
    });
  }

  return async (file) => {
    if (isUp) await openAnother(file);
    else await openFirst(file);
    isUp = true;
  };
}

/** As the editor encodes a part of a path. */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(/[!'()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);
}
