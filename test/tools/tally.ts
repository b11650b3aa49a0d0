/** What has been tried so far: every test is one, and so is every step such as the type check. */
export interface Tally {
  passed: number;
  readonly failures: Failure[];
  /** What failed first and passed when it was tried again. */
  readonly unsteady: Failure[];
  readonly skipped: string[];
}

export interface Failure {
  readonly name: string;
  /** What a person needs to find the fault: the tool's output, an error with its stack. */
  readonly details: string;
}

export function newTally(): Tally {
  return { passed: 0, failures: [], unsteady: [], skipped: [] };
}

/** Counts what another has counted. */
export function add(tally: Tally, other: Tally): void {
  tally.passed += other.passed;
  tally.failures.push(...other.failures);
  tally.unsteady.push(...other.unsteady);
  tally.skipped.push(...other.skipped);
}

/** Prints every failure again, and what was unsteady, then the line that sums it up, which is always the last. */
export function conclude(tally: Tally): void {
  for (const { name, details } of tally.failures) console.log(`\n✖ ${name}\n${indent(details)}`);
  for (const { name, details } of tally.unsteady) console.log(`\n~ unsteady: ${name}\n${indent(details)}`);
  for (const name of tally.skipped) console.log(`\n- skipped: ${name}`);
  if (tally.failures.length + tally.unsteady.length + tally.skipped.length > 0) console.log('');
  console.log(`${tally.passed} passed, ${tally.failures.length} failed`);
  process.exitCode = tally.failures.length > 0 ? 1 : 0;
}

export function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '    ');
}

/** `0.4 s`, `12 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}
