import { npm } from '../../server/src/versions/npm.ts';
import { testTable } from '../harness/version-answers.ts';

testTable(npm, 'npm.txt');
