import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compareGradle, type GradleAnswer } from '../../../tools/resolution/gradle-compare.ts';
import { gradleProjectOf } from '../../../tools/resolution/gradle-projects.ts';

/** What Gradle 4.4.1 declared; `test/tools/resolution/gradle.ts` asks it. */
const recorded: readonly { readonly seed: number; readonly declared: GradleAnswer }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'gradle.json'), 'utf8'),
);

test('the versions that scripts of Gradle declare', async () => {
  assert.equal(recorded.length, 10);
  let all = 0;
  for (const { seed, declared } of recorded) {
    const { notes, exact, wrong, silent } = await compareGradle(gradleProjectOf(seed), declared);
    assert.deepEqual({ wrong, silent }, { wrong: 0, silent: 0 }, `project ${seed}: ${notes.join('\n')}`);
    all += exact;
  }
  assert.ok(all > 100, `${all} are the same`);
});
