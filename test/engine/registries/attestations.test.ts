import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Provenance } from '../../../server/src/engine/model/facts.ts';
import type { RegistryProtocol } from '../../../server/src/engine/model/registries/access.ts';
import type { SendToRegistry } from '../../../server/src/engine/model/registries/registry-client.ts';
import { registryClients } from '../../../server/src/engine/registries/clients.ts';
import { type Answers, questionAt } from './question.ts';

/* What attestations say of the source of a version: claims, since no signature is checked. */

const json = (value: unknown): string => JSON.stringify(value);
const packed = (value: unknown): string => Buffer.from(json(value)).toString('base64');
const url = 'https://registry.example/team/attestations/core';
const slsa = 'https://slsa.dev/provenance/v1';
const publish = 'https://docs.example/attestations/publish/v1';

const npm = {
  '/core': json({ versions: { '1.0.0': { dist: { attestations: { url, provenance: { predicateType: slsa } } } } } }),
};
const simple = {
  '/core/': {
    type: 'application/vnd.pypi.simple.v1+json',
    text: json({ files: [{ filename: 'core-1.0.0.tar.gz', url: 'core-1.0.0.tar.gz', provenance: url }] }),
  },
};
const statement = {
  predicateType: slsa,
  predicate: {
    buildDefinition: {
      externalParameters: { workflow: { repository: 'https://code.example/acme/core', path: 'release.yml' } },
      resolvedDependencies: [{ uri: 'git+https://code.example/acme/core', digest: { gitCommit: 'abc123' } }],
    },
  },
};

async function provenancesOf(protocol: RegistryProtocol, answers: Answers): Promise<readonly Provenance[]> {
  const client = registryClients[protocol];
  const question = questionAt(protocol, 'core', answers);
  const list = await client.list(question);
  assert.equal(list.kind, 'found');
  const { version } = client as typeof registryClients.npm;
  const answer = await version?.({ ...question, listed: list.value }, '1.0.0');
  assert.equal(answer?.kind, 'found');
  return answer.value.provenances;
}

test('npm: the build and the publication, as the bundle claims them', async () => {
  const attestations = [
    { predicateType: publish, bundle: { dsseEnvelope: { payload: packed({ predicate: { name: 'core' } }) } } },
    { predicateType: slsa, bundle: { dsseEnvelope: { payload: packed(statement) } } },
  ];
  assert.deepEqual(await provenancesOf('npm', { ...npm, '/attestations/core': json({ attestations }) }), [
    { type: publish, url, sourceRepository: '', commit: '', verified: false },
    { type: slsa, url, sourceRepository: 'https://code.example/acme/core', commit: 'abc123', verified: false },
  ]);
});

test('npm: builds of the first form, which name their source as a material', async () => {
  const older = 'https://slsa.dev/provenance/v0.2';
  const built = {
    subject: [{ name: 'pkg:npm/core@1.0.0' }],
    predicateType: older,
    predicate: {
      invocation: { configSource: { uri: 'git+https://code.example/acme/core@refs/tags/v1.0.0' } },
      materials: [{ uri: 'git+https://code.example/acme/core@refs/tags/v1.0.0', digest: { sha1: 'abc123' } }],
    },
  };
  const attestations = [{ predicateType: older, bundle: { dsseEnvelope: { payload: packed(built) } } }];
  assert.deepEqual(await provenancesOf('npm', { ...npm, '/attestations/core': json({ attestations }) }), [
    { type: older, url, sourceRepository: 'https://code.example/acme/core', commit: 'abc123', verified: false },
  ]);
});

test('npm: what a bundle says of another package is no claim about this one', async () => {
  for (const name of ['pkg:npm/other@1.0.0', 'pkg:npm/core-more@1.0.0', 'core']) {
    const payload = packed({ ...statement, subject: [{ name }] });
    const attestations = [{ predicateType: slsa, bundle: { dsseEnvelope: { payload } } }];
    assert.deepEqual(await provenancesOf('npm', { ...npm, '/attestations/core': json({ attestations }) }), []);
  }
});

test('PyPI: the publisher, as the index claims it', async () => {
  const bundle = {
    publisher: { kind: 'GitHub', repository: 'acme/core', workflow: 'release.yml' },
    attestations: [{ version: 1, envelope: { statement: packed({ predicateType: publish, predicate: null }) } }],
  };
  const answers = { ...simple, '/attestations/core': json({ version: 1, attestation_bundles: [bundle] }) };
  assert.deepEqual(await provenancesOf('simple-index', answers), [
    { type: publish, url, sourceRepository: 'https://github.com/acme/core', commit: '', verified: false },
  ]);
  const html = `<a href="core-1.0.0.tar.gz" data-provenance="${url}">core</a>`;
  const asHtml = { ...answers, '/core/': { type: 'text/html', text: html } };
  assert.equal((await provenancesOf('simple-index', asHtml)).length, 1);
});

test('a version stays known where its attestations are missing or something else', async () => {
  for (const text of ['[]', '{"attestations":[7,{}],"attestation_bundles":[{"attestations":[{}]}]}', '<html>']) {
    assert.deepEqual(await provenancesOf('npm', { ...npm, '/attestations/core': text }), []);
    assert.deepEqual(await provenancesOf('simple-index', { ...simple, '/attestations/core': text }), []);
  }
  assert.deepEqual(await provenancesOf('npm', npm), []);
  assert.deepEqual(await provenancesOf('simple-index', simple), []);
});

test('an address of attestations at another host is not asked: the name goes to the registry alone', async () => {
  for (const [protocol, answers] of [
    ['npm', npm],
    ['simple-index', simple],
  ] as const) {
    const elsewhere = JSON.parse(
      JSON.stringify(answers).replaceAll(url, 'https://elsewhere.example/attestations/core'),
    );
    const question = questionAt(protocol, 'core', elsewhere);
    const asked: string[] = [];
    const send: SendToRegistry = (request) => {
      asked.push(new URL(request.url).host);
      return question.send(request);
    };
    const client = registryClients[protocol];
    const list = await client.list({ ...question, send });
    assert.equal(list.kind, 'found');
    const { version } = client as typeof registryClients.npm;
    const answer = await version?.({ ...question, send, listed: list.value }, '1.0.0');
    assert.deepEqual(answer?.kind === 'found' && answer.value.provenances.filter((it) => it.commit !== ''), []);
    assert.deepEqual([...new Set(asked)], ['registry.example']);
  }
});
