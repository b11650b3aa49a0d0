import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../paths.ts';
import type { Bundles } from './bundles.ts';
import { startEditing } from './editing.ts';
import { type MeasuredService, processorTime, replay, residentMemory } from './processes.ts';
import { secureFront } from './secure-front.ts';
import { bare, start } from './serving.ts';
import { median, type Row } from './table.ts';
import { manyPackages, packageJson, variousRanges } from './texts.ts';

const RUNS = 5;

/** Processor time and memory from opening ranges to their last answer, over HTTP/2, 60 ms away. */
export async function processor({ server }: Bundles, service: MeasuredService): Promise<Row[]> {
  if (process.platform !== 'linux') return [];
  const front = await secureFront(service.at[60]);
  const authority = join(cache, 'bench', 'authority.pem');
  writeFileSync(authority, front.certificate);
  const rows: Row[] = [];
  for (const kind of ['ranges', 'listed'] as const) {
    const [used, least, memory]: [number[], number[], number[]] = [[], [], []];
    for (let time = 0; time < RUNS; time++) {
      await service.arrived();
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: authority };
      const editing = await startEditing(server, front.url, 800, kind, env);
      const { pid } = editing.client.process;
      await editing.hints();
      const before = processorTime(pid);
      await editing.open();
      used.push(processorTime(pid) - before);
      memory.push(peakMemory(pid));
      await editing.client.stop();
      least.push((await replay(front.url, await service.arrived(), env)).used);
    }
    const what = kind === 'listed' ? '800 ranges, a hundred versions each' : '800 ranges';
    const against = 'the same requests by a bare client';
    rows.push({ what: `${what}: processor time`, unit: 'ms', value: median(used), floor: median(least), against });
    rows.push({ what: '  memory at its peak', unit: 'MB', value: median(memory) });
  }
  front.close();
  await service.arrived();
  return rows;
}

function peakMemory(pid: number | undefined): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}

/** A bare client gets the lists of versions in the time that the server needs for its first hints. */
export async function firstHints({ server }: Bundles, service: MeasuredService): Promise<Row[]> {
  const [own, least]: [number[], number[]] = [[], []];
  const url = service.at[60];
  for (let time = 0; time < RUNS; time++) {
    await service.arrived();
    const editing = await startEditing(server, url, 50, 'ranges');
    own.push(await editing.openUntilHints());
    await editing.client.stop();
    const lists = (await service.arrived()).filter((it) => it.method === 'GET');
    least.push((await replay(url, lists)).ms);
  }
  await service.arrived();
  const against = 'the lists by a bare client';
  return [
    { what: '50 ranges, 60 ms away: first hints', unit: 'ms', value: median(own), floor: median(least), against },
  ];
}

/** In ms: long enough for the collection that follows many answers. */
const SETTLING = 7000;

/** Memory some seconds after the last answer, and at its peak, beside a server without data. */
export async function memory({ server, bare: bareServer }: Bundles, service: MeasuredService): Promise<Row[]> {
  const { memory: floor } = await start(bareServer, process.env);
  if (floor === undefined) return [];
  const rows: Row[] = [];
  for (const count of [800, 5000]) {
    for (const kind of ['pins', 'ranges'] as const) {
      const [settled, peak]: [number[], number[]] = [[], []];
      for (let time = 0; time < 3; time++) {
        const editing = await startEditing(server, service.at[60], count, kind);
        const { pid } = editing.client.process;
        await editing.open();
        await new Promise((resolve) => setTimeout(resolve, SETTLING));
        settled.push(residentMemory(pid) ?? Number.NaN);
        peak.push(peakMemory(pid));
        await editing.client.stop();
      }
      const what = `${count} ${kind}: memory`;
      rows.push({ what: `${what}, settled`, unit: 'MB', value: median(settled), floor, against: bare });
      rows.push({ what: '  at its peak', unit: 'MB', value: median(peak), floor, against: bare });
    }
  }
  await service.arrived();
  return rows;
}

/** Manifests that a restored window opens together, at most. */
const DOCUMENTS = 300;

/** Many manifests opened at once, until each has its hints. */
export async function manyDocuments({ server }: Bundles, service: MeasuredService): Promise<Row[]> {
  const figures: number[] = [];
  const names = manyPackages(20);
  const text = packageJson(names, variousRanges);
  for (let time = 0; time < 3; time++) {
    const { client, hints, uri: first } = await startEditing(server, service.at[60], 1, 'ranges');
    const uris = Array.from({ length: DOCUMENTS }, (_, at) =>
      first.replace('package.json', `member-${at}/package.json`),
    );
    const began = performance.now();
    await Promise.all(uris.map((uri) => client.open(uri, text)));
    await Promise.all(
      uris.map(async (uri) => {
        while ((await hints(0, 60, uri)).length < names.length) await new Promise((resolve) => setTimeout(resolve, 20));
      }),
    );
    figures.push(performance.now() - began);
    await client.stop();
  }
  await service.arrived();
  return [{ what: `${DOCUMENTS} manifests opened at once, until all have hints`, unit: 'ms', value: median(figures) }];
}
