/*
 * A worker that begins jobs and never ends them, until it is killed. It prints the name of each.
 *
 *     node test/fleet/dying-worker.ts redis://… results.sqlite
 */
import { createPerformJob } from '../../server/src/fleet/queue/perform.ts';
import { workFromQueue } from '../../server/src/fleet/queue/redis-queue.ts';
import { openFileResults } from '../../server/src/fleet/results/open.ts';

const [address = '', file = ''] = process.argv.slice(2);
const perform = createPerformJob(await openFileResults(file), ({ name }) => {
  console.log(name);
  return new Promise(() => {});
});
await workFromQueue(address, {
  perform,
  concurrency: 1,
  signal: new AbortController().signal,
  log: () => {},
  limits: { lock: 1_000, search: 500, stop: 1_000 },
});
