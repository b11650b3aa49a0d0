import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import '../../harness/seed.ts';
import fc from 'fast-check';
import { parseToml } from '../../../server/src/engine/formats/toml/parse.ts';
import { tomlLiteral } from '../../../server/src/engine/formats/toml/strings.ts';
import { entriesOf, type TomlValue, tomlAt } from '../../../server/src/engine/formats/toml/tree.ts';
import { readTable } from '../../harness/version-table.ts';

/** The value with tables as lists of names and values, so that names that stand twice are seen. */
function plain(value: TomlValue | undefined): unknown {
  switch (value?.kind) {
    case undefined:
      return null;
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

for (const row of readTable(join(import.meta.dirname, 'toml.txt'))) {
  const [text = '', value = '', problems = ''] = row;
  test(`TOML: ${text}`, () => {
    const expected = { value: JSON.parse(value), problems: JSON.parse(`[${problems}]`) };
    assert.deepEqual(read(JSON.parse(text)), expected);
  });
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
