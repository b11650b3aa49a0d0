/* `npm run check`: types, style and the tests that need no editor, in a minute or two. */
import { plain, runTestFiles, testFiles } from './node-tests.ts';
import { createResults, printResults } from './results.ts';
import { browserTypeCheck, lint, pageTypeCheck, runBuild, runStep, typeCheck } from './steps.ts';

const results = createResults();
await Promise.all([typeCheck, pageTypeCheck, browserTypeCheck, lint].map((it) => runStep(it, results)));
await runBuild(results);
await runTestFiles(testFiles(['test/**/*.test.ts'], ['test/packaging/**', 'test/vscode/**']), plain, results);
printResults(results);
