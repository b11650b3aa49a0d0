import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadPom } from '../../../server/src/engine/analysis/link/inheritance.ts';
import { publishedPom } from '../../../server/src/engine/ecosystems/maven/published-pom.ts';
import { readRequirements } from '../../../server/src/engine/facts/service/read-requirements.ts';
import type { Pom, RequirementGroup } from '../../../server/src/engine/lookup/requirement-group.ts';
import { groupsOf } from '../../../server/src/engine/lookup/requirement-groups.ts';
import { requirementsOf } from '../../../server/src/engine/lookup/requirements.ts';
import type { EffectiveRequirement } from '../../../server/src/engine/model/evaluated-dependency.ts';
import type { VersionKey } from '../../../server/src/engine/model/keys.ts';
import type { Lookup, Lookups, Requirements } from '../../../server/src/engine/model/lookups.ts';

/** What the groups look like: a line for each, entries below it. */
function paint(groups: readonly RequirementGroup[]): string {
  return groups
    .flatMap(({ name, scope, entries }) => [
      `${name || '(any)'} [${scope}]`,
      ...entries.map((it) => `  ${[it.key.name, said(it.effective), ...it.notes].join(' | ')}`),
    ])
    .join('\n');
}

function said(asked: EffectiveRequirement): string {
  switch (asked.kind) {
    case 'text':
      return asked.text || '(anything)';
    case 'any':
      return '(anything)';
    case 'source':
      return `(${asked.source})`;
    case 'pending':
      return '(pending)';
    case 'unresolved':
      return `(${asked.reason})`;
  }
}

const key = (system: VersionKey['system'], name: string, version = '1.0.0'): VersionKey => ({ system, name, version });

const nothing: ReadPom = () => ({ kind: 'pending' });

const npm = readRequirements({
  npm: {
    dependencies: {
      dependencies: [
        { name: 'a', requirement: '^1.0.0' },
        { name: 'b', requirement: 'npm:other@~2.0' },
        { name: 'c', requirement: 'git+https://git.example/c.git' },
        { name: 'd', requirement: '' },
      ],
      devDependencies: [{ name: 'e', requirement: 'catalog:' }],
      peerDependencies: [{ name: 'p', requirement: '>=1' }],
      optionalDependencies: [],
      bundleDependencies: ['a'],
    },
    bundled: [],
  },
});

test('npm: groups by what package.json calls them, aliases by what they mean', () => {
  assert.equal(
    paint(groupsOf(key('NPM', 'x'), npm, nothing)),
    `dependencies [runtime]
  a | ^1.0.0
  other | ~2.0 | known as b
  c | (git)
  d | (anything)
peerDependencies [peer]
  p | >=1
bundleDependencies [bundled]
  a | ^1.0.0
devDependencies [dev]
  e | (only its publisher knows it)`,
  );
});

test('NuGet: groups by framework', () => {
  const declared = readRequirements({
    nuget: {
      dependencyGroups: [
        { targetFramework: '', dependencies: [{ name: 'a', requirement: '[1.0.0, )' }] },
        { targetFramework: 'net8.0', dependencies: [] },
        { targetFramework: 'net6.0', dependencies: [{ name: 'b', requirement: '1.0' }] },
      ],
    },
  });
  assert.equal(
    paint(groupsOf(key('NUGET', 'x'), declared, nothing)),
    `(any) [runtime]
  a | [1.0.0, )
net6.0 [runtime]
  b | 1.0`,
  );
});

const maven = (fields: object): Pom['declared'] => {
  const read = readRequirements({ maven: fields });
  assert.equal(read.system, 'MAVEN');
  return read as Pom['declared'];
};
const child = maven({
  parent: { name: 'g:parent', version: '9' },
  properties: [
    { name: 'own', value: '1.1' },
    { name: 'round', value: '${round}' },
  ],
  dependencies: [
    { name: 'g:a', version: '${own}', scope: '', type: 'jar' },
    { name: '${project.groupId}:b', version: '${project.version}', optional: 'true' },
    { name: 'g:managed', version: '', exclusions: ['x:y'] },
    { name: 'g:lost', version: '' },
    { name: 'g:odd', version: '${nowhere}', classifier: 'linux' },
    { name: 'g:round', version: '${round}' },
    { name: 'g:t', version: '2', scope: 'test' },
  ],
  profiles: [{ id: 'ci', dependencies: [{ name: 'g:p', version: '3' }] }],
});
const parent = maven({
  properties: [{ name: 'own', value: '0' }],
  dependencyManagement: [{ name: 'g:managed', version: '${project.version}.7', scope: 'runtime' }],
});

