import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/* docs/project-rules.md says of each rule where it holds, and which tests hold it. */

/** Rules of which a cell is not built or not tested. This number only falls. */
const OPEN = 14;

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'project-rules.md'), 'utf8');
const rules = page
  .split('\n')
  .filter((it) => /^\| (?!Rule \||---)/.test(it))
  .map((it) => it.replace(/^\| | \|$/g, '').split(/ \| ?/));
const files = globSync('**/*.{ts,txt,json}', { cwd: import.meta.dirname }).map((it) =>
  it.replaceAll('\\', '/').replace(/(?:\.test|\.editor)?\.\w+$/, ''),
);

/** Whether a test is there, as the page names it: `pictures/findings/uv-*`, `engine/analysis/gradle-order`, `gradle-order`. */
function isThere(name: string): boolean {
  const pattern = name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
  const path = new RegExp(`^(?:.*/)?${pattern}(?:/.*)?$`);
  return files.some((it) => path.test(it));
}

test('each rule says where it holds, and the tests that it names are there', () => {
  assert.ok(rules.length > 100, `${rules.length} rules`);
  const wrong = rules.flatMap(([rule = '', holdsFor = '', tests = '', ...more]) => {
    const names = tests.split(/[,;] /).map((it) => it.replace(/ \(.*\)$/, '').trim());
    const missing = names.filter((it) => it !== '' && !it.startsWith('see ') && !isThere(it));
    const isEmpty = holdsFor.trim() === '' || tests.trim() === '' || more.length !== 1;
    return [...(isEmpty ? [`empty cell: ${rule}`] : []), ...missing.map((it) => `no test ${it}: ${rule}`)];
  });
  assert.deepEqual(wrong, []);
});

test('no more cells are open', () => {
  const open = rules.filter(([, holdsFor = '']) => /(?:^|[:,;.] )open\b|\bopen:/i.test(holdsFor));
  assert.equal(open.length, OPEN, open.map(([rule]) => rule).join('\n'));
});
