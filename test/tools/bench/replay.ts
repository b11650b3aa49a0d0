import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { Pool } from 'undici';
import type { ReceivedRequest } from '../../../server/src/service/http-server.ts';

/*
 * A minimal client that sends the same requests as the server, in a process of its own: `replay.ts URL`, with the
 * requests as a message. Its concurrency equals the server's: 50 lists of versions, 8 batches, each after the earlier
 * answers about the same packages. Over TLS all go through one connection of HTTP/2. Answers are unpacked and parsed, and
 * then ignored.
 */
const [requests]: (readonly ReceivedRequest[])[] = await once(process, 'message');
const url = process.argv[2] ?? '';
const pool = new Pool(
  url,
  url.startsWith('https:') ? { connections: 1, allowH2: true, pipelining: 100 } : { connections: 50 },
);
const [lookUp, batch] = [atMost(50), atMost(8)];
const named = (requests ?? []).map((it) => ({ ...it, names: namesIn(it) }));
/** The previous request about each package, whose answer leads to the next. */
const before = new Map<string, Promise<void>>();
let [sent, received] = [0, 0];

const usedBefore = process.cpuUsage();
const began = performance.now();
await Promise.all(
  named.map(async (it) => {
    const { method, path, names } = it;
    const led = Promise.all(names.map((name) => before.get(name)));
    const answered = led.then(() => (method === 'GET' ? lookUp : batch)(() => ask(it)));
    if (!path.includes('/advisories/')) for (const name of names) before.set(name, answered);
    await answered;
  }),
);
const ms = performance.now() - began;
const { user, system } = process.cpuUsage(usedBefore);
process.send?.({ ms, used: (user + system) / 1000, sent, received });
await pool.close();
process.disconnect?.();

async function ask({ method, path, body }: ReceivedRequest): Promise<void> {
  sent += body.length;
  const answer = await pool.request({
    method: method === 'GET' ? 'GET' : 'POST',
    path,
    body: body === '' ? null : body,
    headers: { 'accept-encoding': 'gzip', 'content-type': 'application/json' },
  });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  received += bytes.length;
  const text = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  if (answer.statusCode === 200) JSON.parse(text.toString());
}

/** The packages of a request. */
function namesIn({ method, path, body }: ReceivedRequest): string[] {
  if (method === 'GET') return [decodeURIComponent(/(?:packages\/|advisories\/GHSA-)([^/]+)$/.exec(path)?.[1] ?? '')];
  const { requests: asked }: Batch = JSON.parse(body);
  return asked.map((it) => it.versionKey?.name ?? '');
}

interface Batch {
  readonly requests: readonly { readonly versionKey?: { readonly name: string } }[];
}

/** Limits the number of concurrent jobs. */
function atMost(places: number): (work: () => Promise<void>) => Promise<void> {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    await work();
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
}
