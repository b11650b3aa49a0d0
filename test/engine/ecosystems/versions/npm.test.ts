import { npm } from '../../../../server/src/engine/ecosystems/npm/versions.ts';
import { testTable } from '../../../harness/version-answers.ts';

testTable(npm, 'npm.txt');
