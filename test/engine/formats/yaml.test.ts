import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../harness/seed.ts';
import fc from 'fast-check';
import { parseYaml } from '../../../server/src/engine/formats/yaml/parse.ts';
import { yamlLiteral, yamlSpan } from '../../../server/src/engine/formats/yaml/scalar.ts';
import { entriesOf, entryAt, resolved, type YamlValue } from '../../../server/src/engine/formats/yaml/tree.ts';

/** The value as JSON would hold it. */
function plain(value: YamlValue | undefined): unknown {
  const it = resolved(value);
  switch (it?.kind) {
    case 'map':
      return Object.fromEntries(it.entries.map(({ key, value }) => [key.text, plain(value)]));
    case 'sequence':
      return it.items.map(plain);
    case 'scalar':
      return it.text;
    case undefined:
      return null;
  }
}

/** `message: text` of every problem. */
function problems(text: string): string[] {
  return parseYaml(text).problems.map((it) => `${it.message}: ${text.slice(it.span.start, it.span.end)}`);
}

const texts: readonly (readonly [string, unknown])[] = [
  ['a: 1\nb:\n  c: d e\n', { a: '1', b: { c: 'd e' } }],
  ['- a\n- b: 1\n  c: 2\n-\n  - d', ['a', { b: '1', c: '2' }, ['d']]],
  ['{ a: [b, "c", \'d\'], e: { f: g } }', { a: ['b', 'c', 'd'], e: { f: 'g' } }],
  ['# comment\n---\na: b # comment\n---\nc: d', { a: 'b' }],
  ['"@a/b": \'it\'\'s\'\nc: "\\u0041\\"\\n"', { '@a/b': "it's", c: 'A"\n' }],
  ['a: b\n  c\nd: "e\n  f"', { a: 'b c', d: 'e f' }],
  ['a: >-\n  b\n  c\nd: e', { a: 'b c', d: 'e' }],
  ['a: &x 1\nb: *x\nc: &y { d: *x }\ne: *y', { a: '1', b: '1', c: { d: '1' }, e: { d: '1' } }],
  ['a: &x { b: 1, c: 2 }\nd:\n  <<: *x\n  c: 3', { a: { b: '1', c: '2' }, d: { b: '1', c: '3' } }],
  [
    'a: &x { b: 1, c: 2 }\nd: &y { c: 4 }\ne:\n  c: 3\n  <<: [*y, *x]',
    { a: { b: '1', c: '2' }, d: { c: '4' }, e: { b: '1', c: '3' } },
  ],
  ['a: &x { b: 1 }\nc: &y { b: 2 }\nd:\n  <<: [*y, *x]', { a: { b: '1' }, c: { b: '2' }, d: { b: '2' } }],
  ['a: &x 1\nb: &x 2\nc: *x', { a: '1', b: '2', c: '2' }],
  ['? a\n: b', { a: 'b' }],
  ['', null],
  ['# nothing', null],
  ['a', 'a'],
];

