import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cache } from '../paths.ts';
import type { Bundles } from './bundles.ts';
import { startEditing } from './editing.ts';
import { type MeasuredService, residentMemory } from './processes.ts';
import { clocked } from './serving.ts';
import { median, percentile, type Row } from './table.ts';
import { manyPackages, packageJson, packageLock, versionOf } from './texts.ts';

/** Measures hovers over known packages while the answers for 5,000 ranges arrive. */
export async function hoversUnderLoad({ server }: Bundles, service: MeasuredService): Promise<Row[]> {
  const editing = await startEditing(server, service.at[60], 5000, 'ranges');
  let isOpen = false;
  const opened = editing.open().then(() => {
    isOpen = true;
  });
  while ((await editing.hints(0, 40)).length < 30) await new Promise((resolve) => setImmediate(resolve));
  const figures: number[] = [];
  for (let time = 0; !isOpen; time++) figures.push(await clocked(() => editing.hover(5 + ((time * 7) % 25))));
  await opened;
  await editing.client.stop();
  return [
    { what: 'hover while 5,000 answers arrive, median', unit: 'ms', value: median(figures) },
    { what: '  99th percentile', unit: 'ms', value: percentile(figures, 0.99) },
  ];
}

/** A package-lock.json of 20,000 packages opened in the editor: until its first diagnostics are answered. */
export async function largeLockfile({ server }: Bundles, service: MeasuredService): Promise<Row[]> {
  const text = packageLock(manyPackages(20_000));
  const uri = pathToFileURL(join(cache, 'bench', 'large', 'package-lock.json')).href;
  const [own, memory]: [number[], number[]] = [[], []];
  for (let time = 0; time < 5; time++) {
    const { client } = await startEditing(server, service.at[60], 1, 'pins');
    own.push(
      await clocked(async () => {
        await client.open(uri, text);
        await client.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
      }),
    );
    memory.push(residentMemory(client.process.pid) ?? Number.NaN);
    await client.stop();
  }
  const parsed: number[] = [];
  for (let time = 0; time < 5; time++) parsed.push(await clocked(async () => JSON.parse(text)));
  const what = 'package-lock.json of 20,000 packages opened, first diagnostics';
  return [
    { what, unit: 'ms', value: median(own), floor: median(parsed), against: 'JSON.parse' },
    { what: '  memory then', unit: 'MB', value: median(memory) },
  ];
}

/** A workspace of 200 manifests with 20 dependencies each, some shared, checked from the terminal. */
export async function workspace(_: Bundles, service: MeasuredService): Promise<Row[]> {
  const folder = join(cache, 'bench', 'workspace');
  rmSync(folder, { recursive: true, force: true });
  const names = manyPackages(2000);
  for (let member = 0; member < 200; member++) {
    const directory = join(folder, `member-${member}`);
    mkdirSync(directory, { recursive: true });
    const own = names.slice(member * 9, member * 9 + 20);
    writeFileSync(
      join(directory, 'package.json'),
      packageJson(own, (index) => versionOf(own[index] ?? '')),
    );
  }
  const cli = join(cache, 'bench', 'cli.js');
  const env = { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: '' };
  const figures: number[] = [];
  await service.arrived();
  for (let time = 0; time < 5; time++) {
    const args = [cli, 'check', folder, '--base-url', service.at[60], '--format', 'json', '--quiet'];
    figures.push(await clocked(async () => void execFileSync(process.execPath, args, { env, stdio: 'ignore' })));
  }
  const requests = (await service.arrived()).length / 5;
  const minimum = Math.ceil((199 * 9 + 20) / 100);
  return [
    { what: 'check of 200 manifests, 60 ms away', unit: 'ms', value: median(figures) },
    { what: '  requests', unit: 'requests', value: requests, floor: minimum, against: 'minimum' },
  ];
}
