import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAdvisory, readPackage, readVersion } from '../../../server/src/engine/facts/service/read-answers.ts';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';

const key = { system: 'NPM', name: 'left-pad', version: '1.3.0' } as const;

/** Every field, and fields that nobody knows yet. */
const whole = {
  versionKey: key,
  purl: 'pkg:npm/left-pad@1.3.0',
  publishedAt: '2023-05-16T09:48:31Z',
  isDefault: true,
  isDeprecated: true,
  deprecatedReason: 'use String.prototype.padStart()',
  licenses: ['WTFPL'],
  licenseDetails: [{ license: 'WTFPL', spdx: 'WTFPL', sure: 'yes' }],
  advisoryKeys: [{ id: 'GHSA-1' }, { id: 'PYSEC-1' }],
  links: [{ label: 'SOURCE_REPO', url: 'git+https://example.org/left-pad.git' }],
  slsaProvenances: [{ sourceRepository: 'https://example.org/left-pad', commit: 'c0ffee', url: '', verified: true }],
  registries: ['https://registry.example/'],
  relatedProjects: [
    {
      projectKey: { id: 'example.org/left-pad' },
      relationProvenance: 'UNVERIFIED_METADATA',
      relationType: 'SOURCE_REPO',
    },
  ],
  upstreamIdentifiers: [{ packageName: 'left-pad', versionString: '1.3.0', source: 'registry' }],
};

test('a version with every field', () => {
  assert.deepEqual(readVersion(whole, key), {
    key,
    version: '1.3.0',
    purl: 'pkg:npm/left-pad@1.3.0',
    publishedAt: Date.UTC(2023, 4, 16, 9, 48, 31),
    isDefault: true,
    isDeprecated: true,
    deprecatedReason: 'use String.prototype.padStart()',
    licenses: ['WTFPL'],
    licenseDetails: [{ license: 'WTFPL', spdx: 'WTFPL' }],
    advisories: ['GHSA-1', 'PYSEC-1'],
    links: [{ label: 'SOURCE_REPO', url: 'git+https://example.org/left-pad.git' }],
    provenances: [
      { type: '', sourceRepository: 'https://example.org/left-pad', commit: 'c0ffee', url: '', verified: true },
    ],
    registries: ['https://registry.example/'],
    projects: [{ id: 'example.org/left-pad', provenance: 'UNVERIFIED_METADATA', type: 'SOURCE_REPO' }],
    upstream: [{ packageName: 'left-pad', versionString: '1.3.0', source: 'registry' }],
  });
});

const bare = {
  key,
  version: '1.3.0',
  purl: '',
  isDefault: false,
  isDeprecated: false,
  licenses: [],
  licenseDetails: [],
  advisories: [],
  links: [],
  provenances: [],
  registries: [],
  projects: [],
  upstream: [],
};

test('a version from an instance that leaves out what is empty, or sends null for it', () => {
  assert.deepEqual(readVersion({ versionKey: key }), bare);
  const nulls = Object.fromEntries(Object.keys(whole).map((it) => [it, null]));
  assert.deepEqual(readVersion({ ...nulls, versionKey: key }), bare);
});

// Source: PEP 792; the form of the status is not recorded, so both spellings of an enum count.
test('the status of a project is read, and a quarantine counts as malware without a record', () => {
  const read = (projectStatus: unknown) => readVersion({ ...whole, projectStatus }, key);
  const facts = read({ status: 'quarantined', reason: 'Steals keys' });
  assert.deepEqual(facts.projectStatus, { status: 'quarantined', reason: 'Steals keys' });
  assert.deepEqual(facts.advisories, ['GHSA-1', 'PYSEC-1', 'pypi:quarantined']);
  assert.deepEqual(read({ status: 'ARCHIVED' }).projectStatus, { status: 'archived', reason: '' });
  for (const it of [{ status: 'later' }, { status: 3 }, {}, null]) {
    assert.equal(read(it).projectStatus, undefined, JSON.stringify(it));
    assert.deepEqual(read(it).advisories, ['GHSA-1', 'PYSEC-1']);
  }
});

