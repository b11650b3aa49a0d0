import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../harness/seed.ts';
import fc from 'fast-check';
import { packageLock } from '../../server/src/ecosystems/npm/package-lock.ts';
import { mend } from '../../server/src/formats/json/repair.ts';

/** Texts with their mended forms: what was lost, and what stands in its place. */
const pictures: readonly (readonly [what: string, broken: string, mended: string])[] = [
  ['a brace', '{\n  "a": {\n    "b": 1\n  "c": {}\n}', '{\n  "a": {\n    "b": 1\n }"c": {}\n}'],
  [
    'the line of a brace, in CRLF',
    '{\r\n  "a": {\r\n    "b": 1\r\n  "c": {}\r\n}',
    '{\r\n  "a": {\r\n    "b": 1\r\n }"c": {}\r\n}',
  ],
  [
    'a brace before its comma',
    '{\n  "a": {\n    "b": 1\n  ,\n  "c": {}\n}',
    '{\n  "a": {\n    "b": 1\n  ,\n }"c": {}\n}',
  ],
  [
    'two of them',
    '{\n  "a": {\n    "b": {\n      "c": 1\n  "d": {}\n}',
    '{\n  "a": {\n    "b": {\n      "c": 1\n}}"d": {}\n}',
  ],
  ['a bracket', '{\n  "a": [\n    "b"\n  "c": {}\n}', '{\n  "a": [\n    "b"\n ]"c": {}\n}'],
  [
    'a brace of an item of a list',
    '{\n  "a": [\n    {\n      "b": 1\n    {\n      "c": 2\n    }\n  ]\n}',
    '{\n  "a": [\n    {\n      "b": 1\n   }{\n      "c": 2\n    }\n  ]\n}',
  ],
  ['one of two on a line', '{\n  "a": [{\n    "b": 1\n  ]\n}', '{\n  "a": [{\n    "b": 1\n }]\n}'],
  ['an opening brace', '{\n  "a":\n    "b": 1\n  },\n  "c": {}\n}', '{\n  "a":{    "b": 1\n  },\n  "c": {}\n}'],
  ['nothing, and has a brace too many', '{\n  "a": 1, {\n  "b": {}\n}', '{\n  "a": 1,  \n  "b": {}\n}'],
  [
    'nothing, and has a bracket in front of a name',
    '{\n  "a": {\n  ]  "b": 1\n  }\n}',
    '{\n  "a": {\n     "b": 1\n  }\n}',
  ],
  ['a quote besides', '{\n  "a": {\n    "b: 1\n  "c": {}\n}', '{\n  "a": {\n    "b: 1\n  "c": {}\n}'],
  ['nothing, in one line', '{"a": {"b": 1, "c": {}}', '{"a": {"b": 1, "c": {}}'],
  ['the rest of it', '{\n  "a": {\n    "b": 1,', '{\n  "a": {\n    "b": 1,'],
  ['a brace of a text that is not indented', '{\n"a": {\n"b": 1,\n"c": {\n}\n', '{\n"a": {\n"b": 1,\n"c": {\n}\n'],
];

for (const [what, broken, mended] of pictures) {
  test(`a text that lost ${what}`, () => assert.deepEqual(JSON.stringify(mend(broken).text), JSON.stringify(mended)));
}

test('a text whose brackets match stays as it is, however it is laid out', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, '\t'), fc.nat(), (value, indent, at) => {
      const text = JSON.stringify(value, undefined, indent);
      const lines = text.split('\n').map((it, line) => ((line + at) % 3 === 0 ? it.trimStart() : it));
      for (const it of [text, lines.join('\n')]) assert.deepEqual(mend(it), { text: it, problems: [] });
    }),
  );
});

/** A lockfile as npm writes it. */
const names = Array.from({ length: 12 }, (_, at) => `p${at}`);
const entries = names.map((it) => [
  `node_modules/${it}`,
  { version: '1.0.0', engines: { node: '>=1' }, funding: [{ url: 'x' }] },
]);
const whole = JSON.stringify(
  { lockfileVersion: 3, packages: { '': { name: 'app' }, ...Object.fromEntries(entries) } },
  undefined,
  2,
);

test('one bracket less, or one too many, costs at most the package it stands in', () => {
  for (const [at, char] of [...whole].entries()) {
    if (!/[{}[\]]/.test(char) || at === 0 || at === whole.length - 1) continue;
    for (const broken of [whole.slice(0, at) + whole.slice(at + 1), whole.slice(0, at) + char + whole.slice(at)]) {
      const found = packageLock.parse(broken).packages.length;
      assert.ok(
        found >= names.length - 1,
        `${found} of ${names.length} at ${at}: ${JSON.stringify(broken.slice(at - 30, at + 30))}`,
      );
    }
  }
});

test('a bracket that opens behind a comma of an object costs at most the package it stands in', () => {
  for (const { index } of whole.matchAll(/,(?=\n)/g)) {
    for (const stray of ['{', '[', ' {', '\n{']) {
      const broken = whole.slice(0, index + 1) + stray + whole.slice(index + 1);
      const found = packageLock.parse(broken).packages.length;
      assert.ok(
        found >= names.length - 1,
        `${found} at ${index}: ${JSON.stringify(broken.slice(index - 30, index + 30))}`,
      );
    }
  }
});

test('whatever the text, nothing but blanks and brackets changes, and nothing moves', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '"a"',
    '\n',
    '\r\n',
    '  ',
    '\n  ',
    '\n    "b":',
    '\n"c": {',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const { text: better } = mend(text);
      assert.equal(better.length, text.length);
      for (const [at, char] of [...text].entries())
        if (better[at] !== char) assert.match(char + better[at], /^[\s{[\]}]{2}$/);
    }),
    { numRuns: 2000 },
  );
});

test('megabytes of brackets, blanks and names are gone through once', () => {
  for (const it of ['{', '}', '[\n', '{\n ', '\n"a":\n  "b":', ' ', '\n', '"a": {\n  "b": [\n']) {
    assert.equal(mend(it.repeat(1_000_000 / it.length)).text.length, it.length * Math.trunc(1_000_000 / it.length));
  }
});