test('Maven: groups by scope, with the properties of the POM itself before those of its parent', () => {
  const groups = groupsOf(key('MAVEN', 'g:x', '5'), child, () => publishedPom(key('MAVEN', 'g:parent', '9'), parent));
  assert.equal(
    paint(groups),
    `parent [parent]
  g:parent | 9
compile [runtime]
  g:a | 1.1
  g:b | 5 | optional
  g:lost | (no definition found for dependencyManagement)
  g:odd | (no definition found for \${nowhere}) | linux
  g:round | (\${round} refers to itself)
runtime [runtime]
  g:managed | 5.7 | without x:y
test [dev]
  g:t | 2
profile ci: compile [optional]
  g:p | 3`,
  );
});

/** Answers from a table, and writes down what was asked. */
function lookupsOf(all: Readonly<Record<string, Requirements>>): {
  readonly lookups: Lookups;
  readonly asked: string[];
} {
  const asked: string[] = [];
  const never = (): never => assert.fail('not asked for');
  const requirements = async ({ name, version }: VersionKey): Promise<Lookup<Requirements>> => {
    asked.push(`${name}@${version}`);
    const value = all[`${name}@${version}`];
    return value ? { kind: 'found', value } : { kind: 'unknown' };
  };
  return { lookups: { requirements, knownRequirements: never, query: never, purl: never }, asked };
}

const { signal } = new AbortController();

test('Maven: parents are followed, each once', async () => {
  const circle = maven({ parent: { name: 'g:x', version: '5' }, properties: [{ name: 'nowhere', value: '8' }] });
  const { lookups, asked } = lookupsOf({ 'g:x@5': child, 'g:parent@9': circle });
  const required = await requirementsOf(key('MAVEN', 'g:x', '5'), lookups, signal);
  assert.equal(required.kind, 'found');
  assert.match(paint(required.groups), /g:odd \| 8/);
  assert.deepEqual(asked, ['g:x@5', 'g:parent@9']);
});

test('Maven: an unknown parent leaves open what it might define', async () => {
  const { lookups } = lookupsOf({ 'g:x@5': child });
  const required = await requirementsOf(key('MAVEN', 'g:x', '5'), lookups, signal);
  assert.equal(required.kind, 'found');
  assert.match(paint(required.groups), /g:managed \| \(.*; g:parent 9 is unknown to the service\)/);
});

test('Maven: management tells artifacts of one name apart, and says scopes', () => {
  const declared = maven({
    dependencies: [
      { name: 'g:a', version: '' },
      { name: 'g:a', version: '', type: 'test-jar' },
      { name: 'g:b', version: '4' },
    ],
    dependencyManagement: [
      { name: 'g:a', version: '1', type: 'test-jar', scope: 'test' },
      { name: 'g:a', version: '2' },
      { name: 'g:b', version: '3', scope: 'provided' },
    ],
  });
  const [compile, provided, test] = groupsOf(key('MAVEN', 'g:x'), declared, nothing);
  assert.equal(
    paint([compile, provided, test].flatMap((it) => it ?? [])),
    `compile [runtime]
  g:a | 2
provided [build]
  g:b | 4
test [dev]
  g:a | 1 | test-jar`,
  );
});

test('what the service does not know of a version is unknown, whatever its system', async () => {
  const { lookups } = lookupsOf({});
  for (const system of ['GO', 'PYPI', 'CARGO', 'NPM'] as const)
    assert.equal((await requirementsOf(key(system, 'x'), lookups, signal)).kind, 'unknown');
});

