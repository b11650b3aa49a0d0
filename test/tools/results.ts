/** The results so far. Every test counts as one, and so does every step such as the type check. */
export interface Results {
  passed: number;
  readonly failures: Failure[];
  /** Failed at first, and passed at the second try. */
  readonly flaky: Failure[];
  readonly skipped: string[];
  readonly times: Time[];
}

/** How long the tests of a file took, with what they started. */
export interface Time {
  readonly file: string;
  /** In ms. */
  readonly took: number;
}

export interface Failure {
  readonly name: string;
  /** What a person needs to find the fault: the tool's output, an error with its stack. */
  readonly details: string;
}

export function createResults(): Results {
  return { passed: 0, failures: [], flaky: [], skipped: [], times: [] };
}

/** Adds the results of another run. */
export function addResults(results: Results, other: Results): void {
  results.passed += other.passed;
  results.failures.push(...other.failures);
  results.flaky.push(...other.flaky);
  results.skipped.push(...other.skipped);
  results.times.push(...other.times);
}

/** Of a run of more files than this, the slowest ones are named. */
const NAMED = 10;

/** Prints every failure and flaky test again, the slowest files, and the line that sums them up, which is always the last. */
export function printResults(results: Results): void {
  for (const { name, details } of results.failures) console.log(`\n✖ ${name}\n${indent(details)}`);
  for (const { name, details } of results.flaky) console.log(`\n~ flaky: ${name}\n${indent(details)}`);
  for (const name of results.skipped) console.log(`\n- skipped: ${name}`);
  const isLong = results.times.length > NAMED;
  if (isLong) console.log(`\nThe slowest files:\n${indent(slowest(results.times).join('\n'))}`);
  if (isLong || results.failures.length + results.flaky.length + results.skipped.length > 0) console.log('');
  const skipped = results.skipped.length > 0 ? `, ${results.skipped.length} skipped` : '';
  console.log(`${results.passed} passed, ${results.failures.length} failed${skipped}`);
  process.exitCode = results.failures.length > 0 ? 1 : 0;
}

function slowest(times: readonly Time[]): readonly string[] {
  const longestFirst = times.toSorted((a, b) => b.took - a.took);
  return longestFirst.slice(0, NAMED).map(({ file, took }) => `${seconds(took)} ${file}`);
}

export function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '    ');
}

/** `0.4 s`, `12 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}
