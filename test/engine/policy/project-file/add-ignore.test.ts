import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addIgnore, addPrivate, removeIgnore } from '../../../../server/src/engine/policy/edit-project.ts';
import { readProjectFile } from '../../../../server/src/engine/policy/project-file.ts';

const ignore = { id: 'GHSA-1', reason: 'a "word"' };
const entry = '{ "id": "GHSA-1", "reason": "a \\"word\\"" }';

/** What stands there, and what it becomes; undefined where it cannot be edited. */
const table: readonly (readonly [string, string | undefined])[] = [
  ['', `{\n  "ignores": [\n    ${entry}\n  ]\n}\n`],
  ['{}', `{\n  "ignores": [\n    ${entry}\n  ]\n}`],
  ['\uFEFF{}\n', `\uFEFF{\n  "ignores": [\n    ${entry}\n  ]\n}\n`],
  [
    '{\n  // days\n  "cooldownDays": 7\n}\n',
    `{\n  "ignores": [\n    ${entry}\n  ],\n  // days\n  "cooldownDays": 7\n}\n`,
  ],
  ['{\n  "ignores": []\n}\n', `{\n  "ignores": [\n    ${entry}\n  ]\n}\n`],
  [
    '{\n\t"ignores": [\n\t\t{ "id": "a", "reason": "b" }, // c\n\t],\n}\n',
    `{\n\t"ignores": [\n\t\t${entry},\n\t\t{ "id": "a", "reason": "b" }, // c\n\t],\n}\n`,
  ],
  [
    '{\r\n    "ignores": [\r\n        { "id": "a", "reason": "b" }\r\n    ]\r\n}\r\n',
    `{\r\n    "ignores": [\r\n        ${entry},\r\n        { "id": "a", "reason": "b" }\r\n    ]\r\n}\r\n`,
  ],
  ['{"ignores":[{"id":"a","reason":"b"}]}', `{"ignores":[${entry},{"id":"a","reason":"b"}]}`],
  ['{"ignores":3}', undefined],
  ['{"ignores":}', undefined],
  ['{', undefined],
  ['[]', undefined],
];

for (const [before, after] of table) {
  test(`an ignore is added to ${JSON.stringify(before)}`, () => {
    const insertion = addIgnore(before, ignore);
    const text =
      insertion && before.slice(0, insertion.span.start) + insertion.newText + before.slice(insertion.span.end);
    assert.equal(text, after);
    if (text === undefined) return;
    const { project, problems } = readProjectFile('file:///p', text);
    assert.deepEqual(problems, []);
    assert.deepEqual(project.ignores[0], ignore);
  });
}

const privateTable: readonly (readonly [string, string | undefined])[] = [
  ['', '{\n  "private": [\n    "npm/@acme/*"\n  ]\n}\n'],
  ['{ "private": ["com.acme:*"] }', '{ "private": ["npm/@acme/*","com.acme:*"] }'],
  ['{\n  "ignores": []\n}\n', '{\n  "private": [\n    "npm/@acme/*"\n  ],\n  "ignores": []\n}\n'],
  ['{ "private": "com.acme:*" }', undefined],
];

for (const [before, after] of privateTable) {
  test(`a private scope is added to ${JSON.stringify(before)}`, () => {
    const insertion = addPrivate(before, 'npm/@acme/*');
    const text =
      insertion && before.slice(0, insertion.span.start) + insertion.newText + before.slice(insertion.span.end);
    assert.equal(text, after);
    if (text === undefined) return;
    const { project, problems } = readProjectFile('file:///p', text);
    assert.deepEqual(problems, []);
    assert.equal(project.privatePackages[0]?.pattern, 'npm/@acme/*');
  });
}

const [one, two] = ['{ "id": "GHSA-1", "reason": "a" }', '{ "id": "deprecated", "package": "npm/x", "reason": "b" }'];

const removals: readonly (readonly [string, string | undefined])[] = [
  [`{\n  "ignores": [\n    ${one},\n    ${two}\n  ]\n}\n`, `{\n  "ignores": [\n    ${two}\n  ]\n}\n`],
  [`{\r\n  "ignores": [\r\n    ${two},\r\n    ${one}\r\n  ]\r\n}`, `{\r\n  "ignores": [\r\n    ${two}\r\n  ]\r\n}`],
  [`{ "ignores": [${one}] }`, '{ "ignores": [] }'],
  [`{ "ignores": [${two}] }`, undefined],
  [`{ "ignores": [${one} }`, undefined],
];

for (const [before, after] of removals) {
  test(`an ignore is taken out of ${JSON.stringify(before)}`, () => {
    const edits = removeIgnore(before, { id: 'GHSA-1' });
    const text = edits?.reduceRight(
      (rest, { span, newText }) => rest.slice(0, span.start) + newText + rest.slice(span.end),
      before,
    );
    assert.equal(text, after);
  });
}
