import { cargo } from '../../server/src/versions/cargo.ts';
import { testTable } from '../harness/version-answers.ts';

testTable(cargo, 'cargo.txt');
