import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { System } from '../../server/src/engine/model/system.ts';
import { createCatalog } from '../../server/src/service/catalog/catalog.ts';
import { loadCatalog } from '../../server/src/service/catalog/load.ts';
import type { AdvisoryRecord, PackageRecord, VersionFields } from '../../server/src/service/catalog/record.ts';
import { catalogDirectory } from '../harness/service.ts';
import { checkCatalog } from '../tools/check-catalog.ts';
import { isLicense } from '../tools/spdx.ts';

const options = { isLicense, now: Date.UTC(2026, 11, 31) };

const embedded = await loadCatalog(catalogDirectory);

test('the embedded catalog is consistent', () => {
  assert.deepEqual(checkCatalog(embedded, options), []);
});

test('the lists of the embedded catalog are whole where a client of the system lists them, and name what exists', () => {
  const isWhole = (system: System, name: string) => embedded.package({ system, name })?.isWhole;
  assert.equal(isWhole('MAVEN', 'io.netty:netty-bom'), true);
  assert.equal(isWhole('NPM', 'react'), true);
  assert.equal(isWhole('NUGET', 'newtonsoft.json'), false);
  assert.equal(isWhole('GO', 'github.com/gin-gonic/gin'), false);
  const other = embedded.version({ system: 'MAVEN', name: 'io.netty:netty-bom', version: '4.1.100.Final' });
  assert.deepEqual(other?.fields, {});
});

function problems(changes: Partial<PackageRecord>, advisories: readonly AdvisoryRecord[] = []): string[] {
  const versions = changes.versions ?? { '1.0.0': {}, '1.1.0': { isDefault: true } };
  const count = Object.keys(versions).length;
  const record: PackageRecord = {
    system: 'NPM',
    name: 'x',
    sources: { registry: 'npm view x, read 2026-11-21' },
    from: ['registry'],
    versions,
    ...(changes.system === undefined && { whole: { by: 'registry', asOf: '2026-11-21', count } }),
    ...changes,
  };
  return checkCatalog(createCatalog([record], advisories), options).map((it) => it.replace(/^NPM x: /, ''));
}

function fieldProblems(fields: VersionFields): string[] {
  return problems({ versions: { '1.0.0': { isDefault: true, ...fields } } });
}

test('a consistent package has no problems', () => assert.deepEqual(problems({}), []));

test('versions stand in order, once each, and at most one is the default', () => {
  assert.deepEqual(problems({ versions: { '1.1.0': { isDefault: true }, '1.0.0': {} } }), ['1.0.0 stands after 1.1.0']);
  const both = { '1.0.0': { isDefault: true }, '1.1.0': { isDefault: true } };
  assert.deepEqual(problems({ versions: both }), ['2 versions are the default']);
  assert.deepEqual(problems({ system: 'NUGET', versions: { '1.0': {}, '1.0.0': {} } }), [
    'NUGET x: 1.0.0 stands after 1.0',
    'NUGET x: 1.0.0 stands there twice',
  ]);
});

test('every fact has a source', () => {
  assert.deepEqual(problems({ from: [] }), ['nothing vouches for it: from is empty']);
  assert.deepEqual(problems({ from: ['registry', 'hearsay'] }), ['hearsay is no source']);
});

const listed = {
  sources: { registry: 'npm view x, read 2026-11-21' },
  whole: { by: 'registry', asOf: '2026-11-21', count: 2 },
};

test('a list that says that it is whole shows who listed how many versions, and when', () => {
  assert.deepEqual(problems(listed), []);
  const { whole } = listed;
  assert.deepEqual(problems({ ...listed, others: ['1.2.0'] }), ['3 versions stand here, and 2 were listed']);
  assert.deepEqual(problems({ ...listed, whole: { ...whole, asOf: '2026-11-22' } }), [
    'registry was not read on 2026-11-22',
  ]);
  for (const source of [
    'npm view x, read 2026-11-21; 3 pre-releases left out',
    'npm view x, read 2026-11-21; other versions were not looked at',
  ]) {
    assert.deepEqual(problems({ ...listed, sources: { registry: source } }), ['registry leaves some out'], source);
  }
  const memory = { registry: 'lockfiles in public repositories, read 2026-11-21' };
  assert.deepEqual(problems({ ...listed, sources: memory }), ['registry does not list all versions of NPM']);
  for (const system of ['GO', 'NUGET'] as const) {
    assert.match(problems({ ...listed, system }).join(), /registry does not list all versions/);
  }
});

test('a sample calls no version the default', () => {
  assert.deepEqual(problems({ system: 'NUGET' }), ['NUGET x: the default of a sample is not known']);
});

test('a whole list has what the POMs of the catalog name', () => {
  const source = { metadata: 'maven-metadata through mvn, read 2026-11-22' };
  const parent = { system: 'MAVEN', name: 'a:parent', version: '2' };
  const records: PackageRecord[] = [
    {
      system: 'MAVEN',
      name: 'a:parent',
      sources: source,
      from: ['metadata'],
      versions: { '1': {} },
      whole: { by: 'metadata', asOf: '2026-11-22', count: 1 },
    },
    {
      system: 'MAVEN',
      name: 'a:child',
      sources: { pom: 'its POM' },
      from: ['pom'],
      versions: { '1': { requirements: { maven: { parent } } } },
    },
  ];
  assert.deepEqual(checkCatalog(createCatalog(records, []), options), [
    'MAVEN a:parent: 2 is missing, which a:child names',
  ]);
});

