import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluateDependency } from '../../../server/src/engine/analysis/evaluate/dependency.ts';
import { EvaluationCache } from '../../../server/src/engine/analysis/evaluate/evaluation-cache.ts';
import { noUpdatePolicy } from '../../../server/src/engine/analysis/evaluate/update-policy.ts';
import type { LinkedDependency } from '../../../server/src/engine/model/evaluated-dependency.ts';
import type { Insight, VersionFacts } from '../../../server/src/engine/model/facts.ts';
import { projectOf } from '../../../server/src/engine/model/signals/project.ts';
import {
  type CodeHost,
  hostBehind,
  isRepositoryId,
  type RepositoryFacts,
  repositoryOf,
} from '../../../server/src/engine/model/signals/repository.ts';
import { knowingNothing } from '../../harness/knowing-nothing.ts';

const facts: VersionFacts = {
  key: { system: 'NPM', name: 'request', version: '1.0.0' },
  ...{ version: '1.0.0', purl: 'pkg:npm/request@1.0.0', isDefault: true, isDeprecated: false },
  ...{ licenses: [], licenseDetails: [], advisories: [], registries: [], upstream: [], links: [], provenances: [] },
  projects: [{ id: 'code.example/request/request', provenance: 'UNVERIFIED_METADATA', type: 'SOURCE_REPO' }],
};

function linked(isRecorded = false): LinkedDependency {
  const span = { start: 0, end: 5 };
  const key = { system: 'NPM', name: 'request' } as const;
  const dependency = { key, name: 'request', nameSpan: span, requirement: { kind: 'none' }, scope: 'runtime' } as const;
  const requirement = { kind: 'text', text: '1.0.0', via: [] } as const;
  return { dependency, uri: 'file:///package.json', key, span, requirement, ...(isRecorded && { isRecorded }) };
}

function insightsWith(codeHost: CodeHost | undefined, repository: Insight<RepositoryFacts> = { state: 'pending' }) {
  return knowingNothing({
    version: () => ({ state: 'ready', value: facts, at: 0 }),
    codeHost: () => codeHost,
    repository: () => repository,
  });
}

const host = 'code.example';
const wantedBy = (codeHost: CodeHost | undefined, isRecorded = false): unknown[] =>
  evaluateDependency(linked(isRecorded), undefined, insightsWith(codeHost), true).wanted.filter(
    (it) => it.kind === 'repository',
  );

test('with a credential, the repository of a declared dependency is wanted', () => {
  assert.deepEqual(wantedBy({ host, looksAhead: true }), [{ kind: 'repository', id: 'request/request' }]);
});

test('it is not wanted without one, nor of an entry of a lockfile, nor of another host, nor without a code host', () => {
  assert.deepEqual(wantedBy({ host, looksAhead: false }), []);
  assert.deepEqual(wantedBy({ host, looksAhead: true }, true), []);
  assert.deepEqual(wantedBy({ host: 'other.example', looksAhead: true }), []);
  assert.deepEqual(wantedBy(undefined), []);
});

test('a kept evaluation is made anew when a code host is connected, and when its answer arrives', () => {
  let codeHost: CodeHost | undefined;
  let repository: Insight<RepositoryFacts> = { state: 'pending' };
  let revision = 0;
  const insights = knowingNothing({
    version: () => ready,
    codeHost: () => codeHost,
    repository: () => repository,
    revision: () => revision,
  });
  const ready = { state: 'ready', value: facts, at: 0 } as const;
  const cache = new EvaluationCache(insights);
  const dependency = linked();
  const evaluate = () => cache.evaluate(dependency, undefined, true, noUpdatePolicy).evaluated.repository;
  assert.equal(evaluate(), undefined);
  codeHost = { host, looksAhead: true };
  revision++;
  assert.equal(evaluate()?.facts.state, 'pending');
  repository = { state: 'unknown', at: 0 };
  revision++;
  assert.equal(evaluate()?.facts.state, 'unknown');
  codeHost = undefined;
  revision++;
  assert.equal(evaluate(), undefined);
});

