import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { root } from './paths.ts';
import { onEnd } from './processes.ts';
import { addResults, createResults, indent, type Results, seconds } from './results.ts';

/**
 * The paths of test files, by glob patterns relative to the checkout, in a stable order.
 * @param longest come first: one that begins last would leave the other processors without work
 */
export function testFiles(
  patterns: readonly string[],
  except: readonly string[] = [],
  longest: readonly string[] = [],
): string[] {
  const found = globSync([...patterns], { cwd: root, exclude: [...except, '**/node_modules/**'] }).sort();
  const first = longest.filter((it) => found.includes(it));
  return [...new Set([...first, ...found])].map((it) => join(root, it));
}

export interface Runs {
  /** How many files run at a time. */
  readonly concurrency: number;
  /** Time limit of a file in ms; a file that hangs fails. */
  readonly timeout: number;
  /**
   * Number of failed files that run a second time, alone, since a busy machine can delay an editor. More failures are
   * not caused by load. A test that passes then is reported as flaky.
   */
  readonly secondTries: number;
}

/** For tests that need no editor, on two processors: each waits for programs that it starts for a third of its time. */
export const plain: Runs = { concurrency: 3, timeout: 180_000, secondTries: 2 };

/** For tests that build or replace the bundles: one after another. */
export const heavy: Runs = { concurrency: 1, timeout: 300_000, secondTries: 2 };

/** An editor uses less than one processor, and waits for the rest of its time. */
export const editors: Runs = { ...heavy, concurrency: 2 };

/** Aborted when this program is asked to end: the files that run are ended, and no other is begun. */
const ended = new AbortController();
onEnd(() => {
  if (ended.signal.aborted) return;
  ended.abort();
  // The running files stop their own processes.
  setTimeout(() => process.exit(130), 1000);
});

/** Runs test files, each in a process of its own, and counts their tests. A line a file is printed, and failures. */
export async function runTestFiles(files: readonly string[], runs: Runs, results: Results): Promise<void> {
  if (files.length === 0)
    results.failures.push({ name: 'no tests', details: 'No file matches the name that was given.' });
  const waiting = [...files];
  const failed = new Map<string, Results>();
  const worker = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined && !ended.signal.aborted; file = waiting.shift()) {
      const first = await runTestFile(file, runs.timeout);
      if (first.failures.length > 0) failed.set(file, first);
      else addResults(results, first);
    }
  };
  await Promise.all(Array.from({ length: runs.concurrency }, worker));
  for (const [file, first] of failed) {
    if (failed.size > runs.secondTries || ended.signal.aborted) {
      addResults(results, first);
      continue;
    }
    const second = await runTestFile(file, runs.timeout);
    addResults(results, second);
    if (second.failures.length === 0) results.flaky.push(...first.failures);
  }
}

async function runTestFile(file: string, timeout: number): Promise<Results> {
  const results = createResults();
  let printed = '';
  const failed = (name: string, details: string): void => {
    results.failures.push({ name, details });
    console.log(`✖ ${name}\n${indent(details)}`);
  };
  const path = relative(root, file);
  // One run a file, so that a file that hangs can be ended by itself. The controller is held here: a signal made by
  // AbortSignal.any may be collected before it fires.
  const hanging = new AbortController();
  const giveUp = setTimeout(() => hanging.abort(), timeout);
  ended.signal.addEventListener('abort', () => hanging.abort());
  for await (const { type, data } of run({ files: [file], cwd: root, signal: hanging.signal })) {
    switch (type) {
      case 'test:pass':
        if (data.details.type === 'suite') break;
        if (data.skip === undefined && data.todo === undefined) results.passed++;
        else results.skipped.push(`${path}: ${data.name} (${data.skip ?? data.todo})`);
        break;
      case 'test:fail':
        // A suite that fails because of its subtests: those have been counted.
        if (isOfSubtests(data.details.error)) break;
        if (data.name !== file) failed(`${path}: ${data.name}`, explain(data.details.error));
        // A file that ended early has printed the reason.
        else failed(path, `${explain(data.details.error)}\n${printed}`);
        break;
      case 'test:stdout':
      case 'test:stderr':
        printed += data.message;
        break;
      case 'test:summary':
        if (data.file !== undefined) summarize(path, data);
        break;
    }
  }
  clearTimeout(giveUp);
  if (hanging.signal.aborted && !ended.signal.aborted) failed(path, `did not end within ${seconds(timeout)}`);
  return results;
}

function summarize(path: string, summary: { counts: { tests: number }; duration_ms: number; success: boolean }): void {
  const mark = summary.success ? '✔' : '✖';
  console.log(`${mark} ${path}: ${summary.counts.tests} tests (${seconds(summary.duration_ms)})`);
}

function isOfSubtests(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed';
}

/** node:test wraps what a test threw; the cause is what a person wants to see. */
function explain(error: Error): string {
  const cause = error.cause ?? error;
  if (!(cause instanceof Error)) return typeof cause === 'string' ? cause : inspect(cause);
  return (cause.stack ?? cause.message).replace(/\n +at .*\(?node:internal.*/g, '');
}
