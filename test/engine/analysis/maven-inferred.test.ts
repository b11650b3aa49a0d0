import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkDependencies } from '../../../server/src/engine/analysis/link/linker.ts';
import { startReading } from '../../../server/src/engine/analysis/load/file-chain.ts';
import { ManifestReader } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { pom } from '../../../server/src/engine/ecosystems/maven/pom.ts';
import { filesOf, type Texts } from './members-lab.ts';

const four = 'xmlns="http://maven.apache.org/POM/4.1.0"';

/** Source of what is expected: the effective POMs that Maven 4.0.0-rc-5 makes of these files (`help:effective-pom`). */
const build = {
  'pom.xml': `<project ${four} root="true">
  <groupId>com.acme</groupId><artifactId>root</artifactId><version>1.5</version><packaging>pom</packaging>
  <properties><junit.v>4.12</junit.v></properties>
  <dependencyManagement><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>\${junit.v}</version></dependency></dependencies></dependencyManagement>
  <subprojects><subproject>a</subproject><subproject>b</subproject><subproject>nested/c</subproject></subprojects>
</project>`,
  'a/pom.xml': `<project ${four}>
  <parent/>
  <artifactId>a</artifactId>
  <dependencies>
    <dependency><groupId>com.acme</groupId><artifactId>b</artifactId></dependency>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId></dependency>
    <dependency><groupId>com.acme</groupId><artifactId>elsewhere</artifactId><version>1</version></dependency>
  </dependencies>
</project>`,
  'b/pom.xml': `<project ${four}>
  <parent><groupId>com.acme</groupId><artifactId>root</artifactId></parent>
  <artifactId>b</artifactId>
  <dependencies><dependency><groupId>com.acme</groupId><artifactId>c</artifactId><version>\${project.version}</version></dependency></dependencies>
</project>`,
  'nested/c/pom.xml': `<project ${four}>
  <parent><relativePath>../..</relativePath></parent>
  <artifactId>c</artifactId>
  <dependencies>
    <dependency><artifactId>b</artifactId></dependency>
    <dependency><groupId>com.acme</groupId><artifactId>a</artifactId></dependency>
    <dependency><groupId>\${project.groupId}</groupId><artifactId>b</artifactId><version>1.5</version></dependency>
  </dependencies>
</project>`,
};

async function linked(name: string, texts: Texts = build) {
  const reader = new ManifestReader(filesOf(texts));
  const text = texts[name] ?? '';
  const chain = await startReading(reader).chain(`file:///w/${name}`, pom, text);
  const members = await reader.members.membersFor(chain.files);
  const problems = chain.files[0]?.manifest.problems.map((it) => it.message) ?? [];
  const found = linkDependencies({ ...chain, members }).map(({ key, requirement: it, contested }) =>
    [key.name, it.kind === 'text' ? it.text : it.kind === 'source' ? it.source : it.kind, contested]
      .filter(Boolean)
      .join(' '),
  );
  return { found, problems, missing: chain.missing };
}

test('a project takes group and version from the parent that it does not name', async () => {
  assert.deepEqual(await linked('a/pom.xml'), {
    found: ['com.acme:b workspace', 'junit:junit 4.12', 'com.acme:elsewhere 1'],
    problems: [],
    missing: [],
  });
});

test('a parent without a version is that of the workspace', async () => {
  assert.deepEqual(await linked('b/pom.xml'), {
    found: ['com.acme:root workspace', 'com.acme:c workspace'],
    problems: [],
    missing: [],
  });
});

test('a parent may be a path alone, and a dependency an artifact alone', async () => {
  assert.deepEqual(await linked('nested/c/pom.xml'), {
    found: ['b workspace', 'com.acme:a workspace', 'com.acme:b workspace'],
    problems: [],
    missing: [],
  });
});

test('without a list the projects of the folders below are built', async () => {
  const texts = { ...build, 'pom.xml': build['pom.xml'].replace(/<subprojects>.*<\/subprojects>/, '') };
  assert.deepEqual((await linked('a/pom.xml', texts)).found.slice(0, 1), ['com.acme:b workspace']);
});

test('of a project in the older model only the parent is inferred', async () => {
  const texts = { ...build, 'nested/c/pom.xml': build['nested/c/pom.xml'].replace(four, '') };
  assert.deepEqual((await linked('nested/c/pom.xml', texts)).problems, ['`groupId` is missing']);
});

test('a parent that is missing is named, and never looked up', async () => {
  const { 'pom.xml': _, ...texts } = build;
  const { found, problems, missing } = await linked('b/pom.xml', texts);
  assert.deepEqual([found[0], problems, missing], ['com.acme:root workspace', [], ['com.acme:root']]);
  assert.deepEqual((await linked('a/pom.xml', texts)).missing, ['../pom.xml']);
});
