import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../../harness/seed.ts';
import fc from 'fast-check';
import { streamArrays } from '../../../server/src/engine/formats/json/stream-arrays.ts';
import { walkJson } from '../../../server/src/engine/formats/json/walk.ts';

/** What is told of a text, in order: `{name`, `name=value`, `name!`, `}`. */
function told(text: string): string[] {
  const all: string[] = [];
  const part = ({ start, end }: { readonly start: number; readonly end: number }): string => text.slice(start, end);
  walkJson(text, {
    open: (name) => all.push(`{${name ? part(name) : ''}`),
    close: () => all.push('}'),
    string: (name, value) => all.push(`${part(name)}=${part(value)}`),
    scalar: (name, value) => name && part(value) === 'true' && all.push(`${part(name)}!`),
  });
  return all;
}

/** The same, of a value. */
function expected(value: unknown, name = ''): string[] {
  const plain = JSON.stringify(name).slice(1, -1);
  if (Array.isArray(value)) return value.flatMap((it) => (typeof it === 'object' && it ? expected(it) : []));
  if (typeof value === 'object' && value !== null) {
    return [`{${plain}`, ...Object.entries(value).flatMap(([key, it]) => expectedProperty(key, it)), '}'];
  }
  return [];
}

function expectedProperty(name: string, value: unknown): string[] {
  const plain = JSON.stringify(name).slice(1, -1);
  if (typeof value === 'string') return [`${plain}=${JSON.stringify(value).slice(1, -1)}`];
  return value === true ? [`${plain}!`] : expected(value, name);
}

test('every object, string and truth of a JSON text is told, however it is laid out', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
      assert.deepEqual(told(JSON.stringify(value, undefined, indent)), expected(value));
    }),
  );
});

test('objects end as often as they begin, whatever the text', () => {
  const piece = fc.constantFrom('{', '}', '[', ']', ':', ',', '"', '\\', 'a', 'true', '\n');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      let depth = 0;
      for (const it of told(pieces.join(''))) {
        depth += it.startsWith('{') ? 1 : it === '}' ? -1 : 0;
        assert.ok(depth >= 0);
      }
      assert.equal(depth, 0);
    }),
  );
});

test('a string without its closing quote costs its own line', () => {
  const lines = ['{', '{a', 'v=1,', 'w=2', '}', 'b=3', '}'];
  for (const end of ['\n', '\r\n', '\n\n\t'])
    assert.deepEqual(told(`{ "a": { "v": "1,${end}"w": "2"${end}}, "b": "3" }`), lines);
  assert.deepEqual(told('{ "a": "1" // why\n, "b": "2" }'), ['{', 'a=1', 'b=2', '}']);
});

test('a string that never ends takes the rest, and nothing else is lost', () => {
  assert.deepEqual(told('{ "a": "1", "b": "2'), ['{', 'a=1', 'b=2', '}']);
  assert.deepEqual(told('{ "a": { "b": "1" ], "c": true }'), ['{', '{a', 'b=1', '}', 'c!', '}']);
});

test('escaped quotes that are no part of a string are gone through once', () => {
  const text = `{ "a": "1", ${'\\"\n'.repeat(200_000)}" x }`;
  assert.deepEqual(told(text), ['{', 'a=1', '}']);
  assert.ok(streamArrays(text, new Set(['a']), () => {}).length > 0);
});

test('brackets without their other half are problems, and everything else is read', () => {
  const nobody = { open: () => {}, close: () => {}, string: () => {} };
  const problems = (text: string) => walkJson(text, nobody).map(({ span, message }) => `${span.start} ${message}`);
  assert.deepEqual(problems('{"a": [1, {"b": "}"}]}'), []);
  assert.deepEqual(problems('{"a": [}}]'), ['7 it closes nothing']);
  assert.deepEqual(problems('{"a": ['), ['7 the closing bracket is missing']);
  assert.deepEqual(problems('}'), ['0 it closes nothing']);
});

test('brackets within brackets without end cost nothing, and what stands before them counts', () => {
  const seen: string[] = [];
  const text = `{"a": {"b": "c", "d": ${'{'.repeat(20_000_000)}`;
  let open = 0;
  const problems = walkJson(text, {
    open: () => open++,
    close: () => open--,
    string: (name, value) => seen.push(text.slice(name.start, name.end) + text.slice(value.start, value.end)),
  });
  assert.deepEqual(seen, ['bc']);
  assert.equal(open, 0);
  assert.deepEqual(
    problems.map((it) => it.message),
    ['values nested this deep are not read'],
  );
});

test('merge conflict markers in streamed arrays are reported once', () => {
  const text = '{\n<<<<<<< HEAD\n  "a": "1",\n=======\n  "a": "2",\n>>>>>>> theirs\n  "list": [1, true]\n}';
  const problems = streamArrays(text, new Set(['list']), () => {});
  assert.deepEqual(problems, [{ span: { start: 2, end: 3 }, message: 'it is not JSON' }]);
  assert.deepEqual(
    streamArrays('{ "a": "<<<<<<< = >", "b": [-1.5e+3, null] }', new Set(['b']), () => {}),
    [],
  );
});

for (const text of [
  '{ "list": [], "name"pp: "a", "b": "c" }',
  '{ "list": [1, truth] }',
  '{ "list": [], "a" }',
  '{ "list": [] x }',
]) {
  test(`streamed arrays report text that is not JSON: ${text}`, () => {
    const problems = streamArrays(text, new Set(['list']), () => {});
    assert.deepEqual(
      problems.map((it) => it.message),
      ['it is not JSON'],
    );
  });
}
