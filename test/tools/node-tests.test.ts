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

/** What a run of files says at its end; they run in a process of its own, since node:test runs nothing within a test. */
function runOf(context: TestContext, sources: readonly string[]): { readonly output: string; readonly code: number } {
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
    await runTestFiles(${JSON.stringify(files)}, plain, results);
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
