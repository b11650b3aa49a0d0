import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { manifestFormats } from '../../server/src/manifests/index.ts';
import { stated } from '../../server/src/manifests/stated.ts';
import { formatPurl } from '../../server/src/model/purl.ts';
import { systems } from '../../server/src/model/system.ts';
import { verbatim } from '../../server/src/text/verbatim.ts';
import { versioning } from '../../server/src/versions/index.ts';
import '../harness/seed.ts';

const records = manifestFormats.filter((it) => it.record !== undefined);

/** What the files of such formats are made of. */
const piece = fc.constantFrom(
  ...['{', '}', '[', ']', '"', ':', ',', '\\', ' ', '  ', '\n', '\r\n', '\uFEFF', '=', '@', '/', '#', '<', '>', '?'],
  ...['"packages"', '"dependencies"', '"components"', '"version": "1.0.0"', '"node_modules/a"', '"purl"', '"@graph"'],
  ...['[[package]]', 'name = "a"', 'version = "1.0.0"', 'packages:', "'@a/b@1.0.0':", 'a@^1:', 'version "1.0.0"'],
  ...[
    '<components>',
    '<component>',
    '<purl>',
    'pkg:npm/a@1.0.0',
    'PackageName: a',
    'ExternalRef: PACKAGE-MANAGER purl ',
  ],
  ...['a/b v1.0.0 h1:', 'a:b:1.0=c', '<text>', '"resolved": "1.0.0"', '["a@1.0.0"'],
);

test('records are read whatever they are made of, and what is found lies within them', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      for (const { parse, id } of records) {
        for (const { nameSpan, requirement } of parse(text).dependencies) {
          const spans = [nameSpan, requirement.kind === 'literal' ? requirement.at.span : nameSpan];
          for (const { start, end } of spans) assert.ok(0 <= start && start < end && end <= text.length, id);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('what a record states reads as that version and no other, in every system', () => {
  const versions = {
    GO: 'v1.2.3',
    NPM: '1.2.3',
    CARGO: '1.2.3-rc.1+build',
    MAVEN: '1.0-jre',
    PYPI: '2.0rc1',
    NUGET: '1.2.3.4',
  };
  for (const system of systems) {
    const version = versions[system];
    const literal = stated(system, verbatim(`"${version}"`, 1, version.length + 1));
    const reading = versioning[system].read(literal.text);
    assert.equal(reading.kind === 'pin' && reading.version, version, system);
    assert.equal(literal.encode(literal.text), version, system);
  }
});

test('every purl that is written is read from a bill of materials', () => {
  const bom = records.find((it) => it.id === 'bom.json');
  for (const [system, name] of [
    ['GO', 'golang.org/x/text'],
    ['NPM', '@babel/core'],
    ['CARGO', 'serde'],
    ['MAVEN', 'org.yaml:snakeyaml'],
    ['PYPI', 'zope-interface'],
    ['NUGET', 'newtonsoft.json'],
  ] as const) {
    const purl = `${formatPurl({ system, name }, '1.0+a')}?arch=x@y#sub/path`;
    const [found] = bom?.parse(JSON.stringify({ components: [{ purl }] })).dependencies ?? [];
    assert.deepEqual(found?.key, { system, name });
    assert.ok(found.requirement.kind === 'literal' && found.requirement.at.text.includes('1.0+a'));
  }
});

test('what a component says of its version counts where its purl says nothing', () => {
  const bom = records.find((it) => it.id === 'bom.json');
  const read = (component: object) =>
    bom?.parse(JSON.stringify({ components: [component] })).dependencies.map(({ requirement }) => requirement.kind);
  assert.deepEqual(read({ purl: 'pkg:npm/a', version: '1.0.0' }), ['literal']);
  assert.deepEqual(read({ purl: 'pkg:npm/a', version: '' }), []);
  assert.deepEqual(read({ purl: 'pkg:npm/a', version: 1 }), []);
});
