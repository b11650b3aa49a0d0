import { setTimeout as pause } from 'node:timers/promises';
import { MAX_TRIES, type PerformJob, pauseBefore } from './perform.ts';

/**
 * Checks repositories of a run in this process, some at a time. Rejects where a result cannot be written: no further
 * repository is begun then.
 * @param concurrency how many at a time
 * @param onDone called after each repository that has a result
 */
export async function runInProcess(
  run: string,
  names: readonly string[],
  { perform, concurrency, signal, onDone }: InProcessOptions,
): Promise<void> {
  const aborting = new AbortController();
  const either = AbortSignal.any([signal, aborting.signal]);
  let open = names;
  // All are tried once before any is tried again.
  for (let tries = 1; open.length > 0 && !either.aborted; tries++) {
    if (tries > 1) await pause(pauseBefore(tries - 1), undefined, { signal: either }).catch(() => {});
    const again: string[] = [];
    const left = open.values();
    const work = async (): Promise<void> => {
      for (const name of left) {
        if (either.aborted) return;
        const end = await perform(run, name, tries === MAX_TRIES, either);
        if (end === 'retry') again.push(name);
        else if (end !== 'interrupted') onDone();
      }
    };
    const workers = Array.from({ length: concurrency }, () =>
      work().catch((error: unknown) => {
        aborting.abort();
        throw error;
      }),
    );
    const ended = await Promise.allSettled(workers);
    const failed = ended.find((it) => it.status === 'rejected');
    if (failed) throw failed.reason;
    open = again;
  }
}

export interface InProcessOptions {
  readonly perform: PerformJob;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onDone: () => void;
}
