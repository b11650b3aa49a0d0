import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { run, type Started, start } from '../processes.ts';
import type { Shapes } from './public-shapes.ts';

const cli = join(root, 'dist', 'cli.js');
const paths = { npm: '/npm', pypi: '/simple', cargo: '/cargo', go: '/go', maven: '/maven', nuget: '/nuget/index.json' };

export async function startRegistries(shapes: Shapes) {
  const child = fork(join(import.meta.dirname, 'public-shapes.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  child.send(shapes);
  const [base]: string[] = await once(child, 'message');
  return {
    options: Object.entries(paths).flatMap(([system, path]) => ['--registry', `${system}=${base}${path}`]),
    async requests(): Promise<number> {
      child.send('how many');
      const [asked] = await once(child, 'message');
      return asked;
    },
    stop: () => child.disconnect(),
  };
}

export async function startServing(args: readonly string[]): Promise<Started & { readonly url: string }> {
  const program = { name: 'service', command: process.execPath, args: [cli, 'serve', '--port', '0', ...args] };
  const running = await start(program, /listening on (http:\/\/127\.0\.0\.1:\d+)\n/);
  return { ...running, url: running.said[1] ?? '' };
}

/** Runs `check` in a folder, with its answers in another one. */
export async function check(
  url: string,
  project: string,
  cached: string,
  ...options: readonly string[]
): Promise<{ readonly ms: number; readonly output: string }> {
  const began = performance.now();
  const { output } = await run({
    name: 'check',
    command: process.execPath,
    args: [cli, 'check', '--base-url', url, ...options],
    cwd: project,
    env: { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: cached },
  });
  return { ms: performance.now() - began, output };
}

/** In MB, the most that was resident. */
export function mostMemory(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;
}
