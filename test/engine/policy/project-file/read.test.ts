import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import type { System } from '../../../../server/src/engine/model/system.ts';
import { matchesPackage, scopePattern } from '../../../../server/src/engine/policy/package-patterns.ts';
import { expiredIgnores, readProjectFile } from '../../../../server/src/engine/policy/project-file.ts';
import { projectSchema } from '../../../../server/src/engine/policy/project-schema.ts';
import { expectPicture, paint, readPictures } from '../../../harness/picture.ts';

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

test('a list of private packages that cannot be read makes every package private, however it is written', () => {
  const unclear = (text: string): boolean =>
    readProjectFile('file:///p', text).project.privatePackages.some((it) => it.isUnclear && it.pattern === '*');
  for (const text of [
    '{ private: ["npm/@acme/*"] }',
    "{ 'private': ['npm/@acme/*'] }",
    '{ private = ["npm/@acme/*"] }',
    'private:\n  - npm/@acme/*\n',
    '[{ "private": ["npm/@acme/*"] }]',
    '{ "Private": ["npm/@acme/*"] }',
  ]) {
    assert.equal(unclear(text), true, text);
  }
  assert.equal(unclear('{ "private": ["npm/@acme/*"] }'), false);
  assert.equal(unclear('{ "allowPrivate": true'), false);
  assert.equal(unclear('{ "cooldownDays": 7'), false);
});

test('a private pattern that no package can match is a problem with the form that was meant, and closes', () => {
  for (const [pattern, meant] of [
    ['npm:@acme/*', 'npm/@acme/*'],
    ['go/git.acme.example/*', 'golang/git.acme.example/*'],
    ['pip:acme-*', 'pypi/acme-*'],
    ['maven:com.acme:*', 'maven/com.acme:*'],
    ['gradle:com.acme:*', 'maven/com.acme:*'],
    ['maven/com.acme', 'maven/com.acme:*'],
    ['@acme', '@acme/*'],
    ['npm/@acme', 'npm/@acme/*'],
    ['npm/@acme/ui@1.0.0', 'npm/@acme/ui'],
    ['npm/acme ui', undefined],
    ['https://npm.acme.example/', undefined],
  ] as const) {
    const { project, problems } = readProjectFile('file:///p', JSON.stringify({ private: [pattern] }));
    assert.equal(project.privatePackages[0]?.isUnclear, true, pattern);
    const said = problems.map((it) => it.message).join('\n');
    assert.ok(said.includes(meant === undefined ? 'matches no package. Examples:' : `Did you mean “${meant}”?`), said);
  }
  for (const pattern of [
    '*',
    '@acme/*',
    '@acme*',
    'lodash',
    'npm/*',
    'npm/@acme/*',
    'pkg:npm/%40acme/ui',
    'npm/acme-*',
    'com.acme:*',
    'maven:maven-plugin',
    'maven/com.acme:*',
    'maven/com.acme.*',
    'maven/com.acme/lib',
    'golang/git.acme.example/*',
    'git.acme.example/team/*',
    'acme/lib',
    'nuget/Acme.*',
    'pypi/acme_*',
    'cargo/acme-?',
    'npm/@acme/[ab]*',
  ]) {
    const { project, problems } = readProjectFile('file:///p', JSON.stringify({ private: [pattern] }));
    assert.deepEqual([problems, project.privatePackages[0]?.pattern], [[], pattern]);
  }
});

