import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { linkDependencies } from '../../../server/src/engine/analysis/link/linker.ts';
import { startReading } from '../../../server/src/engine/analysis/load/file-chain.ts';
import { ManifestReader } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { pom } from '../../../server/src/engine/ecosystems/maven/pom.ts';
import { filesOf } from '../../engine/analysis/members-lab.ts';
import { randomOf } from '../clients/random.ts';

/*
 * Has the model builder of Maven interpolate projects with a parent, profiles, and options that Maven is always started with, and
 * holds what the engine says against it.
 *
 *     node test/tools/resolution/maven.ts MAVEN_HOME [PROJECTS]
 *
 * It needs `java`; MAVEN_HOME is a Maven 3. What the parents manage is held by `test/tools/differential/analysis/maven.mjs`.
 */
const [home = '', count = '200'] = process.argv.slice(2);

const oracle = `
import java.io.File;
import java.util.*;
import org.apache.maven.model.*;
import org.apache.maven.model.building.*;

public class Versions {
  public static void main(String[] arguments) throws Exception {
    Scanner in = new Scanner(System.in);
    while (in.hasNextLine()) {
      String[] cells = in.nextLine().split("\\t", -1);
      DefaultModelBuildingRequest request = new DefaultModelBuildingRequest();
      request.setPomFile(new File(cells[0]));
      request.setValidationLevel(ModelBuildingRequest.VALIDATION_LEVEL_MINIMAL);
      request.setSystemProperties(new Properties());
      Properties user = new Properties();
      for (String it : cells[1].split(",")) if (it.contains("=")) user.setProperty(it.split("=")[0], it.split("=")[1]);
      request.setUserProperties(user);
      request.setActiveProfileIds(cells[2].isEmpty() ? List.of() : Arrays.asList(cells[2].split(",")));
      request.setInactiveProfileIds(cells[3].isEmpty() ? List.of() : Arrays.asList(cells[3].split(",")));
      Model model = new DefaultModelBuilderFactory().newInstance().build(request).getEffectiveModel();
      StringBuilder line = new StringBuilder();
      for (Dependency it : model.getDependencies()) line.append(it.getArtifactId() + " " + it.getVersion() + ",");
      System.out.println(line);
    }
  }
}
`;

interface MavenProject {
  readonly files: Readonly<Record<string, string>>;
  readonly user: string;
  readonly on: string;
  readonly off: string;
}

const names = ['a', 'b', 'c', 'd'];

function projectOf(seed: number): MavenProject {
  const random = randomOf(seed * 100 + 30);
  let versions = 0;
  let artifacts = 0;
  const value = (): string => (random.is(0.2) ? `$\{${random.one(names.slice(2))}}` : `1.${versions++}`);
  const properties = (all: readonly string[]): string =>
    `<properties>${all.map((it) => `<${it}>${it > 'b' ? `2.${versions++}` : value()}</${it}>`).join('')}</properties>`;
  const some = (chance: number): readonly string[] => names.filter(() => random.is(chance));
  const version = (): string => random.one([...names, 'a', 'b'].map((it) => `$\{${it}}`).concat('${a}.1', '3.0'));
  const dependencies = (most: number): string => {
    const all = Array.from({ length: random.below(most) }, () => `x${artifacts++}`);
    return `<dependencies>${all.map((it) => `<dependency><groupId>g</groupId><artifactId>${it}</artifactId><version>${version()}</version></dependency>`).join('')}</dependencies>`;
  };
  const ids = ['one', 'two', 'three'];
  const activation = (): string =>
    random.one([
      '',
      '<activation><activeByDefault>true</activeByDefault></activation>',
      '<activation><property><name>p</name></property></activation>',
      '<activation><property><name>!p</name></property></activation>',
      '<activation><property><name>p</name><value>1</value></property></activation>',
    ]);
  const profile = (id: string): string =>
    `<profile><id>${id}</id>${activation()}${properties(some(0.4))}${dependencies(2)}</profile>`;
  const profiles = (): string =>
    `<profiles>${ids
      .filter(() => random.is(0.5))
      .map(profile)
      .join('')}</profiles>`;
  const start = '<project><modelVersion>4.0.0</modelVersion>';
  const parent = `${start}<groupId>o</groupId><artifactId>p</artifactId><version>1</version><packaging>pom</packaging>${properties(names)}${dependencies(3)}${profiles()}</project>`;
  const own = `${start}<parent><groupId>o</groupId><artifactId>p</artifactId><version>1</version></parent><artifactId>app</artifactId>${properties(some(0.3))}${dependencies(5)}${profiles()}</project>`;
  const user = random.is(0.4) ? random.one(['a=9.1', 'p=1', 'p=2', 'b=9.2']) : '';
  const on = random.is(0.3) ? random.one(ids) : '';
  const off = random.is(0.2) ? (ids.filter((it) => it !== on)[random.below(2)] ?? '') : '';
  const options = [user && `-D${user}`, on && `-P${on}`, off && `-P!${off}`].filter((it) => it);
  const config = options.length > 0 && { '.mvn/maven.config': `${options.join('\n')}\n` };
  return { files: { 'app/pom.xml': own, 'pom.xml': parent, ...config }, user, on, off };
}

