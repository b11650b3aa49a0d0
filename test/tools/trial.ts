import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatOf } from '../../server/src/engine/ecosystems/manifest-formats.ts';
import { type System, systemNames, systems } from '../../server/src/engine/model/system.ts';
import { declarations } from '../../server/src/engine/settings/declarations.ts';
import { root } from './paths.ts';
import { run } from './processes.ts';

/** The public Package Insights Service, which installed extensions use unless a person sets another. */
export const publicService = String(declarations.baseUrl?.default);

export interface Trial {
  /** Relative to the folder; absent where the folder has none at its top. */
  readonly manifest?: string;
  /** The step of the walkthrough that is open first. */
  readonly step: string;
  /** What the service answers from, where it is not the public one. */
  readonly knows?: Knowledge;
}

/** `catalog`: the embedded one alone. */
export type Knowledge = 'catalog' | 'registries';

/**
 * What the window of `npm start` opens in a folder. In a folder of one's own most packages are missing from the catalog,
 * so the step that explains this comes first.
 */
export function trialOf(
  folder: string,
  { isSample, knows }: { readonly isSample: boolean; readonly knows: Knowledge | undefined },
): Trial {
  const manifest = isSample ? 'package.json' : manifestIn(folder);
  return {
    ...(manifest !== undefined && { manifest }),
    step: knows !== undefined && !isSample ? knows : 'hover',
    ...(knows !== undefined && { knows }),
  };
}

function manifestIn(folder: string): string | undefined {
  return readdirSync(folder)
    .sort()
    .find((it) => formatOf(it)?.record === undefined && formatOf(it) !== undefined);
}

/** Packs the extension that opens a manifest and the walkthrough. */
export async function packTrial(scratch: string, trial: Trial): Promise<string> {
  const source = join(scratch, 'trial');
  const vsix = join(scratch, 'trial.vsix');
  cpSync(join(import.meta.dirname, 'trial'), source, { recursive: true });
  writeFileSync(join(source, 'trial.json'), JSON.stringify(trial));
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = [vsce, 'package', '--no-dependencies', '--skip-license', '--out', vsix];
  const { ok, how, output } = await run({ name: 'vsce', command: process.execPath, args, cwd: source });
  if (!ok) throw new Error(`The extension of the trial could not be packed (${how}):\n${output}`);
  return vsix;
}

/** What the service of `npm start` knows, and what stands for the rest. */
export function catalogText(): string {
  const counts = systems.map((it) => ({ system: it, count: packagesOf(it) }));
  const all = counts.reduce((sum, it) => sum + it.count, 0);
  const each = counts.map((it) => `${systemNames[it.system]} ${it.count}`).join(', ');
  return [
    `  It knows ${all} packages (${each}): the embedded catalog. Every other package is "unknown" here.`,
    `  The public service (${publicService}) knows the others: npm start -- --public,`,
    '  or in the window: Package Insights: Use the Public Service.',
  ].join('\n');
}

/** How many packages of a system the embedded catalog has: one file each. */
export function packagesOf(system: System): number {
  const folder = join(root, 'server', 'catalog', system.toLowerCase());
  return readdirSync(folder).filter((it) => it.endsWith('.json')).length;
}
