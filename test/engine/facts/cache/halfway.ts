import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFile } from '../../../../server/src/engine/facts/cache/disk.ts';
import { openStore } from '../../../../server/src/engine/facts/cache/sqlite.ts';

/*
 * A process that stops in the middle of a write and says so: `halfway.ts DIRECTORY`. One write is behind it; of the
 * second, more than SQLite holds in memory went to the disk, and the end is missing. It waits there to be killed.
 */
const [directory = ''] = process.argv.slice(2);
const store = openStore(join(directory, cacheFile));
const entry = (value: unknown) => ({ value, at: 1, freshUntil: 2, bytes: 100 });
store.write([['before', entry('whole')]], [], 3);

const stopping = {
  ...entry(0),
  get value(): unknown {
    writeSync(1, 'within\n');
    return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
};
const large = Array.from({ length: 500 }, (_, index) => [`half ${index}`, entry('x'.repeat(20_000))] as const);
store.write([...large, ['stop', stopping], ['before', entry('torn')]], [], 3);
