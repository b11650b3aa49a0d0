import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { type PackedAnswer, unpackGraph } from '../engine/ecosystems/shared/packed-graph.ts';
import type { GraphOfLockfile } from '../engine/model/graph/locked-graph.ts';
import type { ReadGraph } from '../engine/model/graph/read-graph.ts';
import type { FoundLockfile } from '../engine/model/manifest-chain.ts';

/** In characters. The graph of a shorter lockfile is read in less time than a thread takes to start. */
const MIN_TEXT_LENGTH = 200_000;

/**
 * Reads the graphs of large lockfiles in a thread, one after the other. The thread ends with the last one, since it has
 * the memory of a whole parser.
 * @param directory of the program: a bundle, or its sources
 * @param known the formats that the thread knows by their id; others are read here
 */
export function createGraphThread(directory: string, known: ReadonlySet<string>): ReadGraph {
  const script = ['graphs.js', 'graphs.ts'].map((it) => join(directory, it)).find((it) => existsSync(it));
  let before: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let thread: Worker | undefined;

  async function read({ format, text, beside, lockfile }: FoundLockfile): Promise<GraphOfLockfile> {
    const { Worker } = await import('node:worker_threads');
    thread ??= new Worker(script ?? '');
    const packed = await answerOf(thread, { format: format.id, text, beside });
    if (packed === 'unrecorded') return packed;
    const steps = unpackGraph(packed, lockfile);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      await nextTurn();
    }
  }

  return (found) => {
    const { format, text, lockfile } = found;
    if (script === undefined || text.length < MIN_TEXT_LENGTH || !known.has(format.id))
      return Promise.resolve(lockfile.graph());
    waiting++;
    const own = before.then(() => read(found)).catch(() => lockfile.graph());
    before = own.finally(() => {
      if (--waiting > 0) return;
      thread?.terminate();
      thread = undefined;
    });
    return own;
  };
}

/** Rejects if the thread breaks: its memory is used up, for example. */
function answerOf(thread: Worker, question: object): Promise<PackedAnswer> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      for (const it of ['message', 'error', 'exit']) thread.removeAllListeners(it);
    };
    thread.once('message', (it: PackedAnswer) => {
      end();
      resolve(it);
    });
    for (const it of ['error', 'exit']) {
      thread.once(it, (error: unknown) => {
        end();
        reject(error instanceof Error ? error : new Error('the thread has ended'));
      });
    }
    thread.postMessage(question);
  });
}
