import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { root } from './paths.ts';
import { onEnd } from './processes.ts';
import { addResults, createResults, indent, type Results, seconds } from './results.ts';

/** The paths of test files, by glob patterns relative to the checkout, in a stable order. */
export function testFiles(patterns: readonly string[], except: readonly string[] = []): string[] {
  const found = globSync([...patterns], { cwd: root, exclude: [...except, '**/node_modules/**'] }).sort();
  return found.map((it) => join(root, it));
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

/**
 * For tests that need no editor, on two processors: three wait for programs that they start for a third of their time, and
 * one, a group of such, nearly always.
 */
export const plain: Runs = { concurrency: 4, timeout: 180_000, secondTries: 2 };

/** For tests that build or replace the bundles: one after another. */
export const heavy: Runs = { concurrency: 1, timeout: 300_000, secondTries: 2 };

/** With a third editor on two processors, every test takes twice as long. */
export const editors: Runs = { ...heavy, concurrency: 2, timeout: 600_000 };

/** Aborted when this program is asked to end: the files that run are ended, and no other is begun. */
const ended = new AbortController();
onEnd(() => {
  if (ended.signal.aborted) return;
  ended.abort();
  // The running files stop their own processes.
  setTimeout(() => process.exit(130), 1000);
});

/** Test files that share a process, and with it what takes long to start. */
export type Group = readonly string[];

/**
 * Runs test files, each in a process of its own but for those of a group, and counts their tests. A line a file is
 * printed, and failures.
 */
export async function runTestFiles(files: readonly (string | Group)[], runs: Runs, results: Results): Promise<void> {
  if (files.length === 0)
    results.failures.push({ name: 'no tests', details: 'No file matches the name that was given.' });
  const waiting = files.map((it) => (typeof it === 'string' ? [it] : it));
  const failed: Part[] = [];
  const worker = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined && !ended.signal.aborted; group = waiting.shift()) {
      for (const part of await runGroup(group, runs.timeout)) {
        if (part.results.failures.length > 0) failed.push(part);
        else addResults(results, part.results);
      }
    }
  };
  await Promise.all(Array.from({ length: runs.concurrency }, worker));
  for (const first of failed) {
    if (failed.length > runs.secondTries || ended.signal.aborted) {
      addResults(results, first.results);
      continue;
    }
    const second = createResults();
    for (const part of await runGroup(first.files, runs.timeout)) addResults(second, part.results);
    addResults(results, second);
    if (second.failures.length === 0) results.flaky.push(...first.results.failures);
  }
}

/** What is tried again together: a file, or the whole of a group that did not come to its end. */
interface Part {
  readonly files: Group;
  readonly results: Results;
}

/** Loads the files of a group. */
const several = join(import.meta.dirname, 'several.ts');

async function runGroup(group: Group, timeout: number): Promise<readonly Part[]> {
  const [only] = group.length === 1 ? group : [];
  const name = group.map((it) => relative(root, it)).join(', ');
  const parts = new Map(group.map((file) => [file, createResults()]));
  const whole = createResults();
  const failed = ({ failures }: Results, name: string, details: string): void => {
    failures.push({ name, details });
    console.log(`✖ ${name}\n${indent(details)}`);
  };
  let printed = '';
  // One run a group, so that one that hangs can be ended by itself. The controller is held here: a signal made by
  // AbortSignal.any may be collected before it fires.
  const hanging = new AbortController();
  const limit = timeout * group.length;
  const giveUp = setTimeout(() => hanging.abort(), limit);
  ended.signal.addEventListener('abort', () => hanging.abort());
  const lines = lineEach((file, took) => (parts.get(file) ?? whole).times.push({ file: relative(root, file), took }));
  const files = [only ?? several];
  const argv = only === undefined ? [...group] : [];
  for await (const { type, data } of run({ files, argv, cwd: root, signal: hanging.signal })) {
    switch (type) {
      case 'test:pass': {
        if (data.details.type === 'suite') break;
        const file = only ?? data.file ?? '';
        const results = parts.get(file) ?? whole;
        if (data.skip === undefined && data.todo === undefined) results.passed++;
        else results.skipped.push(`${relative(root, file)}: ${data.name} (${data.skip ?? data.todo})`);
        lines.add(file, true);
        break;
      }
      case 'test:fail': {
        // A suite that fails because of its subtests: those have been counted.
        if (isOfSubtests(data.details.error)) break;
        const details = explain(data.details.error);
        const file = only ?? data.file ?? '';
        // A file that ended early has printed the reason.
        if (data.name === files[0]) failed(whole, name, `${details}\n${printed}`);
        else failed(parts.get(file) ?? whole, `${relative(root, file)}: ${data.name}`, details);
        lines.add(file, false);
        break;
      }
      case 'test:stdout':
      case 'test:stderr':
        printed += data.message;
        break;
    }
  }
  clearTimeout(giveUp);
  lines.end();
  if (hanging.signal.aborted && !ended.signal.aborted) failed(whole, name, `did not end within ${seconds(limit)}`);
  if (whole.failures.length === 0) return [...parts].map(([file, results]) => ({ files: [file], results }));
  for (const it of parts.values()) addResults(whole, it);
  return [{ files: group, results: whole }];
}

/** Prints a line for each file, and tells its time, when a test of the next one has ended, or all have. */
function lineEach(tell: (file: string, took: number) => void) {
  let last = { file: '', tests: 0, ok: true, since: Date.now(), until: Date.now() };
  function end(): void {
    const { file, tests, ok, since, until } = last;
    if (tests === 0) return;
    console.log(`${ok ? '✔' : '✖'} ${relative(root, file)}: ${tests} tests (${seconds(until - since)})`);
    tell(file, until - since);
  }
  return {
    add(file: string, ok: boolean): void {
      if (last.file !== file) {
        end();
        last = { file, tests: 0, ok: true, since: last.until, until: last.until };
      }
      last = { ...last, tests: last.tests + 1, ok: last.ok && ok, until: Date.now() };
    },
    end,
  };
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
