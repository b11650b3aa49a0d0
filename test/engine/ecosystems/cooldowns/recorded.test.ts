import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { managerNames, offeredIn, projectOf, type Recorded } from '../../../tools/cooldown/projects.ts';

// Days in settings were meant here.
process.env['TZ'] = 'UTC';

/*
 * The real package managers have been asked which versions they accept (test/tools/cooldown/compare.ts, with npm 12, pnpm
 * 12, yarn 4.18, bun 1.4, deno 2.9, uv 0.13, pip 26, Poetry 2.5, PDM 2.29 and Cargo 1.99): what is offered is among them.
 */
const recorded: Readonly<Record<string, readonly Recorded[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'),
);

describe('nothing is offered that the package manager refuses', { concurrency: 4 }, () => {
  for (const manager of managerNames) {
    test(`${manager} accepts what is offered in ten projects`, async () => {
      let refusals = 0;
      assert.equal(recorded[manager]?.length, 10);
      for (const { seed, now, accepted } of recorded[manager] ?? []) {
        const project = projectOf(manager, seed, now);
        assert.deepEqual(
          Object.keys(accepted).sort(),
          Object.keys(project.ages)
            .filter((it) => it !== '1.0.0')
            .sort(),
          'the projects have changed: record again',
        );
        const { offered } = await offeredIn(project, now);
        for (const it of offered) assert.equal(accepted[it], true, `${it} in ${JSON.stringify(project)}`);
        refusals += Object.values(accepted).filter((it) => !it).length;
      }
      assert.ok(refusals > 0, 'the manager refuses some');
    });
  }
});
