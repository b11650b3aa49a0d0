import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { classOfLicenses, licenseIds } from '../../../../server/src/engine/policy/license-classes.ts';
import { licensesIn, parseLicense } from '../../../../server/src/engine/policy/license-expressions.ts';

const file = join(import.meta.dirname, 'classes.txt');

test('licenses have the class of the table', () => {
  const text = readFileSync(file, 'utf8');
  const painted = text.split('\n').map((line) => {
    if (!line.startsWith('  ')) return line;
    const [licenses = ''] = line.trim().split(/\s+→/);
    return `  ${licenses.padEnd(58)} → ${classOfLicenses(licenses === '(none)' ? [] : licenses.split(', '))}`;
  });
  if (process.env['UPDATE']) writeFileSync(file, painted.join('\n'));
  assert.equal(painted.join('\n'), text);
});

// The list that the parser of expressions uses: a new version of it may bring new licenses.
const fromParser = createRequire(createRequire(import.meta.url).resolve('spdx-expression-parse'));
const current = fromParser('spdx-license-ids') as readonly string[];
const outdated = fromParser('spdx-license-ids/deprecated.json') as readonly string[];

test('each license of the SPDX list is in the table once, and no other', () => {
  const listed = [...current, ...outdated].flatMap((it) => {
    const expression = parseLicense(it);
    assert.ok(expression, it);
    return licensesIn(expression).map(({ id }) => id.replace(/\+$/, ''));
  });
  assert.deepEqual([...licenseIds()].sort(), [...new Set(listed)].sort());
});
