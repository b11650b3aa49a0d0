import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../paths.ts';
import type { Bundles } from './bundles.ts';
import { type Kind, startEditing } from './editing.ts';
import { distances, type MeasuredService, type Replayed, replay, residentMemory } from './processes.ts';
import { bare, start } from './serving.ts';
import { median, type Row } from './table.ts';
import { isFlagged, isFlawed, MAX_FLAGGED, someFlagged } from './texts.ts';

/** Numbers of dependencies: usual, large, and as in the lockfile of a monorepo. */
export const sizes = [50, 800, 5000] as const;
const kinds = ['pins', 'flagged', 'ranges'] as const;

/** Seven runs, alternating with the baseline; three are enough for slow ones. */
function timesFor(count: number): number {
  return count > 1000 ? 3 : 7;
}

/** From opening a manifest to the last answer that changes the screen, with nothing known before. */
export async function cold(bundles: Bundles, service: MeasuredService, count: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of kinds) {
    if (kind === 'flagged' && count !== MAX_FLAGGED) continue;
    for (const distance of distances) rows.push(...(await coldOf(bundles, service, count, kind, distance)));
  }
  return rows;
}

async function coldOf(
  { server, bare: bareServer, least: leastServer }: Bundles,
  service: MeasuredService,
  count: number,
  kind: Kind,
  distance: (typeof distances)[number],
): Promise<Row[]> {
  const url = service.at[distance];
  const own: number[] = [];
  const last: number[] = [];
  const least: Replayed[] = [];
  const requests: number[] = [];
  const memory: number[] = [];
  const again: number[] = [];
  const leastOwn: number[] = [];
  for (let time = 0; time < timesFor(count); time++) {
    await service.arrived();
    const editing = await startEditing(server, url, count, kind);
    const opened = await editing.open();
    own.push(opened.changed);
    last.push(opened.last);
    memory.push(residentMemory(editing.client.process.pid) ?? Number.NaN);
    const arrived = await service.arrived();
    requests.push(arrived.length);
    if (distance === 60 && count === 800 && kind !== 'flagged') again.push((await editing.openAnother()).changed);
    await editing.client.stop();
    await service.arrived();
    least.push(await replay(url, arrived));
    await service.arrived();
    if (kind === 'pins' && distance === 60) {
      const bare = await startEditing(leastServer, url, count, kind);
      leastOwn.push((await bare.open()).changed);
      await bare.client.stop();
      await service.arrived();
    }
  }
  const floor = median(least.map((it) => it.ms));
  const what = `${count} ${kind}, ${distance} ms away`;
  const time: Row = { what, unit: 'ms', value: median(own), floor, against: 'the same requests by a bare client' };
  if (distance === 0) return [time];
  const sent: Row = {
    what: '  requests',
    unit: 'requests',
    value: median(requests),
    floor: leastRequests(kind, count),
    against: 'minimum',
  };
  if (distance !== 60) return [time, sent];
  const bytes = (of: 'sent' | 'received') => Math.round(median(least.map((it) => it[of])) / 1000);
  const whole: number[] = [];
  for (let time = 0; time < 3; time++) {
    const editing = await startEditing(server, url, count, kind);
    whole.push((await editing.open(count + 10)).changed);
    await editing.client.stop();
  }
  const { memory: held } = await start(bareServer, process.env);
  return [
    time,
    { ...time, what: '  to the last answer, changed or not', value: median(last) },
    ...(again.length === 0 ? [] : [{ ...time, what: '  as many others after them', value: median(again) }]),
    ...(leastOwn.length === 0 ? [] : [{ ...time, what: '  the least server', value: median(leastOwn) }]),
    { what: '  with all hints asked for each time', unit: 'ms', value: median(whole), floor },
    sent,
    { what: '  sent', unit: 'kB', value: bytes('sent') },
    { what: '  received', unit: 'kB', value: bytes('received') },
    { what: '  memory', unit: 'MB', value: median(memory), ...(held !== undefined && { floor: held }), against: bare },
  ];
}

/**
 * A batch for each 100 versions, a list for each range, and for each flagged version a list and the default version, which
 * fit into one batch, and its advisories.
 */
function leastRequests(kind: Kind, count: number): number {
  const batches = Math.ceil(count / 100);
  if (kind === 'pins') return batches;
  if (kind === 'ranges') return batches + count;
  const flagged = someFlagged(count).filter(isFlagged);
  return batches + flagged.length + 1 + flagged.filter(isFlawed).length;
}

/** From opening a manifest to its first hints, with everything known from an earlier start. */
export async function kept({ server, bare: bareServer }: Bundles, service: MeasuredService): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of sizes) {
    for (const kind of ['pins', 'ranges'] as const) {
      const directory = join(cache, 'bench', 'answers');
      rmSync(directory, { recursive: true, force: true });
      const env = { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: directory };
      const first = await startEditing(server, service.at[0], count, kind, env);
      await first.open();
      await first.client.stop();
      const [own, least]: [number[], number[]] = [[], []];
      for (let time = 0; time < timesFor(count); time++) {
        for (const [program, figures] of [
          [server, own],
          [bareServer, least],
        ] as const) {
          const editing = await startEditing(program, service.at[0], count, kind, env);
          figures.push(await editing.openKept());
          await editing.client.stop();
        }
      }
      const what = `${count} ${kind}, first hints`;
      rows.push({ what, unit: 'ms', value: median(own), floor: median(least), against: bare });
    }
  }
  return [...rows, await keptFromStart({ server, bare: bareServer }, service)];
}

/** From the start of the process to the first hints of a manifest that is open already, as when a window opens. */
async function keptFromStart(
  { server, bare: bareServer }: Pick<Bundles, 'server' | 'bare'>,
  service: MeasuredService,
): Promise<Row> {
  const env = {
    ...process.env,
    PACKAGE_INSIGHTS_CACHE_DIR: join(cache, 'bench', 'answers-from-start'),
    NODE_COMPILE_CACHE: join(cache, 'bench', 'compiled-from-start'),
  };
  const first = await startEditing(server, service.at[0], 50, 'pins', env);
  await first.open();
  await first.client.stop();
  const [own, least]: [number[], number[]] = [[], []];
  for (let time = 0; time < 15; time++) {
    for (const [program, figures] of [
      [server, own],
      [bareServer, least],
    ] as const) {
      const began = performance.now();
      const editing = await startEditing(program, service.at[0], 50, 'pins', env);
      await editing.openAtOnce();
      figures.push(performance.now() - began);
      await editing.client.stop();
    }
  }
  const what = '50 pins, from the start of the process to the first hints, second time';
  return { what, unit: 'ms', value: median(own), floor: median(least), against: bare };
}
