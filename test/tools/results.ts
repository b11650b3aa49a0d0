/** The results so far. Every test counts as one, and so does every step such as the type check. */
export interface Results {
  passed: number;
  readonly failures: Failure[];
  /** Failed at first, and passed at the second try. */
  readonly flaky: Failure[];
  readonly skipped: string[];
}

export interface Failure {
  readonly name: string;
  /** What a person needs to find the fault: the tool's output, an error with its stack. */
  readonly details: string;
}

export function createResults(): Results {
  return { passed: 0, failures: [], flaky: [], skipped: [] };
}

/** Adds the results of another run. */
export function addResults(results: Results, other: Results): void {
  results.passed += other.passed;
  results.failures.push(...other.failures);
  results.flaky.push(...other.flaky);
  results.skipped.push(...other.skipped);
}

/** Prints every failure and flaky test again, then the line that sums them up, which is always the last. */
export function printResults(results: Results): void {
  for (const { name, details } of results.failures) console.log(`\n✖ ${name}\n${indent(details)}`);
  for (const { name, details } of results.flaky) console.log(`\n~ flaky: ${name}\n${indent(details)}`);
  for (const name of results.skipped) console.log(`\n- skipped: ${name}`);
  if (results.failures.length + results.flaky.length + results.skipped.length > 0) console.log('');
  const skipped = results.skipped.length > 0 ? `, ${results.skipped.length} skipped` : '';
  console.log(`${results.passed} passed, ${results.failures.length} failed${skipped}`);
  process.exitCode = results.failures.length > 0 ? 1 : 0;
}

export function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '    ');
}

/** `0.4 s`, `12 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}
