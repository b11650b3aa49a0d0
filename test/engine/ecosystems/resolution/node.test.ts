import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Recorded } from '../../../tools/resolution/compare.ts';
import { differencesOf } from '../../../tools/resolution/differences.ts';
import { answersTo } from '../../../tools/resolution/engine.ts';
import { projectOf } from '../../../tools/resolution/projects.ts';

/*
 * The real clients have installed these projects (test/tools/resolution/compare.ts, with npm 12, pnpm 12, yarn 4.18 and
 * 1.22, bun 1.4 and deno 2.9): what the engine says of them, with their lockfile and without it, is what they installed.
 */
const recorded: Readonly<Record<string, readonly Recorded[]>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'node.json'), 'utf8'),
);
const asked = ['npm', 'pnpm', 'yarn', 'classic', 'bun', 'deno'] as const;

describe('the versions that are shown are those that the client installs', { concurrency: 4 }, () => {
  for (const client of asked) {
    test(`${client} has installed ten projects`, async () => {
      const all = recorded[client] ?? [];
      assert.equal(all.length, 10);
      for (const { seed, ...installed } of all) {
        const project = projectOf(client, seed);
        const said = { locked: await answersTo(project, installed.lockfile), predicted: await answersTo(project) };
        const found = differencesOf(installed, said);
        // Only a lockfile tells what else requires the same range, so that a resolution of the first yarn holds, or that
        // Deno takes what another package has.
        const isOpen = client === 'classic' || client === 'deno';
        const left = isOpen ? found.filter((it) => !it.startsWith('predicted')) : found;
        assert.deepEqual(left, [], JSON.stringify(project.files));
      }
    });
  }
});
