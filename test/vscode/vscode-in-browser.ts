/*
 * Stands in for the desktop VS Code where there is none: takes the arguments that @vscode/test-electron gives to it,
 * runs VS Code's server with a browser without a window, and ends with the exit code of the tests.
 *
 *     node vscode-in-browser.ts --release=newest --user-data-dir=… --extensionDevelopmentPath=… --extensionTestsPath=… FOLDER
 */
import { parseArgs } from 'node:util';
import { launchBrowser } from '../tools/chromium.ts';
import { editorUrl, startEditorServer } from '../tools/editor-server.ts';
import { releases, vscodeServer } from '../tools/vscode.ts';
import { environment } from './workspace.ts';

// The arguments of the desktop that mean nothing here are let through.
const { values, positionals } = parseArgs({ strict: false, allowPositionals: true });
const release = releases.find((it) => it === values.release);
const [folder] = positionals;
if (release === undefined || folder === undefined) throw new Error('--release and a folder are needed');

const server = await startEditorServer({
  release: await vscodeServer(release),
  home: text('user-data-dir'),
  vsix: [],
  automation: true,
  env: environment,
});
const browser = await launchBrowser();
try {
  const page = await browser.newPage();
  const code = await new Promise<number>((resolve, reject) => {
    // The workbench calls these two when it runs tests.
    const listening = Promise.all([
      page.exposeFunction('codeAutomationExit', (it: number) => resolve(it)),
      page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => console.error(`[${type}]`, ...args)),
    ]);
    const remote = (path: string): string => `vscode-remote://${server.authority}${path}`;
    const url = editorUrl(server.authority, folder, [
      ['extensionDevelopmentPath', remote(text('extensionDevelopmentPath'))],
      ['extensionTestsPath', remote(text('extensionTestsPath'))],
    ]);
    page.on('crash', () => reject(new Error('The browser crashed')));
    listening.then(() => page.goto(url)).catch(reject);
    server.ended.then((how) => reject(new Error(`VS Code's server ended: ${how}`)));
  });
  process.exitCode = code;
} finally {
  await browser.close();
  await server.stop();
}

function text(name: string): string {
  const value = values[name];
  if (typeof value !== 'string') throw new Error(`--${name} is needed`);
  return value;
}
