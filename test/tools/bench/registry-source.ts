import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { run, type Started, start } from '../processes.ts';
import { residentMemory } from './processes.ts';
import type { Shapes } from './public-shapes.ts';
import { printed, type Row } from './table.ts';
import { manyPackages, packageJson } from './texts.ts';

/*
 * `serve --registries` in front of registries on the loopback, each answer of which takes some time.
 *
 *     npm run build
 *     node test/tools/bench/registry-source.ts [packages] [versions of each] [latency in ms]
 */

/** The median of small packages of npm has some 20 versions. */
const [count = 1000, versions = 20, latency = 60] = process.argv.slice(2).map(Number);
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

async function startServing(args: readonly string[]): Promise<Started & { readonly url: string }> {
  const program = { name: 'service', command: process.execPath, args: [cli, 'serve', '--port', '0', ...args] };
  const running = await start(program, /listening on (http:\/\/127\.0\.0\.1:\d+)\n/);
  return { ...running, url: running.said[1] ?? '' };
}

const folder = mkdtempSync(join(tmpdir(), 'package-insights-registries-'));
mkdirSync(join(folder, 'project'));
writeFileSync(
  join(folder, 'project', 'package.json'),
  packageJson(manyPackages(count), () => '1.2.0'),
);
const registries = await startRegistries({ latency, versions, texts: [] });

async function check(url: string, cacheName: string): Promise<{ readonly ms: number; readonly output: string }> {
  const env = { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: join(folder, cacheName) };
  const began = performance.now();
  const { output } = await run({
    name: 'check',
    command: process.execPath,
    args: [cli, 'check', '--base-url', url],
    cwd: join(folder, 'project'),
    env,
  });
  return { ms: performance.now() - began, output };
}

/** In MB, the most that was resident. */
function mostMemory(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;
}

const rows: Row[] = [];
for (const state of [[], ['--state', join(folder, 'state')]]) {
  const kind = state.length === 0 ? 'in memory' : 'in a file';
  const service = await startServing(['--registries', ...registries.options, ...state]);
  const before = await registries.requests();
  const cold = await check(service.url, `cold-${state.length}`);
  console.log(cold.output.split('\n').slice(-6).join('\n'));
  rows.push({
    what: `${count} packages of npm with ${versions} versions, ${latency} ms away, answers ${kind}: first time`,
    unit: 'ms',
    value: cold.ms,
  });
  rows.push({ what: '  requests to the registry', unit: 'requests', value: (await registries.requests()) - before });
  rows.push({ what: '  memory at its most', unit: 'MB', value: mostMemory(service.pid) });
  const again = await check(service.url, `again-${state.length}`);
  rows.push({ what: '  by another client afterwards', unit: 'ms', value: again.ms });
  const third = await check(service.url, `again-${state.length}`);
  rows.push({ what: '  by the same client', unit: 'ms', value: third.ms });
  rows.push({ what: '  memory now', unit: 'MB', value: residentMemory(service.pid) ?? 0 });
  await service.stop();
}
console.log(printed(rows));
registries.stop();
rmSync(folder, { recursive: true, force: true });
