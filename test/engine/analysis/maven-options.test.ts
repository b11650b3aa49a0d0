import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { linkDependencies } from '../../../server/src/engine/analysis/link/linker.ts';
import type { Environment } from '../../../server/src/engine/analysis/load/environment.ts';
import { startReading } from '../../../server/src/engine/analysis/load/file-chain.ts';
import { ManifestReader } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { pom } from '../../../server/src/engine/ecosystems/maven/pom.ts';

/** A profile by request, one by default, and one by a property, each with a value. */
const project = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.acme</groupId><artifactId>app</artifactId><version>1</version>
  <properties><v>pom</v></properties>
  <dependencies>
    <dependency><groupId>g</groupId><artifactId>v</artifactId><version>\${v}</version></dependency>
    <dependency><groupId>g</groupId><artifactId>w</artifactId><version>\${w}</version></dependency>
  </dependencies>
  <profiles>
    <profile><id>ci</id><properties><v>ci</v></properties></profile>
    <profile><id>def</id><activation><activeByDefault>true</activeByDefault></activation><properties><v>default</v></properties></profile>
    <profile><id>fast</id><activation><property><name>quick</name></property></activation><properties><v>fast</v></properties></profile>
  </profiles>
</project>`;

interface Asked {
  readonly files?: Readonly<Record<string, string>>;
  /** In a terminal. */
  readonly MAVEN_ARGS?: string;
  readonly environment?: Partial<Environment>;
}

async function valuesFor({ files: given = {}, MAVEN_ARGS, environment }: Asked, own = 'pom.xml', text = project) {
  const texts = new Map(Object.entries({ ...given, [own]: text }).map(([name, it]) => [`file:///w/${name}`, it]));
  const variables = MAVEN_ARGS === undefined ? [] : [{ name: 'MAVEN_ARGS', label: 'MAVEN_ARGS', text: MAVEN_ARGS }];
  const files = {
    read: async (uri: string) => texts.get(uri),
    find: async () => [],
    machine: async () => ({ variables, files: [] }),
  };
  const reading = startReading(new ManifestReader(files, environment));
  const chain = await reading.chain(`file:///w/${own}`, pom, text);
  return Object.fromEntries(
    linkDependencies(chain)
      .filter((it) => it.dependency.condition === undefined)
      .map(({ key, requirement }) => [
        key.name.slice(2),
        requirement.kind === 'text'
          ? `${requirement.text}${requirement.place ? ` in ${requirement.place.uri.replace('file:///w/', '')}` : ''}`
          : requirement.kind,
      ]),
  );
}

/**
 * Source of what is expected: what Maven 3.8.7, 3.9.9 and 4.0.0-rc-5 interpolate (`help:evaluate`). Where they differ, it
 * is said.
 */
