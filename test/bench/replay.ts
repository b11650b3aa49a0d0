import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { Pool } from 'undici';
import type { SeenRequest } from '../../server/src/service/serve.ts';

/*
 * The least that any client has to do which sends what the server sent, in a process of its own: `replay.ts URL`, the
 * requests by message. As many at a time as the server sends: 50 lists of versions, 8 batches, a batch when the lists of
 * its packages that the server asked for before it are there. Answers are unpacked and parsed, and not looked at.
 */
const [requests]: (readonly SeenRequest[])[] = await once(process, 'message');
const pool = new Pool(process.argv[2] ?? '', { connections: 50 });
const [lookUp, batch] = [atMost(50), atMost(8)];
const named = (requests ?? []).map((it) => ({ ...it, names: namesIn(it) }));
const lists = new Map<string | undefined, Promise<void>>();
let [sent, received] = [0, 0];

const began = performance.now();
await Promise.all(
  named.map(async (it) => {
    if (it.method === 'GET') {
      const answered = lookUp(() => ask(it));
      lists.set(it.names[0], answered);
      await answered;
    } else {
      await Promise.all(it.names.map((name) => lists.get(name)));
      await batch(() => ask(it));
    }
  }),
);
process.send?.({ ms: performance.now() - began, sent, received });
await pool.close();
process.disconnect?.();

async function ask({ method, path, body }: SeenRequest): Promise<void> {
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

/** The packages that a request is about. */
function namesIn({ method, path, body }: SeenRequest): (string | undefined)[] {
  if (method === 'GET') return [decodeURIComponent(/packages\/([^/]+)$/.exec(path)?.[1] ?? '')];
  const { requests: asked }: Batch = JSON.parse(body);
  return asked.map((it) => it.versionKey?.name);
}

interface Batch {
  readonly requests: readonly { readonly versionKey?: { readonly name: string } }[];
}

/** Does some work when one of so many places is free. */
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
