import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkDependencies } from '../../../../server/src/engine/analysis/link/linker.ts';
import { gradle } from '../../../../server/src/engine/ecosystems/gradle/build-gradle.ts';
import { gradleProperties } from '../../../../server/src/engine/ecosystems/gradle/files/gradle-properties.ts';
import { versionCatalog } from '../../../../server/src/engine/ecosystems/gradle/version-catalog.ts';
import { formatOf } from '../../../../server/src/engine/ecosystems/manifest-formats.ts';
import type { ManifestFormat } from '../../../../server/src/engine/model/manifest.ts';

/** What each dependency of the first file comes to, with the other files behind it. */
function linked(...texts: readonly (readonly [ManifestFormat, string])[]): readonly string[] {
  const files = texts.map(([format, text], i) => ({ uri: `file:///${i}`, format, manifest: format.parse(text) }));
  return linkDependencies({ files, constraints: [], included: [], missing: [] }).map(({ key, requirement }) => {
    if (requirement.kind !== 'text') return `${key.name} ${requirement.kind}`;
    const { place } = requirement;
    return `${key.name} ${requirement.text} ${place ? `in ${place.uri.slice('file:///'.length)}` : 'composed'}`;
  });
}

const dependencies = (...all: readonly string[]) => `dependencies {\n${all.map((it) => `  api ${it}\n`).join('')}}\n`;

const catalog = `[versions]
spring-boot = "3.2.2"
[libraries]
spring-boot-web = { module = "org.springframework.boot:web", version.ref = "spring-boot" }
managed = "g:managed"
[plugins]
boot = { id = "org.springframework.boot", version.ref = "spring-boot" }
`;

test('files of Gradle are known by their names', () => {
  const files = {
    'build.gradle': ['build.gradle', 'a/build.gradle.kts', 'settings.gradle', 'gradle/versions.gradle', 'x.gradle.kts'],
    'libs.versions.toml': ['gradle/libs.versions.toml', 'gradle/test.versions.toml'],
    'gradle.properties': ['gradle.properties', 'a/gradle.properties'],
    none: ['gradle', 'build.gradle.bak', 'gradle-wrapper.properties', 'versions.toml', 'build.gradle.kt'],
  };
  for (const [id, paths] of Object.entries(files)) {
    for (const path of paths) assert.equal(formatOf(path)?.id ?? 'none', id, path);
  }
});

test('an entry of the catalog says the package and its version', () => {
  const script = `plugins { alias(libs.plugins.boot) }\n${dependencies('libs.spring.boot.web', 'libs.managed', 'libs.no')}`;
  assert.deepEqual(linked([gradle, script], [versionCatalog, catalog]), [
    'org.springframework.boot:org.springframework.boot.gradle.plugin 3.2.2 in 1',
    'org.springframework.boot:web 3.2.2 in 1',
    'g:managed unresolved',
    'libs.no unresolved',
  ]);
});

test('a catalog in the settings counts as one in a file', () => {
  const settings = `dependencyResolutionManagement { versionCatalogs { create("libs") {
    version("v", "1.0")
    library("a-b", "g", "a").versionRef("v")
  } } }`;
  assert.deepEqual(linked([gradle, dependencies('libs.a.b')], [gradle, settings]), ['g:a 1.0 in 1']);
});

test('a variable is looked for in the script, the properties and the script of the root', () => {
  const script = `def own = '1'\n${dependencies('"g:a:$own"', '"g:b:$shared"', '"g:c:$versions.c"', '"g:d:1.$shared"')}`;
  const root = `ext.versions = [c: '3']\next.own = '9'\n`;
  assert.deepEqual(linked([gradle, script], [gradleProperties, 'shared=2\n'], [gradle, root]), [
    'g:a 1 in 0',
    'g:b 2 in 1',
    'g:c 3 in 2',
    'g:d 1.2 composed',
  ]);
});

test('a constraint says the version of what names none', () => {
  const script = `dependencies {\n constraints { api 'g:a:1.0' }\n api 'g:a'\n api libs.managed\n}\n`;
  const root = `dependencyManagement { dependencies { dependency 'g:managed:2.0' } }`;
  assert.deepEqual(linked([gradle, script], [versionCatalog, catalog], [gradle, root]), [
    'g:a 1.0 in 0',
    'g:a 1.0 in 0',
    'g:managed 2.0 in 2',
  ]);
});

test("a plugin without a version has the root's, and a map of libraries is as good as a catalog", () => {
  const root = `plugins { id 'a.b' version '1.5' apply false }\next.deps = [core: "g:core:2.0"]`;
  const script = `plugins { id 'a.b' }\n${dependencies('deps.core')}`;
  assert.deepEqual(linked([gradle, script], [gradle, root]), ['a.b:a.b.gradle.plugin 1.5 in 1', 'g:core 2.0 in 1']);
});

