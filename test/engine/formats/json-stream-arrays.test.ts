import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../harness/seed.ts';
import fc from 'fast-check';
import { parseJson } from '../../../server/src/engine/formats/json/parse.ts';
import { streamArrays } from '../../../server/src/engine/formats/json/stream-arrays.ts';
import { type JsonValue, propertiesOf } from '../../../server/src/engine/formats/json/tree.ts';

const wanted = new Set(['list', 'name', 'inner']);

/** The items that are handed on, as the list's name and the value. */
function picked(text: string): [string, JsonValue][] {
  const items: [string, JsonValue][] = [];
  streamArrays(text, wanted, (list, item) => items.push([list, item]));
  return items;
}

/** The same by the reader of whole trees. */
function expected(text: string): [string, JsonValue][] {
  return propertiesOf(parseJson(text).root).flatMap(({ name, value }): [string, JsonValue][] =>
    wanted.has(name.text) && value?.kind === 'array' ? value.items.map((it) => [name.text, onlyWanted(it)]) : [],
  );
}

function onlyWanted(value: JsonValue): JsonValue {
  if (value.kind === 'array') return { ...value, items: value.items.map(onlyWanted) };
  if (value.kind !== 'object') return value;
  const properties = value.properties.filter((it) => wanted.has(it.name.text));
  return {
    ...value,
    properties: properties.map(({ name, value: inner }) => ({ name, ...(inner && { value: onlyWanted(inner) }) })),
  };
}

const names = fc.constantFrom('list', 'name', 'inner', 'other', 'n\u0061me"\\');
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  ),
}));

test('what is picked is what stands in the whole tree', () => {
  fc.assert(
    fc.property(fc.dictionary(names, values), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      assert.deepEqual(picked(text), expected(text));
      assert.deepEqual(picked(`\uFEFF${text}\r\n`).length, expected(text).length);
    }),
  );
});

test('what stands in front of the object is passed over', () => {
  const text = JSON.stringify({ list: [{ name: 'a' }] });
  for (const front of ['<<<<<<< HEAD\n', 'x', '}, ']) {
    let items = 0;
    assert.deepEqual(
      streamArrays(front + text, wanted, () => items++).map((it) => it.message),
      ['the object should begin here'],
    );
    assert.equal(items, 1);
  }
});

test('a text that is cut off, or of any characters at all, is read as far as it goes', () => {
  const text = JSON.stringify({ list: [{ name: 'a\n', inner: [1, { name: true }] }, 'b'], other: [{}], name: [{}] });
  for (let end = 0; end < text.length; end++) assert.ok(picked(text.slice(0, end)).length <= 3);
  assert.equal(picked(text.slice(0, text.indexOf('"b"')))[0]?.[1].kind, 'object');
  const any = fc.string({ unit: fc.constantFrom(...'{}[]",:\\ul1 '.split(''), '"list"') });
  fc.assert(fc.property(any, (it) => assert.ok(picked(it).length <= it.length)));
});

test('a string without its closing quote costs its own line', () => {
  const items = picked('{ "other": ["a,\n "b"], "list": [\n{ "name": "x,\n"inner": "y" },\n{ "name": "z" }] }');
  const texts = items.map(([, it]) => propertiesOf(it).map(({ value }) => value?.kind === 'string' && value.text));
  assert.deepEqual(texts, [['x,', 'y'], ['z']]);
});

test('a million brackets neither overflow the stack nor take long', () => {
  for (const bracket of ['{', '[', '{"list":', '{"list":[', '}', ']']) {
    assert.ok(streamArrays(bracket.repeat(1_000_000), wanted, () => {}).length > 0);
  }
});
