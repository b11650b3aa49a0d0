import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';
import { mavenClient } from '../../../server/src/engine/registries/maven.ts';
import { questionTo, type ServedFile, serveRegistry } from './served.ts';

const published = Date.UTC(2026, 2, 1, 12);

const files: Readonly<Record<string, ServedFile>> = {
  '/maven/com/acme/core/maven-metadata.xml': {
    text: `<?xml version="1.0"?><metadata><groupId>com.acme</groupId><artifactId>core</artifactId><versioning>
      <latest>2.0-SNAPSHOT</latest><release>1.0.1</release>
      <versions><version>1.0.0</version><version>1.10.0</version><version>1.9.0</version><version>2.0-rc1</version>
      <version>1.0.1</version><version>2.0-SNAPSHOT</version><version>../../up</version><version>a b</version></versions>
      <lastUpdated>20260301120000</lastUpdated></versioning></metadata>`,
  },
  '/maven/com/acme/core/1.10.0/core-1.10.0.pom': {
    headers: { 'last-modified': new Date(published).toUTCString() },
    text: `<project xmlns="http://maven.apache.org/POM/4.0.0"><parent><groupId>com.acme</groupId><artifactId>parent</artifactId><version>7</version></parent>
      <artifactId>core</artifactId><version>1.10.0</version>
      <url>https://acme.example/\${project.artifactId}?a=1&amp;b=2</url>
      <scm><connection>scm:git:https://code.example/\${project.groupId}/core.git</connection></scm></project>`,
  },
  '/maven/com/acme/parent/7/parent-7.pom': {
    text: `<project><groupId>com.acme</groupId><artifactId>parent</artifactId><version>7</version>
      <licenses><license><name>The Apache Software License, Version 2.0</name></license>
      <license><name>Acme's own</name><url>javascript:alert(1)</url></license></licenses>
      <issueManagement><url>https://bugs.example</url></issueManagement></project>`,
  },
  '/maven/com/acme/core/1.0.0/core-1.0.0.pom': {
    text: `<project><groupId>com.acme</groupId><artifactId>core</artifactId><version>1.0.0</version><distributionManagement>
      <relocation><groupId>com.acme.new</groupId><message>has a new home</message></relocation></distributionManagement></project>`,
  },
  '/maven/com/acme/core/2.0-SNAPSHOT/maven-metadata.xml': {
    text: `<metadata><versioning><snapshot><timestamp>20260301.120000</timestamp><buildNumber>3</buildNumber></snapshot>
      <snapshotVersions><snapshotVersion><extension>jar</extension><value>2.0-20260301.120000-2</value></snapshotVersion>
      <snapshotVersion><extension>pom</extension><value>2.0-20260301.120000-3</value></snapshotVersion></snapshotVersions></versioning></metadata>`,
  },
  '/maven/com/acme/core/2.0-SNAPSHOT/core-2.0-20260301.120000-3.pom': {
    text: '<project><licenses><license><name>MIT</name></license></licenses></project>',
  },
  '/maven/com/acme/maven-metadata.xml': { text: '<metadata><plugins><plugin/></plugins></metadata>' },
  '/maven/com/acme/page/maven-metadata.xml': { text: '<html><body>Please sign in</body></html>' },
  '/maven/com/acme/bomb/maven-metadata.xml': {
    text: `<!DOCTYPE m [<!ENTITY a "x"><!ENTITY b "${'&a;'.repeat(1000)}"><!ENTITY c "${'&b;'.repeat(1000)}">
      <!ENTITY f SYSTEM "file:///etc/passwd">]><metadata><versioning><release>&f;</release>
      <versions><version>&c;</version><version>1.0</version></versions></versioning></metadata>`,
  },
  '/maven/com/acme/loop/1/loop-1.pom': {
    text: '<project><parent><groupId>com.acme</groupId><artifactId>loop</artifactId><version>1</version></parent></project>',
  },
  '/maven/com/acme/endless/maven-metadata.xml': { text: `<metadata>${'<x/>'.repeat(1_100_000)}</metadata>` },
  '/maven/com/acme/huge/maven-metadata.xml': {
    text: `<metadata><versioning><versions>${Array.from({ length: 30_000 }, (_, at) => `<version>1.${at}</version>`).join('')}</versions></versioning></metadata>`,
  },
};

const registry = await serveRegistry((path) => files[path]);
after(registry.close);
const ask = (name: string, more: Parameters<typeof questionTo>[3] = {}) =>
  questionTo('maven', `${registry.url}/maven`, name, more);

