import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../harness/seed.ts';
import fc from 'fast-check';
import { parseJson } from '../../../server/src/engine/formats/json/parse.ts';
import { type JsonValue, jsonLiteral, valueAt } from '../../../server/src/engine/formats/json/tree.ts';

/** The value as JSON.parse would give it, but for names that stand twice and names without a value. */
function plain(value: JsonValue | undefined): unknown {
  switch (value?.kind) {
    case undefined:
      return undefined;
    case 'object':
      return value.properties.map((it) => [it.name.text, plain(it.value)]);
    case 'array':
      return value.items.map(plain);
    case 'string':
      return value.text;
    case 'scalar':
      return `#${value.text}`;
  }
}

function read(text: string) {
  const { root, problems } = parseJson(text);
  return {
    value: plain(root),
    problems: problems.map((it) => `${text.slice(it.span.start, it.span.end)}: ${it.message}`),
  };
}

test('comments, trailing commas and a byte order mark are let through', () => {
  assert.deepEqual(read('\uFEFF{ // a\n "a": [1, /* b */ "c",],\n "d": null, }\n'), {
    value: [
      ['a', ['#1', 'c']],
      ['d', '#null'],
    ],
    problems: [],
  });
});

const halfTyped: readonly [string, unknown, readonly string[]][] = [
  ['', undefined, []],
  ['{', [], [': the closing brace is missing']],
  [
    '{ "a',
    [['a', undefined]],
    ['"a: the closing quote is missing', 'a: a colon and a value are missing', ': the closing brace is missing'],
  ],
  ['{ "a": "1', [['a', '1']], ['"1: the closing quote is missing', ': the closing brace is missing']],
  [
    '{ "a": "1\n "b": "2" }',
    [
      ['a', '1'],
      ['b', '2'],
    ],
    ['"1: the closing quote is missing', '"b": a comma is missing'],
  ],
  [
    '{ "a":\n "b": "2" }',
    [
      ['a', undefined],
      ['b', '2'],
    ],
    ['a: a value is missing'],
  ],
  ['{ "a":\n "b" }', [['a', 'b']], []],
  [
    '{ "a"\n "b": "2" }',
    [
      ['a', undefined],
      ['b', '2'],
    ],
    ['a: a colon and a value are missing', '"b": a comma is missing'],
  ],
  [
    '{ "a": , "b": "2" }',
    [
      ['a', undefined],
      ['b', '2'],
    ],
    [',: a value is missing'],
  ],
  [
    '{ "a": ^1, "b": "2" }',
    [
      ['a', undefined],
      ['b', '2'],
    ],
    ['^1: a value is missing its quotes'],
  ],
  ['{ a: "1", "b": "2" }', [['b', '2']], ['a: a name is missing its quotes']],
  ['{ "a": [ "1" }', [['a', ['1']]], ['[: the closing bracket is missing']],
  ['<<<<<<< HEAD\n{ "a": "1" }', [['a', '1']], ['<<<<<<<: the object should begin here']],
  [
    '<<<<<<< HEAD\n{ "a": "1" }\n=======\n{ "a": "2" }\n>>>>>>> other',
    [['a', '1']],
    ['<<<<<<<: the object should begin here', '=======: the file should end here'],
  ],
  ['}, { "a": "1" }', [['a', '1']], ['}: the object should begin here']],
  ['<<<<<<< HEAD', undefined, ['<<<<<<<: a value is missing its quotes']],
  ['true', '#true', []],
  ['{ "a": "1" } }', [['a', '1']], ['}: the file should end here']],
  ['{ "a": "1\\q2" }', [['a', '12']], ['"1\\q2": the string has a character or an escape that JSON does not know']],
];

for (const [text, value, problems] of halfTyped) {
  test(`half-typed: ${JSON.stringify(text)}`, () => {
    const got = read(text);
    assert.deepEqual(got.value, value);
    for (const it of problems) assert.ok(got.problems.includes(it), `${it} among ${JSON.stringify(got.problems)}`);
    assert.equal(got.problems.length === 0, problems.length === 0);
  });
}