for (const [text, value] of texts) {
  test(`yaml: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(plain(parseYaml(text).root), value);
    assert.deepEqual(parseYaml(text).problems, []);
    assert.deepEqual(plain(parseYaml(`\uFEFF${text.replaceAll('\n', '\r\n')}`).root), value, 'with CRLF and a mark');
  });
}

const broken: readonly (readonly [string, unknown, ...string[]])[] = [
  ['a:\n  b: 1\n  lod\n  d: 2\n', { a: { b: '1', d: '2' } }, 'a colon and a value are missing: lod'],
  ['a:\n  b: 1\n  c', { a: { b: '1', c: null } }, 'a colon and a value are missing: c'],
  ['a:\n  b:\n  c: 2', { a: { b: null, c: '2' } }],
  ["a:\n  b: '1\n  c: 2", { a: { b: '1', c: '2' } }, "the closing quote is missing: '1"],
  ['a:\n  b: "1\n  c: "2"', { a: { b: '1', c: '2' } }, 'the closing quote is missing: "1'],
  ["a:\n  'b: 1\n  c: 2", { a: { b: '1', c: '2' } }, "the closing quote is missing: 'b"],
  ['a: { b: 1,\nc: 2', { a: { b: '1' }, c: '2' }, 'the closing bracket is missing: {'],
  ['a: >=1 <2 # c\nb: 2', { a: '>=1 <2', b: '2' }, 'this needs quotes: >=1 <2'],
  ['@a/b: 1', { '@a/b': '1' }, 'this needs quotes: @a/b'],
  ["a: 'b' c\nd: e", { a: 'b', d: 'e' }, 'this does not belong here: c'],
  ['a: *b', { a: null }, 'no anchor is called b: *b'],
];

for (const [text, value, ...messages] of broken) {
  test(`yaml: ${JSON.stringify(text)} is read as far as it can be`, () => {
    assert.deepEqual(plain(parseYaml(text).root), value);
    assert.deepEqual(problems(text), messages);
  });
}

/** What a value reads like once it was replaced. */
function replaced(text: string, value: string): unknown {
  const it = resolved(entryAt(parseYaml(text).root, 'a'));
  assert.equal(it?.kind, 'scalar');
  if (it?.kind !== 'scalar') return undefined;
  const { span, encode } = yamlLiteral(it);
  const edited = text.slice(0, span.start) + encode(value) + text.slice(span.end);
  assert.deepEqual(parseYaml(edited).problems, [], edited);
  assert.equal(plain(entryAt(parseYaml(edited).root, 'a')), value, edited);
  return edited;
}

test('yaml: a plain value gets quotes where it needs them, and only there', () => {
  assert.equal(replaced('a: ^1 # why', '^2.0.0'), 'a: ^2.0.0 # why');
  assert.equal(replaced('a: 1.2.3', '1.2.4'), 'a: 1.2.4');
  assert.equal(replaced('a: ^1', '>=2 <3'), "a: '>=2 <3'");
  assert.equal(replaced('a: 1.2.3', '18'), "a: '18'");
  assert.equal(replaced('a: 1.2.3', '1.10'), "a: '1.10'");
  assert.equal(replaced('a: x', '*'), "a: '*'");
  assert.equal(replaced('{ a: x }', '[1,2)'), "{ a: '[1,2)' }");
  assert.equal(replaced('a: x', '-1'), "a: '-1'");
});

test('yaml: whatever replaces a value is what is read there', () => {
  const text = fc.string({ unit: fc.constantFrom(...'>=^~*1.2 ,[]{}:#\'"\\&!|-?%@`xé_') });
  const place = fc.constantFrom('a: 1', '{ a: b, c: d }', "a: 'b' # c", 'a: "b"\nc: d', 'b: 1\na: c');
  fc.assert(fc.property(place, text, (it, value) => void replaced(it, value)));
});

test('yaml: stretches of quoted values stand where they are written', () => {
  const at = (text: string, from: number, to: number): string => {
    const it = resolved(entryAt(parseYaml(text).root, 'a'));
    if (it?.kind !== 'scalar') return '';
    const span = yamlSpan(it, from, to);
    return text.slice(span.start, span.end);
  };
  assert.equal(at('a: npm:b@^1', 6, 8), '^1');
  assert.equal(at("a: 'b''c@1'", 2, 5), 'c@1');
  assert.equal(at('a: "\\u0041\\U0001F600\\nb@1"', 3, 6), '\\nb@');
  assert.equal(at('a: "b\n  c"', 2, 3), 'b\n  c', 'a folded value is taken whole');
});

test('yaml: aliases stand for little', () => {
  const bomb = [
    'a0: &a0 [1]',
    ...Array.from({ length: 40 }, (_, it) => `a${it + 1}: &a${it + 1} [${`*a${it}, `.repeat(9)}]`),
  ];
  const read = parseYaml(bomb.join('\n'));
  assert.ok(read.problems.some((it) => it.message === 'too much is repeated'));
  let visited = 0;
  const visit = (value: YamlValue | undefined): void => {
    visited++;
    const it = resolved(value);
    for (const { value: inner } of entriesOf(it)) visit(inner);
    if (it?.kind === 'sequence') for (const item of it.items) visit(item);
  };
  visit(read.root);
  assert.ok(visited < 20_000, `${visited}`);
});

test('yaml: hostile texts are read at once', () => {
  const many = 1_500;
  const units = [
    '- ',
    '? ',
    'a: ',
    '[',
    '{',
    '"',
    "'",
    "a: '\n",
    'a: "\\\n',
    '&a ',
    '*a ',
    '!a ',
    '|\n',
    ' ',
    '\t',
    '\n',
    'a:\n ',
    '[a, ',
    '#',
    '%\n',
    '---\n',
    '\x02',
    '\x18',
    '\x1f',
    '\uFEFF',
    'a: &a [*a]\n',
  ];
  for (const unit of units) {
    for (const tail of ['', '\na: b']) {
      const text = unit.repeat(many) + tail;
      for (const { span } of parseYaml(text).problems)
        assert.ok(span.start <= span.end && span.end <= text.length, unit);
    }
  }
});

test('of megabytes the first is read', () => {
  const { root, problems } = parseYaml(`first: 1\n${'b: *a\n'.repeat(5_000_000)}`);
  assert.equal(entriesOf(root)[0]?.key.text, 'first');
  assert.equal(problems.at(-1)?.message, 'a text this long is not read to its end');
});
