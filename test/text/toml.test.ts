import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseToml } from '../../server/src/text/toml.ts';
import { tomlLiteral } from '../../server/src/text/toml-literal.ts';
import { entriesOf, type TomlValue, tomlAt } from '../../server/src/text/toml-tree.ts';

/** The value with tables as lists of names and values, so that names that stand twice are seen. */
function plain(value: TomlValue | undefined): unknown {
  switch (value?.kind) {
    case undefined:
      return undefined;
    case 'table':
      return value.entries.map((it) => [it.key.text, plain(it.value)]);
    case 'array':
      return value.items.map(plain);
    case 'string':
      return value.text;
    case 'scalar':
      return `#${value.text}`;
  }
}

function read(text: string) {
  const { root, problems } = parseToml(text);
  return {
    value: plain(root),
    problems: problems.map((it) => `${text.slice(it.span.start, it.span.end)}: ${it.message}`),
  };
}

const whole: readonly [string, unknown][] = [
  ['', []],
  ['# only a comment', []],
  ['\uFEFFa = 1', [['a', '#1']]],
  [
    'a = 1 # one\r\nb = "x"\r\n',
    [
      ['a', '#1'],
      ['b', 'x'],
    ],
  ],
  [
    'a.b.c = 1\na.b.d = 2',
    [
      [
        'a',
        [
          [
            'b',
            [
              ['c', '#1'],
              ['d', '#2'],
            ],
          ],
        ],
      ],
    ],
  ],
  [
    '"a.b" = 1\n\'c d\' = 2',
    [
      ['a.b', '#1'],
      ['c d', '#2'],
    ],
  ],
  [
    '[a]\nx = 1\n[a.b]\ny = 2\n[c]\n[a.d]\nz = 3',
    [
      [
        'a',
        [
          ['x', '#1'],
          ['b', [['y', '#2']]],
          ['d', [['z', '#3']]],
        ],
      ],
      ['c', []],
    ],
  ],
  ["[target.'cfg(windows)'.dependencies]\nw = '1'", [['target', [['cfg(windows)', [['dependencies', [['w', '1']]]]]]]]],
  [
    '[[p]]\nn = 1\n[[p]]\nn = 2\n[p.q]\nr = 3',
    [
      [
        'p',
        [
          [['n', '#1']],
          [
            ['n', '#2'],
            ['q', [['r', '#3']]],
          ],
        ],
      ],
    ],
  ],
  ['[ a . b ] # c\nd . e = 1', [['a', [['b', [['d', [['e', '#1']]]]]]]]],
  [
    'a = { b = "1", c.d = true, }',
    [
      [
        'a',
        [
          ['b', '1'],
          ['c', [['d', '#true']]],
        ],
      ],
    ],
  ],
  [
    'a = {\n  b = 1, # why\n  c = 2\n}',
    [
      [
        'a',
        [
          ['b', '#1'],
          ['c', '#2'],
        ],
      ],
    ],
  ],
  [
    'a = [ 1, [ "x" ],\n  # c\n  { b = 2 },\n]\nd = []',
    [
      ['a', ['#1', ['x'], [['b', '#2']]]],
      ['d', []],
    ],
  ],
  ['a = [\n  [1],\n  [2]\n]', [['a', [['#1'], ['#2']]]]],
  [
    'a = 1979-05-27 07:32:00Z\nb = -0.5e-3\nc = 0xFF_FF\nd = -inf',
    [
      ['a', '#1979-05-27 07:32:00Z'],
      ['b', '#-0.5e-3'],
      ['c', '#0xFF_FF'],
      ['d', '#-inf'],
    ],
  ],
  ['a = "\\u00e9\\t\\"\\\\ \\U0001F600"', [['a', 'é\t"\\ 😀']]],
  ["a = 'C:\\x'", [['a', 'C:\\x']]],
  ['a = """\nx\n""""', [['a', 'x\n"']]],
  ['a = """x \\\n   y"""', [['a', 'x y']]],
  [
    "a = '''\n'x' \\'''\nb = 1",
    [
      ['a', "'x' \\"],
      ['b', '#1'],
    ],
  ],
  [
    'a = ""\nb = \'\'\nc = """"""',
    [
      ['a', ''],
      ['b', ''],
      ['c', ''],
    ],
  ],
  [
    '__proto__ = 1\nconstructor.x = 2',
    [
      ['__proto__', '#1'],
      ['constructor', [['x', '#2']]],
    ],
  ],
];

