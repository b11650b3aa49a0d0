import { join } from 'node:path';
import { cache, root } from './paths.ts';
import { type Program, run } from './processes.ts';
import { indent, type Results, seconds } from './results.ts';

const modules = join(root, 'node_modules');

export const typeCheck = step('type check', join(modules, 'typescript', 'bin', 'tsc'), '-p', '.');
/** The page of a report is for browsers, which have other types. */
export const pageTypeCheck = step(
  'type check of the page',
  join(modules, 'typescript', 'bin', 'tsc'),
  '-p',
  'client/report-page',
);
/** So has the language server in a browser. */
export const browserTypeCheck = step(
  'type check for browsers',
  join(modules, 'typescript', 'bin', 'tsc'),
  '-p',
  'tsconfig.browser.json',
);
export const lint = step(
  'lint',
  join(modules, '@biomejs', 'biome', 'bin', 'biome'),
  ...['ci', '--colors=off', '--max-diagnostics=50', '--error-on-warnings', '.'],
);
const build = step('build', 'esbuild.mjs', '--production');
/** Where tests find the packed extension. */
const vsix = join(cache, 'editor-tests.vsix');
const pack = step('build and pack', join('test', 'tools', 'package.ts'), vsix);

/** Runs a program and counts it as one test. Its output is shown where it failed, and false is returned. */
export async function runStep(step: Program, results: Results): Promise<boolean> {
  const started = Date.now();
  const { ok, how, output } = await run(step);
  const took = seconds(Date.now() - started);
  if (ok) {
    results.passed++;
    console.log(`✔ ${step.name} (${took})`);
    return true;
  }
  const details = output.trim() === '' ? how : output;
  results.failures.push({ name: step.name, details });
  console.log(`✖ ${step.name} (${took})\n${indent(details)}`);
  return false;
}

/** Builds the bundles. Tests of processes run them, since they start in a quarter of the time that sources take. */
export async function runBuild(results: Results): Promise<void> {
  if (await runStep(build, results)) useBundles();
}

/** Builds the bundles and packs the extension, once for all tests of it. */
export async function runPack(results: Results): Promise<void> {
  if (!(await runStep(pack, results))) return;
  useBundles();
  process.env['PACKAGE_INSIGHTS_VSIX'] = vsix;
}

function useBundles(): void {
  process.env['PACKAGE_INSIGHTS_CLI'] = join(root, 'dist', 'cli.js');
}

function step(name: string, ...args: readonly string[]): Program {
  return { name, command: process.execPath, args, cwd: root };
}
