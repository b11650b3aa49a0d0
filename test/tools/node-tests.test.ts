import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cache } from './paths.ts';
import { scratchFolder } from './scratch.ts';

/** Fails where it runs for the first time. */
const late = `
import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
test('late', () => {
  if (existsSync(import.meta.filename + '.seen')) return;
  writeFileSync(import.meta.filename + '.seen', '');
  throw new Error('the editor was late');
});
`;
const wrong = `
import { test } from 'node:test';
test('right', () => {});
test('wrong', () => {
  throw new Error('it is wrong');
});
`;

/** Counts the files that its process has loaded. */
const counting = `
import { test } from 'node:test';
globalThis.loaded = (globalThis.loaded ?? 0) + 1;
const count = globalThis.loaded;
test('shared', () => {
  if (count !== Number(import.meta.filename.match(/(\\d)\\.mjs/)[1]) + 1) throw new Error('loaded as number ' + count);
});
`;
const right = `
import { test } from 'node:test';
test('right', () => {});
`;
const broken = `throw new Error('it cannot be loaded');`;

/**
 * The last output of a run of files; they run in a process of their own, since node:test runs nothing within a test.
 * @param isGroup whether they share that process
 */
function runOf(
  context: TestContext,
  sources: readonly string[],
  isGroup = false,
): { readonly output: string; readonly code: number } {
  const folder = scratchFolder(cache, 'runs-');
  context.after(() => rmSync(folder, { recursive: true }));
  const files = sources.map((source, index) => {
    const file = join(folder, `${index}.mjs`);
    writeFileSync(file, source);
    return file;
  });
  const here = (name: string): string => JSON.stringify(pathToFileURL(join(import.meta.dirname, name)));
  const program = join(folder, 'program.mjs');
  const text = `
    const { plain, runTestFiles } = await import(${here('node-tests.ts')});
    const { createResults, printResults } = await import(${here('results.ts')});
    const results = createResults();
    await runTestFiles(${JSON.stringify(isGroup ? [files] : files)}, plain, results);
    printResults(results);`;
  writeFileSync(program, text);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, status } = spawnSync(process.execPath, [program], { env, encoding: 'utf8' });
  return { output: stdout, code: status ?? -1 };
}

test('a test that passes at the second try is reported as flaky, and counts once', (context) => {
  const { output, code } = runOf(context, [late]);
  assert.match(output, /~ flaky: .*late\n +Error: the editor was late/);
  assert.match(output, /\n1 passed, 0 failed\n$/);
  assert.equal(code, 0);
});

test('what fails again has failed', (context) => {
  const { output, code } = runOf(context, [late, wrong]);
  assert.match(output, /✖ .*wrong\n +Error: it is wrong/);
  assert.match(output, /\n2 passed, 1 failed\n$/);
  assert.equal(code, 1);
});

test('where many fail, none is tried again', (context) => {
  const { output, code } = runOf(context, [late, late, late]);
  assert.match(output, /\n0 passed, 3 failed\n$/);
  assert.equal(code, 1);
});

test('the files of a group share a process, and each has its line', (context) => {
  const { output, code } = runOf(context, [counting, counting], true);
  for (const [at, line] of output.split('\n').entries()) {
    if (at < 2) assert.match(line, new RegExp(`^✔ .*${at}\\.mjs: 1 tests`));
  }
  assert.match(output, /\n2 passed, 0 failed\n$/);
  assert.equal(code, 0);
});

test('of a group, the file that failed is tried again alone', (context) => {
  const { output, code } = runOf(context, [counting, counting, late], true);
  assert.match(output, /~ flaky: .*2\.mjs: late\n +Error: the editor was late/);
  assert.equal(output.match(/0\.mjs/g)?.length, 1);
  assert.match(output, /\n3 passed, 0 failed\n$/);
  assert.equal(code, 0);
});

test('a group of which a file cannot be loaded has failed', (context) => {
  const { output, code } = runOf(context, [counting, counting, broken], true);
  assert.match(output, /it cannot be loaded/);
  assert.match(output, /, 1 failed\n$/);
  assert.equal(code, 1);
});

test('of many files the ten slowest are named', (context) => {
  const { output } = runOf(context, Array(12).fill(right), true);
  const [, named = ''] = /\nThe slowest files:\n([\s\S]*)\n\n12 passed, 0 failed\n$/.exec(output) ?? [];
  const times = named.split('\n').map((line) => Number(/^ {4}(\d+\.\d) s .*\d+\.mjs$/.exec(line)?.[1]));
  assert.equal(times.length, 10, output);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  );
});
