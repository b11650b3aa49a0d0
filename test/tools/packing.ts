import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { npm } from './npm.ts';
import { cache, root } from './paths.ts';
import { type Program, run } from './processes.ts';
import { scratchFolder } from './scratch.ts';
import { inTurn } from './turn.ts';

/** vsce compresses at the usual level, which leaves 7 KB. */
const smallest = `data:text/javascript,${encodeURIComponent(
  "import zlib from 'node:zlib'; const { DeflateRaw } = zlib; zlib.DeflateRaw = class extends DeflateRaw { constructor(options) { super({ level: 9, ...options }); } };",
)}`;

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
      const manifest = layOut(checkout, folder, '.vscodeignore');
      // vsce would build again.
      const { 'vscode:prepublish': _, ...scripts } = manifest.scripts;
      writeManifest(folder, { ...manifest, scripts });
      const vsce = join(checkout, 'node_modules', '@vscode', 'vsce', 'vsce');
      // Nothing is published: there is no address that links could lead to.
      const args = [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
      await succeed({
        name: 'vsce',
        command: process.execPath,
        args: ['--import', smallest, ...args, '--out', path],
        cwd: folder,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  });
}

/**
 * Builds and packs the terminal program: a package of npm that holds all that it needs, and runs nothing when it is
 * installed. The scripts, the dependencies and the extension of package.json are those of a checkout.
 * @throws with the output of the tools, where it cannot be built or packed
 */
export async function packProgram(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await inTurn(join(cache, 'packing.lock'), async () => {
    await succeed({ name: 'the build', command: process.execPath, args: ['esbuild.mjs', '--production'], cwd: root });
    await packBuiltProgram(path);
  });
}

/** The same from the bundles that are there. */
export async function packBuiltProgram(path: string): Promise<void> {
  const folder = scratchFolder(cache, 'packing-');
  try {
    const manifest = layOut(root, folder, '.npmignore');
    const kept = programKeys.flatMap((it) => (it in manifest ? [[it, manifest[it]]] : []));
    const engines = { node: manifest.engines.node };
    writeManifest(folder, { ...Object.fromEntries(kept), engines, files: ['dist', 'l10n', 'docs', 'CHANGELOG.md'] });
    await npm(['pack', '--ignore-scripts', '--pack-destination', dirname(path)], folder);
    const packed = join(dirname(path), `${manifest['name']}-${manifest['version']}.tgz`);
    if (packed !== path) renameSync(packed, path);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What package.json says of the program. */
const programKeys = [...['name', 'version', 'description', 'keywords', 'license'], ...['bin', 'optionalDependencies']];

async function succeed(program: Program): Promise<void> {
  const { ok, how, output } = await run(program);
  if (!ok) throw new Error(`It could not be packed: ${program.name} failed (${how}):\n${output}`);
}

type Manifest = Readonly<Record<string, unknown>> & {
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: Readonly<Record<string, string>>;
};

/**
 * Copies what a package consists of. In the checkout, the tools compare every file with every pattern, downloaded editors
 * included, which takes 15 seconds.
 * @param list the file whose patterns with `!` name it
 * @returns the package.json of the checkout
 */
function layOut(checkout: string, folder: string, list: string): Manifest {
  const lines = readFileSync(join(checkout, list), 'utf8').split('\n');
  const patterns = lines.filter((it) => it.startsWith('!')).map((it) => it.replace(/^!\/?/, ''));
  for (const path of [...(list === '.vscodeignore' ? [list] : []), ...globSync(patterns, { cwd: checkout })]) {
    if (statSync(join(checkout, path)).isFile()) cpSync(join(checkout, path), join(folder, path));
  }
  const pages = globSync(['README.md', 'docs/*.md'], { cwd: folder });
  for (const page of pages) {
    // The editor opens no relative link of the README.
    const isThere = (target: string): boolean =>
      page !== 'README.md' && existsSync(join(folder, dirname(page), target));
    const text = readFileSync(join(folder, page), 'utf8');
    writeFileSync(join(folder, page), withoutMissing(text, isThere));
  }
  return JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
}

/**
 * A page without the pictures that are not packed, and with the text alone of links that lead to what is not.
 *
 *     [all files](docs/manifests.md) → all files
 */
export function withoutMissing(page: string, isThere: (target: string) => boolean): string {
  const isMissing = (target: string): boolean => !/^(?:https?:|#)/.test(target) && !isThere(target.replace(/#.*/, ''));
  return page
    .replace(/^!\[[^\]]*\]\(([^)\s]+)\)\n\n?/gm, (whole, target: string) => (isMissing(target) ? '' : whole))
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, text: string, target: string) => (isMissing(target) ? text : whole));
}

function writeManifest(folder: string, manifest: object): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}
