import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { matchesPackage } from '../../../server/src/model/project.ts';
import type { System } from '../../../server/src/model/system.ts';
import { expiredIgnores, readProjectFile } from '../../../server/src/policy/project-file.ts';
import { projectSchema } from '../../../server/src/policy/project-schema.ts';
import { expectPicture, paint, readPictures } from '../../harness/picture.ts';

const today = '2026-01-01';

/* A project file with what is wrong in it, and what was read of it. */
for (const picture of readPictures(import.meta.dirname)) {
  test(picture.title, () => {
    const text = picture.sections[0]?.text ?? '';
    const { project, problems } = readProjectFile('file:///.package-insights.json', text);
    const marks = [...problems, ...expiredIgnores(text, today)].map(({ span, severity, message }) => ({
      span,
      label: `${severity}: ${message}`,
    }));
    const { uri, ...rest } = project;
    expectPicture(picture, [
      { name: '.package-insights.json', painted: paint(text, marks) },
      { name: 'read', painted: JSON.stringify(rest, undefined, 1) },
    ]);
  });
}

test('nothing throws, however a file ends', () => {
  const [picture] = readPictures(import.meta.dirname);
  const text = picture?.sections[0]?.text ?? '';
  for (let end = 0; end <= text.length; end++) {
    readProjectFile('file:///p', text.slice(0, end));
    expiredIgnores(text.slice(0, end), today);
  }
  assert.ok(readProjectFile('file:///p', '['.repeat(900_000)).problems.length > 0);
  assert.equal(readProjectFile('file:///p', 'x'.repeat(2_000_000)).problems.length, 1);
});

test('editors read the very schema that the reader goes by', () => {
  const file = join(import.meta.dirname, '..', '..', '..', 'schemas', 'project-file.json');
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Package Insights project file',
    allowComments: true,
    allowTrailingCommas: true,
    ...projectSchema,
  };
  const wanted = `${JSON.stringify(schema, undefined, 2)}\n`;
  if (process.env['UPDATE'] === '1') writeFileSync(file, wanted);
  assert.equal(readFileSync(file, 'utf8'), wanted);
});

const validate = new Ajv({ strict: false }).compile(projectSchema);

/** What stands in a project file, and who says that something is wrong with it. */
const sayings: readonly (readonly [text: string, saidBy: 'nobody' | 'schema' | 'reader'])[] = [
  ['{}', 'nobody'],
  ['{ "cooldownDays": 7.0 }', 'nobody'],
  ['{ "cooldownDays": 7.5 }', 'schema'],
  ['{ "cooldownDays": 366 }', 'schema'],
  ['{ "cooldownDays": "7" }', 'schema'],
  ['{ "baseUrl": "https://insights.example" }', 'schema'],
  ['{ "ignores": {} }', 'schema'],
  ['{ "ignores": [{ "id": "deprecated" }] }', 'schema'],
  ['{ "ignores": [{ "id": "deprecated", "reason": "" }] }', 'schema'],
  ['{ "ignores": [{ "id": "deprecated", "reason": " " }] }', 'reader'],
  ['{ "ignores": [{ "id": "deprecated", "reason": "old", "until": "soon" }] }', 'schema'],
  ['{ "ignores": [{ "id": "deprecated", "reason": "old", "until": "2027-02-30" }] }', 'reader'],
  ['{ "licenses": { "unknown": "maybe" } }', 'schema'],
  ['{ "licenses": { "runtimeOnly": "yes" } }', 'schema'],
  ['{ "licenses": { "deny": ["GPL3"] } }', 'reader'],
  ['{ "licenses": { "exceptions": [{ "package": "lodash", "reason": "old" }] } }', 'reader'],
  ['{ "severity": { "advisory": "fatal" } }', 'schema'],
  ['{ "failOn": ["advisory:x"] }', 'schema'],
];

for (const [text, saidBy] of sayings) {
  test(`${text}: ${saidBy} says what is wrong`, () => {
    const { problems } = readProjectFile('file:///p', text);
    assert.deepEqual(
      problems.map((it) => (it.bySchema ? 'schema' : 'reader')),
      saidBy === 'nobody' ? [] : [saidBy],
    );
    assert.equal(validate(JSON.parse(text)), saidBy !== 'schema');
  });
}

const words: readonly (readonly [string, System, string, boolean])[] = [
  ['lodash', 'NPM', 'lodash', true],
  ['Lodash', 'NPM', 'lodash', false],
  ['npm/lodash', 'NPM', 'lodash', true],
  ['npm/lodash', 'PYPI', 'lodash', false],
  ['pkg:npm/lodash', 'NPM', 'lodash', true],
  ['@babel/core', 'NPM', '@babel/core', true],
  ['npm/@babel/core', 'NPM', '@babel/core', true],
  ['pkg:npm/%40babel/core', 'NPM', '@babel/core', true],
  ['core', 'NPM', '@babel/core', false],
  ['Foo_.Bar', 'PYPI', 'foo-bar', true],
  ['pypi/Foo_.Bar', 'PYPI', 'foo-bar', true],
  ['org.yaml:snakeyaml', 'MAVEN', 'org.yaml:snakeyaml', true],
  ['maven/org.yaml:snakeyaml', 'MAVEN', 'org.yaml:snakeyaml', true],
  ['pkg:maven/org.yaml/snakeyaml', 'MAVEN', 'org.yaml:snakeyaml', true],
  ['golang/github.com/a/b', 'GO', 'github.com/a/b', true],
  ['nuget/Newtonsoft.Json', 'NUGET', 'newtonsoft.json', true],
];

for (const [word, system, name, expected] of words) {
  test(`${word} ${expected ? 'means' : 'does not mean'} ${name} of ${system}`, () => {
    assert.equal(matchesPackage(word, { system, name }), expected);
  });
}
