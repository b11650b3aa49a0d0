import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readYamlLine, scanLines, unquote } from '../../../server/src/engine/formats/text/lines.ts';

test('lines are told from their start on, without line ends, and those with nothing in them are not', () => {
  const text = '\uFEFFa:\r\n  b: 1\n\n   \r\n\tc\n d';
  const told: string[] = [];
  scanLines(text, (start, end, indent) => told.push(`${indent} ${JSON.stringify(text.slice(start, end))}`));
  assert.deepEqual(told, ['0 "a:"', '2 "  b: 1"', '0 "\\tc"', '1 " d"']);
  scanLines('', () => assert.fail('there is no line'));
});

test('a line of YAML is a key and its value, each with or without quotes', () => {
  const lines = {
    "'@babel/core': ^7.24.0": ['@babel/core', '^7.24.0'],
    '  specifier: "npm:lodash@^3"': ['specifier', 'npm:lodash@^3'],
    'dependencies:': ['dependencies', ''],
    'a@npm:^1:': ['a@npm:^1', ''],
    'url: https://host.example:': ['url', 'https://host.example:'],
    '"a": \'b\'': ['a', 'b'],
  };
  for (const [line, [key, value]] of Object.entries(lines)) assert.deepEqual(readYamlLine(line), { key, value }, line);
  for (const line of ['', 'word', ': value', '"open: 1', '- item']) assert.equal(readYamlLine(line), undefined, line);
});

test('quotes are taken off where there are two of a kind', () => {
  const texts = { '"a"': 'a', "'a'": 'a', '"': '"', '""': '', '"a\'': '"a\'', a: 'a' };
  for (const [text, bare] of Object.entries(texts)) assert.equal(unquote(text), bare);
});