// Source: the contract: slsaProvenances are npm's alone, attestations of all systems, so npm's builds are in both.
test('an attestation is read once, however many lists and files have it', () => {
  const slsa = 'https://slsa.dev/provenance/v1';
  const publish = 'https://docs.example/attestations/publish/v1';
  const at = (url: string) => `https://registry.example/attestations/${url}`;
  const built = { sourceRepository: 'https://example.org/left-pad', commit: 'c0ffee', url: at('a'), verified: true };
  const read = (more: object) => readVersion({ versionKey: key, ...more }, key).provenances;
  const inBoth = read({
    slsaProvenances: [
      { ...built, url: '', verified: false },
      { ...built, commit: 'other', url: at('b') },
    ],
    attestations: [
      { type: slsa, ...built, sourceRepository: 'git+https://example.org/left-pad.git' },
      { type: slsa, url: at('b'), verified: true },
      { type: publish, url: at('a'), verified: true },
      { type: 3, url: at('c') },
    ],
  });
  assert.deepEqual(inBoth, [
    { type: slsa, ...built },
    { type: slsa, ...built, commit: 'other', url: at('b') },
    { type: publish, sourceRepository: '', commit: '', url: at('a'), verified: true },
  ]);
  const files = ['wheel', 'sdist'].map((it) => ({ type: publish, ...built, url: at(it) }));
  assert.deepEqual(read({ attestations: files }), files.slice(0, 1));
  assert.deepEqual(read({ attestations: [{ type: 'later', verified: true }] }), [
    { type: 'later', sourceRepository: '', commit: '', url: '', verified: true },
  ]);
});

test('a related project of a kind that is not known yet costs only itself', () => {
  const [known] = whole.relatedProjects;
  const facts = readVersion({
    ...whole,
    relatedProjects: [
      {},
      { ...known, relationProvenance: 7 },
      { containerKey: {} },
      known,
      { ...known, relationType: 9 },
    ],
  });
  assert.deepEqual(facts.projects, [
    { id: 'example.org/left-pad', provenance: 'UNVERIFIED_METADATA', type: 'SOURCE_REPO' },
  ]);
});

test('another spelling of the version asked for is taken', () => {
  const asked = { system: 'NUGET', name: 'newtonsoft.json', version: '13.0.1' } as const;
  const answered = { system: 'NUGET', name: 'Newtonsoft.Json', version: '13.00.1.0' };
  assert.equal(readVersion({ versionKey: answered }, asked).key.name, 'Newtonsoft.Json');
  const python = { system: 'PYPI', name: 'a-b', version: '3.0.0' } as const;
  assert.equal(readVersion({ versionKey: { system: 'PYPI', name: 'A.B', version: '3.0' } }, python).version, '3.0');
});

for (const [broken, reason] of [
  [{ ...whole, licenses: 'MIT' }, 'licenses is not a list'],
  [{ ...whole, licenses: ['MIT', 1] }, 'licenses[1] is not a text'],
  [{ ...whole, licenseDetails: ['MIT'] }, 'licenseDetails[0] is not an object'],
  [{ ...whole, advisoryKeys: [{}] }, 'advisoryKeys[0].id is missing'],
  [{ ...whole, links: [{ label: 'X', url: {} }] }, 'links[0].url is not a text'],
  [{ ...whole, slsaProvenances: [{ verified: 'yes' }] }, 'slsaProvenances[0].verified is neither true nor false'],
  [{ ...whole, publishedAt: 1684230511 }, 'publishedAt is not a text'],
  [{ ...whole, isDefault: 1 }, 'isDefault is neither true nor false'],
  [{ ...whole, versionKey: undefined }, 'versionKey is missing'],
  [{ ...whole, versionKey: { ...key, system: 'RUBY' } }, "versionKey.system is RUBY, which we don't know"],
  [{ ...whole, versionKey: { ...key, name: '' } }, 'versionKey.name is missing'],
  [
    { ...whole, versionKey: { ...key, name: 'Left-Pad' } },
    'versionKey is of NPM Left-Pad 1.3.0, which was not asked for',
  ],
  [
    { ...whole, versionKey: { ...key, version: '1.3.1' } },
    'versionKey is of NPM left-pad 1.3.1, which was not asked for',
  ],
  ['left-pad', 'the answer is not an object'],
] as const) {
  test(`a version is refused: ${reason}`, () => {
    assert.throws(() => readVersion(broken, key), { message: reason });
  });
}

for (const publishedAt of [
  'yesterday',
  '2023-99-16T09:48:31Z',
  '99999-01-01T00:00:00Z',
  '+099999-01-01T00:00:00Z',
  // Without an offset it would be another moment on each machine.
  '2023-05-16T09:48:31',
  '2023-05-16 09:48',
]) {
  test(`a time that cannot be read costs nothing else: ${publishedAt}`, () => {
    const facts = readVersion({ ...whole, publishedAt }, key);
    assert.equal(facts.publishedAt, undefined);
    assert.deepEqual(facts.licenses, whole.licenses);
  });
}

for (const publishedAt of ['2023-05-16T09:48:31Z', '2023-05-16t09:48:31.000z', '2023-05-16 11:48:31.0000+02:00']) {
  test(`a moment as RFC 3339 lets it be written: ${publishedAt}`, () => {
    assert.equal(readVersion({ ...whole, publishedAt }, key).publishedAt, Date.UTC(2023, 4, 16, 9, 48, 31));
  });
}

