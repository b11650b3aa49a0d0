import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLookalike } from '../../../server/src/engine/analysis/similar-names.ts';
import { openLab } from '../../harness/lab.ts';
import type { InlineCatalog } from '../../harness/service.ts';

const source = (id: string) => [
  { projectKey: { id }, relationProvenance: 'UNVERIFIED_METADATA', relationType: 'SOURCE_REPO' },
];
const catalog: InlineCatalog = {
  'NPM lodash': { versions: { '4.17.21': { isDefault: true, relatedProjects: source('code.example/lodash/lodash') } } },
  'NPM @acme/secret': {
    versions: { '1.0.0': { isDefault: true, relatedProjects: source('code.example/acme/secret') } },
  },
  'NPM hidden': { versions: { '1.0.0': { isDefault: true, relatedProjects: source('code.example/acme/hidden') } } },
  'project code.example/lodash/lodash': { starsCount: 1 },
};
const files = new Map([
  [
    'package.json',
    JSON.stringify({ dependencies: { lodash: '4.17.21', '@acme/secret': '1.0.0', hidden: '1.0.0', gone: '1.0.0' } }),
  ],
  ['.npmrc', '@acme:registry=https://npm.acme.example/'],
  ['.package-insights.json', JSON.stringify({ private: ['npm/hidden'] })],
]);

/** What is sent besides versions and lists of them. */
async function sent(chosen: object): Promise<string[]> {
  const lab = await openLab(files, catalog, chosen);
  await lab.settled('package.json');
  const paths = lab.requests().map((it) => decodeURIComponent(it.path));
  await lab.close();
  return paths.filter((it) => /projects|similarly/.test(it)).sort();
}

test('no project and no similar name is requested unless a person chooses it', async () => {
  assert.deepEqual(await sent({}), []);
  assert.deepEqual(await sent({ similarNames: 'lockfile', minScore: 5 }), []);
  assert.deepEqual(await sent({ projectScores: 'yes', similarNames: 'all' }), []);
});

test('they are requested for packages that were looked up, and never for private or unknown ones', async () => {
  assert.deepEqual(await sent({ projectScores: true, similarNames: 'service' }), [
    '/v3alpha/projects/code.example/lodash/lodash',
    '/v3alpha/systems/NPM/packages/lodash:similarlyNamedPackages',
  ]);
});

test('names are alike by one mistake in one part', () => {
  const alike = [
    'lodahs lodash',
    'crossenv cross-env',
    '@type/node @types/node',
    '@types/nodee @types/node',
    'expres express',
  ];
  const different = [
    'lodash lodash',
    'boto boto3',
    'qs qss',
    'preact reacts',
    '@a/core @b/core',
    'example.com/a/v2 example.com/a/v3',
    '@acme/utils acme-utils',
  ];
  for (const [names, isAlike] of [
    ...alike.map((it) => [it, true] as const),
    ...different.map((it) => [it, false] as const),
  ]) {
    const [a = '', b = ''] = names.split(' ');
    assert.deepEqual([isLookalike(a, b), isLookalike(b, a)], [isAlike, isAlike], names);
  }
});
