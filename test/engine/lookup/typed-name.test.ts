import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readTypedName, shortForm } from '../../../server/src/engine/lookup/typed-name.ts';
import { formatPurl } from '../../../server/src/engine/model/purl.ts';
import { readTable } from '../../harness/version-table.ts';

function read(text: string): string {
  const reading = readTypedName(text);
  if (reading.kind === 'choice') return reading.purls.map(shortForm).join(' ');
  if (reading.kind === 'invalid') return [reading.reason, ...(reading.nearest ? [reading.nearest] : [])].join('; ');
  const { key, version } = reading.purl;
  return [key.system, key.name, ...(version === undefined ? [] : [version])].join(' ');
}

for (const [typed = '', expected = ''] of readTable(join(import.meta.dirname, 'typed-name.txt'))) {
  test(`${typed} is ${expected}`, () => {
    assert.equal(read(typed), expected);
    const reading = readTypedName(typed);
    if (reading.kind === 'invalid' && reading.nearest) {
      assert.notEqual(readTypedName(reading.nearest).kind, 'invalid', 'the nearest form can be read');
    }
    for (const purl of reading.kind === 'choice' ? reading.purls : reading.kind === 'purl' ? [reading.purl] : []) {
      const again = readTypedName(shortForm(purl));
      assert.deepEqual(again.kind === 'purl' && again.purl, purl, 'the short form reads as the same');
      const written = readTypedName(formatPurl(purl.key, purl.version));
      assert.deepEqual(written.kind === 'purl' && written.purl.key, purl.key, 'so does the purl');
    }
  });
}

test('any text is read or refused in no time, never thrown at', () => {
  const long = 'a'.repeat(3900);
  for (const text of ['', ' ', ':', '@', 'npm', 'npm/', '\ud800', 'npm/\ud800', `npm/${long}`, `${long} ${long}`]) {
    const before = performance.now();
    readTypedName(text);
    assert.ok(performance.now() - before < 200, text.slice(0, 20));
  }
  for (const filler of ['@', '/', ':', ' ', '.', '=', '-', 'a.', 'a/']) {
    const before = performance.now();
    readTypedName(`npm ${filler.repeat(1900)}!`);
    readTypedName(`${filler.repeat(1900)}!`);
    readTypedName(`pip ${filler.repeat(1900)}!`);
    assert.ok(performance.now() - before < 500, filler);
  }
});
