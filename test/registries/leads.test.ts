import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mavenRegistries } from '../../server/src/registries/maven.ts';

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
  '': [],
};

for (const [text, expected] of Object.entries(options)) {
  test(`settings in maven.config: ${JSON.stringify(text)}`, () => {
    const found = mavenRegistries.leads?.({ name: 'maven.config', label: '.mvn/maven.config', text });
    assert.deepEqual(
      found?.map((it) => it.label),
      expected,
    );
  });
}

test('no other file leads anywhere', () => {
  assert.deepEqual(mavenRegistries.leads?.({ name: 'settings.xml', label: 'settings.xml', text: '-s ci.xml' }), []);
});