for (const [text, value] of whole) {
  test(`TOML: ${JSON.stringify(text)}`, () => assert.deepEqual(read(text), { value, problems: [] }));
}

// One broken line costs that line; what is around it is read.
const broken: readonly [string, unknown, readonly string[]][] = [
  [
    'a\nb = 1',
    [
      ['a', undefined],
      ['b', '#1'],
    ],
    ['a: an equals sign and a value are missing'],
  ],
  [
    'a =\nb = 1',
    [
      ['a', undefined],
      ['b', '#1'],
    ],
    ['a: a value is missing'],
  ],
  [
    'a = "1\nb = 1',
    [
      ['a', '1'],
      ['b', '#1'],
    ],
    ['"1: the closing quote is missing'],
  ],
  [
    'a = ^1.0\nb = 1',
    [
      ['a', undefined],
      ['b', '#1'],
    ],
    ['^1.0: a value is missing its quotes'],
  ],
  [
    'a = "1" x\nb = 1',
    [
      ['a', '1'],
      ['b', '#1'],
    ],
    ['x: not understood'],
  ],
  ['= 1\nb = 1', [['b', '#1']], ['= 1: a name is missing']],
  ['a. = 1', [['a', '#1']], []],
  ['[a\nb = 1', [['a', [['b', '#1']]]], ['[a: the closing bracket is missing']],
  ['[]\nb = 1\n[c]', [['c', []]], ['[]: a name is missing']],
  ['[a]]\nb = 1', [['a', [['b', '#1']]]], [']: not understood']],
  [
    'a = [ "x",\nb = 1',
    [
      ['a', ['x']],
      ['b', '#1'],
    ],
    ['[: the closing bracket is missing'],
  ],
  [
    'a = [\n"x"\n[b.c]\nd = 1',
    [
      ['a', ['x']],
      ['b', [['c', [['d', '#1']]]]],
    ],
    ['[: the closing bracket is missing'],
  ],
  [
    'a = [\n"x"\n[[b]]\nd = 1',
    [
      ['a', ['x']],
      ['b', [[['d', '#1']]]],
    ],
    ['[: the closing bracket is missing'],
  ],
  ['a = [ "x" "y" ]', [['a', ['x', 'y']]], [': a comma is missing']],
  ['a = [\n  "x"\n  "y",\n]', [['a', ['x', 'y']]], [': a comma is missing']],
  [
    'a = [\n  "x,\n  "y",\n]\nb = 1',
    [
      ['a', ['x,', 'y']],
      ['b', '#1'],
    ],
    ['"x,: the closing quote is missing', ': a comma is missing'],
  ],
  ['a = [ = ]', [['a', []]], ['=: not understood']],
  [
    'a = { b = "1"\nc = 2',
    [
      ['a', [['b', '1']]],
      ['c', '#2'],
    ],
    ['{: the closing brace is missing'],
  ],
  [
    'a = { b = "1",\nc = 2',
    [
      ['a', [['b', '1']]],
      ['c', '#2'],
    ],
    ['{: the closing brace is missing'],
  ],
  [
    'a = {\n[c]\nd = 2',
    [
      ['a', []],
      ['c', [['d', '#2']]],
    ],
    ['{: the closing brace is missing'],
  ],
  [
    'a = { b = }\nc = 2',
    [
      ['a', [['b', undefined]]],
      ['c', '#2'],
    ],
    ['b: a value is missing'],
  ],
  [
    'a = { b }\nc = 2',
    [
      ['a', [['b', undefined]]],
      ['c', '#2'],
    ],
    ['b: an equals sign and a value are missing'],
  ],
  ['a = "\\q1"', [['a', '1']], ['\\q1: the string has an escape that TOML does not know']],
  ['a = """x\nb = 1', [['a', 'x\nb = 1']], ['"""x\nb = 1: the closing quote is missing']],
  ['<<<<<<< HEAD\na = 1\n=======', [['a', '#1']], ['<<<<<<< HEAD: a name is missing', '=======: a name is missing']],
];