test('the address of a code host names the host of its repositories', () => {
  const hosts: readonly (readonly [string, string | undefined])[] = [
    ['https://api.github.com', 'github.com'],
    ['https://api.github.com/', 'github.com'],
    ['https://api.team.code.example', 'team.code.example'],
    ['https://code.example/api/v3', 'code.example'],
    ['https://code.example:8443/api/v3', 'code.example:8443'],
    ['http://127.0.0.1:8080/code-host/github.com', 'github.com'],
    ['http://[::1]:8080/github.com', 'github.com'],
    ['http://127.0.0.1:8080', undefined],
    ['http://127.0.0.1:8080/code-host', undefined],
    ['https://code.example', undefined],
    ['https://api.localhost', undefined],
    ['', undefined],
  ];
  for (const [address, expected] of hosts) assert.equal(hostBehind(address), expected, address);
});

// Source: the contract, relationProvenance.
test('of the related projects the surest counts, an unknown kind among the verified only by its name', () => {
  const order = [
    'SLSA_ATTESTATION',
    'GO_ORIGIN',
    'PYPI_PUBLISH_ATTESTATION',
    'RUBYGEMS_PUBLISH_ATTESTATION',
    'SOME_NEW_ATTESTATION',
    'UNVERIFIED_METADATA',
    'ATTESTATION_OF_NOTHING',
  ];
  for (const [index, surer] of order.entries()) {
    for (const other of order.slice(index + 1)) {
      const projects = [other, surer].map((provenance) => ({
        id: `code.example/a/${provenance.toLowerCase()}`,
        provenance,
        type: 'SOURCE_REPO',
      }));
      assert.equal(projectOf({ ...facts, projects })?.provenance, surer, `${surer} and ${other}`);
      assert.equal(repositoryOf({ ...facts, projects }, host)?.provenance, surer, `${surer} and ${other}`);
    }
  }
});

test('the most certain of the repositories that a version names counts', () => {
  const project = (id: string, provenance: string, type = 'SOURCE_REPO') => ({ id, provenance, type });
  const attested = {
    type: '',
    sourceRepository: 'https://code.example/a/attested',
    commit: '',
    url: '',
    verified: true,
  };
  const links = [{ label: 'SOURCE_REPO', url: 'git+ssh://git@code.example/A/Linked.git' }];
  const cases: readonly (readonly [Partial<VersionFacts>, string | undefined])[] = [
    [{ projects: [], links }, 'a/linked'],
    [{ projects: [project('code.example/a/b', 'UNVERIFIED_METADATA')], links }, 'a/b'],
    [
      { projects: [project('code.example/a/b', 'UNVERIFIED_METADATA'), project('code.example/a/c', 'GO_ORIGIN')] },
      'a/c',
    ],
    [{ projects: [project('code.example/a/c', 'GO_ORIGIN')], provenances: [attested] }, 'a/attested'],
    [{ projects: [project('code.example/a/c', 'NEWER_KIND'), project('code.example/a/d', 'GO_ORIGIN')] }, 'a/d'],
    [{ projects: [], provenances: [{ ...attested, verified: false }] }, undefined],
    [
      { projects: [], provenances: [{ ...attested, type: 'https://docs.example/attestations/publish/v1' }], links },
      'a/attested',
    ],
    [
      {
        projects: [
          project('code.example/a/b', 'NEWER_ATTESTATION'),
          project('code.example/a/c', 'UNVERIFIED_METADATA'),
        ],
      },
      'a/b',
    ],
    [{ projects: [project('code.example/a/b', 'UNVERIFIED_METADATA', 'ISSUE_TRACKER')] }, undefined],
    [{ projects: [project('code.example.evil/a/b', 'SLSA_ATTESTATION')] }, undefined],
    [{ projects: [project('', 'SLSA_ATTESTATION'), project('code.example/a', 'SLSA_ATTESTATION')] }, undefined],
    [{ projects: [project('code.example/a/..', 'SLSA_ATTESTATION')] }, undefined],
    [{ projects: [], links: [{ label: 'HOMEPAGE', url: 'https://code.example/a/b' }] }, undefined],
  ];
  for (const [given, expected] of cases) {
    assert.equal(repositoryOf({ ...facts, ...given }, host)?.id, expected, JSON.stringify(given));
  }
});

test('only names that can be part of a path are repositories', () => {
  for (const it of ['a/b', 'lodash/lodash.js', 'a-b_c/d_e.f-g', 'user_corp/x']) assert.ok(isRepositoryId(it), it);
  for (const it of ['', 'a', 'a/', '/b', 'a/b/c', 'a/.', 'a/..', '../b', 'a/b?c', 'a/b#c', 'a/%62', 'a b/c', 'A/b'])
    assert.ok(!isRepositoryId(it), it);
});
