import { parentPort } from 'node:worker_threads';
import { lockfileFormats } from '../engine/ecosystems/lockfile-formats.ts';
import { type PackedAnswer, packGraph } from '../engine/ecosystems/shared/packed-graph.ts';

interface Question {
  /** Its id. */
  readonly format: string;
  readonly text: string;
  readonly beside?: string;
}

/*
 * A thread that reads the graphs of lockfiles: 20,000 packages take a second, during which the language server answers.
 * `platform/graph-thread.ts` starts it.
 */
parentPort?.on('message', ({ format, text, beside }: Question) => {
  const graph = lockfileFormats
    .find((it) => it.id === format)
    ?.parse(text, beside)
    .graph();
  const answer: PackedAnswer = graph === undefined || graph === 'unrecorded' ? 'unrecorded' : packGraph(graph);
  parentPort?.postMessage(answer);
});
