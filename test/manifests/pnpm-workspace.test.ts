import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import '../harness/seed.ts';
import fc from 'fast-check';
import { pnpmWorkspace } from '../../server/src/manifests/pnpm-workspace.ts';
import { manifestMarks } from '../harness/manifest-marks.ts';
import { readPictures } from '../harness/picture.ts';

const texts = readPictures(join(import.meta.dirname, '..', 'fixtures', 'pnpm-workspace.yaml')).flatMap((it) =>
  it.sections.slice(0, 1).map((section) => section.text),
);

test('pnpm-workspace.yaml: edits at any place are read, in spans that lie inside and hold what they say', () => {
  const piece = fc.constantFrom(
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
  );
  const edit = fc.tuple(fc.nat(), fc.nat({ max: 12 }), piece);
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 4 }), (original, edits) => {
      let text = original;
      for (const [at, length, inserted] of edits) {
        const start = at % (text.length + 1);
        text = text.slice(0, start) + inserted + text.slice(start + length);
      }
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
