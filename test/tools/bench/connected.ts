import { join } from 'node:path';
import type { ConnectionStatus } from '../../../server/src/engine/model/connection.ts';
import type { LspClient } from '../../harness/lsp-client.ts';
import { cache } from '../paths.ts';
import { connectAll, startService } from '../service.ts';
import type { Bundles } from './bundles.ts';
import { startEditing } from './editing.ts';
import { type MeasuredService, residentMemory } from './processes.ts';
import { clocked, type Started, start, startRows, typeInRequirement } from './serving.ts';
import { median, percentile, type Row } from './table.ts';

const KEYSTROKES = 200;

/** A server and its client, without connections or with all. */
interface Side {
  readonly env: NodeJS.ProcessEnv;
  readonly settings: object;
}

const none = 'nothing connected';

/** Measures the server with every service of `serve` connected, beside the server without connections. */
export async function connected({ server }: Bundles, service: MeasuredService, times: number): Promise<Row[]> {
  const others = await startService();
  const { settings, environment } = connectAll(others);
  const off: Side = { env: sideEnv('off'), settings: {} };
  // The budget of the sample would be spent by the first request.
  const noBudget = { 'packageInsights.connections.codeHost.dailyBudget': undefined };
  const on: Side = { env: { ...sideEnv('on'), ...environment }, settings: { ...settings, ...noBudget } };
  try {
    return [...(await startsOf(server, on, off, times)), ...(await keystrokes(server, service, on, off))];
  } finally {
    await others.stop();
  }
}

/** Requests are counted in a file, so each side has a folder. */
function sideEnv(name: string): NodeJS.ProcessEnv {
  const folder = join(cache, 'bench', 'connected', name);
  const compiled = join(cache, 'bench', 'connected', 'compiled');
  return { ...process.env, PACKAGE_INSIGHTS_CACHE_DIR: folder, NODE_COMPILE_CACHE: compiled };
}

async function startsOf(server: string, on: Side, off: Side, times: number): Promise<Row[]> {
  const [own, least]: [Started[], Started[]] = [[], []];
  // The first start fills the compile cache when it ends.
  for (let time = -1; time < times; time++) {
    const [mine, other] = [await start(server, on.env, on.settings), await start(server, off.env, off.settings)];
    if (time < 0) continue;
    own.push(mine);
    least.push(other);
  }
  return startRows('all connected: start → initialize response, second time', own, least, none);
}

async function keystrokes(server: string, service: MeasuredService, on: Side, off: Side): Promise<Row[]> {
  const open = async ({ env, settings }: Side) => {
    const editing = await startEditing(server, service.at[0], 1000, 'pins', env, settings);
    await editing.open();
    // Links and repositories of a package are looked up with its hover.
    await editing.hover(5);
    return editing;
  };
  const [mine, other] = [await open(on), await open(off)];
  await expectConnected(mine.client);
  const [own, least]: [number[], number[]] = [[], []];
  for (let time = 0; time < KEYSTROKES; time++) {
    own.push(await clocked(() => typeInRequirement(mine, time)));
    least.push(await clocked(() => typeInRequirement(other, time)));
  }
  const [held, heldLeast] = [mine, other].map((it) => residentMemory(it.client.process.pid));
  await mine.client.stop();
  await other.client.stop();
  const what = 'keystroke in a requirement → the hints in view';
  return [
    { what: `all connected: ${what}, median`, unit: 'ms', value: median(own), floor: median(least), against: none },
    {
      what: '  99th percentile',
      unit: 'ms',
      value: percentile(own, 0.99),
      floor: percentile(least, 0.99),
      against: none,
    },
    ...(held === undefined || heldLeast === undefined
      ? []
      : [{ what: '  memory then', unit: 'MB' as const, value: held, floor: heldLeast, against: none }]),
  ];
}

/** @throws if a service is not connected, of which the figures would show nothing */
async function expectConnected({ connection }: LspClient): Promise<void> {
  const answer: { readonly connections: readonly ConnectionStatus[] } = await connection.sendRequest(
    'packageInsights/connections',
    {},
  );
  const missing = answer.connections.filter((it) => it.host === undefined);
  if (missing.length > 0) throw new Error(`Not connected: ${missing.map((it) => it.name).join(', ')}`);
}
