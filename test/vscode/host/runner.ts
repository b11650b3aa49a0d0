import { appendFileSync } from 'node:fs';

/*
 * The tests that run inside the extension host have no node:test there. They are called one after another and their
 * results written, a line of JSON each, to a file that the test outside reads while they run.
 */

/** What the test outside learns of one test inside. */
export interface Result {
  readonly name: string;
  /** The stack of what it threw; absent where it passed. */
  readonly error?: string;
}

interface Case {
  readonly name: string;
  readonly run: () => Promise<void> | void;
}

const cases: Case[] = [];

export function test(name: string, run: () => Promise<void> | void): void {
  cases.push({ name, run });
}

/** Runs every test; throws where one failed, so that the editor ends with an exit code that says so. */
export async function runAll(results: string): Promise<void> {
  let failed = 0;
  for (const { name, run } of cases) {
    let result: Result = { name };
    try {
      await run();
    } catch (error) {
      failed++;
      result = { name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    appendFileSync(results, `${JSON.stringify(result)}\n`);
  }
  if (failed > 0) throw new Error(`${failed} of ${cases.length} tests failed`);
}
