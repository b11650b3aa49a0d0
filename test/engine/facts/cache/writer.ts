import { createMemoryCache } from '../../../../server/src/engine/facts/cache/cache.ts';
import { createDiskCache, type DiskCache } from '../../../../server/src/engine/facts/cache/disk.ts';
import { systemClock } from '../../../../server/src/platform/clock.ts';

/*
 * A process that keeps answers: `writer.ts DIRECTORY NAME COUNT`. It says how far it has come after each batch; without
 * a count it goes on until it is killed.
 */
const [directory = '', name = '', count = 'Infinity'] = process.argv.slice(2);
for (let batch = 0; batch < Number(count); batch++) {
  const at = systemClock.now();
  const value = { text: 'x'.repeat(1000), batch };
  const ids = Array.from({ length: 50 }, (_, index) => `${name} ${batch} ${index}`);
  // On a slow machine the other process may have the file for longer than is waited for.
  do keep(ids.map((id) => [id, { value, at, freshUntil: at + 1e6, bytes: 1200 }]));
  while (!isKept(ids));
  console.log(batch);
}

function open(): DiskCache {
  return createDiskCache({ directory, front: createMemoryCache(), clock: systemClock });
}

function keep(entries: Parameters<DiskCache['set']>[0]): void {
  const cache = open();
  cache.set(entries);
  cache.close();
}

function isKept(ids: readonly string[]): boolean {
  const cache = open();
  const found = ids.every((id) => cache.get(id) !== undefined);
  cache.close();
  return found;
}
