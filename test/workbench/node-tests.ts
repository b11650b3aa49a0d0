import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { root } from './paths.ts';
import { indent, seconds, type Tally } from './tally.ts';

/** The paths of test files, by glob patterns relative to the checkout, in a stable order. */
export function testFiles(patterns: readonly string[], except: readonly string[] = []): string[] {
  return globSync([...patterns], { cwd: root, exclude: [...except, '**/node_modules/**'] })
    .sort()
    .map((it) => join(root, it));
}

/**
 * Runs test files, each in a process of its own, and counts their tests. A file that holds a failure is named with it;
 * of the others one line is printed.
 * @param concurrency how many files run at a time
 */
export async function runTestFiles(files: readonly string[], concurrency: number, tally: Tally): Promise<void> {
  if (files.length === 0) throw new Error('There are no tests of that name.');
  const printed = new Map<string | undefined, string>();
  const stream = run({ files: [...files], cwd: root, concurrency, isolation: 'process' });
  for await (const event of stream) {
    switch (event.type) {
      case 'test:pass':
        if (event.data.details.type === 'suite') break;
        if (event.data.skip !== undefined || event.data.todo !== undefined) {
          tally.skipped.push(`${nameOf(event.data)}: ${event.data.skip ?? event.data.todo}`);
        } else {
          tally.passed++;
        }
        break;
      case 'test:fail': {
        const { error } = event.data.details;
        // A test or suite that fails only because one inside it does: that one has been counted.
        if (isOfSubtests(error)) break;
        const name = nameOf(event.data);
        // A file that does not get as far as a test has said why on its way out.
        const isFile = event.data.name === event.data.file;
        const details = isFile ? `${explain(error)}\n${printed.get(event.data.file) ?? ''}` : explain(error);
        tally.failures.push({ name, details });
        console.log(`✖ ${name}\n${indent(details)}`);
        break;
      }
      case 'test:stdout':
      case 'test:stderr':
        printed.set(event.data.file, (printed.get(event.data.file) ?? '') + event.data.message);
        break;
      case 'test:summary':
        if (event.data.file !== undefined) summarize(event.data.file, event.data);
        break;
    }
  }
}

function summarize(file: string, summary: { counts: { tests: number }; duration_ms: number; success: boolean }): void {
  const mark = summary.success ? '✔' : '✖';
  console.log(`${mark} ${relative(root, file)}: ${summary.counts.tests} tests (${seconds(summary.duration_ms)})`);
}

function nameOf(test: { readonly name: string; readonly file?: string | undefined }): string {
  const file = relativePath(test.file);
  return file === undefined || test.name === test.file ? (file ?? test.name) : `${file}: ${test.name}`;
}

function relativePath(file: string | undefined): string | undefined {
  return file === undefined ? undefined : relative(root, file);
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
