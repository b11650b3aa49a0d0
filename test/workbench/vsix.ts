import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './paths.ts';
import { run } from './processes.ts';

/**
 * Packs the extension, which builds it first.
 * @throws with what the tools said, where it cannot be built or packed
 */
export async function packVsix(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = ['package', '--no-dependencies', '--no-rewrite-relative-links', '--out', path];
  const { ok, how, output } = await run({ name: 'vsce', command: process.execPath, args: [vsce, ...args], cwd: root });
  if (!ok) throw new Error(`The extension could not be packed (${how}):\n${output}`);
}
