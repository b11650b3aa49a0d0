import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { editedTexts } from '../../../harness/edits.ts';
import '../../../harness/seed.ts';
import fc from 'fast-check';
import { packageJson } from '../../../../server/src/engine/ecosystems/npm/package-json.ts';
import { manifestMarks } from '../../../harness/manifest-marks.ts';
import { readPictures } from '../../../harness/picture.ts';

const texts = readPictures(join(import.meta.dirname, '..', '..', '..', 'pictures', 'fixtures', 'package.json')).flatMap(
  (it) => it.sections.slice(0, 1).map((section) => section.text),
);

test('package.json: edits at any place are read, in spans that lie inside and hold what they say', () => {
  const pieces = ['"', '{', '}', '[', ']', ':', ',', '\\', '\n', '$', '@', '>', '/', 'npm:', 'catalog:', '\\u0041', ''];
  fc.assert(
    fc.property(editedTexts(texts, pieces), (text) => {
      const manifest = packageJson.parse(text);
      for (const { span, label } of manifestMarks(manifest)) {
        assert.ok(span.start >= 0 && span.start <= span.end && span.end <= text.length, label);
      }
      for (const { requirement } of manifest.dependencies) {
        if (requirement.kind !== 'literal') continue;
        const written = text.slice(requirement.at.span.start, requirement.at.span.end);
        if (!written.includes('\\')) assert.equal(written, requirement.at.text);
      }
    }),
    { numRuns: 1000 },
  );
});

test('package.json: replacing a literal changes it and nothing else', () => {
  for (const text of texts) {
    const before = packageJson.parse(text).dependencies;
    for (const [index, it] of before.entries()) {
      if (it.requirement.kind !== 'literal') continue;
      const { span, encode } = it.requirement.at;
      const edited = text.slice(0, span.start) + encode('^9.8.7') + text.slice(span.end);
      const after = packageJson.parse(edited).dependencies;
      assert.equal(after.length, before.length);
      for (const [other, { name, key, scope, requirement }] of after.entries()) {
        if (key.name === '@yarnpkg/cli-dist' || key.name === 'yarn') continue;
        assert.deepEqual(
          { name, key, scope },
          { name: before[other]?.name, key: before[other]?.key, scope: before[other]?.scope },
        );
        if (other === index) assert.equal(requirement.kind === 'literal' && requirement.at.text, '^9.8.7');
      }
    }
  }
});

test('package.json: hostile texts are read at once', () => {
  const many = 100_000;
  const values = [
    'a/'.repeat(many),
    '>'.repeat(many),
    '@'.repeat(many),
    'npm:'.repeat(many),
    ' '.repeat(many),
    '.git'.repeat(many),
    `patch:${'@'.repeat(many)}`,
    `https://${'a/'.repeat(many)}`,
    '~/'.repeat(many),
    `x${' '.repeat(many)}x`,
    '\\u0041'.repeat(many),
  ];
  for (const it of values) {
    for (const section of ['dependencies', 'resolutions', 'overrides']) {
      packageJson.parse(
        `{ "${section}": { "a": "${it}", "${it}": "1.0.0" }, "pnpm": { "overrides": { "${it}": "${it}" } } }`,
      );
    }
    packageJson.parse(`{ "packageManager": "${it}" }`);
  }
  packageJson.parse(`{ "overrides": ${'{ "a": '.repeat(many)}`);
  packageJson.parse(`{ "dependencies": { ${'"a": 1 '.repeat(many)}`);
  packageJson.parse(`{ "overrides": { ${'"a": "$b", '.repeat(many)} } }`);
});
