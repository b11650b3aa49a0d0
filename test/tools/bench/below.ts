import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { serverProcess } from '../../../client/src/world/server-process.ts';
import type { Status } from '../../../server/src/editor/publish/status.ts';
import { startLsp } from '../../harness/lsp-client.ts';
import { cache } from '../paths.ts';
import type { Bundles } from './bundles.ts';
import { type MeasuredService, residentMemory } from './processes.ts';
import { clocked } from './serving.ts';
import { median, type Row } from './table.ts';
import { manyPackages, packageJson, versionOf } from './texts.ts';

const PACKAGES = 20_000;
/** Direct dependencies of the manifest. */
const DIRECT = 200;
/** Requirements of each package. */
const REQUIREMENTS = 4;
/** Without a request for so long, in ms, everything below has been looked up. On a busy machine, reading the graph takes seconds. */
const QUIET = 10_000;

interface Figures {
  /** In ms, until every direct dependency has its facts. */
  readonly direct: number;
  /** In ms, until the last request. */
  readonly all: number;
  readonly requests: number;
  /** In ms: the longest hover meanwhile. */
  readonly hover: number;
  readonly memory: number;
}

/** A manifest of 200 dependencies that bring 20,000 packages, with lookups of these and without. */
export async function below({ server }: Bundles, service: MeasuredService): Promise<Row[]> {
  const folder = join(cache, 'bench', 'below');
  mkdirSync(folder, { recursive: true });
  const names = manyPackages(PACKAGES);
  writeFileSync(join(folder, 'package-lock.json'), lockOf(names));
  const text = packageJson(names.slice(0, DIRECT), (index) => `^${versionOf(names[index] ?? '')}`);
  writeFileSync(join(folder, 'package.json'), text);
  const uri = pathToFileURL(join(folder, 'package.json')).href;

  async function measure(lookUpBelow: boolean): Promise<Figures> {
    let settle = (): void => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const client = await startLsp({
      program: [...serverProcess.flags, server, '--stdio'],
      env: { ...process.env, ...serverProcess.env, PACKAGE_INSIGHTS_CACHE_DIR: '' },
      capabilities: { experimental: { packageInsightsStatus: true }, textDocument: { hover: {} } },
      folder: pathToFileURL(folder).href,
      settings: { baseUrl: service.at[60], lookUpBelow },
    });
    client.connection.onNotification('packageInsights/status', ({ documents }: Status) => {
      if (documents.find((it) => it.uri === uri)?.pending === 0) settle();
    });
    await service.arrived();
    const began = performance.now();
    await client.open(uri, text);
    await settled;
    const direct = performance.now() - began;
    let [last, requests, longest] = [performance.now(), 0, 0];
    const position = { line: 5, character: 8 };
    while (performance.now() - last < QUIET) {
      const ms = await clocked(
        async () =>
          void (await client.connection.sendRequest('textDocument/hover', { textDocument: { uri }, position })),
      );
      longest = Math.max(longest, ms);
      const count = (await service.arrived()).length;
      requests += count;
      if (count > 0) last = performance.now();
      await sleep(10);
    }
    const memory = residentMemory(client.process.pid) ?? Number.NaN;
    await client.stop();
    return { direct, all: last - began, requests, hover: longest, memory };
  }

  const [off, on]: [Figures[], Figures[]] = [[], []];
  for (let time = 0; time < 1; time++) {
    off.push(await measure(false));
    on.push(await measure(true));
  }
  const row = (what: string, unit: Row['unit'], field: keyof Figures): Row => ({
    what,
    unit,
    value: median(on.map((it) => it[field])),
    floor: median(off.map((it) => it[field])),
    against: 'without',
  });
  return [
    row(`${DIRECT} dependencies that bring 20,000 packages: direct findings`, 'ms', 'direct'),
    { what: '  everything below', unit: 'ms', value: median(on.map((it) => it.all)) },
    row('  requests', 'requests', 'requests'),
    row('  longest hover meanwhile', 'ms', 'hover'),
    row('  memory then', 'MB', 'memory'),
  ];
}

function lockOf(names: readonly string[]): string {
  const packages = names.map((it, index) => {
    const required = [index - 7, ...Array.from({ length: REQUIREMENTS - 1 }, (_, at) => index + DIRECT * (at + 1))];
    const dependencies = Object.fromEntries(required.flatMap((at) => names[at] ?? []).map((name) => [name, '*']));
    const version = versionOf(it);
    return [`node_modules/${it}`, { version, integrity: 'sha512-AAAAAAAA==', dependencies }];
  });
  const dependencies = Object.fromEntries(names.slice(0, DIRECT).map((it) => [it, '*']));
  return JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies }, ...Object.fromEntries(packages) } });
}
