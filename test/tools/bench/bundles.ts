import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packVsix } from '../packing.ts';
import { cache } from '../paths.ts';
import type { Row } from './table.ts';

/** Copies of the bundles to measure, which a concurrent build does not change. */
export interface Bundles {
  readonly server: string;
  /** The baseline server, bundled the same way. */
  readonly bare: string;
  /** The smallest server that shows hints. */
  readonly least: string;
  readonly rows: readonly Row[];
}

/** @param checkout whose bundles are built and measured */
export async function makeBundles(checkout: string): Promise<Bundles> {
  const directory = join(cache, 'bench');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const vsix = join(directory, 'package-insights.vsix');
  await packVsix(vsix, checkout);
  const bare = await bundled('bare', directory);
  const least = await bundled('least', directory);
  const server = join(directory, 'server.js');
  const dist = join(checkout, 'dist');
  for (const it of globSync('*.js', { cwd: dist })) cpSync(join(dist, it), join(directory, it));
  const isThere = (name: string): boolean => existsSync(join(directory, `${name}.js`));
  return {
    server,
    bare,
    least,
    rows: [
      { what: 'VSIX', unit: 'kB', value: kilobytes(vsix) },
      ...['client', 'languageclient', 'server', 'engine', 'languageserver', 'program', 'undici']
        .filter(isThere)
        .flatMap((it) => [
          {
            what: `dist/${it}.js`,
            unit: 'kB' as const,
            value: kilobytes(join(directory, `${it}.js`)),
            ...(it === 'server' && { floor: kilobytes(bare), against: 'bare language server' }),
          },
          ...partsOf(it, checkout),
        ]),
    ],
  };
}

async function bundled(name: string, directory: string): Promise<string> {
  const outfile = join(directory, `${name}.js`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}-server.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.18',
    mainFields: ['module', 'main'],
    minify: true,
    logLevel: 'silent',
  });
  return outfile;
}

function kilobytes(path: string): number {
  return Math.round(statSync(path).size / 1000);
}

/** The parts of at least 20 kB, by package. */
function partsOf(bundle: string, checkout: string): Row[] {
  const metafile: Metafile = JSON.parse(readFileSync(join(checkout, '.cache', 'metafiles', `${bundle}.json`), 'utf8'));
  const sizes = new Map<string, number>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'own code';
      sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput / 1000);
    }
  }
  return [...sizes]
    .filter(([, size]) => size >= 20)
    .sort(([, a], [, b]) => b - a)
    .map(([name, size]) => ({ what: `  ${name}`, unit: 'kB', value: Math.round(size) }));
}

interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}
