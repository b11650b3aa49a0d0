/* Loads test files into one process: their tests run one after another, and share what they start. */
import { test } from 'node:test';

for (const file of process.argv.slice(2)) {
  await import(file).catch((error: unknown) => {
    test(`load ${file}`, () => {
      throw error;
    });
  });
}
