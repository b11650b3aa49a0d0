import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compareGo, type GoAnswer } from '../../../tools/resolution/go-compare.ts';
import { goProjectOf } from '../../../tools/resolution/go-projects.ts';

/** The build lists that Go 1.26 made; `test/tools/resolution/go.ts` asks it. */
const recorded: readonly ({ readonly seed: number } & GoAnswer)[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'go.json'), 'utf8'),
);

test('the versions that Go takes', async () => {
  assert.equal(recorded.length, 10);
  for (const { seed, ...answer } of recorded) {
    const { notes, settled } = await compareGo(goProjectOf(seed), answer);
    assert.deepEqual(notes, [], `project ${seed}`);
    assert.ok((settled[1] ?? 0) > 0, `project ${seed}`);
  }
});
