import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Job, Queue, WaitingError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { isRecord } from '../../engine/base/text.ts';
import { MAX_TRIES, type PerformJob, pauseBefore } from './perform.ts';

/*
 * The queue of a fleet in Redis or Valkey, by BullMQ. A bundle of its own: import it late. A job is the name of a
 * repository in a run; the repository itself and the options of the run are in the results.
 */

/** Its keys. The number is that of the form of a job. */
const keys = { name: 'fleet-1', prefix: 'package-insights' } as const;

export interface QueueLimits {
  /** A worker renews its lock on a job at half of this time, in ms. Without renewal the job goes to another worker. */
  readonly lock: number;
  /** How often that is looked for, in ms. */
  readonly search: number;
  /** How long a worker that is stopped waits for a server that is away, in ms. What it had begun counts as killed then. */
  readonly stop: number;
}

/** Reading a manifest at the limits of a checkout blocks a worker for seconds. */
const usualLimits: QueueLimits = { lock: 60_000, search: 15_000, stop: 10_000 };

/** Often enough that perform decides before BullMQ does: it sets a repository aside after its second worker. */
const MAX_LOST = 10;

/** Until the first connection is open, in ms. */
const CONNECT_TIMEOUT = 10_000;

/** Until a queue is closed, in ms. */
const CLOSE_TIMEOUT = 1_000;

/** Between two attempts to connect again, in ms. */
const RECONNECT_PAUSE = 1_000;

interface FleetJob {
  readonly run: string;
  readonly name: string;
}

export interface SharedQueue {
  /** Adds jobs. One that is in the queue stays as it is. */
  add(run: string, names: readonly string[]): Promise<void>;
  /** Removes jobs that no worker has. */
  remove(run: string, names: readonly string[]): Promise<void>;
  /** The number of jobs of all runs, also those that a worker has. */
  size(): Promise<number>;
  /** Undefined where the server does not list its connections. */
  workers(): Promise<number | undefined>;
  close(): Promise<void>;
}

/** Rejects where the server cannot be reached. @param address `redis://…` or `rediss://…` */
export async function openQueue(address: string): Promise<SharedQueue> {
  const connection = await connect(address);
  const queue = new Queue<FleetJob>(keys.name, { connection, prefix: keys.prefix });
  // It connects again by itself.
  queue.on('error', () => {});
  return {
    async add(run, names) {
      await queue.addBulk(
        names.map((name) => ({
          name: 'check',
          data: { run, name },
          opts: {
            jobId: idOf(run, name),
            attempts: MAX_TRIES,
            backoff: { type: 'exponential', delay: pauseBefore(1) },
            // What they have done is in the results.
            removeOnComplete: true,
            removeOnFail: true,
          },
        })),
      );
    },
    async remove(run, names) {
      for (const name of names) await queue.remove(idOf(run, name)).catch(() => {});
    },
    async size() {
      const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
      return Object.values(counts).reduce((sum, it) => sum + it, 0);
    },
    workers: () => queue.getWorkersCount().catch(() => undefined),
    async close() {
      // Without a server it would wait for one.
      await within(queue.close(), CLOSE_TIMEOUT);
      connection.disconnect();
    },
  };
}

export interface QueueWorkerOptions {
  readonly perform: PerformJob;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called with a line for people. */
  readonly log: (line: string) => void;
  readonly limits?: QueueLimits;
}

/** Takes jobs until it is stopped. What it has begun is given back then. Rejects where the server cannot be reached. */
export async function workFromQueue(
  address: string,
  { perform, concurrency, signal, log, limits = usualLimits }: QueueWorkerOptions,
): Promise<void> {
  const connection = await connect(address);
  const worker = new Worker<FleetJob>(keys.name, (job, token) => process(job, token, perform, signal), {
    connection,
    prefix: keys.prefix,
    concurrency,
    lockDuration: limits.lock,
    stalledInterval: limits.search,
    maxStalledCount: MAX_LOST,
  });
  let trouble = '';
  worker.on('error', (error) => {
    // The same trouble comes again with each attempt to connect.
    if (error.message !== trouble) log(`queue: ${error.message}`);
    trouble = error.message;
  });
  worker.on('ready', () => {
    trouble = '';
  });
  worker.on('failed', (job, error) => log(`${job?.data.name ?? 'a job'}: ${error.message}`));
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // While the server is away, a worker ends neither its jobs nor its timers unless it is forced to.
  const isThere = await within(connection.ping(), limits.stop);
  await within(worker.close(!isThere), limits.stop);
  connection.disconnect();
}

/** Whether the work was done within `ms`. Never rejects. */
async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const done = work.then(
    () => true,
    () => false,
  );
  const isDone = await Promise.race([done, pause(ms, false, { signal: timer.signal }).catch(() => false)]);
  timer.abort();
  return isDone;
}

async function process(
  job: Job<FleetJob>,
  token: string | undefined,
  perform: PerformJob,
  signal: AbortSignal,
): Promise<void> {
  const { run, name } = readJob(job.data);
  const end = await perform(run, name, job.attemptsMade + 1 >= MAX_TRIES, signal);
  if (end === 'interrupted') {
    await job.moveToWait(token);
    throw new WaitingError();
  }
  if (end === 'retry') throw new Error('it is tried again');
}

/** Whoever can write to the queue may write anything. */
function readJob(data: unknown): FleetJob {
  if (isRecord(data) && typeof data['run'] === 'string' && typeof data['name'] === 'string')
    return { run: data['run'], name: data['name'] };
  throw new Error('it is no job of a fleet');
}

function idOf(run: string, name: string): string {
  return `${run}-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
}

/** Connects once, to report an address that does not work; from then on the connection is opened again by itself. */
async function connect(address: string): Promise<Redis> {
  let isOpen = false;
  const redis = new Redis(address, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT,
    // A worker waits for as long as the server is away.
    maxRetriesPerRequest: null,
    retryStrategy: () => (isOpen ? RECONNECT_PAUSE : null),
  });
  let trouble: Error | undefined;
  redis.on('error', (error: Error) => {
    trouble = error;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    redis.disconnect();
    throw trouble ?? error;
  }
  isOpen = true;
  return redis;
}