for (const [text, value, problems] of broken) {
  test(`TOML, half typed: ${JSON.stringify(text)}`, () => assert.deepEqual(read(text), { value, problems }));
}

test('TOML: of several values with one name the last is taken', () => {
  const { root } = parseToml('a.b = 1\na.b = "2"\n[c]\n');
  assert.equal(plain(tomlAt(root, 'a', 'b')), '2');
  assert.equal(tomlAt(root, 'a', 'x', 'y'), undefined);
  assert.equal(entriesOf(tomlAt(root, 'a', 'b')).length, 0);
});

test('TOML: a stretch of a string is edited where it stands, escapes or not', () => {
  for (const [written, expected] of [
    ['"x>=1.0; y"', '"x>=2.0; y"'],
    ["'x>=1.0; y'", "'x>=2.0; y'"],
    ['"\\u0078>\\u003D1.0; \\"y"', '"\\u0078>=2.0; \\"y"'],
    ['"""\nx>=1.0; \\\n y"""', '"""\nx>=2.0; \\\n y"""'],
  ]) {
    const text = `a = ${written}\n`;
    const value = tomlAt(parseToml(text).root, 'a');
    assert.ok(value?.kind === 'string');
    const literal = tomlLiteral(value, 1, 6);
    assert.equal(literal.text, '>=1.0');
    const edited = text.slice(0, literal.span.start) + literal.encode('>=2.0') + text.slice(literal.span.end);
    assert.equal(edited, `a = ${expected}\n`);
  }
});

test('TOML: what an edit writes is read again', () => {
  for (const quote of ['"', "'", '"""', "'''"]) {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (wanted) => {
        const value = tomlAt(parseToml(`a = ${quote}x${quote}`).root, 'a');
        assert.ok(value?.kind === 'string');
        const { root, problems } = parseToml(`a = ${quote}${tomlLiteral(value).encode(wanted)}${quote}`);
        const kept = quote.startsWith('"')
          ? wanted
          : wanted.replace(/(?!\t)[\p{Cc}']/gu, (it) => (it >= '\x7f' ? it : ''));
        assert.deepEqual([plain(tomlAt(root, 'a')), problems], [kept, []]);
      }),
    );
  }
});

test('TOML: spans lie inside the quotes and inside the text, wherever it ends', () => {
  const text =
    '\uFEFF[a."b c"]\r\nd = "1\\u0030" # x\r\ne = { f = [\'2\', """3\n""", ], g.h = 4 }\r\n[[i]]\r\nj = 5\r\n';
  for (let end = 0; end <= text.length; end++) {
    const cut = text.slice(0, end);
    const { root, problems } = parseToml(cut);
    const spans = [...spansOf(root), ...problems.map((it) => it.span)];
    for (const it of spans) assert.ok(it.start >= 0 && it.start <= it.end && it.end <= cut.length, JSON.stringify(cut));
  }
  const value = tomlAt(parseToml(text).root, 'a', 'b c', 'd');
  assert.equal(value && text.slice(value.span.start, value.span.end), '1\\u0030');
});

function spansOf(value: TomlValue): { readonly start: number; readonly end: number }[] {
  const inner =
    value.kind === 'table'
      ? value.entries.flatMap((it) => [it.key.span, ...(it.value ? spansOf(it.value) : [])])
      : value.kind === 'array'
        ? value.items.flatMap(spansOf)
        : [];
  return [value.span, ...inner];
}

test('TOML: hostile text is read at once', () => {
  const units = [
    'a',
    'a.',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '\\',
    '=',
    ',',
    '#\n',
    '\n',
    ' ',
    '\r',
    '[a]\n',
    '[[a]]\n',
    'a={',
    'a=[',
    'a=1,',
    '"""',
    '1 ',
    '\n[',
    '[a.',
  ];
  for (const unit of units) {
    for (const before of ['', 'a = ', 'a = [', 'a = {', 'a = "', '[', 'a = [\n']) {
      const { problems } = parseToml(before + unit.repeat(Math.ceil(40_000 / unit.length)));
      assert.ok(problems.length <= 100);
    }
  }
});
