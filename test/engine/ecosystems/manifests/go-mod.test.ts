import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { goMod } from '../../../../server/src/engine/ecosystems/go/go-mod.ts';
import { goWork } from '../../../../server/src/engine/ecosystems/go/go-work.ts';
import { manifestMarks } from '../../../harness/manifest-marks.ts';
import { readPictures } from '../../../harness/picture.ts';

const texts = readPictures(join(import.meta.dirname, '..', '..', '..', 'pictures', 'fixtures', 'go.mod')).flatMap(
  (it) => it.sections.slice(0, 1).map((section) => section.text),
);

test('go.mod: replacing a literal changes it and nothing else', () => {
  for (const text of texts) {
    const before = goMod.parse(text).dependencies;
    for (const [index, it] of before.entries()) {
      if (it.requirement.kind !== 'literal') continue;
      const { span, encode } = it.requirement.at;
      const edited = text.slice(0, span.start) + encode('v9.8.7') + text.slice(span.end);
      const after = goMod.parse(edited).dependencies;
      assert.deepEqual(
        after.map(({ name, group, requirement }) => ({ name, group, kind: requirement.kind })),
        before.map(({ name, group, requirement }) => ({ name, group, kind: requirement.kind })),
      );
      const { requirement } = after[index] ?? it;
      assert.equal(requirement.kind === 'literal' && requirement.at.text, 'v9.8.7');
    }
  }
});

test('go.mod: a version is written behind a blank after the path, and in front of whatever ends the line', () => {
  const texts = [
    ['require a.example/b \n', 'require a.example/b v1.0.0\n'],
    ['require a.example/b \r\n', 'require a.example/b v1.0.0\r\n'],
    ['require a.example/b ', 'require a.example/b v1.0.0'],
    ['require (\r\n\ta.example/b \r\n)\r\n', 'require (\r\n\ta.example/b v1.0.0\r\n)\r\n'],
    ['require a.example/b\n', undefined],
    ['require a.example/b\r\n', undefined],
    ['require a.example/b\r\n\r\nrequire a.example/c v1.0.0\r\n', undefined],
  ] as const;
  for (const [text, expected] of texts) {
    const { span } = goMod.parse(text).dependencies[0]?.blank ?? {};
    const written = span && `${text.slice(0, span.start)}v1.0.0${text.slice(span.end)}`;
    assert.equal(written, expected, JSON.stringify(text));
  }
});

test('go.mod: what follows a quote at once is read like what follows a blank', () => {
  const [found] = goMod.parse('require "a.example/b" "v1.0.0"// indirect\n').dependencies;
  assert.equal(found?.group, goMod.parse('require a.example/b v1.0.0 // indirect\n').dependencies[0]?.group);
  assert.notEqual(found?.group, goMod.parse('require a.example/b v1.0.0\n').dependencies[0]?.group);
});

test('go.mod: hostile texts are read at once', () => {
  const many = 2_000;
  const units = [
    'a',
    ' ',
    '\t',
    '(',
    ')',
    '"',
    '`',
    '\\',
    '/',
    '//',
    '=>',
    ',',
    '\r',
    '\n',
    'require (\n',
    'require a\n',
    'replace a => b v1\nrequire a v1\n',
    '\uFEFF',
  ];
  for (const unit of units) {
    for (const text of [unit.repeat(many), `require ${unit.repeat(many)}`, `replace (\na => ${unit.repeat(many)}`]) {
      for (const format of [goMod, goWork]) {
        const manifest = format.parse(text);
        const last = manifest.dependencies.slice(-100);
        for (const { span, label } of manifestMarks({ ...manifest, dependencies: last })) {
          assert.ok(span.start >= 0 && span.start <= span.end && span.end <= text.length, label);
        }
      }
    }
  }
});
