import { writeFileSync } from 'node:fs';

/*
 * Loaded into the server before its own code (`--import`): at SIGUSR2 it sweeps its memory and writes down what is left
 * to the file that SOAK_PROBE names. Needs --expose-gc.
 */
export interface Memory {
  /** In bytes, after everything that nobody holds is gone. */
  readonly heap: number;
  /** What the process takes from the system, in bytes. */
  readonly rss: number;
}

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const memory: Memory = { heap: heapUsed, rss };
  writeFileSync(process.env['SOAK_PROBE'] ?? '', JSON.stringify(memory));
});
