import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { editedTexts } from '../../../harness/edits.ts';
import '../../../harness/seed.ts';
import fc from 'fast-check';
import { pnpmWorkspace } from '../../../../server/src/engine/ecosystems/npm/pnpm-workspace.ts';
import { manifestMarks } from '../../../harness/manifest-marks.ts';
import { readPictures } from '../../../harness/picture.ts';

const texts = readPictures(
  join(import.meta.dirname, '..', '..', '..', 'pictures', 'fixtures', 'pnpm-workspace.yaml'),
).flatMap((it) => it.sections.slice(0, 1).map((section) => section.text));

test('pnpm-workspace.yaml: edits at any place are read, in spans that lie inside and hold what they say', () => {
  const pieces = [
    ...'"\'{}[]:,\\\n\t &*?-|>#@!%',
    '\r\n',
    '  ',
    ': ',
    '- ',
    '<<: *',
    'catalog:',
    '---\n',
    '\uFEFF',
    '',
  ];
  fc.assert(
    fc.property(editedTexts(texts, pieces), (text) => {
      const manifest = pnpmWorkspace.parse(text);
      for (const { span, label } of manifestMarks(manifest)) {
        assert.ok(span.start >= 0 && span.start <= span.end && span.end <= text.length, label);
      }
      for (const { requirement } of manifest.dependencies) {
        if (requirement.kind !== 'literal') continue;
        const written = text.slice(requirement.at.span.start, requirement.at.span.end);
        if (!/[\\\n']/.test(written)) assert.equal(written, requirement.at.text);
      }
    }),
    { numRuns: 500 },
  );
});

test('pnpm-workspace.yaml: replacing a literal changes it and nothing else', () => {
  for (const text of texts) {
    const before = pnpmWorkspace.parse(text);
    for (const [index, it] of before.dependencies.entries()) {
      if (it.requirement.kind !== 'literal' || it.frozen !== undefined) continue;
      const { span, encode } = it.requirement.at;
      for (const value of ['^9.8.7', '>=9 <10', '9']) {
        const edited = text.slice(0, span.start) + encode(value) + text.slice(span.end);
        const after = pnpmWorkspace.parse(edited);
        assert.ok(after.problems.length <= before.problems.length, edited);
        const shape = ({ dependencies }: typeof after) =>
          dependencies.map(({ name, key, group, requirement }) => [name, key.name, group, requirement.kind]);
        assert.deepEqual(shape(after), shape(before));
        const { requirement } = after.dependencies[index] ?? it;
        assert.equal(requirement.kind === 'literal' && requirement.at.text, value);
      }
    }
  }
});
