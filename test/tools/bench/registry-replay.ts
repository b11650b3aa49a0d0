import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { check, mostMemory, startRegistries, startServing } from './registry-serving.ts';

/*
 * What is checked of the manifests in a folder, with the catalog alone and with registries behind it. The registries are
 * on the loopback, and have the packages and versions that the manifests name; nothing else of them is real.
 *
 *     npm run build
 *     node test/tools/bench/registry-replay.ts FOLDER…
 */

/** In ms. */
const latency = 60;
const names =
  /^(?:package(?:-lock)?\.json|pnpm-.*\.yaml|yarn\.lock|.*requirements.*\.txt|pyproject\.toml|(?:poetry|pdm|uv)\.lock|Cargo\.(?:toml|lock)|go\.(?:mod|sum)|pom\.xml|.*\.(?:gradle|kts|csproj|props))$/;

function textsIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const manifests = files.filter((it) => it.isFile() && names.test(it.name) && !it.parentPath.includes('node_modules'));
  return manifests.map((it) => readFileSync(join(it.parentPath, it.name), 'utf8'));
}

/** The lines that say how much was checked. */
function counts(output: string): string {
  const lines = output.split('\n').filter((it) => /^(?!package-insights)\S.*\bchecked\b/i.test(it));
  return lines.map((it) => `    ${it}`).join('\n');
}

for (const given of process.argv.slice(2)) {
  const project = resolve(given);
  const cached = mkdtempSync(join(tmpdir(), 'package-insights-replay-'));
  const registries = await startRegistries({ latency, versions: 20, texts: textsIn(project) });
  console.log(basename(project));
  for (const [what, args] of [
    ['the catalog alone', []],
    ['registries behind it', ['--registries', ...registries.options]],
  ] as const) {
    const service = await startServing(args);
    const { ms, output } = await check(service.url, project, join(cached, String(args.length)));
    const memory = mostMemory(service.pid);
    await service.stop();
    const figures = `${(ms / 1000).toFixed(1)} s, ${Math.round(memory)} MB, ${await registries.requests()} requests`;
    console.log(`  ${what}: ${figures}\n${counts(output)}`);
    if (process.env['SHOW']) console.log(output);
  }
  registries.stop();
  rmSync(cached, { recursive: true, force: true });
}
