import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bin, root } from './paths.ts';
import { indent, seconds, type Tally } from './tally.ts';

/** A program that passes when its exit code is 0. */
export interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

export const typeCheck: Step = { name: 'type check', command: join(bin, 'tsc'), args: ['-p', '.'] };
export const lint: Step = {
  name: 'lint',
  command: join(bin, 'biome'),
  args: ['ci', '--max-diagnostics=50', '--error-on-warnings', '.'],
};
export const build: Step = { name: 'build', command: process.execPath, args: ['esbuild.mjs', '--production'] };

/** Runs a program and counts it as one; its output is shown where it failed. */
export async function runStep(step: Step, tally: Tally): Promise<void> {
  const started = Date.now();
  const { code, output } = await outputOf(step);
  const took = seconds(Date.now() - started);
  if (code === 0) {
    tally.passed++;
    console.log(`✔ ${step.name} (${took})`);
    return;
  }
  const details = output.trim() === '' ? `exit code ${code}` : output;
  tally.failures.push({ name: step.name, details });
  console.log(`✖ ${step.name} (${took})\n${indent(details)}`);
}

function outputOf(step: Step): Promise<{ code: number | string; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(step.command, step.args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32' && step.command !== process.execPath,
    });
    let output = '';
    const collect = (chunk: string): void => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.on('error', (error) => resolve({ code: error.message, output: error.message }));
    child.on('close', (code, signal) => resolve({ code: code ?? signal ?? 'unknown', output }));
  });
}
