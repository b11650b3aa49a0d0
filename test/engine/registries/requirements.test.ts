import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequirements } from '../../../server/src/engine/facts/service/read-requirements.ts';
import type { Requirements } from '../../../server/src/engine/model/lookups.ts';
import type { RegistryProtocol } from '../../../server/src/engine/model/registries/access.ts';
import { registryClients } from '../../../server/src/engine/registries/clients.ts';
import { requirementsAnswer } from '../../../server/src/service/cached-source.ts';
import { type Answers, questionAt } from './question.ts';

/* What a version requires, as each registry says it. */

const json = (value: unknown): string => JSON.stringify(value);
const nugetIndex = (...types: string[]) =>
  json({ resources: types.map((it) => ({ '@id': `https://registry.example/team/${it}/`, '@type': it })) });
const manifest = {
  dependencies: { ms: '^2.0.0', fsevents: '~2.3.2' },
  optionalDependencies: { fsevents: '~2.3.2' },
  devDependencies: { mocha: '10' },
  peerDependencies: { react: '>=17' },
  bundledDependencies: ['ms'],
};
const ofNpm: Requirements = {
  system: 'NPM',
  dependencies: [{ name: 'ms', requirement: '^2.0.0' }],
  optionalDependencies: [{ name: 'fsevents', requirement: '~2.3.2' }],
  devDependencies: [{ name: 'mocha', requirement: '10' }],
  peerDependencies: [{ name: 'react', requirement: '>=17' }],
  bundleDependencies: ['ms'],
  bundled: [],
};
const ofNuget: Requirements = {
  system: 'NUGET',
  groups: [{ targetFramework: 'net8.0', dependencies: [{ name: 'Acme.Text', requirement: '[1.0.0, )' }] }],
};

const cases: readonly (readonly [
  title: string,
  protocol: RegistryProtocol,
  version: string,
  answers: Answers,
  expected: Requirements,
])[] = [
  ['npm, the manifest of one version', 'npm', '1.0.0', { '/core/1.0.0': json(manifest) }, ofNpm],
  [
    'npm, a registry without addresses of versions',
    'npm',
    '1.0.0',
    { '/core': json({ versions: { '1.0.0': manifest } }) },
    ofNpm,
  ],
  [
    'PyPI, core metadata',
    'simple-index',
    '1.0',
    {
      '/core/': {
        type: 'application/vnd.pypi.simple.v1+json',
        text: json({
          files: [
            {
              filename: 'core-1.0-py3-none-any.whl',
              url: 'https://registry.example/team/core-1.0.whl',
              'core-metadata': true,
            },
          ],
        }),
      },
      '/core-1.0.whl.metadata': `Metadata-Version: 2.1
Requires-Python: >=3.9
Provides-Extra: fast
Requires-Dist: requests[socks,http2] (>=2.31,<3) ; python_version < "3.12"
Requires-Dist: orjson; extra == 'fast'
Requires-Dist: wheel-house @ https://files.example/wheel-house.whl

Requires-Dist: not-this
`,
    },
    {
      system: 'PYPI',
      dependencies: [
        { name: 'requests', requirement: '>=2.31,<3', extras: 'socks,http2', marker: 'python_version < "3.12"' },
        { name: 'orjson', requirement: '', extras: '', marker: "extra == 'fast'" },
        { name: 'wheel-house', requirement: '', extras: '', marker: '' },
      ],
      extras: ['fast'],
      python: '>=3.9',
    },
  ],
  [
    'Cargo, the line of the version',
    'sparse-index',
    '1.0.0',
    {
      '/co/re/core': [
        { name: 'core', vers: '0.9.0', deps: [{ name: 'old', req: '^1' }] },
        {
          name: 'core',
          vers: '1.0.0',
          deps: [
            {
              name: 'rt',
              package: 'tokio',
              req: '^1.2',
              features: ['net'],
              default_features: false,
              target: 'cfg(unix)',
            },
            { name: 'criterion', req: '^0.5', kind: 'dev', optional: false, default_features: true },
          ],
          features: { default: ['std'] },
          features2: { net: ['dep:rt'] },
        },
      ]
        .map(json)
        .join('\n'),
    },
    {
      system: 'CARGO',
      dependencies: [
        {
          name: 'tokio',
          requirement: '^1.2',
          kind: 'normal',
          optional: false,
          alias: 'rt',
          usesDefaultFeatures: false,
          features: ['net'],
          target: 'cfg(unix)',
        },
        {
          name: 'criterion',
          requirement: '^0.5',
          kind: 'dev',
          optional: false,
          alias: '',
          usesDefaultFeatures: true,
          features: [],
          target: '',
        },
      ],
      features: [
        { name: 'default', implies: ['std'] },
        { name: 'net', implies: ['dep:rt'] },
      ],
    },
  ],
  [
    'NuGet, the nuspec',
    'nuget',
    '1.0',
    {
      '': nugetIndex('PackageBaseAddress/3.0.0', 'RegistrationsBaseUrl/3.6.0'),
      '/PackageBaseAddress/3.0.0/core/1.0.0/core.nuspec': `<package><metadata><dependencies>
        <group targetFramework="net8.0"><dependency id="Acme.Text" version="[1.0.0, )" /></group>
      </dependencies></metadata></package>`,
    },
    ofNuget,
  ],
  [
    'NuGet, a feed without files',
    'nuget',
    '1.0',
    {
      '': nugetIndex('RegistrationsBaseUrl/3.6.0'),
      '/RegistrationsBaseUrl/3.6.0/core/index.json': json({
        items: [
          {
            items: [
              {
                catalogEntry: {
                  version: '1.0.0',
                  dependencyGroups: [
                    { targetFramework: 'net8.0', dependencies: [{ id: 'Acme.Text', range: '[1.0.0, )' }] },
                  ],
                },
              },
            ],
          },
        ],
      }),
    },
    ofNuget,
  ],
  [
    'Go, go.mod',
    'go-proxy',
    'v1.0.0',
    {
      '/core/@v/v1.0.0.mod': `module core
require (
  example.com/one v1.2.0
  example.com/two v0.1.0 // indirect
)
replace example.com/one => ../one
`,
    },
    {
      system: 'GO',
      direct: [{ name: 'example.com/one', requirement: 'v1.2.0' }],
      indirect: [{ name: 'example.com/two', requirement: 'v0.1.0' }],
    },
  ],
];

