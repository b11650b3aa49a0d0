import { gunzipSync } from 'node:zlib';
import { Pool } from 'undici';
import { manyPackages } from './texts.ts';

/*
 * The least that any client of the service has to do, in a process of its own: `floor.ts URL COUNT ranges|pins`. Lists
 * of versions 50 at a time, a batch for every 100 that are there, 8 at a time; answers unpacked and parsed, and not
 * looked at. Sends the ms from the first request to the last answer.
 */
const [, , url = '', count = '0', kind = 'pins'] = process.argv;
const names = manyPackages(Number(count));
const pool = new Pool(url, { connections: 50 });
const batchSize = 100;

async function ask(method: 'GET' | 'POST', path: string, body: string | null): Promise<unknown> {
  const answer = await pool.request({
    method,
    path,
    body,
    headers: { 'accept-encoding': 'gzip', 'content-type': 'application/json' },
  });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  const text = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  return JSON.parse(text.toString());
}

function askBatch(batch: readonly string[]): Promise<unknown> {
  const requests = batch.map((name) => ({ versionKey: { system: 'NPM', name, version: '1.2.3' } }));
  return ask('POST', '/v3alpha/versionbatch', JSON.stringify({ requests }));
}

async function pins(): Promise<void> {
  const batches: string[][] = [];
  for (let at = 0; at < names.length; at += batchSize) batches.push(names.slice(at, at + batchSize));
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let batch = batches.shift(); batch; batch = batches.shift()) await askBatch(batch);
    }),
  );
}

async function ranges(): Promise<void> {
  const open = [...names];
  const ready: string[] = [];
  const batches: Promise<unknown>[] = [];
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let name = open.shift(); name !== undefined; name = open.shift()) {
        await ask('GET', `/v3alpha/systems/NPM/packages/${name}`, null);
        ready.push(name);
        if (ready.length === batchSize) batches.push(askBatch(ready.splice(0)));
      }
    }),
  );
  if (ready.length > 0) batches.push(askBatch(ready));
  await Promise.all(batches);
}

const began = performance.now();
await (kind === 'ranges' ? ranges() : pins());
process.send?.(performance.now() - began);
await pool.close();
process.disconnect?.();
