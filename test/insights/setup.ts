import { createMemoryCache } from '../../server/src/cache/memory.ts';
import { createInsights, type InsightsOptions, type ServiceInsights } from '../../server/src/insights/insights.ts';
import type { VersionKey } from '../../server/src/model/keys.ts';
import type { Wanted } from '../../server/src/model/ports.ts';
import { createHttp } from '../../server/src/net/client.ts';
import type { Http } from '../../server/src/net/http.ts';
import { type FakeClock, fakeClock } from '../harness/fake-clock.ts';
import { type Act, json, type ScriptedServer, scriptedServer } from '../harness/scripted-server.ts';

export interface SetUp {
  readonly insights: ServiceInsights;
  readonly server: ScriptedServer;
  readonly clock: FakeClock;
  readonly http: Http;
  /** How many times listeners were called. */
  readonly told: () => number;
}

const open: (() => Promise<void>)[] = [];

/** The insights over a scripted server, by a clock that stands still. */
export async function setUp(act?: Act, options: Partial<InsightsOptions> = {}): Promise<SetUp> {
  const server = await scriptedServer(act);
  const clock = fakeClock();
  const http = createHttp({ clock, userAgent: 'test' });
  const insights = createInsights({
    settings: () => ({ baseUrl: server.url, batchSize: 100, parallelBatches: 8 }),
    http,
    clock,
    cache: createMemoryCache(),
    random: () => 1,
    ...options,
  });
  let told = 0;
  insights.onDidLearn(() => told++);
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

export function wanted(name: string, version = '1.0.0'): Wanted & { readonly kind: 'version' } {
  return { kind: 'version', key: npm(name, version) };
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
