import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Run, worseRows } from './history.ts';
import type { Row } from './table.ts';

const start = (value: number, floor: number): Row => ({ what: 'start', unit: 'ms', value, floor });

function run(rows: readonly Row[], changes: Partial<Run> = {}): Run {
  return { machine: 'a', node: 'v24', commit: 'abc', at: '2026-11-23T00:00:00Z', rows, ...changes };
}

test('a row is worse beyond the worst of the last runs, by its ratio', () => {
  const history = [run([start(100, 60)]), run([start(160, 100)], { commit: 'def' })];
  assert.deepEqual(worseRows(run([start(182, 100)]), history), []);
  assert.deepEqual(worseRows(run([start(190, 100)]), history), [
    'start: × 1.90, before × 1.60–1.67 (runs: 2, the last of def)',
  ]);
});

test('only the last runs of the same machine and Node count', () => {
  const old = Array.from({ length: 5 }, () => run([start(100, 100)]));
  assert.deepEqual(worseRows(run([start(200, 100)]), [run([start(300, 100)]), ...old]), [
    'start: × 2.00, before × 1.00 (runs: 5, the last of abc)',
  ]);
  for (const other of [{ machine: 'b' }, { node: 'v26' }])
    assert.deepEqual(worseRows(run([start(200, 100)]), [run([start(100, 100)], other)]), []);
});

test('a row without a baseline is compared by its figure', () => {
  const bytes = (value: number): Row => ({ what: 'VSIX', unit: 'kB', value });
  assert.deepEqual(worseRows(run([bytes(600)]), [run([bytes(534)])]), [
    'VSIX: 600 kB, before 534 kB (runs: 1, the last of abc)',
  ]);
});

test('an indented row belongs to the row above it', () => {
  const memory = (value: number): Row => ({ what: '  memory', unit: 'MB', value });
  const rows = (second: number): Row[] => [
    start(100, 100),
    memory(50),
    { ...start(1, 1), what: 'again' },
    memory(second),
  ];
  assert.deepEqual(worseRows(run(rows(60)), [run(rows(40))]), [
    'again: memory: 60 MB, before 40 MB (runs: 1, the last of abc)',
  ]);
});
