import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinker } from '../../../../server/src/engine/analysis/link/linker.ts';
import { pom } from '../../../../server/src/engine/ecosystems/maven/pom.ts';

const parent = `<project><groupId>g</groupId><artifactId>parent</artifactId><version>5</version><packaging>pom</packaging>
  <properties><a>1</a></properties>
  <dependencyManagement><dependencies>${artifact('managed', '1')}</dependencies></dependencyManagement>
  <profiles><profile><id>release</id><build><plugins>
    <plugin><artifactId>maven-source-plugin</artifactId><version>1</version></plugin>
  </plugins></build></profile></profiles>
</project>`;

function artifact(name: string, version: string): string {
  return `<dependency><groupId>g</groupId><artifactId>${name}</artifactId>${version && `<version>${version}</version>`}</dependency>`;
}

function child(activation: string): string {
  return `<project><parent><groupId>g</groupId><artifactId>parent</artifactId><version>5</version></parent>
  <artifactId>child</artifactId>
  <dependencies>${artifact('stated', '${a}')}${artifact('managed', '')}${artifact('alone', '${b}')}</dependencies>
  <build>
    <pluginManagement><plugins><plugin><artifactId>maven-source-plugin</artifactId><version>2</version></plugin></plugins></pluginManagement>
    <plugins><plugin><artifactId>maven-source-plugin</artifactId></plugin></plugins>
  </build>
  <profiles><profile><id>other</id>${activation}<properties><a>2</a><b>3</b></properties>
    <dependencyManagement><dependencies>${artifact('managed', '2')}</dependencies></dependencyManagement>
  </profile></profiles>
</project>`;
}

function versionsOf(text: string): Readonly<Record<string, string | undefined>> {
  const files = [text, parent].map((it, at) => ({
    uri: `file:///${'up/'.repeat(at)}pom.xml`,
    format: pom,
    manifest: pom.parse(it),
  }));
  const link = createLinker({ files, constraints: [], included: [], missing: [] });
  const declared = files[0]?.manifest.dependencies ?? [];
  const asked = declared
    .filter(({ group, condition }) => condition === undefined && (group === undefined || group === 'plugins'))
    .map((it) => link(it)[0]);
  return Object.fromEntries(
    asked.map((it) => [
      it.key.name.replace(/^.*:/, ''),
      it.requirement.kind === 'text' ? it.requirement.text : undefined,
    ]),
  );
}

/** Source of what is expected: the effective POM that Maven 3.8's own model builder makes of these files. */
const parents = { stated: '1', managed: '1', 'maven-source-plugin': '2' };
const own = { stated: '2', managed: '2', 'maven-source-plugin': '2' };
const activations: readonly (readonly [activation: string, expected: Readonly<Record<string, string>>])[] = [
  ['', parents],
  ['<activation><property><name>x</name></property></activation>', parents],
  ['<activation><jdk>1.4</jdk></activation>', parents],
  ['<activation><activeByDefault>true</activeByDefault></activation>', own],
  ['<activation><property><name>!x</name></property></activation>', own],
  ['<activation><jdk>[9,)</jdk></activation>', own],
];

for (const [activation, expected] of activations) {
  test(`what a profile with ${activation || 'no activation'} says goes ${expected === own ? 'before' : 'behind'} what its parent says`, () => {
    // What no other file says may still be meant.
    assert.deepEqual(versionsOf(child(activation)), { ...expected, alone: '3' });
  });
}
