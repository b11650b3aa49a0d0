/*
 * `npm test`: runs all checks. Its last line is `N passed, N failed`, and `, N skipped` where some were.
 *
 *     npm test                                  everything
 *     npm test -- test/engine/ecosystems/versions/npm.test.ts     these files (glob patterns) only, or those of a folder
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { editors, type Group, heavy, plain, runTestFiles, testFiles } from './node-tests.ts';
import { cache, root } from './paths.ts';
import { createResults, printResults } from './results.ts';
import { browserTypeCheck, lint, pageTypeCheck, runPack, runStep, typeCheck } from './steps.ts';

// Hundreds of processes load the same sources: they are compiled once.
process.env['NODE_COMPILE_CACHE'] ??= join(cache, 'compiled');

const plainly = (...names: readonly string[]): Group => names.map((it) => join(root, `test/${it}.test.ts`));
const editor = (...names: readonly string[]): Group => names.map((it) => join(root, `test/vscode/${it}.editor.ts`));

/**
 * Tests that wait for timers, and for programs of others, nine tenths of their time: one after another, beside those that
 * keep the processors busy.
 */
const waiting = plainly(
  'editor/members',
  'terminal/old-lookups.process',
  'terminal/old-answers.process',
  'connected/link-safety/go-client',
  'engine/registries/verdaccio',
  'fleet/queue',
  'editor/workspace-diagnostics',
  'clients/octokit',
  'engine/report/coverage-below',
  'editor/failing-files',
  'service/registry-source',
  'service/deployments-python',
  'clients/scheduling',
  'connected/ledger/processes',
  'engine/registries/real-pypiserver',
);

/**
 * Tests of the editor that share windows, which take as long to start as many a test. Those that need a new window come
 * first in their group, and those that need connected services, or the oldest VS Code, are together. The longest groups
 * begin first, so that none is left alone at the end.
 */
const groups: readonly Group[] = [
  editor('screen', 'purls', 'report', 'links', 'signals', 'german', 'folders', 'navigate'),
  editor('private', 'restricted', 'settings', 'requirements', 'policy', 'projects', 'below'),
  editor('connections', 'deployments', 'requests', 'schedule'),
  editor('outage', 'malicious', 'status', 'looking-up'),
  editor('first-minute', 'choose', 'saving'),
  editor('host'),
  editor('host-oldest'),
  editor('keys', 'nearest', 'typing', 'palette'),
  editor('start'),
  editor('web'),
];

const positionals = readPatterns();
const results = createResults();
if (positionals.length > 0) {
  const files = testFiles(positionals);
  // A misspelled name must not count as success.
  if (files.length === 0) finish(2, `There are no tests in ${positionals.join(', ')}`);
  await runTestFiles(files, { ...heavy, secondTries: 0 }, results);
} else {
  await Promise.all([typeCheck, pageTypeCheck, browserTypeCheck, lint].map((it) => runStep(it, results)));
  await runPack(results);
  const quick = testFiles(['test/**/*.test.ts'], ['test/packaging/**', 'test/vscode/**']);
  await runTestFiles([waiting, ...quick.filter((it) => !waiting.includes(it))], plain, results);
  // These rebuild or load the bundles, so they run one after another.
  await runTestFiles(testFiles(['test/packaging/*.test.ts']), heavy, results);
  const others = testFiles(['test/vscode/*.editor.ts']).filter((it) => !groups.some((group) => group.includes(it)));
  await runTestFiles([...groups, ...others], editors, results);
}
printResults(results);

/** Files as a person names them: a folder stands for its tests that need no editor. */
function readPatterns(): readonly string[] {
  const usage = 'Usage: npm test -- [FILE, PATTERN or FOLDER…]';
  try {
    const { values, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true });
    if (values.help) finish(0, usage);
    return positionals.map((it) => (isFolder(join(root, it)) ? `${it.replace(/[\\/]+$/, '')}/**/*.test.ts` : it));
  } catch (error) {
    return finish(2, `${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function finish(code: number, message: string): never {
  (code === 0 ? console.log : console.error)(message);
  process.exit(code);
}
