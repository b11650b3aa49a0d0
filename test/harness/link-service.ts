import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConnections } from '../../server/src/connected/connections/connections.ts';
import { createMemoryHolds, createMemoryLedger } from '../../server/src/connected/connections/memory.ts';
import { createLinkSafety, type LinkSafetyParts } from '../../server/src/connected/link-safety/link-safety.ts';
import type { KeptList, ListStore } from '../../server/src/connected/link-safety/list-store.ts';
import { createHttp } from '../../server/src/engine/http/client.ts';
import type { Holds } from '../../server/src/engine/model/connection.ts';
import type { LinkState } from '../../server/src/engine/model/links.ts';
import type { Clock } from '../../server/src/engine/model/ports.ts';
import { readSettings } from '../../server/src/engine/settings/read.ts';
import { readListFile } from '../../server/src/stand-ins/link-safety/list-file.ts';
import {
  createLinkSafetyService,
  type LinkSafetyService,
  type LinkSafetyServiceOptions,
} from '../../server/src/stand-ins/link-safety/service.ts';

/** Answers in the place of the service. */
export type Fault = (response: ServerResponse, answer: string) => void;

export interface LinkService {
  readonly url: string;
  /** Each request as its method's name and its body. */
  readonly seen: readonly { readonly method: string; readonly body: string }[];
  readonly service: LinkSafetyService;
  /** From now on; undefined for none. */
  fail(fault: Fault | undefined): void;
  close(): Promise<void>;
}

/** Entries of a list file, an object a line. */
export function entriesOf(...lines: readonly object[]) {
  const read = readListFile(lines.map((it) => JSON.stringify(it)).join('\n'));
  if (read.kind === 'invalid') throw new Error(read.reason);
  return read.entries;
}

/** The lookup service on the loopback. */
export async function startLinkService(options: LinkSafetyServiceOptions): Promise<LinkService> {
  const service = createLinkSafetyService(options);
  const seen: { readonly method: string; readonly body: string }[] = [];
  let fault: Fault | undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { method = '', url: target = '' } = request;
    seen.push({ method: target.replace(/^\/v4\/|\?.*$/g, '').replace(':', '.'), body });
    const reply = service.answer({ method, target, body });
    const isJson = reply?.kind === 'json';
    const text = isJson ? JSON.stringify(reply.body) : '';
    if (fault) fault(response, text);
    else response.writeHead(isJson ? (reply.status ?? 200) : 404, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    service,
    fail(next) {
      fault = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A clock that a test sets, and whose timers run 200 times as fast as they say. */
export function jumpingClock(): Clock & { jump(ms: number): void } {
  let now = Date.UTC(2026, 0, 1);
  return {
    now: () => now,
    jump(ms) {
      now += ms;
    },
    after(ms, call) {
      const timer = setTimeout(call, ms / 200).unref();
      return () => clearTimeout(timer);
    },
  };
}

export function createMemoryStore(): ListStore {
  const kept = new Map<string, KeptList>();
  return {
    read(identity, name, newerThan) {
      const found = kept.get(`${identity} ${name}`);
      return found && found.at > newerThan ? found : undefined;
    },
    write: (identity, name, list) => void kept.set(`${identity} ${name}`, list),
    remove: (identity, name) => void kept.delete(`${identity} ${name}`),
    close() {},
  };
}

/** Our client, with all that sends its requests. */
export function linkClient(
  baseUrl: string,
  mode: LinkSafetyParts['mode'],
  given: {
    readonly clock?: ReturnType<typeof jumpingClock>;
    readonly holds?: Holds;
    readonly store?: ListStore;
    readonly lists?: readonly string[];
  } = {},
) {
  const { clock = jumpingClock(), holds = createMemoryHolds(), store = createMemoryStore() } = given;
  const http = createHttp({ clock, userAgent: 'test' });
  const connections = createConnections({
    settings: () => readSettings({ connections: { linkSafety: { baseUrl } } }),
    http,
    clock,
    random: () => 0,
    credentials: { read: async () => ({ secret: 'opensesame-0123456789' }) },
    ledger: createMemoryLedger(),
    holds,
  });
  const links = createLinkSafety({
    mode,
    connection: connections.client('link-safety'),
    holds,
    store,
    clock,
    random: () => 0,
    client: { clientId: 'test', clientVersion: '1' },
    ...(given.lists && { lists: given.lists }),
  });
  return {
    links,
    clock,
    holds,
    store,
    /** The state after a request. */
    async check(url: string): Promise<LinkState> {
      await links.request([url], 'asked');
      return links.stateOf(url);
    },
    async close() {
      links.close();
      await http.close();
    },
  };
}
