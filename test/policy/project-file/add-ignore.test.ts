import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addIgnore, addPrivate } from '../../../server/src/policy/edit-project.ts';
import { readProjectFile } from '../../../server/src/policy/project-file.ts';

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