for (const [title, protocol, version, answers, expected] of cases) {
  test(title, async () => {
    const { requirements } = registryClients[protocol];
    const answer = await requirements?.(questionAt(protocol, 'core', answers), version);
    assert.deepEqual(answer, { kind: 'found', value: expected });
    // What a service answers with it is read as the same.
    assert.deepEqual(readRequirements(JSON.parse(JSON.stringify(requirementsAnswer(expected)))), expected);
  });

  test(`${title}: a version that is not there`, async () => {
    const { requirements } = registryClients[protocol];
    const answer = await requirements?.(questionAt(protocol, 'core', answers), '7.0.0');
    assert.equal(answer?.kind, 'absent');
  });
}

/** Pages that a gateway, a login or a cut answer put in the place of anything. */
const noAnswers = ['<html><body>Sign in</body></html>', '', '{"name":', '[]', 'oops'];

for (const [protocol, version, answers] of [
  ['npm', '1.0.0', (text: string) => ({ '/core/1.0.0': text, '/core': text })],
  [
    'simple-index',
    '1.0',
    (text: string) => ({
      '/core/': {
        type: 'application/vnd.pypi.simple.v1+json',
        text: json({ files: [{ filename: 'core-1.0-py3-none-any.whl', url: 'core.whl', 'core-metadata': true }] }),
      },
      '/core/core.whl.metadata': text,
    }),
  ],
  ['sparse-index', '1.0.0', (text: string) => ({ '/co/re/core': text })],
  [
    'nuget',
    '1.0.0',
    (text: string) => ({
      '': nugetIndex('PackageBaseAddress/3.0.0'),
      '/PackageBaseAddress/3.0.0/core/1.0.0/core.nuspec': text,
    }),
  ],
  ['go-proxy', 'v1.0.0', (text: string) => ({ '/core/@v/v1.0.0.mod': text })],
] as const) {
  for (const text of noAnswers) {
    test(`what is no answer requires not nothing: ${protocol}, ${json(text)}`, async () => {
      const { requirements } = registryClients[protocol];
      const answer = await requirements?.(questionAt(protocol, 'core', answers(text) as Answers), version);
      assert.equal(answer?.kind, protocol === 'sparse-index' && text === '' ? 'absent' : 'failed');
    });
  }
}

test('the lines of another crate say nothing of one', async () => {
  const { requirements } = registryClients['sparse-index'];
  const text = json({ name: 'other', vers: '1.0.0', deps: [{ name: 'rt', req: '^1' }] });
  const answer = await requirements?.(questionAt('sparse-index', 'core', { '/co/re/core': text }), '1.0.0');
  assert.equal(answer?.kind, 'absent');
});

test('a go.mod of megabytes is not taken apart', async () => {
  const question = questionAt('go-proxy', 'core', { '/core/@v/v1.0.0.mod': `module core\n${'['.repeat(8_000_000)}` });
  const before = process.memoryUsage().heapUsed;
  assert.equal((await registryClients['go-proxy'].requirements?.(question, 'v1.0.0'))?.kind, 'failed');
  assert.ok(process.memoryUsage().heapUsed - before < 200_000_000);
});