test('editors read the very schema that the reader goes by', () => {
  const file = join(import.meta.dirname, '..', '..', '..', '..', 'schemas', 'project-file.json');
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
  ['@acme/*', 'NPM', '@acme/ui', true],
  ['@acme/*', 'NPM', '@acme-labs/ui', false],
  ['@acme/*', 'NPM', 'acme', false],
  ['npm/@acme/*', 'NPM', '@acme/ui', true],
  ['pkg:npm/%40acme/*', 'NPM', '@acme/ui', true],
  ['npm/*', 'NPM', 'lodash', true],
  ['npm/*', 'PYPI', 'lodash', false],
  ['com.acme:*', 'MAVEN', 'com.acme:app', true],
  ['com.acme:*', 'MAVEN', 'com.acme.shop:app', false],
  ['com.acme.*', 'MAVEN', 'com.acme.shop:app', true],
  ['maven/com.acme:*-api', 'MAVEN', 'com.acme:shop-api', true],
  ['maven/com.acme:*-api', 'MAVEN', 'com.acme:shop', false],
  ['pkg:maven/com.acme/*', 'MAVEN', 'com.acme:app', true],
  ['golang/git.acme.example/team/*', 'GO', 'git.acme.example/team/lib/v2', true],
  ['golang/git.acme.example/team/*', 'GO', 'git.acme.example/teams/lib', false],
  ['nuget/Acme.*', 'NUGET', 'acme.core', true],
  ['nuget/Acme.*', 'NUGET', 'acmecore', false],
  ['pypi/Acme_*', 'PYPI', 'acme-core', true],
  ['*', 'CARGO', 'serde', true],
];

for (const [word, system, name, expected] of words) {
  test(`${word} ${expected ? 'means' : 'does not mean'} ${name} of ${system}`, () => {
    assert.equal(matchesPackage(word, { system, name }), expected);
  });
}

const scopes: readonly (readonly [System, name: string, pattern: string])[] = [
  ['NPM', '@acme/ui', 'npm/@acme/*'],
  ['NPM', 'acme-ui', 'npm/acme-ui'],
  ['MAVEN', 'com.acme:app', 'maven/com.acme:*'],
  ['GO', 'git.acme.example/team/lib/v2', 'golang/git.acme.example/team/*'],
  ['GO', 'git.acme.example/lib', 'golang/git.acme.example/lib'],
  ['NUGET', 'Acme.Core.Json', 'nuget/Acme.*'],
  ['NUGET', 'AcmeCore', 'nuget/AcmeCore'],
  ['PYPI', 'acme-core', 'pypi/acme-core'],
  ['CARGO', 'acme', 'cargo/acme'],
];

for (const [system, name, pattern] of scopes) {
  test(`the scope of ${name} is ${pattern}, and the pattern means it`, () => {
    assert.equal(scopePattern({ system, name }), pattern);
    assert.equal(matchesPackage(pattern, { system, name }), true);
  });
}

const unclear: readonly (readonly [text: string, patterns: readonly string[]])[] = [
  ['{}', []],
  ['{ "private": [] }', []],
  ['{ "private": ["npm/@acme/*", " com.acme:* "] }', ['npm/@acme/*', 'com.acme:*']],
  ['{ "private": ["npm/@acme/*"], "private": ["com.acme:*"] }', ['npm/@acme/*', 'com.acme:*']],
  ['{ "private": "npm/@acme/*" }', ['*']],
  ['{ "private": null }', ['*']],
  ['{ "private": ["npm/@acme/*", 7] }', ['npm/@acme/*', '*']],
  ['{ "private": ["npm/@acme/*", ""] }', ['npm/@acme/*', '*']],
  ['{ "private": ', ['*']],
  ['{ "private": ["npm/@acme/*" "com.acme:*"', ['*', 'npm/@acme/*', 'com.acme:*']],
  ['{ "ignores": [ } ] } "private"', ['*']],
  ['{ "ignores": [', []],
];

for (const [text, patterns] of unclear) {
  test(`${text} keeps ${patterns.join(', ') || 'nothing'} private`, () => {
    const { project } = readProjectFile('file:///p', text);
    const found = [...new Set(project.privatePackages.map((it) => it.pattern))];
    assert.deepEqual(found, patterns);
  });
}

test('a file that is too long to be read keeps everything private', () => {
  const { project } = readProjectFile('file:///p', ' '.repeat(1_000_001));
  assert.deepEqual(
    project.privatePackages.map((it) => it.pattern),
    ['*'],
  );
});
