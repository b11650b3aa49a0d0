import { backOff } from '../../engine/base/back-off.ts';
import { fileTrouble } from '../../engine/base/file-error.ts';
import type { CheckOutcome, RunOptions } from '../check-repository.ts';
import type { Repository } from '../repository.ts';
import type { Results } from '../results/results.ts';
import { createTurns } from './turns.ts';

/** What becomes of one job. `retry`: nothing was written, since another try may succeed. */
export type JobEnd = 'written' | 'already written' | 'retry' | 'interrupted';

/** Checks one repository of a run and writes its result. Both queues have this one. */
export type PerformJob = (run: string, name: string, isLastTry: boolean, signal: AbortSignal) => Promise<JobEnd>;

export type CheckRepository = (
  repository: Repository,
  options: RunOptions,
  signal: AbortSignal,
) => Promise<CheckOutcome>;

/** Workers that a repository may have killed. Then it is set aside: a third one would be killed, too. */
const MAX_KILLED = 2;

/** Tries of a repository that could not be read, or whose lookups failed. */
export const MAX_TRIES = 3;

/** The pause before another try, in ms, as an exponential back-off. */
export function pauseBefore(triesMade: number): number {
  return backOff(triesMade, { first: FIRST_PAUSE, longest: Number.POSITIVE_INFINITY });
}

const FIRST_PAUSE = 5_000;

/**
 * @param results where the result is written. Rejects with its errors
 */
export function createPerformJob(results: Results, check: CheckRepository): PerformJob {
  const turns = createTurns();
  const optionsOf = new Map<string, Promise<RunOptions | undefined>>();
  return async (run, name, isLastTry, signal) => {
    // A queue delivers a job again if it does not know whether the job is done.
    const repository = await results.open(run, name);
    if (repository === undefined) return 'already written';
    const reading = optionsOf.get(run) ?? results.run(run).then((it) => it?.options);
    optionsOf.set(run, reading);
    const options = await reading;
    if (options === undefined) return 'already written';
    const killed = await results.begin(run, name);
    if (killed >= MAX_KILLED) {
      const reasons = [`set aside: its check has ended ${killed} workers`];
      const nothing = { uses: [], findings: [], ms: 0 };
      await results.put(run, name, { state: 'set-aside', reasons, code: 2, ...nothing });
      return 'written';
    }
    // A worker that was killed had several repositories. Each is a suspect, so none of them may end the check of others.
    const leave = killed > 0 ? await turns.alone() : await turns.together();
    let outcome: CheckOutcome;
    try {
      outcome = signal.aborted ? { kind: 'interrupted' } : await check(repository, options, signal);
    } catch (error) {
      // A full disk, or an error of this program: the other repositories are still checked.
      const nothing = { code: 2 as const, uses: [], findings: [], ms: 0 };
      outcome = { kind: 'retry', result: { state: 'failed', reasons: [fileTrouble(error)], ...nothing } };
    } finally {
      leave();
    }
    if (outcome.kind === 'interrupted' || (outcome.kind === 'retry' && !isLastTry)) {
      await results.giveUp(run, name);
      return outcome.kind;
    }
    try {
      await results.put(run, name, outcome.result);
    } catch (error) {
      // A full disk is not the fault of the repository: it ends no worker.
      await results.giveUp(run, name).catch(() => {});
      throw error;
    }
    return 'written';
  };
}