test('only files that may be needed are looked for', () => {
  const paths = (text: string) => [...new Set(gradle.parse(text).references.map((it) => it.path))];
  assert.deepEqual(paths(dependencies("'g:a:1'", "'g:b:2'")), []);
  assert.deepEqual(paths(`def v = '1'\n${dependencies('"g:a:$v"')}`), []);
  assert.deepEqual(paths(dependencies('"g:a:$v"')), ['gradle.properties', 'build.gradle', 'build.gradle.kts']);
});

test('an edit writes the escapes its quotes need', () => {
  const [single, double] = gradle.parse(dependencies("'g:a:1'", '"g:b:1"')).dependencies;
  const encode = (it: typeof single) => (it?.requirement.kind === 'literal' ? it.requirement.at.encode(`$'"\\`) : '');
  assert.equal(encode(single), `$\\'"\\\\`);
  assert.equal(encode(double), `\\$'\\"\\\\`);
});

test('hostile scripts are read in reasonable time', () => {
  const many = 5_000;
  for (const text of [
    ...['(', '{', '[', 'a(', 'a = [', 'ext.a = [b:', '"${', "'", '"""', '/*', '=/a', 'a.', '\n', '=\n', 'a = b\n'],
    ...['dependencies {', 'apply from ', 'a.get()', '+', ':', '->', '\\', '`', '$a'],
  ].map((it) => it.repeat(many))) {
    gradle.parse(text);
    gradle.parse(`dependencies { a ${text}`);
    gradle.parse(`dependencies { a("${text}`);
    gradle.parse(`plugins { id ${text}`);
    gradle.parse(`versionCatalogs { library("a", ${text}`);
  }
  assert.equal(gradle.parse(`dependencies { a ${"'g:a:1', ".repeat(many)} }`).dependencies.length, many);
});

test('a property that no file gives a value has the one behind it', () => {
  const script = `def own = findProperty("v") ?: "1.0"\n${dependencies('"g:a:$own"')}`;
  assert.deepEqual(linked([gradle, script]), ['g:a 1.0 in 0']);
  assert.deepEqual(linked([gradle, script], [gradleProperties, 'v=2.0\n']), ['g:a 2.0 in 1']);
  const same = `def v = findProperty("v") ?: "1.0"\n${dependencies('"g:a:$v"')}`;
  assert.deepEqual(linked([gradle, same]), ['g:a 1.0 in 0']);
  assert.deepEqual(linked([gradle, same], [gradleProperties, 'v=2.0\n']), ['g:a 2.0 in 1']);
  const inside = dependencies(`"g:a:\${project.hasProperty('v') ? v : '1.0'}"`);
  assert.deepEqual(linked([gradle, inside]), ['g:a 1.0 in 0']);
  assert.deepEqual(linked([gradle, inside], [gradleProperties, 'v=2.0\n']), ['g:a 2.0 in 1']);
  const different = `${same}def w = findProperty("v") ?: "3.0"\n`;
  assert.deepEqual(linked([gradle, different]), ['g:a unresolved']);
});

test('a name is put together of halves alone, whichever file they stand in', () => {
  const all = dependencies(
    '"$module:1.0"',
    '"$group:core:1.0"',
    'whole',
    '"$whole"',
    '"$port:1.0"',
    '"$group:$port:1"',
  );
  const properties = 'module=g:a\ngroup=g.h\nwhole=g:whole:2.0\nport=localhost:8080\n';
  assert.deepEqual(linked([gradle, all], [gradleProperties, properties]), [
    'g:a 1.0 in 0',
    'g.h:core 1.0 in 0',
    'g:whole 2.0 in 1',
    'g:whole 2.0 in 1',
    '${port} unresolved',
    '${group}:${port} unresolved',
  ]);
});

test('names that go round in a circle, and lists of themselves, end', () => {
  const script = `def a = b\ndef b = a\ndef l = [l, l, 'g:a:1']\n${dependencies('a', 'l')}`;
  assert.deepEqual(linked([gradle, script]), ['g:a 1 in 0', 'a unresolved']);
  const lists = Array.from({ length: 9 }, (_, at) => `def l${at} = [${`l${at + 1}, `.repeat(50)}]\n`).join('');
  assert.equal(gradle.parse(`${lists}def l9 = ['g:a:1']\n${dependencies('l0')}`).dependencies.length, 0);
});

test('a catalog may have another name than the usual one', () => {
  const { references } = gradle.parse(`dependencyResolutionManagement { defaultLibrariesExtensionName = "ours" }`);
  assert.deepEqual(
    references.map(({ path, within }) => ({ path, within })),
    [{ path: 'gradle/libs.versions.toml', within: 'ours' }],
  );
});