test('versions of other packages are passed over in the list of one', () => {
  const versions = [
    { versionKey: { ...key, name: 'right-pad' }, isDefault: true },
    { versionKey: { ...key, system: 'RUBYGEMS' } },
    // An enum value without a name is written as its number. Source: Protocol Buffers, “ProtoJSON Format”.
    { versionKey: { ...key, system: 9 } },
    { versionKey: { ...key, system: 'CARGO' } },
    { versionKey: key },
  ];
  const { versions: read } = readPackage({ packageKey: { system: 'NPM', name: 'left-pad' }, versions }, key);
  assert.deepEqual(rowsOf(read), [{ version: '1.3.0', isDefault: false, isDeprecated: false }]);
});

for (const cvss3Score of [-1, 0, 10.1, 1e20, Number.POSITIVE_INFINITY]) {
  test(`a score of ${cvss3Score} is ignored`, () => {
    assert.equal('score' in readAdvisory({ advisoryKey: { id: 'GHSA-1' }, cvss3Score }, 'GHSA-1'), false);
  });
}

test('a package and its versions', () => {
  const answer = {
    packageKey: { system: 'npm', name: 'left-pad' },
    purl: 'pkg:npm/left-pad',
    versions: [{ versionKey: key, purl: 'x', publishedAt: '2018-04-09T01:10:45Z', isDefault: true }],
  };
  assert.deepEqual(readPackage(answer, key), {
    key: { system: 'NPM', name: 'left-pad' },
    purl: 'pkg:npm/left-pad',
    versions: { names: ['1.3.0'], times: [Date.UTC(2018, 3, 9, 1, 10, 45)], defaults: [0], deprecated: [] },
  });
  assert.throws(() => readPackage(answer, { system: 'NPM', name: 'right-pad' }), {
    message: 'packageKey is of NPM left-pad, which was not asked for',
  });
  assert.throws(() => readPackage({ ...answer, versions: [{}] }, key), {
    message: 'versions[0].versionKey is missing',
  });
});

test('an advisory, with and without a score', () => {
  const answer = {
    advisoryKey: { id: 'GHSA-1' },
    url: 'u',
    title: 't',
    aliases: ['CVE-1'],
    cvss3Score: 7.5,
    cvss3Vector: 'CVSS:3.1/…',
  };
  assert.deepEqual(readAdvisory(answer, 'ghsa-1'), {
    id: 'GHSA-1',
    url: 'u',
    title: 't',
    aliases: ['CVE-1'],
    score: 7.5,
    vector: 'CVSS:3.1/…',
  });
  const none = { advisoryKey: { id: 'GHSA-1' }, cvss3Score: 0, cvss3Vector: '' };
  const more = (given: object) => {
    const { id: _, url: __, title: ___, aliases: ____, ...rest } = readAdvisory({ ...none, ...given }, 'GHSA-1');
    return rest;
  };
  const version4 = { cvss4Score: 8.8, cvss4Vector: 'CVSS:4.0/…' };
  assert.deepEqual(more(version4), { score: 8.8, vector: 'CVSS:4.0/…' });
  assert.deepEqual(more({ ...answer, ...version4, severity: 'LOW' }), { score: 7.5, vector: 'CVSS:3.1/…' });
  assert.deepEqual(more({ severity: 'MODERATE', knownExploited: true }), { level: 'medium', isExploited: true });
  const fixedVersions = [{ packageKey: { system: 'NPM', name: 'lodash' }, versions: ['3.0.1', '4.17.21'] }];
  assert.deepEqual(more({ fixedVersions }), {
    fixed: [{ key: { system: 'NPM', name: 'lodash' }, versions: ['3.0.1', '4.17.21'] }],
  });
  for (const it of [
    '4.17.21',
    [1],
    [{ versions: ['1'] }],
    [{ packageKey: { system: 'NPM', name: 'a' }, versions: [] }],
  ])
    assert.deepEqual(more({ fixedVersions: it }), {});
  // What is beyond the contract may mean something else.
  assert.deepEqual(more({ cvss4Score: '8.8', cvss4Vector: 1, severity: ['HIGH'], knownExploited: 'yes' }), {});
  assert.deepEqual(readAdvisory(none, 'GHSA-1'), { id: 'GHSA-1', url: '', title: '', aliases: [] });
  assert.throws(() => readAdvisory(none, 'GHSA-2'), { message: 'advisoryKey is GHSA-1, which was not asked for' });
  assert.throws(() => readAdvisory({ ...none, cvss3Score: '7' }, 'GHSA-1'), { message: 'cvss3Score is not a number' });
});
