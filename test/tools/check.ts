/* `npm run check`: types, style and the tests that need no editor, in a minute or two. */
import { plain, runTestFiles, testFiles } from './node-tests.ts';
import { lint, pageTypeCheck, runStep, typeCheck } from './steps.ts';
import { conclude, newTally } from './tally.ts';

const tally = newTally();
await Promise.all([runStep(typeCheck, tally), runStep(pageTypeCheck, tally), runStep(lint, tally)]);
await runTestFiles(testFiles(['test/**/*.test.ts'], ['test/packaging/**', 'test/editor/**']), plain, tally);
conclude(tally);
