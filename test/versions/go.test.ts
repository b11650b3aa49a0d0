import { go } from '../../server/src/versions/go.ts';
import { testTable } from '../harness/version-answers.ts';

testTable(go, 'go.txt');
