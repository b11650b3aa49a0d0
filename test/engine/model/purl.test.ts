import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageId } from '../../../server/src/engine/model/keys.ts';
import { formatPurl, parsePurl } from '../../../server/src/engine/model/purl.ts';
import { isSystem } from '../../../server/src/engine/model/system.ts';
import { readTable } from '../../harness/version-table.ts';

const rows = readTable(join(import.meta.dirname, 'purl.txt'));

function read(text: string): string {
  const reading = parsePurl(text);
  if (reading.kind === 'invalid') return reading.reason;
  const { key, version } = reading.purl;
  return `${key.system} ${key.name}${version === undefined ? '' : ` ${version}`}`;
}

for (const [purl = '', expected = '', written = purl] of rows) {
  test(`${purl} is ${expected}`, () => {
    assert.equal(read(purl), expected);
    const [system, name, version] = expected.split(' ');
    if (!isSystem(system) || name === undefined) return;
    assert.equal(formatPurl({ system, name }, version), written);
    assert.equal(read(written), expected, 'what is written reads as the same');
  });
}

test('names are written as the service spells them, but for the case of NuGet’s', () => {
  assert.equal(formatPurl({ system: 'PYPI', name: 'Foo_.Bar' }, '1.0'), 'pkg:pypi/foo-bar@1.0');
  assert.equal(formatPurl({ system: 'NUGET', name: 'Newtonsoft.Json' }), 'pkg:nuget/Newtonsoft.Json');
  assert.equal(formatPurl({ system: 'NPM', name: 'JSONStream' }, '1.3.5'), 'pkg:npm/JSONStream@1.3.5');
});

test('a space in a version is encoded, and trimmed at its ends', () => {
  const key = { system: 'MAVEN', name: 'mygroup:myartifact' } as const;
  assert.equal(formatPurl(key, '1.0.0 Final'), 'pkg:maven/mygroup/myartifact@1.0.0%20Final');
  assert.deepEqual(parsePurl('pkg:maven/mygroup/myartifact@%201.0.0%20Final%20'), {
    kind: 'purl',
    purl: { key, name: key.name, version: '1.0.0 Final' },
  });
});

test('text of any kind is read or refused, never thrown at', () => {
  const hostile = [
    '',
    'pkg:',
    'pkg:npm/',
    'pkg:npm/%',
    'pkg:npm/%zz',
    '\ud800',
    'pkg:npm/\ud800',
    'pkg:npm/a\0b',
    'pkg:npm///@',
  ];
  for (const text of [...hostile, `pkg:npm/${'@'.repeat(10_000)}`, `pkg:golang/${'/'.repeat(10_000)}x`]) {
    const reading = parsePurl(text);
    if (reading.kind === 'purl') assert.ok(packageId(reading.purl.key).length > 0);
  }
  assert.equal(formatPurl({ system: 'NPM', name: 'a\ud800' }, '\udc00'), 'pkg:npm/a%EF%BF%BD@%EF%BF%BD');
});
