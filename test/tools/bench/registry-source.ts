import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { residentMemory } from './processes.ts';
import { check, mostMemory, startRegistries, startServing } from './registry-serving.ts';
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
const folder = mkdtempSync(join(tmpdir(), 'package-insights-registries-'));
const project = join(folder, 'project');
mkdirSync(project);
writeFileSync(
  join(project, 'package.json'),
  packageJson(manyPackages(count), () => '1.2.0'),
);
const registries = await startRegistries({ latency, versions, texts: [] });

const rows: Row[] = [];
for (const state of [[], ['--state', join(folder, 'state')]]) {
  const kind = state.length === 0 ? 'in memory' : 'in a file';
  const service = await startServing(['--registries', ...registries.options, ...state]);
  const before = await registries.requests();
  const cold = await check(service.url, project, join(folder, `cold-${state.length}`));
  console.log(cold.output.split('\n').slice(-6).join('\n'));
  rows.push({
    what: `${count} packages of npm with ${versions} versions, ${latency} ms away, answers ${kind}: first time`,
    unit: 'ms',
    value: cold.ms,
  });
  rows.push({ what: '  requests to the registry', unit: 'requests', value: (await registries.requests()) - before });
  rows.push({ what: '  memory at its most', unit: 'MB', value: mostMemory(service.pid) });
  const again = await check(service.url, project, join(folder, `again-${state.length}`));
  rows.push({ what: '  by another client afterwards', unit: 'ms', value: again.ms });
  const third = await check(service.url, project, join(folder, `again-${state.length}`));
  rows.push({ what: '  by the same client', unit: 'ms', value: third.ms });
  rows.push({ what: '  memory now', unit: 'MB', value: residentMemory(service.pid) ?? 0 });
  await service.stop();
}
console.log(printed(rows));
registries.stop();
rmSync(folder, { recursive: true, force: true });
