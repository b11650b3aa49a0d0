import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { serverProcess } from '../../../client/src/world/server-process.ts';
import { startLsp } from '../../harness/lsp-client.ts';
import { cache } from '../paths.ts';
import type { Bundles } from './bundles.ts';
import { type Editing, startEditing, typeWord } from './editing.ts';
import { type MeasuredService, processorTime, residentMemory } from './processes.ts';
import { mean, median, percentile, type Row } from './table.ts';
import { manyPackages, packageJson, variousRanges } from './texts.ts';

export const bare = 'bare language server';

/** Measures the time from the start of the process to the response of `initialize`, and the memory then. */
export async function starts({ server, bare: floor }: Bundles, times: number): Promise<Row[]> {
  const rows: Row[] = [];
  const compiled = { ...process.env, NODE_COMPILE_CACHE: join(cache, 'bench', 'compiled') };
  for (const [what, env] of [
    ['start → initialize response', process.env],
    ['the same from the second time, as in the editor', compiled],
  ] as const) {
    const own: Started[] = [];
    const least: Started[] = [];
    if (env === compiled) {
      // The first start fills the compile cache when it ends.
      await start(server, env);
      await start(floor, env);
    }
    for (let time = 0; time < times; time++) {
      own.push(await start(server, env));
      least.push(await start(floor, env));
    }
    const hasMemory = env !== compiled;
    rows.push(...startRows(what, own, least, bare).filter((it) => hasMemory || it.unit !== 'MB'));
  }
  return [...rows, ...(await startsInTerminal(server, times))];
}

/** Measures what the terminal program adds to the server, which every other editor starts through it. */
async function startsInTerminal(server: string, times: number): Promise<Row[]> {
  // In a repository, or with a folder of answers, the terminal program has no compile cache.
  const folder = mkdtempSync(join(tmpdir(), 'package-insights-bench-'));
  const env = { ...process.env, XDG_CACHE_HOME: folder, PACKAGE_INSIGHTS_CACHE_DIR: undefined };
  const direct = { ...env, NODE_COMPILE_CACHE: join(folder, 'of-server') };
  const inTerminal = [join(dirname(server), 'cli.js'), 'lsp'];
  const own: Started[] = [];
  const least: Started[] = [];
  // The first start fills the compile cache when it ends.
  for (let time = -1; time < times; time++) {
    const [mine, bundle] = [await startPlain(inTerminal, env), await startPlain([server], direct)];
    if (time < 0) continue;
    own.push(mine);
    least.push(bundle);
  }
  rmSync(folder, { recursive: true, force: true });
  const what = 'package-insights lsp: start → initialize response, second time';
  return startRows(what, own, least, "the server's own bundle");
}

/** Processor time is a mean, since the system counts it in steps that are long beside a start. */
export function startRows(what: string, own: readonly Started[], least: readonly Started[], against: string): Row[] {
  const figures = (figure: (all: readonly Started[]) => number) => ({
    value: figure(own),
    floor: figure(least),
    against,
  });
  const rows: Row[] = [
    { what, unit: 'ms', ...figures((all) => median(all.map((it) => it.ms))) },
    { what: '  processor time', unit: 'ms', ...figures((all) => mean(all.map((it) => it.used))) },
    { what: '  memory', unit: 'MB', ...figures((all) => median(all.flatMap((it) => it.memory ?? []))) },
  ];
  return rows.filter((it) => !Number.isNaN(it.value));
}

export interface Started {
  readonly ms: number;
  /** Processor time, in ms. */
  readonly used: number;
  readonly memory: number | undefined;
}

/** As the extension starts it. */
export function start(program: string, env: NodeJS.ProcessEnv, settings: object = {}): Promise<Started> {
  const { flags, env: environment } = serverProcess;
  return startPlain([...flags, program], { ...env, ...environment }, settings);
}

