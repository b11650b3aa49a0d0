import { testInside } from './inside.ts';

await testInside('oldest');
