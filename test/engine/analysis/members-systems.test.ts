import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownIn, type Texts } from './members-lab.ts';

const crates = '[package]\nname = "app"\n[dependencies]\nlib = "1"\nfar = "1"\nserde = "1"\n';

test("crates of Cargo's workspace, those at the end of a path, and what configuration puts in another's place", async () => {
  const workspace = {
    'crates/app/Cargo.toml': crates,
    'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n[workspace.dependencies]\nx = { path = "other/x" }\n',
    'crates/lib/Cargo.toml': '[package]\nname = "lib"\n',
    'other/x/Cargo.toml': '[package]\nname = "far"\n',
  };
  assert.deepEqual(await ownIn(workspace), ['lib', 'far']);
  const configured = {
    'app/Cargo.toml': crates,
    '.cargo/config.toml': 'paths = ["vendor/any"]\n[patch.crates-io]\nfar = { git = "https://host.example/far" }\n',
    'vendor/any/Cargo.toml': '[package]\nname = "lib"\n',
  };
  assert.deepEqual(await ownIn(configured), ['lib', 'far']);
});

test("members of Deno's workspace, whichever file names them, and what is linked", async () => {
  const imports = ['add', 'sub', 'linked', 'other'].map((it) => [`@acme/${it}`, `npm:@acme/${it}@^1`]);
  const root = {
    'deno.json': '{ "workspace": ["./app", "libs/*"], "links": ["../linked"] }',
    'libs/add/deno.json': '{ "name": "@acme/add", "exports": "./mod.ts" }',
    'libs/sub/package.json': '{ "name": "@acme/sub" }',
  };
  const members: Texts = { 'app/deno.jsonc': JSON.stringify({ imports: Object.fromEntries(imports) }), ...root };
  assert.deepEqual(await ownIn(members), ['@acme/add', '@acme/sub']);
  const dependencies = '{ "dependencies": { "@acme/add": "1.0.0", "@acme/other": "1.0.0" } }';
  assert.deepEqual(await ownIn({ 'app/package.json': dependencies, ...root }), ['@acme/add']);
  const linking = {
    'w/deno.json': JSON.stringify({ links: ['../linked'], imports: Object.fromEntries(imports) }),
    'linked/package.json': '{ "name": "@acme/linked" }',
  };
  assert.deepEqual(await ownIn(linking), ['@acme/linked']);
});

test('what requirements install from a folder is what its files say, from wherever pip is run', async () => {
  const texts = {
    'requirements/dev.txt': '-r parts/base\nAcme.Lib==1.0\nacme-tool>=2\nacme-old\nacme-here\nacme.built\nrequests\n',
    'requirements/parts/base':
      '-e ./libs/lib[extra]\n./libs/tool ; python_version > "3.8"\n../old\n-e .\n./wheels/acme_built-1.0-py3-none-any.whl\n./wheels/requests-2.0.zip ; os_name == "nt"\n',
    'libs/lib/pyproject.toml': '[project]\nname = "acme_lib"\n',
    'libs/tool/setup.cfg': '[metadata]\nname = acme-tool\n[options]\ninstall_requires = flask\n',
    'old/setup.py': 'from setuptools import setup\nsetup(version="1", name="acme-old", packages=find())\n',
    'pyproject.toml': '[tool.poetry]\nname = "acme-here"\n',
  };
  assert.deepEqual(await ownIn(texts), ['acme-lib', 'acme-tool', 'acme-old', 'acme-here', 'acme-built']);
  assert.deepEqual(await ownIn({ 'requirements/alone.txt': 'acme-lib==1.0\n', ...texts }), []);
});

const asks = `dependencies {
  implementation("com.acme:core:1.0")
  implementation("com.acme:lib:1.0")
  implementation("com.acme.lib:inner:1.0")
  implementation("com.other:lib:1.0")
  implementation("com.acme:substituted:1.0")
  implementation("com.acme:published:1.0")
  implementation(project(":core"))
}`;