async function listed(name: string, more: Parameters<typeof questionTo>[3] = {}) {
  const answer = await mavenClient.list(ask(name, more));
  assert.equal(answer.kind, 'found');
  return answer.kind === 'found' ? answer.value : assert.fail();
}

async function found(name: string, version: string) {
  const answer = await mavenClient.version?.({ ...ask(name), listed: await listed('com.acme:core') }, version);
  return answer?.kind === 'found' ? answer.value : assert.fail(answer?.kind);
}

test('versions come in their order, the highest stable one is the default, and no version leads to another file', async () => {
  const { facts, version } = await listed('com.acme:core');
  assert.deepEqual(
    rowsOf(facts.versions).map((it) => `${it.version}${it.isDefault ? ' (default)' : ''}`),
    ['1.0.0', '1.0.1', '1.9.0', '1.10.0 (default)', '2.0-rc1', '2.0-SNAPSHOT'],
  );
  assert.equal(version('1.9.0')?.purl, 'pkg:maven/com.acme/core@1.9.0');
  assert.equal(version('1.9.1'), undefined);
});

test('snapshots are listed only where they are enabled', async () => {
  const of = async (takes: 'releases' | 'snapshots') =>
    rowsOf((await listed('com.acme:core', { takes })).facts.versions).map((it) => it.version);
  assert.ok(!(await of('releases')).includes('2.0-SNAPSHOT'));
  assert.deepEqual(await of('snapshots'), ['2.0-SNAPSHOT']);
});

test('a POM and its parents give time, licenses and links', async () => {
  const it = await found('com.acme:core', '1.10.0');
  assert.equal(it.publishedAt, published);
  assert.equal(it.isDefault, true);
  assert.deepEqual(it.licenses, ['Apache-2.0', 'non-standard']);
  assert.deepEqual(it.licenseDetails[1], { license: "Acme's own", spdx: 'non-standard' });
  assert.deepEqual(it.links, [
    { label: 'HOMEPAGE', url: 'https://acme.example/core?a=1&b=2' },
    { label: 'SOURCE_REPO', url: 'https://code.example/com.acme/core.git' },
    { label: 'ISSUE_TRACKER', url: 'https://bugs.example' },
  ]);
});

test('a relocated version is deprecated, and says where it went', async () => {
  const it = await found('com.acme:core', '1.0.0');
  assert.equal(it.isDeprecated, true);
  assert.equal(it.deprecatedReason, 'moved to com.acme.new:core:1.0.0: has a new home');
});

test('the POM of a snapshot is that of its last build', async () => {
  assert.deepEqual((await found('com.acme:core', '2.0-SNAPSHOT')).licenses, ['MIT']);
});

test('a POM that is its own parent is read', async () => {
  assert.deepEqual((await found('com.acme:loop', '1')).licenses, []);
});

test('what a registry cannot answer is told apart', async () => {
  const kind = async (name: string, more: Parameters<typeof questionTo>[3] = {}) =>
    (await mavenClient.list(ask(name, more))).kind;
  assert.equal(await kind('com.acme:other'), 'absent');
  assert.equal(await kind('com:acme'), 'absent', 'a list of plugins');
  assert.equal(await kind('com.acme:page'), 'failed', 'a page to sign in');
  assert.equal(await kind('com.acme:core', { stranger: true }), 'denied');
  assert.equal((await mavenClient.version?.(ask('com.acme:core'), '9.9'))?.kind, 'absent');
});

test('no name and no version is an address outside of the registry', async () => {
  const from = registry.requests.length;
  for (const name of ['..:core', 'a:..', 'a/../..:core', 'a:b:c', '${g}:core', 'a b:c', ':', 'a:b?x#y', 'a:b..c'])
    assert.equal((await mavenClient.list(ask(name))).kind, 'absent', name);
  for (const version of ['..', '../1', '1/../2', '%2e%2e/1', '${v}', '1 2', '', 'x'.repeat(300)]) {
    const answer = await mavenClient.version?.(ask('com.acme:core'), version);
    assert.equal(answer?.kind, 'absent', version);
  }
  assert.deepEqual(registry.requests.slice(from), []);
});

test('entities of a file are not expanded, and a huge list is bounded and says so', async () => {
  const { facts } = await listed('com.acme:bomb');
  assert.deepEqual(
    rowsOf(facts.versions).map((it) => it.version),
    ['1.0'],
  );
  const huge = await listed('com.acme:huge');
  assert.equal(huge.facts.isSample, true);
  assert.equal(rowsOf(huge.facts.versions).at(-1)?.version, '1.29999');
  assert.deepEqual(await mavenClient.list(ask('com.acme:endless')), {
    kind: 'failed',
    reason: 'the answer exceeds 4 MiB',
  });
});
