import { setTimeout as pause } from 'node:timers/promises';
import type { Results } from '../results/results.ts';
import type { SharedQueue } from './redis-queue.ts';

export const watchLimits = {
  /** How often results are counted, in ms. */
  interval: 1_000,
  /** Without a new result for so long, in ms, jobs that the queue has lost are added again. */
  quiet: 15_000,
  /** How often in a row the queue may end all jobs without a result: workers cannot write results then. */
  lost: 3,
} as const;

export interface WatchOptions {
  readonly run: string;
  readonly results: Results;
  readonly queue: SharedQueue;
  readonly signal: AbortSignal;
  /** Called when something has changed. `workers`: undefined where the server does not list its connections. */
  readonly progress: (done: number, total: number, workers: number | undefined) => void;
  readonly limits?: { readonly interval: number; readonly quiet: number; readonly lost: number };
}

/**
 * Gives the repositories of a run without a result to workers, and waits until each has one. Jobs that the queue has lost,
 * as in a restart, are added again. Rejects with errors of the database.
 */
export async function watchQueue(options: WatchOptions): Promise<void> {
  const { run, results, queue, signal, progress, limits = watchLimits } = options;
  const namesLeft = async () => (await results.pending(run)).map((it) => it.name);
  const first = await namesLeft();
  let done = await results.done(run);
  const total = done + first.length;
  await Promise.race([queue.add(run, first), aborted(signal)]);
  let quietSince = 0;
  let lost = 0;
  for (let waited = 0; done < total && lost < limits.lost && !signal.aborted; waited += limits.interval) {
    progress(done, total, await patiently(queue.workers(), limits.interval));
    await pause(limits.interval, undefined, { signal }).catch(() => {});
    const before = done;
    done = await results.done(run);
    if (done > before) [quietSince, lost] = [waited, 0];
    if (waited - quietSince < limits.quiet || done === total) continue;
    quietSince = waited;
    const size = await patiently(queue.size(), limits.interval);
    if (size === undefined) continue;
    if (size === 0) lost++;
    await patiently(queue.add(run, await namesLeft()), limits.quiet);
  }
  progress(done, total, undefined);
  if (done < total) await patiently(queue.remove(run, await namesLeft()), limits.interval * 5);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Undefined where the queue is away: a command of its waits until it is back. */
function patiently<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  return Promise.race([work.catch(() => undefined), pause(ms, undefined, { ref: false })]);
}
