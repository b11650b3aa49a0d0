import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compareCargo } from '../../../tools/resolution/cargo-compare.ts';
import { cargoProjectOf } from '../../../tools/resolution/cargo-projects.ts';

/** What Cargo 1.95 locked; `test/tools/resolution/cargo.ts` asks it. */
const recorded: readonly { readonly seed: number; readonly lockfile: string }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'cargo.json'), 'utf8'),
);

test('the versions that Cargo takes', async () => {
  assert.equal(recorded.length, 10);
  for (const { seed, lockfile } of recorded) {
    const { notes, withLockfile } = await compareCargo(cargoProjectOf(seed), lockfile);
    assert.deepEqual(notes, [], `project ${seed}`);
    assert.ok((withLockfile[1] ?? 0) > 0, `project ${seed}`);
  }
});