async function startPlain(program: readonly string[], env: NodeJS.ProcessEnv, settings: object = {}): Promise<Started> {
  const began = performance.now();
  const started = await startLsp({ program: [...program, '--stdio'], env, settings });
  const ms = performance.now() - began;
  const { pid } = started.process;
  const [used, memory] = [processorTime(pid), residentMemory(pid)];
  await started.stop();
  return { ms, used, memory };
}

/** Measures requests in a manifest of 1,000 dependencies whose facts are all known. */
export async function warm(bundles: Bundles, service: MeasuredService, times: number): Promise<Row[]> {
  const count = 1000;
  const editing = await startEditing(bundles.server, service.at[0], count, 'pins');
  await editing.open();
  const least = await startEditing(bundles.bare, service.at[0], count, 'pins');
  const text = { uri: least.uri, version: 1, languageId: 'json', text: '\n'.repeat(count) };
  await least.client.connection.sendNotification('textDocument/didOpen', { textDocument: text });

  const typeInName = (it: Editing, time: number) => typeWord(it, 3, 18, time, 'x');
  const measured = {
    'keystroke → the hints in view, 1,000 dependencies': async (it: Editing, time: number) => {
      await typeInName(it, time);
      const first = (time * 37) % 900;
      await it.hints(first, first + 60);
    },
    'keystroke → all hints': async (it: Editing, time: number) => {
      await typeInName(it, time);
      await it.hints();
    },
    'keystroke in a requirement → the hints in view': typeInRequirement,
    hover: (it: Editing, time: number) => it.hover(5 + ((time * 37) % 990)),
  };
  const rows: Row[] = [];
  for (const [what, once] of Object.entries(measured)) {
    const own: number[] = [];
    const floor: number[] = [];
    // Each dependency is hovered once: with 200 hovers, the two slowest alone would determine the percentile.
    for (let time = 0; time < (what === 'hover' ? count : times); time++) {
      own.push(await clocked(() => once(editing, time)));
      floor.push(await clocked(() => once(least, time)));
    }
    rows.push({ what: `${what}, median`, unit: 'ms', value: median(own), floor: median(floor), against: bare });
    const [slow, slowFloor] = [percentile(own, 0.99), percentile(floor, 0.99)];
    rows.push({ what: '  99th percentile', unit: 'ms', value: slow, floor: slowFloor, against: bare });
  }
  rows.push(await besideOthers(editing, times));
  await editing.client.stop();
  await least.client.stop();
  return rows;
}

/** Types in the manifest of 1,000 dependencies: `^1.0.496` becomes `^1.0.4961`, `^1.0.49611` and so on, and back. */
export async function typeInRequirement(it: Editing, time: number): Promise<void> {
  await typeWord(it, 501, 29, time, '1');
  await it.hints(480, 540);
}

/** Manifests that a person with many tabs has open. */
const OPEN_MANIFESTS = 50;

/** The same with other manifests open, of 100 dependencies each: a keystroke should cost what its own document costs. */
async function besideOthers(editing: Editing, times: number): Promise<Row> {
  const before: number[] = [];
  for (let time = 0; time < times; time++) before.push(await clocked(() => typeInRequirement(editing, time)));
  const text = packageJson(manyPackages(100), variousRanges);
  for (let at = 1; at < OPEN_MANIFESTS; at++) {
    const uri = editing.uri.replace('package.json', `member-${at}/package.json`);
    await editing.client.open(uri, text);
    await editing.client.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
  }
  await editing.hints();
  const after: number[] = [];
  for (let time = 0; time < times; time++) after.push(await clocked(() => typeInRequirement(editing, time)));
  return {
    what: `the same with ${OPEN_MANIFESTS} manifests open, median`,
    unit: 'ms',
    value: median(after),
    floor: median(before),
    against: 'one manifest open',
  };
}

/** How long something takes, in ms. */
export async function clocked(call: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await call();
  return performance.now() - began;
}
