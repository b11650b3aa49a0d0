import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createCatalog } from '../../server/src/service/catalog/catalog.ts';
import { catalogSource } from '../../server/src/service/catalog/source.ts';
import { serveHttp } from '../../server/src/service/http-server.ts';
import { type Durations, noDurations, usualDurations } from '../../server/src/stand-ins/deployments/advance.ts';
import { createDeploymentsService } from '../../server/src/stand-ins/deployments/service.ts';
import { openStore, type Store } from '../../server/src/stand-ins/deployments/store.ts';
import { readTypeCatalog } from '../../server/src/stand-ins/deployments/type-catalog.ts';

const file = join(import.meta.dirname, '..', '..', 'server', 'catalog', 'services', 'deployment-types.json');

export function catalogOfTypes() {
  const found = readTypeCatalog(readFileSync(file, 'utf8'));
  if (found.kind === 'invalid') throw new Error(found.reason);
  return found.catalog;
}

const catalog = catalogOfTypes();

export type Fields = Record<string, unknown>;

export interface Answer {
  readonly status: number;
  readonly body: Fields;
}

/** The token of a user is the address. */
function callerOf({ authorization = '' }: Readonly<Record<string, string | undefined>>): string | undefined {
  return /^Bearer (.+)$/.exec(authorization)?.[1];
}

/** The deployment-management service as a real one on this machine. Its operations end at once unless they take a time. */
export async function startDeployments({
  clock = { now: Date.now },
  durations = noDurations,
}: {
  readonly clock?: { now(): number };
  readonly durations?: Durations;
} = {}) {
  const store = openStore(':memory:');
  if (store === undefined) throw new Error('this Node has no SQLite');
  const service = createDeploymentsService({ catalog, store, clock, callerOf, durations });
  const source = catalogSource(createCatalog([], []));
  const running = await serveHttp({ source, services: [{ name: 'deployments', ...service }] });
  return {
    /** Without the version: `http://127.0.0.1:8080/deployments`. */
    url: `${running.url}/deployments`,
    close: async () => {
      await running.close();
      service.close();
    },
  };
}

/** The deployment-management service with a clock that only moves when told. The token of a user is the address. */
export function createLab({
  path = ':memory:',
  start = Date.UTC(2026, 10, 24, 9),
  durations = usualDurations,
  wrap = (it) => it,
}: {
  readonly path?: string;
  /** The time of the first request. */
  readonly start?: number;
  readonly durations?: Durations;
  /** What replaces the store. */
  readonly wrap?: (store: Store) => Store;
} = {}) {
  let now = start;
  const store = openStore(path);
  if (store === undefined) throw new Error('this Node has no SQLite');
  const service = createDeploymentsService({
    catalog,
    store: wrap(store),
    clock: { now: () => now },
    callerOf,
    durations,
  });

  /** `PUT deployments/front?preview=true`, in the project `demo`. */
  function call(request: string, body?: object, user = 'me@team.example'): Answer {
    const [method = '', target = ''] = request.split(' ');
    const reply = service.answer({
      ...{ method, target: `/v2beta/projects/demo/global/${target}`, address: '127.0.0.1' },
      body: body === undefined ? '' : JSON.stringify(body),
      headers: { host: '127.0.0.1:1/deployments', authorization: `Bearer ${user}` },
    });
    if (reply?.kind !== 'json') return { status: 404, body: {} };
    return { status: reply.status ?? 200, body: JSON.parse(JSON.stringify(reply.body)) };
  }

  function get(target: string): Fields {
    return call(`GET ${target}`).body;
  }

  return {
    call,
    get,
    /** Lets time pass, in ms; by default until everything has ended. */
    pass: (ms = 60_000) => {
      now += ms;
    },
    now: () => now,
    /** Each resource of a deployment: what it is about to become, or `COMPLETED`. */
    states: (deployment = 'front') =>
      Object.fromEntries(
        ((get(`deployments/${deployment}/resources`)['resources'] ?? []) as Fields[]).map((it) => {
          const { state, intent } = (it['update'] ?? {}) as Fields;
          return [it['name'], state === undefined ? 'COMPLETED' : `${state} ${intent}`];
        }),
      ),
    fingerprint: (deployment = 'front') => String(get(`deployments/${deployment}`)['fingerprint']),
    close: () => service.close(),
  };
}

/** The body of a deployment with a configuration. */
export function deploymentOf(content: string, more: object = {}): object {
  return { name: 'front', target: { config: { content }, ...more } };
}

/** A request to the service, `PUT deployments/front?preview=true`, and what to do instead of an answer. */
export type Fault = (request: string, response: ServerResponse) => boolean;

/**
 * The service over HTTP, at the real time.
 * @param fault answers in its place if it returns true
 */
export async function startFaultyDeployments(durations: Durations, fault: Fault = () => false) {
  const store = openStore(':memory:');
  if (store === undefined) throw new Error('this Node has no SQLite');
  const service = createDeploymentsService({ catalog, store, clock: { now: Date.now }, callerOf, durations });
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const named = `${method} ${url.replace(/^\/v2beta\/projects\/[^/]*\/global\//, '')}`;
    asked.push(named);
    const body = await text(request);
    if (fault(named, response)) return;
    const { authorization = '', host = '' } = headers;
    const reply = service.answer({ method, target: url, address: '127.0.0.1', body, headers: { host, authorization } });
    const isJson = reply?.kind === 'json';
    response.writeHead(isJson ? (reply.status ?? 200) : 404, { 'content-type': 'application/json' });
    response.end(isJson ? JSON.stringify(reply.body) : '{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2beta/projects`;
  return {
    url,
    asked: asked as readonly string[],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      service.close();
    },
  };
}
