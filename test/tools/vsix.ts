import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cache, root } from './paths.ts';
import { type Program, run } from './processes.ts';
import { scratchFolder } from './scratch.ts';
import { inTurn } from './turn.ts';

/**
 * Builds and packs the extension. Several at a time take turns: they build into the same folder.
 * @param checkout this one, or another one with its own dependencies installed
 * @throws with the output of the tools, where it cannot be built or packed
 */
export async function packVsix(path: string, checkout = root): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await inTurn(join(cache, 'packing.lock'), async () => {
    const build = ['esbuild.mjs', '--production'];
    await succeed({ name: 'the build', command: process.execPath, args: build, cwd: checkout });
    const folder = scratchFolder(cache, 'packing-');
    try {
      layOut(checkout, folder);
      const vsce = join(checkout, 'node_modules', '@vscode', 'vsce', 'vsce');
      const args = [vsce, 'package', '--no-dependencies', '--out', path];
      await succeed({ name: 'vsce', command: process.execPath, args, cwd: folder });
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  });
}

/**
 * Copies what the package consists of, by `.vscodeignore`. In the checkout, vsce compares every file with every pattern,
 * downloaded editors included, which takes 15 seconds.
 */
function layOut(checkout: string, folder: string): void {
  const lines = readFileSync(join(checkout, '.vscodeignore'), 'utf8').split('\n');
  const patterns = lines.filter((it) => it.startsWith('!')).map((it) => it.slice(1));
  for (const path of ['.vscodeignore', ...globSync(patterns, { cwd: checkout })]) {
    if (statSync(join(checkout, path)).isFile()) cpSync(join(checkout, path), join(folder, path));
  }
  const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  // vsce would build again.
  const { 'vscode:prepublish': _, ...scripts } = manifest.scripts;
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, scripts }, undefined, 2)}\n`);
}

async function succeed(program: Program): Promise<void> {
  const { ok, how, output } = await run(program);
  if (!ok) throw new Error(`The extension could not be packed: ${program.name} failed (${how}):\n${output}`);
}
