import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkDependencies } from '../../../../server/src/engine/analysis/link/linker.ts';
import { pom } from '../../../../server/src/engine/ecosystems/maven/pom.ts';
import type { LinkedDependency } from '../../../../server/src/engine/model/evaluated-dependency.ts';

function linked(...texts: readonly string[]): readonly LinkedDependency[] {
  const files = texts.map((it, i) => ({
    uri: `file:///${'up/'.repeat(i)}pom.xml`,
    format: pom,
    manifest: pom.parse(it),
  }));
  return linkDependencies({ files, constraints: [], included: [], missing: [] });
}

function said(it: LinkedDependency | undefined): string | undefined {
  if (it?.requirement.kind !== 'text') return it?.requirement.kind;
  const frozen = it.requirement.place?.frozen;
  const composed = it.requirement.place ? '' : ' composed';
  return `${it.key.name} ${it.requirement.text}${composed}${frozen ? ` frozen: ${frozen}` : ''}`;
}

const parent = `<project>
  <groupId>org.example</groupId><artifactId>parent</artifactId><version>5</version>
  <properties><spring>6.0</spring><minor>1</minor></properties>
  <dependencyManagement><dependencies>
    <dependency><groupId>g</groupId><artifactId>core</artifactId><version>\${spring}</version></dependency>
    <dependency><groupId>g</groupId><artifactId>tests</artifactId><version>1.\${minor}</version><type>test-jar</type></dependency>
    <dependency><groupId>\${project.groupId}</groupId><artifactId>sibling</artifactId><version>\${project.version}</version></dependency>
  </dependencies></dependencyManagement>
</project>`;

function child(rest: string, version = ''): string {
  return `<project>
  <parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>5</version></parent>
  <artifactId>shop</artifactId>${version}${rest}</project>`;
}

function dependency(group: string, artifact: string, rest = ''): string {
  return `<dependencies><dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>${rest}</dependency></dependencies>`;
}

test('a version is taken from the management and the properties of the parent', () => {
  assert.equal(said(linked(child(dependency('g', 'core')), parent).at(-1)), 'g:core 6.0');
  assert.equal(
    said(linked(child(dependency('g', 'tests', '<type>test-jar</type>')), parent).at(-1)),
    'g:tests 1.1 composed',
  );
  assert.equal(linked(child(dependency('g', 'tests')), parent).at(-1)?.requirement.kind, 'unresolved');
  assert.equal(linked(child(dependency('g', 'core')), parent).at(-1)?.uri, 'file:///pom.xml');
});

test('a property of the child takes the place of the one that the parent refers to', () => {
  const text = child(`<properties><spring>6.1</spring></properties>${dependency('g', 'core')}`);
  assert.equal(said(linked(text, parent).at(-1)), 'g:core 6.1');
});

test("modules with the project's version, and a parent that is at hand, are no published packages", () => {
  const text = child(dependency(`\${project.groupId}`, 'sibling'), '<version>7</version>');
  assert.deepEqual(linked(text, parent).at(-1)?.requirement, { kind: 'source', source: 'workspace' });
  const inherited = child(dependency(`\${project.groupId}`, 'other', `<version>\${project.version}</version>`));
  assert.deepEqual(linked(inherited, parent).at(-1)?.requirement, { kind: 'source', source: 'workspace' });
  assert.deepEqual(linked(inherited, parent)[0]?.requirement, { kind: 'source', source: 'workspace' });
});

test('a parent from a repository is moved in the line that names it', () => {
  assert.equal(said(linked(child(''))[0]), 'org.example:parent 5');
});

test('properties that refer to themselves or double with each step end', () => {
  const doubling = Array.from({ length: 40 }, (_, i) => `<p${i}>\${p${i + 1}}\${p${i + 1}}</p${i}>`).join('');
  const text = `<project><properties><a>\${b}</a><b>\${a}</b>${doubling}<p40>1</p40></properties>
    ${dependency(`\${a}`, `\${p0}`, `<version>\${p0}</version>`)}</project>`;
  assert.equal(linked(text)[0]?.requirement.kind, 'unresolved');
  const many = Array.from({ length: 30 }, (_, i) => `<p${i}>${`\${p${i + 1}}`.repeat(50)}</p${i}>`).join('');
  const empty = `<project><properties>${many}<p30/></properties>${dependency(`\${p0}`, 'a')}</project>`;
  assert.equal(pom.parse(empty).dependencies[0]?.key.name, ':a');
  assert.equal(pom.parse(text).dependencies.length, 1);
});

test('the parent is expected to be the one that is named', () => {
  assert.equal(pom.parse(parent).identity, 'org.example:parent');
  assert.equal(pom.parse(child('')).identity, 'org.example:shop');
  assert.equal(pom.parse(child('')).references[0]?.expects, 'org.example:parent');
  assert.equal(pom.parse(`<project><artifactId>\${a}</artifactId></project>`).identity, undefined);
});

test('while a line is being typed, only what it belongs to may be missing', () => {
  const one = (name: string) => `    <dependency>
      <groupId>g</groupId>
      <artifactId>${name}</artifactId>
      <version>\${v}</version>
    </dependency>`;
  const lines = `<project>
  <properties>
    <v>1</v>
  </properties>
  <dependencyManagement>
    <dependencies>
  ${one('managed').replaceAll('\n', '\n  ')}
    </dependencies>
  </dependencyManagement>
  <dependencies>
${one('first')}
${one('second')}
${one('third')}
  </dependencies>
  <build>
    <extensions>
${one('extension').replaceAll('dependency>', 'extension>').replaceAll('    <', '      <')}
    </extensions>
  </build>
</project>`.split('\n');
  const whole = pom.parse(lines.join('\n')).dependencies.map((it) => ({
    name: it.key.name,
    line: lines.findIndex((line) => line.includes(`>${it.key.name.slice(2)}<`)),
  }));
  assert.equal(whole.length, 5);
  for (const [at, line] of lines.entries()) {
    // Before two characters of a name are there, nothing tells that a section begins here.
    for (let end = line.search(/\S/) + (line.includes('</') ? 0 : 3); end < line.length; end++) {
      const text = lines.with(at, line.slice(0, end)).join('\n');
      const found = new Set(pom.parse(text).dependencies.map((it) => it.key.name));
      const missing = whole.filter((it) => !found.has(it.name) && (at < it.line - 2 || at > it.line + 2));
      assert.deepEqual(missing, [], `\n${text}`);
    }
  }
});

/** Source of what is expected: the effective POM that Maven 3.8's own model builder makes of these files. */
test('of what is managed twice the first counts, and the last where a parent manages something, too', () => {
  const one = (version: string) => dependency('g', 'twice', `<version>${version}</version>`);
  const managed = `<dependencyManagement>${one('1.0')}${one('2.0')}</dependencyManagement>`;
  const asked = dependency('g', 'twice');
  const twice = parent.replace(/<dependencyManagement>.*<\/dependencyManagement>/s, managed);
  const last = (...texts: readonly string[]) => said(linked(...texts).findLast((it) => it.key.name === 'g:twice'));
  assert.equal(last(`<project>${managed}${asked}</project>`), 'g:twice 1.0');
  assert.equal(last(child(asked), twice), 'g:twice 1.0');
  assert.equal(last(child(`${managed}${asked}`), parent), 'g:twice 2.0');
});
