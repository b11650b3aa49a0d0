import { writeFileSync } from 'node:fs';

/*
 * Loaded into the server before its own code (`--import`). At SIGUSR2 it collects garbage and writes the remaining
 * memory to the file in SOAK_PROBE. Needs --expose-gc.
 */
export interface Memory {
  /** In bytes, after garbage collection. */
  readonly heap: number;
  /** The resident memory of the process, in bytes. */
  readonly rss: number;
}

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const memory: Memory = { heap: heapUsed, rss };
  writeFileSync(process.env['SOAK_PROBE'] ?? '', JSON.stringify(memory));
});
