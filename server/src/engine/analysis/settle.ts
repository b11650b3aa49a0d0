/**
 * Evaluates, waits for the missing facts, and evaluates again: a list of versions leads to a version, and that to its
 * advisories, so one wait is seldom enough.
 * @param patience how long to wait for what a value lacks, in ms; 0 where it is complete or the time is up
 * @param wait resolves when facts have arrived, or after so many ms. Never rejects.
 */
export async function settle<T>(
  evaluate: () => T | Promise<T>,
  patience: (value: T) => number,
  wait: (ms: number, value: T) => Promise<void>,
): Promise<T> {
  for (;;) {
    const value = await evaluate();
    const left = patience(value);
    if (left <= 0) return value;
    await wait(left, value);
  }
}
