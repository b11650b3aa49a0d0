import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startEditorServer } from '../tools/editor-server.ts';
import { type Release, vscodeServer } from '../tools/vscode.ts';
import { eventually, patience } from './eventually.ts';
import { installedOnce } from './installed.ts';
import { openerOf } from './opening.ts';
import { type Afterwards, type Surroundings, surroundings, workspaceOf } from './workspace.ts';

export interface WindowOptions {
  readonly browser: Browser;
  readonly release: Release;
  /** The extension, packed. */
  readonly vsix: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Folders of the sample to open as one workspace; without any it is the sample itself. */
  readonly folders?: readonly string[];
  /** Pixels of a picture for one of the page. */
  readonly scale?: number;
  /** The language of the editor, `de`; its own texts stay English, since their translation is an extension. */
  readonly language?: string;
  /** Whether every service of `serve` is connected. */
  readonly isConnected?: true;
  /** The person has not trusted the folder. */
  readonly isRestricted?: true;
}

/** A window of VS Code in a browser, on a copy of the sample. */
export interface EditorWindow {
  readonly page: Page;
  readonly surroundings: Surroundings;
  /** Opens a file of the sample. */
  readonly open: (file: string) => Promise<void>;
}

const usualViewport = { width: 1280, height: 800 };

/** Opens a window, gone when the context is over. It shows nothing before its first file is opened. */
export async function openWindow(context: Afterwards, options: WindowOptions): Promise<EditorWindow> {
  const all = await surroundings(context, settingsOf(options), options.isConnected, options.isRestricted);
  writeFileSync(join(all.home, 'User', 'keybindings.json'), JSON.stringify([clearKey]));
  const release = await vscodeServer(options.release);
  const extensions = await installedOnce(release, options.vsix);
  const server = await startEditorServer({
    ...{ release, home: all.home, vsix: [], extensions, env: all.environment },
    ...(options.isRestricted && { asksForTrust: true }),
  });
  context.after(() => server.stop());
  const page = await options.browser.newPage({
    viewport: options.viewport ?? usualViewport,
    deviceScaleFactor: options.scale ?? 1,
  });
  page.setDefaultTimeout(patience);
  context.after(() => page.close());
  // Where the editor keeps its language.
  if (options.language) await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = "${options.language}"`);
  const place = options.folders ? workspaceOf(options.folders, all.folder) : all.folder;
  return { page, surroundings: all, open: openerOf(page, server.authority, { folder: all.folder, place }) };
}

/** Counts how often a window was made ready, so that its title tells when its settings are in force. */
let times = 0;

/** Makes a window that another test has left what a new one is. What the extension keeps in its memory stays. */
export async function makeReady({ page, surroundings }: EditorWindow, options: WindowOptions): Promise<void> {
  await page.setViewportSize(options.viewport ?? usualViewport);
  await clear(page);
  const title = `ready ${++times}`;
  surroundings.putBack({ ...settingsOf(options), 'window.title': title });
  await eventually(async () => assert.equal(await page.title(), title));
  surroundings.change({ 'window.title': undefined });
}

const settingsOf = ({ settings }: WindowOptions): Readonly<Record<string, unknown>> => ({
  'editor.hover.delay': 100,
  // The commands of other tests would come first in its list.
  'workbench.commandPalette.history': 0,
  ...settings,
});

/** Leaves an empty window with the box that opens files: when that is there, all else is done. */
const clearKey = {
  key: 'ctrl+alt+shift+f11',
  command: 'runCommands',
  args: {
    commands: [
      'notifications.clearAll',
      'workbench.action.terminal.killAll',
      'workbench.action.closePanel',
      'workbench.action.files.revert',
      'workbench.action.closeAllEditors',
      'workbench.explorer.fileView.focus',
      'workbench.files.action.collapseExplorerFolders',
      'workbench.action.quickOpen',
    ],
  },
};

/** Where the mouse rests it shows nothing, and lies over nothing. */
export async function moveAway(page: Page): Promise<void> {
  await page.mouse.move(100, 5);
}

async function clear(page: Page): Promise<void> {
  // A test may have opened views of the side bar beside the files, which leave little room for these.
  const views = page.locator('.part.sidebar .pane-header.expanded').filter({ hasNotText: /^sample$/i });
  const box = page.locator('.quick-input-widget:visible input[placeholder^="Search files"]');
  const discard = page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" });
  await moveAway(page);
  await eventually(async (timeout) => {
    // What lies over all else goes first.
    for (let times = 0; times < 2; times++) await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Alt+Shift+F11');
    await box.or(discard).first().waitFor({ timeout });
    // Asked of editors that are not in front.
    if (await discard.isVisible()) {
      await discard.click({ timeout });
      await box.waitFor({ timeout });
    }
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'hidden', timeout });
    await page.locator('.editor-instance').first().waitFor({ state: 'detached', timeout });
    while ((await views.count()) > 0) await views.first().click({ timeout });
  });
}