test('what the builds of Gradle make, by their groups and the names of their projects', async () => {
  const texts = {
    'shop/app/build.gradle.kts': asks,
    'shop/settings.gradle.kts': `rootProject.name = "shop"
      include(":app", ":core")
      includeBuild("../lib") { dependencySubstitution { substitute(module("com.acme:substituted")).using(project(":")) } }`,
    'shop/gradle.properties': 'group = com.acme\n',
    'lib/settings.gradle': "include 'inner'",
    'lib/inner/build.gradle': "group = 'com.acme.lib'",
  };
  const own = ['com.acme:core', 'com.acme:lib', 'com.acme.lib:inner', 'com.acme:substituted'];
  assert.deepEqual(await ownIn(texts), own);
  const catalog = `[libraries]\n${own.map((it, at) => `l${at} = "${it}:1.0"`).join('\n')}\npublished = "com.acme:published:1.0"\n`;
  assert.deepEqual(await ownIn({ 'shop/gradle/libs.versions.toml': catalog, ...texts }), own);
});

test('a project of Gradle that nothing gives a group to has no name that is kept', async () => {
  const texts = {
    'app/build.gradle': "dependencies { implementation 'com.acme:core:1.0' }",
    'settings.gradle': "include ':app', ':core'",
    'core/build.gradle': "tasks.register('x') { group = 'com.acme' }",
  };
  assert.deepEqual(await ownIn(texts), []);
});

test('a group that a plugin of the build gives its projects, and projects that a list names', async () => {
  const texts = {
    'app/build.gradle.kts':
      'dependencies { implementation("com.acme:core:1.0"); api("com.acme.data:db:1.0"); api("com.acme:old:1") }',
    'settings.gradle.kts':
      'pluginManagement { includeBuild("logic") }\nlistOf("core", "data:db").forEach { include(":libs:$it") }',
    'buildSrc/src/main/kotlin/acme.base.gradle.kts': 'plugins { java }\ngroup = "com.acme"\n',
    'logic/src/main/groovy/com/acme/data.gradle': "group 'com.acme.data'",
  };
  assert.deepEqual(await ownIn(texts), ['com.acme:core', 'com.acme.data:db']);
});

test('where each of very many projects has a group of its own, it is its own, and that of the root is one of all', async () => {
  const names = Array.from({ length: 400 }, (_, at) => `p${at}`);
  const asks = ['com.acme:p399', 'com.acme.p399:p399', 'com.acme.p399:p0', 'com.other:p1'];
  const texts = {
    'p0/build.gradle': `dependencies {\n${asks.map((it) => `api '${it}:1'\n`).join('')}}`,
    'settings.gradle': `include ${names.map((it) => `'${it}'`).join(', ')}`,
    'build.gradle': "allprojects { group = 'com.acme' }",
    ...Object.fromEntries(names.slice(1).map((it) => [`${it}/build.gradle`, `group = 'com.acme.${it}'`])),
  };
  assert.deepEqual(await ownIn(texts), ['com.acme:p399', 'com.acme.p399:p399']);
});

test('plugins that the build makes itself, as scripts or as classes, and what has no version', async () => {
  const asked = ['acme.base', 'com.acme.conv', 'acme.code', 'acme.src', 'acme.other'];
  const plugins = asked.map((it, at) => `p${at} = { id = "${it}", version = "1.0" }`).join('\n');
  const texts = {
    'gradle/libs.versions.toml': `[plugins]\n${plugins}\nbare = { id = "acme.bare", version = "unspecified" }\n`,
    'settings.gradle.kts': 'pluginManagement { includeBuild("logic") }\n',
    'buildSrc/build.gradle': "gradlePlugin { plugins { src { id = 'acme.src'; implementationClass = 'S' } } }",
    'logic/settings.gradle': "include 'convention'",
    'logic/src/main/groovy/acme.base.gradle': '',
    'logic/convention/src/main/kotlin/com/acme/conv.gradle.kts': 'plugins { java }',
    'logic/convention/build.gradle.kts':
      'plugins { id("acme.other") }\ngradlePlugin { plugins { register("code") { id = "acme.code" } } }',
  };
  const own = ['acme.base', 'com.acme.conv', 'acme.code', 'acme.src', 'acme.bare'];
  assert.deepEqual(
    await ownIn(texts),
    own.map((it) => `${it}:${it}.gradle.plugin`),
  );
});