describe('options that Maven is always started with', () => {
  const config = ' in .mvn/maven.config';
  const table: readonly (readonly [config: string, v: string])[] = [
    ['', 'default in pom.xml'],
    ['-Dv=config\n', `config${config}`],
    ['-Dv=first\n-Dv=second\n', `second${config}`],
    ['-P ci\n', 'ci in pom.xml'],
    ['-Pci', 'ci in pom.xml'],
    ['-P\nci\n', 'ci in pom.xml'],
    ['-Pci\n-Dv=config\n', `config${config}`],
    ['-P!def\n', 'pom in pom.xml'],
    ['-P-def\n', 'pom in pom.xml'],
    ['-D\nv=nl\n', `nl${config}`],
    ['-Dquick\n', 'fast in pom.xml'],
    // A comment since 3.9.
    ['# -Dv=comment\n-Dv=real\n', `real${config}`],
    // Several in a line before 3.9, which takes the rest of the line for the value: no version has a blank.
    ['-T 2 -Dv=first -Dw=x', `first${config}`],
    // No longer in Maven 4.
    ['--define\nv=long\n', `long${config}`],
    ['--define=v=long\n', `long${config}`],
    ['-D v=space\n', `space${config}`],
    // 3.8 leaves the blanks out.
    ['-Dv=trail  \n', `trail${config}`],
    ['-Dproject.version=2\n', 'default in pom.xml'],
  ];
  for (const [text, expected] of table) {
    test(JSON.stringify(text), async () => {
      assert.equal((await valuesFor({ files: { '.mvn/maven.config': text } }))['v'], expected);
    });
  }

  test('a value may refer to others', async () => {
    const files = { '.mvn/maven.config': '-Dv=${w}.1\n-Dw=5' };
    assert.deepEqual(await valuesFor({ files }), { v: '5.1', w: '5 in .mvn/maven.config' });
  });

  test('properties of Java apply where the project has none, and activate profiles', async () => {
    const files = { '.mvn/jvm.config': '-Xmx1g -Dv=jvm -Dw=jvm' };
    assert.deepEqual(await valuesFor({ files }), { v: 'default in pom.xml', w: 'jvm in .mvn/jvm.config' });
    assert.equal((await valuesFor({ files: { '.mvn/jvm.config': '-Dquick=1' } }))['v'], 'fast in pom.xml');
  });

  test('a file of user properties, of Maven 4, applies before the project and behind options', async () => {
    const files = { '.mvn/maven-user.properties': '# comment\nv = user\nw: user\n' };
    const own = ' in .mvn/maven-user.properties';
    assert.deepEqual(await valuesFor({ files }), { v: `user${own}`, w: `user${own}` });
    const both = { ...files, '.mvn/maven.config': '-Dv=config' };
    assert.deepEqual(await valuesFor({ files: both }), { v: `config${config}`, w: `user${own}` });
  });

  test('the nearest folder counts, and below a root its options do', async () => {
    const files = { '.mvn/maven.config': '-Dv=far\n-Dw=far', 'a/.mvn/maven.config': '-Dv=near' };
    assert.deepEqual(await valuesFor({ files }, 'a/b/pom.xml'), { v: 'near in a/.mvn/maven.config', w: 'unresolved' });
    const root = { '.mvn/maven.config': '-Dv=far', 'a/.mvn/extensions.xml': '<extensions/>' };
    assert.equal((await valuesFor({ files: root }, 'b/pom.xml'))['v'], 'far in .mvn/maven.config');
  });

  test('the variable of a terminal applies there, before the files, and is never edited', async () => {
    const asked = { files: { '.mvn/maven.config': '-Dv=config\n-Dw=config' }, MAVEN_ARGS: '-Dv=args -P ci' };
    const inTerminal = { environment: { buildsHere: true } };
    assert.deepEqual(await valuesFor({ ...asked, ...inTerminal }), {
      v: 'args in variable:MAVEN_ARGS',
      w: `config${config}`,
    });
    assert.deepEqual(await valuesFor(asked), { v: `config${config}`, w: `config${config}` });
  });

  test('what a profile replaces that is active by default stays possible, and not what an option replaces', async () => {
    const all = async (config: string) => {
      const texts = new Map([['file:///w/.mvn/maven.config', config]]);
      const files = { read: async (uri: string) => texts.get(uri), find: async () => [] };
      const chain = await startReading(new ManifestReader(files)).chain('file:///w/pom.xml', pom, project);
      const linked = linkDependencies(chain).filter(({ key }) => key.name === 'g:v');
      return linked.map(({ requirement: it }) => (it.kind === 'text' ? it.text : it.kind)).sort();
    };
    assert.deepEqual(await all(''), ['ci', 'default', 'fast', 'pom']);
    assert.deepEqual(await all('-P ci'), ['ci', 'default', 'fast']);
    assert.deepEqual(await all('-Dv=1'), ['1']);
  });

  test("the project's own version stays its own", async () => {
    const text = `<project><groupId>com.acme</groupId><artifactId>app</artifactId><version>\${revision}</version>
      <properties><revision>1</revision></properties>
      <dependencies><dependency><groupId>com.acme</groupId><artifactId>other</artifactId><version>\${revision}</version></dependency></dependencies>
    </project>`;
    const files = { '.mvn/maven.config': '-Drevision=2' };
    assert.deepEqual(await valuesFor({ files }, 'pom.xml', text), { 'm.acme:other': 'source' });
  });
});