const projects = Array.from({ length: Number(count) }, (_, seed) => projectOf(seed));
const folder = mkdtempSync(join(tmpdir(), 'maven-'));
for (const [at, { files }] of projects.entries())
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, String(at), path)), { recursive: true });
    writeFileSync(join(folder, String(at), path), text);
  }
writeFileSync(join(folder, 'Versions.java'), oracle);
const jars = readdirSync(join(home, 'lib')).filter((it) => it.endsWith('.jar'));
const poms = ['app/pom.xml', 'pom.xml'];
const input = projects
  .flatMap(({ user, on, off }, at) => poms.map((it) => [`${at}/${it}`, user, on, off].join('\t')))
  .join('\n');
const output = execFileSync('java', ['-cp', jars.map((it) => join(home, 'lib', it)).join(':'), 'Versions.java'], {
  cwd: folder,
  input,
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
});
rmSync(folder, { recursive: true });
const figures = { exact: 0, among: 0, wrong: 0, silent: 0 };
const lines = output.trimEnd().split('\n');
for (const [at, { files }] of projects.entries()) {
  if (process.env['SHOW'] === String(at)) console.log(JSON.stringify(files, undefined, 1));
  for (const [which, own] of poms.entries())
    for (const note of await compare(files, own, lines[at * poms.length + which] ?? '')) console.log(`${at}: ${note}`);
}
console.log(JSON.stringify({ projects: projects.length, ...figures }));

/** Holds what is said of the dependencies of one file against those of its effective model. */
async function compare(files: MavenProject['files'], own: string, line: string): Promise<readonly string[]> {
  const chain = await startReading(new ManifestReader(filesOf(files))).chain(`file:///w/${own}`, pom, files[own] ?? '');
  const linked = linkDependencies(chain).map(({ key, requirement, dependency }) => ({
    name: key.name.slice('g:'.length),
    text: requirement.kind === 'text' ? requirement.text : requirement.kind,
    when: dependency.condition,
  }));
  return line.split(',').flatMap((cell) => {
    const [name = '', version = ''] = cell.split(' ');
    // What is inherited is a line of the parent.
    if (name === '' || !files[own]?.includes(`>${name}<`)) return [];
    const ours = linked.filter((it) => it.name === name);
    const texts = new Set(ours.map((it) => it.text));
    const kind = ours.length === 0 ? 'silent' : !texts.has(version) ? 'wrong' : texts.size > 1 ? 'among' : 'exact';
    figures[kind]++;
    const said = ours.map((it) => `${it.text}${it.when ? ` when ${it.when}` : ''}`).join(' | ');
    return kind === 'exact' || kind === 'among' ? [] : [`${kind} ${cell}, we say ${said}`];
  });
}
