import { createMemoryCache } from '../../../server/src/engine/facts/cache/cache.ts';
import { createInsights, type InsightsOptions } from '../../../server/src/engine/facts/store/fact-store.ts';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import type { Http } from '../../../server/src/engine/http/types.ts';
import type { VersionKey } from '../../../server/src/engine/model/keys.ts';
import type { ConnectedInsights, Wanted } from '../../../server/src/engine/model/ports.ts';
import { type FakeClock, fakeClock } from '../../harness/fake-clock.ts';
import { type Act, type Arrived, json, type ScriptedServer, scriptedServer } from '../../harness/scripted-server.ts';

export interface SetUp {
  readonly insights: ConnectedInsights;
  readonly server: ScriptedServer;
  readonly clock: FakeClock;
  readonly http: Http;
  /** How many times listeners were called. */
  readonly told: () => number;
}

export interface Options extends Partial<Omit<InsightsOptions, 'settings' | 'clock'>> {
  readonly clock?: FakeClock;
  readonly settings?: (baseUrl: string) => ReturnType<InsightsOptions['settings']>;
}

const open: (() => Promise<void>)[] = [];

/** The insights over a scripted server, by a clock that stands still. */
export async function setUp(act?: Act, options: Options = {}): Promise<SetUp> {
  const server = await scriptedServer(act);
  const { clock = fakeClock() } = options;
  const http = createHttp({ clock, userAgent: 'test' });
  const { settings = (baseUrl) => ({ baseUrl, batchSize: 100, parallelBatches: 8 }), ...parts } = options;
  const insights = createInsights({
    http,
    clock,
    cache: createMemoryCache(),
    random: () => 1,
    ...parts,
    settings: () => settings(server.url),
  });
  let told = 0;
  insights.onDidChange((it) => it.kind === 'changed' && told++);
  open.push(async () => {
    await insights.close();
    await http.close();
    await server.close();
  });
  return { insights, server, clock, http, told: () => told };
}

export async function closeAll(): Promise<void> {
  for (const close of open.splice(0)) await close();
}

export function npm(name: string, version: string): VersionKey {
  return { system: 'NPM', name, version };
}

export function wanted(name: string): Wanted & { readonly kind: 'version' } {
  return { kind: 'version', key: npm(name, '1.0.0') };
}

export function versions(count: number, from = 0): (Wanted & { readonly kind: 'version' })[] {
  return Array.from({ length: count }, (_, index) => wanted(`p${from + index}`));
}

/** Answers a batch with what it asks for, in one page. */
export function batch(more: object = {}, headers: Readonly<Record<string, string>> = {}): Act {
  return (request, response) => {
    const { requests } = JSON.parse(request.body) as { requests: { versionKey: VersionKey }[] };
    const responses = requests.map((it) => ({ request: it, version: { versionKey: it.versionKey, ...more } }));
    return json({ responses, nextPageToken: '' }, headers)(request, response);
  };
}

/** What a batch asked for: `['x@1.0.0']`. */
export function asked({ body }: Arrived): string[] {
  const { requests } = JSON.parse(body) as { requests: { versionKey: VersionKey }[] };
  return requests.map(({ versionKey }) => `${versionKey.name}@${versionKey.version}`);
}

/** Lets the real world run until something is so. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}
