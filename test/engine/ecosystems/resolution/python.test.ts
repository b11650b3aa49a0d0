import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { compareWith, type Recorded } from '../../../tools/resolution/python-compare.ts';
import { type PythonClient, projectOf } from '../../../tools/resolution/python-projects.ts';

/** What pip 26, pip-tools 7.6, uv 0.13, Poetry 2.5, PDM 2.29 and Pipenv 2026 locked; `test/tools/resolution/python.ts` asks them. */
const recorded: Readonly<Record<PythonClient, readonly Recorded[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'python.json'), 'utf8'),
);

describe('the versions that the clients of Python take', { concurrency: 2 }, () => {
  for (const [client, answers] of Object.entries(recorded)) {
    test(client, async () => {
      assert.equal(answers.length, 10);
      for (const it of answers) {
        const { notes, withLockfile, without } = await compareWith(projectOf(client as PythonClient, it.seed), it);
        assert.deepEqual(notes, [], `project ${it.seed}`);
        assert.ok((withLockfile[1] ?? 0) + (without[1] ?? 0) > 0, `project ${it.seed}`);
      }
    });
  }
});
