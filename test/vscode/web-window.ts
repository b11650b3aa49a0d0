import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { cache, root } from '../tools/paths.ts';
import { startService } from '../tools/service.ts';
import { vscodeServer } from '../tools/vscode.ts';
import { memoryFolder, serveWebEditor } from '../tools/web/web-host.ts';
import { patience } from './eventually.ts';
import { installedOnce } from './installed.ts';
import type { EditorWindow } from './window.ts';
import type { Afterwards } from './workspace.ts';

export interface WebWindow extends EditorWindow {
  /** The address of the Package Insights Service. */
  readonly service: string;
  /** What was sent there so far: method and path. */
  readonly asked: readonly string[];
}

/**
 * Opens VS Code for the web on a copy of the sample in memory, gone when the context is over. The extension runs in the
 * browser, and so does its language server.
 * @param vsix the packed extension
 */
export async function openWebWindow(context: Afterwards, browser: Browser, vsix: string): Promise<WebWindow> {
  const release = await vscodeServer('newest');
  const service = await startService();
  context.after(() => service.stop());
  const extensions = await installedOnce(release, vsix);
  const [extension = ''] = readdirSync(extensions).filter((it) => it.startsWith('package-insights.'));
  const host = await serveWebEditor({
    release,
    extension: join(extensions, extension),
    folder: join(root, 'test', 'sample'),
    settings: { 'packageInsights.baseUrl': service.url, 'editor.hover.delay': 100, 'editor.minimap.enabled': false },
  });
  context.after(() => host.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(patience);
  context.after(() => page.close());
  const asked: string[] = [];
  page.context().on('request', (it) => {
    if (it.url().startsWith(service.url)) asked.push(`${it.method()} ${it.url().slice(service.url.length)}`);
  });
  const unchanging = (): never => {
    throw new Error('The settings of a web editor are changed in it');
  };
  return {
    page,
    service: service.url,
    asked,
    surroundings: {
      home: cache,
      folder: memoryFolder,
      scratch: cache,
      settings: () => ({}),
      change: unchanging,
      putBack: unchanging,
      environment: {},
    },
    async open(file) {
      await page.goto(host.url([['openFile', `${memoryFolder}/${file}`]]));
      await page.locator('.editor-instance .monaco-editor .view-line').first().waitFor();
    },
  };
}
