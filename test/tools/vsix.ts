import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cache, root } from './paths.ts';
import { run } from './processes.ts';
import { inTurn } from './turn.ts';

/**
 * Packs the extension, which builds it first. Several at a time take turns: they build into the same folder.
 * @param checkout this one, or another one with its own dependencies installed
 * @throws with what the tools said, where it cannot be built or packed
 */
export async function packVsix(path: string, checkout = root): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const vsce = join(checkout, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = ['package', '--no-dependencies', '--out', path];
  const packing = { name: 'vsce', command: process.execPath, args: [vsce, ...args], cwd: checkout };
  const { ok, how, output } = await inTurn(join(cache, 'packing.lock'), () => run(packing));
  if (!ok) throw new Error(`The extension could not be packed (${how}):\n${output}`);
}
