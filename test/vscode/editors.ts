import { join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { hasDisplay } from '../tools/desktop.ts';
import { downloadsFolder } from '../tools/downloads.ts';
import { type Release, vscodeServer } from '../tools/vscode.ts';

/** A program that @vscode/test-electron can run tests in. */
export interface Editor {
  readonly name: string;
  readonly executable: string;
  /** What goes before the other arguments. */
  readonly args: readonly string[];
}

/** The newest VS Code and the oldest that is supported: for the desktop where they can be had, else in a browser. */
export async function editors(): Promise<Readonly<Record<Release, Editor>>> {
  if (hasDisplay()) {
    try {
      const [newest, oldest] = await Promise.all([desktop('stable'), desktop('1.100.0')]);
      return { newest, oldest };
    } catch (error) {
      console.error(`VS Code for the desktop could not be fetched (${error}): its server and a browser are used.`);
    }
  }
  const [newest, oldest] = await Promise.all([inBrowser('newest'), inBrowser('oldest')]);
  return { newest, oldest };
}

async function desktop(version: string): Promise<Editor> {
  const cachePath = join(downloadsFolder, 'desktop');
  const executable = await downloadAndUnzipVSCode({ version, cachePath, timeout: 30_000 });
  return { name: `VS Code ${version}`, executable, args: [] };
}

async function inBrowser(release: Release): Promise<Editor> {
  const { version } = await vscodeServer(release);
  const script = join(import.meta.dirname, 'vscode-in-browser.ts');
  return {
    name: `VS Code ${version} in a browser`,
    executable: process.execPath,
    args: [script, `--release=${release}`],
  };
}