test('Python: what is always required, then what each extra adds', () => {
  const declared = readRequirements({
    pypi: {
      dependencies: [
        { projectName: 'orjson', versionSpecifier: '>=3', environmentMarker: "extra == 'fast'" },
        { projectName: 'requests', extras: 'socks', versionSpecifier: '', environmentMarker: 'python_version < "3.9"' },
      ],
    },
  });
  assert.equal(
    paint(groupsOf(key('PYPI', 'x'), declared, nothing)),
    `dependencies [runtime]
  requests | (anything) | python_version < "3.9"
extra fast [optional]
  orjson | >=3 | extra == 'fast'`,
  );
});

test('Cargo: by the purpose, with what is renamed, optional and for some targets', () => {
  const declared = readRequirements({
    cargo: {
      dependencies: [
        { name: 'tokio', requirement: '^1', kind: 'normal', packageAlias: 'rt', optional: true, target: 'cfg(unix)' },
        { name: 'criterion', requirement: '^0.5', kind: 'DEV' },
        { name: 'cc', requirement: '^1', kind: 'build' },
      ],
    },
  });
  assert.equal(
    paint(groupsOf(key('CARGO', 'x'), declared, nothing)),
    `dependencies [runtime]
  tokio | ^1 | known as rt | optional | cfg(unix)
build-dependencies [build]
  cc | ^1
dev-dependencies [dev]
  criterion | ^0.5`,
  );
});

test('Go: direct and indirect requirements', () => {
  const declared = readRequirements({
    go: {
      directDependencies: [{ name: 'example.com/one', requirement: 'v1.2.0' }],
      indirectDependencies: [{ name: 'example.com/two', requirement: 'v0.1.0' }],
    },
  });
  assert.equal(
    paint(groupsOf(key('GO', 'x'), declared, nothing)),
    `require [runtime]
  example.com/one | v1.2.0
indirect [runtime]
  example.com/two | v0.1.0`,
  );
});

test('properties that double at each step, and texts without end, come to a bounded value', () => {
  const properties = Array.from({ length: 50 }, (_, at) => ({
    name: `p${at}`,
    value: `\${p${at + 1}}\${p${at + 1}}x`.repeat(30),
  }));
  const dependencies = [
    { name: 'g:a', version: '${p0}' },
    { name: 'g:b', version: '${'.repeat(1_000_000) },
  ];
  const groups = groupsOf(key('MAVEN', 'g:x'), maven({ properties, dependencies }), nothing);
  const lengths = groups.flatMap((it) => it.entries.map(({ requirement }) => requirement.length));
  assert.equal(lengths.length, 2);
  assert.ok(Math.max(...lengths) <= 1000);
});

test('Maven: imported BOMs say versions, and are asked for only where some are missing', async () => {
  const named = (name: string, version = ''): object => ({ name, version });
  const bom = (name: string): object => ({ name, version: '1', type: 'pom', scope: 'import' });
  const { lookups, asked } = lookupsOf({
    'g:x@5': maven({
      parent: { name: 'g:parent', version: '9' },
      dependencies: [named('g:a'), named('g:b'), named('g:c')],
    }),
    'g:parent@9': maven({ dependencyManagement: [named('g:a', '1.0'), bom('g:one'), bom('g:two')] }),
    'g:one@1': maven({ dependencyManagement: [bom('g:one'), bom('g:three')] }),
    'g:two@1': maven({ dependencyManagement: [named('g:b', '2')] }),
    'g:three@1': maven({ properties: [{ name: 'v', value: '3' }], dependencyManagement: [named('g:b', '${v}')] }),
    'g:y@1': maven({ parent: { name: 'g:parent', version: '9' }, dependencies: [named('g:a')] }),
  });
  const required = await requirementsOf(key('MAVEN', 'g:x', '5'), lookups, signal);
  assert.ok(required.kind === 'found');
  assert.deepEqual(
    required.groups.find((it) => it.name === 'compile')?.entries.map((it) => said(it.effective)),
    ['1.0', '3', '(no definition found for dependencyManagement)'],
  );
  assert.deepEqual(asked.splice(0), ['g:x@5', 'g:parent@9', 'g:one@1', 'g:two@1', 'g:three@1']);
  await requirementsOf(key('MAVEN', 'g:y', '1'), lookups, signal);
  assert.deepEqual(asked, ['g:y@1', 'g:parent@9']);
});
