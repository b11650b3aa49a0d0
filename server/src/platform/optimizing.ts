import { setFlagsFromString } from 'node:v8';

/**
 * How often a function is called before V8 optimizes it, in its two optimizing compilers: five times the defaults. Source:
 * `node --v8-options` of Node 22 to 25. Older versions do not know the second one.
 */
const flags = ['--invocation-count-for-maglev=2000', '--invocation-count-for-turbofan=15000'] as const;

/**
 * Has V8 optimize only what runs often: a quarter of the processor time of a large manifest was spent on functions that
 * were soon no longer called. On the command line these flags would cost 15 ms of each start: Node's own compiled code is
 * only valid for the flags that it was built with.
 */
export function optimizeLess(): void {
  if (Number.parseInt(process.versions.v8, 10) < 12) return;
  for (const it of flags) setFlagsFromString(it);
}
