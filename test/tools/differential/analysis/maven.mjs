/*
 * Holds what a project inherits from its parents' dependencyManagement (names, versions and scopes) against the model
 * builder of Maven itself, over random projects with a parent and its parent:
 *
 *     MAVEN_HOME=… node test/tools/differential/analysis/maven.mjs [cases] [seed]
 *
 * Not part of the tests: it needs `java`, and a Maven 3 (its `lib`). No artifact is managed twice under names that are
 * spelt differently and come to the same: Maven merges these field by field, and here the nearest counts.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Definitions } from '../../../../server/src/engine/analysis/link/definitions.ts';
import { linkDependencies } from '../../../../server/src/engine/analysis/link/linker.ts';
import { pom } from '../../../../server/src/engine/ecosystems/maven/pom.ts';

const [cases = '2000', seed = '1'] = process.argv.slice(2);
const { MAVEN_HOME = '' } = process.env;

const oracle = `
import java.io.File;
import java.util.Properties;
import org.apache.maven.model.*;
import org.apache.maven.model.building.*;

public class Effective {
  public static void main(String[] arguments) {
    for (int at = 0; at < Integer.parseInt(arguments[0]); at++) {
      DefaultModelBuildingRequest request = new DefaultModelBuildingRequest();
      request.setPomFile(new File(at + "/parent/child/pom.xml"));
      request.setValidationLevel(ModelBuildingRequest.VALIDATION_LEVEL_MINIMAL);
      request.setSystemProperties(new Properties());
      Model model;
      try {
        model = new DefaultModelBuilderFactory().newInstance().build(request).getEffectiveModel();
      } catch (ModelBuildingException missing) {
        // A dependency without a version is an error; the model still has the other dependencies.
        model = missing.getModel();
      }
      StringBuilder line = new StringBuilder();
      for (Dependency it : model.getDependencies())
        line.append(it.getGroupId() + ":" + it.getArtifactId() + " " + it.getVersion() + " " + it.getScope() + (it.isOptional() ? " optional" : "") + ", ");
      System.out.println(line);
    }
  }
}
`;

/** mulberry32 */
let state = Number(seed);
function below(most) {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % most;
}

const oneOf = (all) => all[below(all.length)];
const maybe = (text) => (below(2) ? text : '');

const groups =
  '${project.groupId} ${groupId} ${pom.groupId} ${project.parent.groupId} ${parent.groupId} ${g} a b own'.split(' ');
const versions = '1 2 ${project.version} ${version} ${project.parent.version} ${parent.version} ${v} 1.${v}'.split(' ');
const scopes = ['', '', 'test', 'provided', 'runtime', 'compile', '${s}'];

function dependency(group, artifact, version, scope, more = '') {
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>${version && `<version>${version}</version>`}${scope && `<scope>${scope}</scope>`}${more}</dependency>`;
}

function properties() {
  const [g, v, s] = [
    oneOf(['a', 'b', '${project.groupId}']),
    oneOf(['5', '${project.version}']),
    oneOf(['test', 'provided']),
  ];
  return `<properties>${maybe(`<g>${g}</g>`)}${maybe(`<v>${v}</v>`)}${maybe(`<s>${s}</s>`)}</properties>`;
}

function management(spelt) {
  const all = spelt.map((group, at) => maybe(dependency(group, `x${at}`, oneOf(versions), oneOf(scopes))));
  return `<dependencyManagement><dependencies>${all.join('')}</dependencies></dependencyManagement>`;
}

/** The project, its parent, and the parent's. */
function randomProjects() {
  const spelt = Array.from({ length: 6 }, () => oneOf(groups));
  const [group, version] = [oneOf(['own', 'p']), oneOf(['80', '90'])];
  const parent = (inner) => `<parent>${inner}</parent>`;
  const optional = () => maybe('<optional>true</optional>');
  const asked = spelt.map((it, at) =>
    dependency(
      oneOf([it, it, 'own', 'p', 'c']),
      `x${at}`,
      below(4) ? '' : oneOf(versions),
      oneOf(['', '', '', 'compile', 'test']),
      optional(),
    ),
  );
  const top = '<groupId>own</groupId><artifactId>t</artifactId><version>90</version>';
  const own = `<groupId>${group}</groupId><artifactId>p</artifactId><version>${version}</version>`;
  const defaults = '<properties><g>b</g><v>7</v><s>test</s></properties>';
  return [
    `${parent(own)}${maybe('<groupId>c</groupId>')}<artifactId>c</artifactId>${maybe('<version>70</version>')}${properties()}${management(spelt)}<dependencies>${asked.join('')}</dependencies>`,
    `${parent(top)}${own}<packaging>pom</packaging>${properties()}${management(spelt)}`,
    `${top}<packaging>pom</packaging>${defaults}${management(spelt)}`,
  ].map((it) => `<project><modelVersion>4.0.0</modelVersion>${it}</project>`);
}

const words = { dev: ['test'], build: ['provided'], runtime: ['compile', 'runtime'], optional: ['compile', 'runtime'] };

function differences(projects, expected) {
  const files = projects.map((text, at) => ({
    uri: `file:///${'up/'.repeat(at)}pom.xml`,
    format: pom,
    manifest: pom.parse(text),
  }));
  const definitions = new Definitions(files);
  const ours = linkDependencies({ files, constraints: [], included: [], missing: [] }).filter(
    (it) => it.dependency.group === undefined,
  );
  return expected
    .split(', ')
    .slice(0, -1)
    .flatMap((line, at) => {
      const [name, version, scope, optional] = line.split(' ');
      const { key, dependency: it } = ours[at];
      const value = definitions.textOf(it.requirement);
      const text = value?.kind === 'text' ? value.text : 'null';
      const isOptional = it.scope === 'optional' || optional === undefined || scope === 'test' || scope === 'provided';
      const isSame = key.name === name && text === version && words[it.scope].includes(scope) && isOptional;
      return isSame ? [] : [`${line}, ours ${key.name} ${text} ${it.scope}`];
    });
}

const folder = mkdtempSync(join(tmpdir(), 'maven-'));
const all = Array.from({ length: Number(cases) }, randomProjects);
for (const [at, projects] of all.entries()) {
  for (const [depth, text] of projects.entries()) {
    const directory = join(folder, String(at), ...['parent', 'child'].slice(0, 2 - depth));
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'pom.xml'), text);
  }
}
writeFileSync(join(folder, 'Effective.java'), oracle);
const jars = readdirSync(join(MAVEN_HOME, 'lib')).filter((it) => it.endsWith('.jar'));
const classPath = jars.map((it) => join(MAVEN_HOME, 'lib', it)).join(':');
const answers = execFileSync('java', ['-cp', classPath, 'Effective.java', cases], {
  cwd: folder,
  encoding: 'utf8',
  maxBuffer: 2 ** 30,
});
rmSync(folder, { recursive: true });
const lines = answers.trimEnd().split('\n');
const found = all.flatMap((projects, at) =>
  differences(projects, lines[at] ?? '').map((it) => `${it}\n  ${projects.join('\n  ')}`),
);
for (const it of found.slice(0, 5)) console.log(it);
console.log(`${found.length} of ${6 * all.length} dependencies differ`);
process.exitCode = found.length > 0 ? 1 : 0;
