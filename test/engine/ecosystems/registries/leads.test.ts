import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cargoRegistries } from '../../../../server/src/engine/ecosystems/cargo/registries.ts';
import { mavenRegistries } from '../../../../server/src/engine/ecosystems/maven/registries.ts';

/** What is written into maven.config, and the settings that Maven 3.8 reads then. */
const options: Readonly<Record<string, readonly string[]>> = {
  '-s ci.xml': ['ci.xml'],
  '-sci.xml': ['ci.xml'],
  '-s=ci.xml': ['ci.xml'],
  '--settings=ci.xml': ['ci.xml'],
  '--settings ci.xml -T4': ['ci.xml'],
  '-T4\n-s\n.mvn/ci settings.xml': ['.mvn/ci'],
  '--settings="my files/ci.xml"': ['my files/ci.xml'],
  '-gs all.xml\n--global-settings=more.xml': ['all.xml', 'more.xml'],
  '-s ${session.rootDirectory}/ci.xml': ['ci.xml'],
  '-B --show-version -Ds=1 x-s y.xml': [],
  '-s': [],
  '-Dmaven.user.settings=a.xml -Dorg.apache.maven.global-settings="b c.xml"': ['a.xml', 'b c.xml'],
  '': [],
};

for (const [text, expected] of Object.entries(options)) {
  test(`settings in maven.config: ${JSON.stringify(text)}`, () => {
    const found = mavenRegistries.filesNamedBy?.({ name: 'maven.config', label: '.mvn/maven.config', text });
    assert.deepEqual(
      found?.map((it) => it.label),
      expected,
    );
  });
}

/** What Cargo's configuration includes, from its own directory. */
const includes: Readonly<Record<string, readonly string[]>> = {
  'include = "more.toml"': ['.cargo/more.toml'],
  'include = ["a.toml", { path = "b/c.toml", optional = true }, 1]': ['.cargo/a.toml', '.cargo/b/c.toml'],
  '[[include]]\npath = "../a.toml"\n[[include]]\noptional = true': ['.cargo/../a.toml'],
  '[source.include]\npath = "a"': [],
};

for (const [text, expected] of Object.entries(includes)) {
  test(`what config.toml includes: ${JSON.stringify(text)}`, () => {
    const found = cargoRegistries.filesNamedBy?.({ name: 'config.toml', label: '.cargo/config.toml', text });
    assert.deepEqual(
      found?.map((it) => it.label),
      expected,
    );
  });
}

test('among the options of Java a property alone names settings', () => {
  const text = '-server -Xss2m -s no.xml\n-Dmaven.user.settings=${session.rootDirectory}/ci.xml';
  const found = mavenRegistries.filesNamedBy?.({ name: 'jvm.config', label: '.mvn/jvm.config', text });
  assert.deepEqual(found, [{ name: 'settings.xml', label: 'ci.xml' }]);
});

test('no other file leads anywhere', () => {
  assert.deepEqual(
    mavenRegistries.filesNamedBy?.({ name: 'settings.xml', label: 'settings.xml', text: '-s ci.xml' }),
    [],
  );
});