test('whatever JSON can say is read as JSON.parse reads it', () => {
  const entries = (it: unknown): unknown =>
    Array.isArray(it)
      ? it.map(entries)
      : typeof it === 'object' && it !== null
        ? Object.entries(it).map(([name, value]) => [name, entries(value)])
        : typeof it === 'string'
          ? it
          : `#${JSON.stringify(it)}`;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.boolean(), (it, indent) => {
      const text = JSON.stringify(it, undefined, indent ? 2 : 0);
      assert.deepEqual(read(text), { value: entries(JSON.parse(text)), problems: [] });
    }),
    { numRuns: 200 },
  );
});

test('each name and each value is where it is written, whatever is between them', () => {
  const gap = fc.constantFrom('', ' ', '\t', '  ', '\n  ', '\r\n');
  const word = fc.oneof(fc.stringMatching(/^[\w@/^~.-]{0,20}$/), fc.string({ unit: 'binary', maxLength: 8 }));
  const member = fc.tuple(gap, word, gap, gap, word, gap);
  fc.assert(
    fc.property(fc.array(member, { maxLength: 12 }), (members) => {
      const written = members.map(
        ([a, name, b, c, value, d]) => `${a}${JSON.stringify(name)}${b}:${c}${JSON.stringify(value)}${d}`,
      );
      const text = `{${written.join(',')}}`;
      const { root, problems } = parseJson(text);
      assert.deepEqual(problems, []);
      const found = (root?.kind === 'object' ? root.properties : []).map((it) => [it.name, it.value]);
      const texts = found.map((both) =>
        both.map((it) => it?.kind === 'string' && [it.text, JSON.parse(`"${text.slice(it.span.start, it.span.end)}"`)]),
      );
      assert.deepEqual(
        texts,
        members.map(([, name, , , value]) => [
          [name, name],
          [value, value],
        ]),
      );
    }),
    { numRuns: 500 },
  );
});

test('a stretch of a string is found behind escapes, and what replaces it is escaped', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      (a, b, c) => {
        const text = `{"a": ${JSON.stringify(a + b)}}`;
        const value = valueAt(parseJson(text).root, 'a');
        assert.equal(value?.kind, 'string');
        if (value?.kind !== 'string') return;
        const literal = jsonLiteral(value, a.length);
        assert.equal(literal.text, b);
        const edited = text.slice(0, literal.span.start) + literal.encode(c) + text.slice(literal.span.end);
        assert.deepEqual(JSON.parse(edited), { a: a + c });
      },
    ),
    { numRuns: 200 },
  );
});

test('cut, doubled and shuffled texts are read without an error, in spans that lie inside', () => {
  const token = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"a"',
    '"',
    '\\',
    '\n',
    ' ',
    '1',
    '//',
    '/*',
    '*/',
    'x',
    '\uFEFF',
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 30 }), (tokens) => {
      const text = tokens.join('');
      const { root, problems } = parseJson(text);
      for (const { span } of [...problems, ...(root ? [root] : [])]) {
        assert.ok(span.start >= 0 && span.start <= span.end && span.end <= text.length, JSON.stringify({ text, span }));
      }
    }),
    { numRuns: 2000 },
  );
});

test('nesting as deep as a file can be is left out, and what follows is read', () => {
  const deep = '['.repeat(300_000) + ']'.repeat(300_000);
  const { root, problems } = parseJson(`{ "a": ${deep}, "b": "1" }`);
  const b = valueAt(root, 'b');
  assert.equal(b?.kind === 'string' && b.text, '1');
  assert.deepEqual(
    problems.map((it) => it.message),
    ['values nested this deep are not read'],
  );
  assert.ok(parseJson('{"a":'.repeat(300_000)).problems.length > 0);
});

test('a line of megabytes is read in one go', () => {
  const text = `{ "a": "${'x'.repeat(2_000_000)}", "b": ${'}'.repeat(200_000)}`;
  const { root, problems } = parseJson(text);
  assert.equal(root?.kind, 'object');
  assert.ok(problems.length > 0 && problems.length <= 100);
});
