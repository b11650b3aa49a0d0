import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkDependencies } from '../../../../server/src/engine/analysis/link/linker.ts';
import { pom } from '../../../../server/src/engine/ecosystems/maven/pom.ts';

/**
 * Source of what is expected: the effective POM that Maven 3.8's own model builder makes of these files. What has the version of a project at hand
 * is no published package.
 */
const parent = `<project>
  <parent><groupId>up</groupId><artifactId>top</artifactId><version>9</version><relativePath/></parent>
  <groupId>org.parent</groupId><artifactId>parent</artifactId><version>5</version>
  <properties><test.only>test</test.only><its.group>of.parent</its.group></properties>
  <dependencyManagement><dependencies>
    ${managed('${project.groupId}', 'a', '${project.parent.version}', '<scope>test</scope>')}
    ${managed('${groupId}', 'b', '1', '<scope>${test.only}</scope>')}
    ${managed('${project.parent.groupId}', 'c', '6', '<optional>true</optional>')}
    ${managed('${its.group}', 'd', '2', '<type>test-jar</type>')}
    ${managed('g', 'shadowed', '1', '<scope>test</scope>')}
    ${managed('g', 'scope-alone', '', '<scope>provided</scope>')}
    ${managed('g', 'stated', '1', '<scope>test</scope>')}
  </dependencies></dependencyManagement>
  <profiles><profile><id>p</id><dependencyManagement><dependencies>
    ${managed('${project.groupId}', 'in-profile', '4', '<scope>runtime</scope>')}
  </dependencies></dependencyManagement></profile></profiles>
</project>`;

const child = `<project>
  <parent><groupId>org.parent</groupId><artifactId>parent</artifactId><version>5</version></parent>
  <groupId>org.child</groupId><artifactId>child</artifactId><version>7</version>
  <properties><its.group>of.child</its.group></properties>
  <dependencyManagement><dependencies>${managed('g', 'shadowed', '2')}</dependencies></dependencyManagement>
  <dependencies>
    ${managed('org.child', 'a', '')}
    ${managed('${project.groupId}', 'b', '')}
    ${managed('org.parent', 'c', '')}
    ${managed('of.child', 'd', '', '<type>test-jar</type>')}
    ${managed('g', 'shadowed', '')}
    ${managed('g', 'scope-alone', '3')}
    ${managed('g', 'stated', '3')}
    ${managed('g', 'stated', '3', '<scope>compile</scope>')}
    ${managed('org.child', 'in-profile', '')}
    ${managed('org.parent', 'a', '')}
  </dependencies>
</project>`;

const effective = `
org.child:a source dev
org.child:b 1 dev
org.parent:c 6 runtime
of.child:d 2 runtime
g:shadowed 2 runtime
g:scope-alone 3 build
g:stated 3 dev
g:stated 3 runtime
org.child:in-profile 4 runtime
org.parent:a unresolved runtime`;

function managed(group: string, artifact: string, version: string, rest = ''): string {
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>
    ${version && `<version>${version}</version>`}${rest}</dependency>`;
}

test('names, versions and scopes that a parent manages mean what they mean to the child', () => {
  const files = [child, parent].map((text, at) => ({
    uri: `file:///${at === 0 ? 'a/' : ''}pom.xml`,
    format: pom,
    manifest: pom.parse(text),
  }));
  const lines = linkDependencies({ files, constraints: [], included: [], missing: [] })
    .filter((it) => it.dependency.group === undefined)
    .map(({ key, requirement, dependency }) => {
      return `\n${key.name} ${requirement.kind === 'text' ? requirement.text : requirement.kind} ${dependency.scope}`;
    });
  assert.equal(lines.join(''), effective);
});

test('ids whose references lead back to themselves, or nowhere, are as they are written', () => {
  const text = `<project><properties><a>\${b}</a><b>\${a}</b></properties>
    <dependencyManagement><dependencies>${managed('${a}', 'x', '1')}${managed('${nowhere}', 'y', '1')}</dependencies></dependencyManagement>
    <dependencies>${managed('${a}', 'x', '')}${managed('${nowhere}', 'y', '')}</dependencies></project>`;
  const file = { uri: 'file:///pom.xml', format: pom, manifest: pom.parse(text) };
  const found = linkDependencies({ files: [file], constraints: [], included: [], missing: [] });
  assert.deepEqual(
    found.map((it) => it.requirement.kind),
    ['unresolved', 'unresolved', 'unresolved', 'unresolved'],
  );
});
