/*
 * `npm test`: everything that says whether the project is sound. Its last line is `N passed, N failed`.
 *
 *     npm test                                  everything
 *     npm test -- test/versions/npm.test.ts     these files (glob patterns) only
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { heavy, plain, runTestFiles, testFiles } from './node-tests.ts';
import { cache } from './paths.ts';
import { build, lint, pack, pageTypeCheck, runStep, typeCheck, vsix } from './steps.ts';
import { conclude, newTally } from './tally.ts';

// Hundreds of processes load the same sources: they are compiled once.
process.env['NODE_COMPILE_CACHE'] ??= join(cache, 'compiled');

const { positionals } = parseArgs({ allowPositionals: true });
const tally = newTally();
if (positionals.length > 0) {
  await runTestFiles(testFiles(positionals), { ...heavy, secondTries: 0 }, tally);
} else {
  await Promise.all([runStep(typeCheck, tally), runStep(pageTypeCheck, tally), runStep(lint, tally)]);
  await runStep(build, tally);
  await runTestFiles(testFiles(['test/**/*.test.ts'], ['test/packaging/**', 'test/editor/**']), plain, tally);
  // These build the bundles again, or load them: one after another, when nobody else needs them.
  await runTestFiles(testFiles(['test/packaging/*.test.ts']), heavy, tally);
  await runStep(pack, tally);
  process.env['PACKAGE_INSIGHTS_VSIX'] = vsix;
  await runTestFiles(testFiles(['test/editor/*.editor.ts']), heavy, tally);
}
conclude(tally);