test('of a version whose name alone is confirmed nothing is taken from its neighbours but what a range says', () => {
  const record: PackageRecord = {
    system: 'NPM',
    name: 'x',
    ...listed,
    from: ['registry'],
    shared: { licenses: ['MIT'], deprecated: 'old' },
    versions: { '1.0.0': {}, '1.2.0': {} },
    others: ['1.1.0'],
  };
  const affected = [{ system: 'NPM' as const, name: 'x', ranges: [{ introduced: '1.1.0', fixed: '1.2.0' }] }];
  const flaw = { id: 'GHSA-x', title: '', url: '', aliases: [], cvss3Score: 0, cvss3Vector: '', affected, source: '' };
  const versions = createCatalog([record], [flaw]).package(record)?.versions ?? [];
  assert.deepEqual(
    versions.map((it) => [it.key.version, it.fields.licenses, it.fields.deprecated, it.advisories]),
    [
      ['1.0.0', ['MIT'], 'old', []],
      ['1.1.0', undefined, undefined, ['GHSA-x']],
      ['1.2.0', ['MIT'], 'old', []],
    ],
  );
});

test('no registry is named', () => {
  const host = ['registry.np', 'mjs.org'].join('');
  assert.deepEqual(fieldProblems({ links: [{ label: 'HOMEPAGE', url: `https://${host}/x` }] }), [
    `it names the registry ${host.slice(9)}`,
  ]);
});

test('fields hold what the interface allows', () => {
  assert.deepEqual(fieldProblems({ publishedAt: '2030-01-01T00:00:00Z' }), [
    '1.0.0: it cannot be published at 2030-01-01T00:00:00Z',
  ]);
  assert.deepEqual(fieldProblems({ licenses: ['Apache 2', 'GPL-3.0', 'non-standard', '(MIT OR ISC)'] }), [
    '1.0.0: Apache 2 is no SPDX expression',
  ]);
  assert.deepEqual(fieldProblems({ licenses: ['MIT'], licenseDetails: [{ license: 'ISC', spdx: 'ISC' }] }), [
    '1.0.0: licenseDetails speak of ISC, licenses do not',
  ]);
  assert.deepEqual(fieldProblems({ hashes: { SHA1: 'abcd' } }), ['1.0.0: its SHA1 has a wrong length']);
  assert.deepEqual(fieldProblems({ requirements: { maven: {} } }), ['1.0.0: its requirements are not those of NPM']);
  const project = { relationProvenance: 'UNVERIFIED_METADATA', relationType: 'SOURCE_REPO' };
  assert.deepEqual(fieldProblems({ relatedProjects: [{ ...project, projectKey: { id: 'github.com/A/b' } }] }), [
    '1.0.0: github.com/A/b is no project',
  ]);
});

test('an advisory affects what is there, and its score fits its vector', () => {
  const advisory: AdvisoryRecord = {
    id: 'GHSA-x',
    title: '',
    url: '',
    aliases: [],
    cvss3Score: 0,
    cvss3Vector: '',
    affected: [{ system: 'NPM', name: 'x', ranges: [{ introduced: '1.0.0', fixed: '1.1.0' }] }],
    source: 'test',
  };
  assert.deepEqual(problems({}, [advisory]), []);
  assert.deepEqual(problems({}, [{ ...advisory, cvss3Score: 5 }]), [
    'GHSA-x: its score and its vector contradict each other',
  ]);
  const elsewhere = { system: 'NPM', name: 'y', versions: ['1.0.0'] } as const;
  assert.deepEqual(problems({}, [{ ...advisory, affected: [...advisory.affected, elsewhere] }]), []);
  assert.deepEqual(problems({}, [{ ...advisory, affected: [elsewhere] }]), [
    'GHSA-x: it affects no package of the catalog',
  ]);
  assert.deepEqual(problems({}, [{ ...advisory, affected: [{ system: 'NPM', name: 'x' }] }]), [
    'GHSA-x: no versions of NPM x are named',
  ]);
});

test('the embedded catalog shows each case that a dependency can be', () => {
  const fields = (name: string, version: string) => embedded.version({ system: 'NPM', name, version })?.fields;
  assert.deepEqual(fields('JSONStream', '1.3.5')?.licenses, ['MIT OR Apache-2.0']);
  assert.deepEqual(fields('json-schema', '0.2.2')?.licenses, ['AFL-2.1', 'non-standard']);
  assert.deepEqual(fields('left-pad', '0.0.0')?.licenseDetails, [{ license: 'BSD', spdx: 'non-standard' }]);
  assert.deepEqual(fields('jsonstream', '1.0.3')?.licenses ?? [], []);
  assert.equal(fields('left-pad', '1.3.0')?.deprecated, 'use String.prototype.padStart()');
  assert.ok(embedded.package({ system: 'NPM', name: 'request' })?.versions.every((it) => it.fields.deprecated));
  assert.equal(fields('sigstore', '0.4.0')?.slsaProvenances?.[0]?.commit, '8a2ee2fd20dda58ffa4a8d808a65cb1e04711c03');
  const lodash = embedded.version({ system: 'NPM', name: 'lodash', version: '4.17.15' });
  assert.equal(lodash?.fields.publishedAt, '2019-07-19T02:28:46Z');
  assert.deepEqual(lodash?.advisories, ['GHSA-29mw-wpgm-hmr9', 'GHSA-35jh-r3h4-6jhm', 'GHSA-p6mc-m468-83gw']);
  assert.equal(embedded.advisories.get('GHSA-p6mc-m468-83gw')?.cvss3Score, 7.4);
});

test('a package is spelled as its authors do where any version says so, and all that do agree', () => {
  const spelled = (name: string, version: string) =>
    embedded.version({ system: 'PYPI', name, version })?.published.name;
  assert.equal(spelled('pyyaml', '5.3'), 'PyYAML');
  assert.equal(spelled('pillow', '6.0'), 'pillow', 'since it was Pillow once');
});
