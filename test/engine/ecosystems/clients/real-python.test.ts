import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { indexCases } from './python-cases.ts';
import { askedByTool, askedByUs, toolArguments } from './python-clients.ts';

/*
 * Which indexes pip asks, and what it sends them, held against our reader. The other clients of Python are held against
 * it by hand: test/tools/differential/python-indexes.ts.
 */
const hasPip = process.platform === 'linux' && spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
const pip = { command: 'python3', args: ['-m', 'pip', ...toolArguments.pip] };

test('pip asks the indexes that the reader finds', { skip: !hasPip && 'pip is missing: not tested here' }, async () => {
  const cases = indexCases.filter((it) => it.tool === 'pip');
  const theirs = await Promise.all(cases.map((it) => askedByTool(it, pip)));
  for (const [at, it] of cases.entries()) {
    // pip may ask all of them at once.
    assert.deepEqual(theirs[at]?.asked.toSorted(), askedByUs(it).toSorted(), `${it.title}\n${theirs[at]?.output}`);
  }
});
