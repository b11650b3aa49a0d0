import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Queue } from 'bullmq';
import { type CheckRepository, createPerformJob } from '../../server/src/fleet/queue/perform.ts';
import { openQueue, workFromQueue } from '../../server/src/fleet/queue/redis-queue.ts';
import { watchQueue } from '../../server/src/fleet/queue/watch.ts';
import { openFileResults } from '../../server/src/fleet/results/open.ts';
import type { RepositoryResult } from '../../server/src/fleet/results/result.ts';
import { noRedis, startRedis } from '../harness/databases.ts';
import { folderWith } from '../terminal/program.ts';

const skip = noRedis ?? false;
const folder = folderWith({});
after(() => folder.remove());
const redis = noRedis === undefined ? await startRedis() : undefined;
after(() => redis?.stop());
const address = redis?.address ?? '';
const file = join(folder.path, 'results.sqlite');
const results = await openFileResults(file);
after(() => results.close());

const limits = { lock: 1_000, search: 500, stop: 1_000 };
const watching = { interval: 50, quiet: 1_000, lost: 3 };
const checked: RepositoryResult = { state: 'checked', reasons: [], code: 0, ms: 1, uses: [], findings: [] };

async function newRun(id: string, count: number): Promise<void> {
  const repositories = Array.from({ length: count }, (_, it) => ({
    name: `repository ${it}`,
    source: { kind: 'directory', path: `/${it}` } as const,
  }));
  await results.create({ id, at: id, options: { allowPrivate: false, ways: false }, bad: [] }, repositories);
}

/** A worker in this process. */
function startWorker(check: CheckRepository, concurrency = 4) {
  const stop = new AbortController();
  const ended = workFromQueue(address, {
    perform: createPerformJob(results, check),
    concurrency,
    signal: stop.signal,
    log: () => {},
    limits,
  });
  return {
    async stop() {
      stop.abort();
      await ended;
    },
  };
}

async function watch(run: string, during: () => Promise<void> = async () => {}, ms = 30_000): Promise<void> {
  const queue = await openQueue(address);
  const signal = AbortSignal.timeout(ms);
  const watched = watchQueue({ run, results, queue, signal, progress: () => {}, limits: watching });
  await during();
  await watched;
  await queue.close();
}

const statesOf = async (run: string) => new Set((await results.repositories(run)).map((it) => it.state));

test('two workers check each repository once', { skip }, async () => {
  await newRun('once', 40);
  const seen: string[] = [];
  const check: CheckRepository = async ({ name }) => {
    seen.push(name);
    return { kind: 'done', result: checked };
  };
  const workers = [startWorker(check), startWorker(check)];
  await watch('once');
  for (const it of workers) await it.stop();
  assert.equal(seen.length, 40);
  assert.equal(new Set(seen).size, 40);
  assert.deepEqual(await statesOf('once'), new Set(['checked']));
});

test('a worker that is killed loses nothing, and the second death sets the repository aside', { skip }, async () => {
  await newRun('killed', 3);
  const queue = await openQueue(address);
  await queue.add('killed', ['repository 0']);
  for (let deaths = 0; deaths < 2; deaths++) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'dying-worker.ts'), address, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [name] = await once(child.stdout, 'data');
    assert.equal(String(name).trim(), 'repository 0');
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const worker = startWorker(async () => ({ kind: 'done', result: checked }));
  await watch('killed');
  await worker.stop();
  await queue.close();
  assert.deepEqual(
    (await results.repositories('killed')).map((it) => [it.state, it.reasons.join()]),
    [
      ['set-aside', 'set aside: its check has ended 2 workers'],
      ['checked', ''],
      ['checked', ''],
    ],
  );
});

test('a worker that is stopped gives back what it has begun', { skip }, async () => {
  await newRun('stopped', 2);
  let begun = 0;
  const slow = startWorker((_, __, signal) => {
    begun++;
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'interrupted' })));
  }, 2);
  await watch('stopped', async () => {
    while (begun < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    await slow.stop();
    const other = startWorker(async () => ({ kind: 'done', result: checked }));
    while ((await results.done('stopped')) < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    await other.stop();
  });
  // Giving back is no death: nothing is set aside.
  assert.deepEqual(await statesOf('stopped'), new Set(['checked']));
});

test('a queue that restarts without its jobs gets them again', { skip }, async () => {
  await newRun('restart', 12);
  let isOpen = false;
  const worker = startWorker(async () => {
    while (!isOpen) await new Promise((resolve) => setTimeout(resolve, 20));
    return { kind: 'done', result: checked };
  }, 2);
  await watch('restart', async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await redis?.restart();
    isOpen = true;
  });
  await worker.stop();
  assert.deepEqual(await statesOf('restart'), new Set(['checked']));
  assert.equal((await results.pending('restart')).length, 0);
});

test('a job of another program ends nothing', { skip }, async () => {
  const foreign = new Queue('fleet-1', { connection: { url: address }, prefix: 'package-insights' });
  await foreign.add('check', { run: 7, name: ['x'] });
  await foreign.add('check', { run: 'no such run', name: 'x' });
  await newRun('foreign', 2);
  const worker = startWorker(async () => ({ kind: 'done', result: checked }));
  await watch('foreign');
  await worker.stop();
  await foreign.close();
  assert.deepEqual(await statesOf('foreign'), new Set(['checked']));
});

test('a queue whose workers cannot write results is given up', { skip }, async () => {
  await newRun('full', 2);
  const perform = async () => {
    throw new Error('the disk is full');
  };
  const stop = new AbortController();
  const ended = workFromQueue(address, { perform, concurrency: 2, signal: stop.signal, log: () => {}, limits });
  const queue = await openQueue(address);
  // Without the pauses between tries.
  const impatient = { ...queue, add: async () => {} };
  await watchQueue({
    run: 'full',
    results,
    queue: impatient,
    signal: stop.signal,
    progress: () => {},
    limits: watching,
  });
  stop.abort();
  await ended;
  await queue.close();
  assert.equal((await results.pending('full')).length, 2);
});

test('a run and a worker are stopped while the queue is away', { skip }, async () => {
  const worker = startWorker(async () => ({ kind: 'done', result: checked }));
  // A worker that has not connected yet rejects instead.
  await newRun('there', 1);
  await watch('there');
  await newRun('away', 2);
  const queue = await openQueue(address);
  const stop = new AbortController();
  await redis?.kill();
  const options = { run: 'away', results, queue, signal: stop.signal, progress: () => {}, limits: watching };
  const watched = watchQueue(options);
  stop.abort();
  await watched;
  await queue.close();
  await worker.stop();
  await redis?.restart();
  assert.equal((await results.pending('away')).length, 2);
});

test('a server that is not there is an error, not a wait', { skip }, async () => {
  await assert.rejects(openQueue('redis://127.0.0.1:1'), /ECONNREFUSED/);
});
