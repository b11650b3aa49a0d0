import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTooDeep } from '../../../server/src/engine/base/json-depth.ts';

const length = 2 * 1024 * 1024;

const tooDeep: Readonly<Record<string, string>> = {
  'brackets alone': '['.repeat(length),
  'brackets that are closed': '['.repeat(length / 2) + ']'.repeat(length / 2),
  'objects of one member': '{"a":'.repeat(length / 5),
  'brackets behind a long text': `["${'\\"['.repeat(length)}",${'['.repeat(1000)}`,
};

const fine: Readonly<Record<string, string>> = {
  'what is short': '['.repeat(10_000),
  'brackets within a text': `["${'['.repeat(length)}"]`,
  'brackets behind escaped quotes': `["${'\\"['.repeat(length)}"]`,
  'a text that never ends': `["${'['.repeat(length)}`,
  'many, one after the other': `[${'{},'.repeat(length)}1]`,
  'backslashes alone': `["${'\\\\'.repeat(length)}"]`,
};

for (const [what, json] of Object.entries(tooDeep)) {
  test(`too deep: ${what}`, () => assert.equal(isTooDeep(json), true));
}

for (const [what, json] of Object.entries(fine)) {
  test(`not too deep: ${what}`, () => assert.equal(isTooDeep(json), false));
}
