import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Range, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Navigating, navigating } from './navigation.ts';

const parent = '<groupId>w</groupId><artifactId>parent</artifactId><version>1</version>';

function module(artifact: string, ...lines: readonly string[]): string {
  return [
    '<project>',
    `<parent>${parent}</parent>`,
    `<artifactId>${artifact}</artifactId>`,
    ...lines,
    '</project>',
  ].join('\n');
}

function dependency(artifact: string, version: string): string {
  return `<dependencies><dependency><groupId>g</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency></dependencies>`;
}

const maven = {
  'pom.xml': `<project>\n${parent}\n<properties>\n<a.ver¦sion>1.0</a.version>\n<b>1</b>\n</properties>\n<build><x>\${a.version}</x></build>\n<!-- \${a.version} -->\n</project>`,
  'm/pom.xml': module('m', dependency('a', '${a.version}')),
  'n/pom.xml': module('n', '<properties><a.version>2.0</a.version></properties>', dependency('a', '${a.version}-x')),
  'other/pom.xml': `<project><groupId>o</groupId><artifactId>o</artifactId><version>1</version><properties><a.version>3</a.version></properties>${dependency('a', '${a.version}')}</project>`,
};

const catalog =
  '[versions]\nkotlin = "1.9.22"\n[libraries]\nspring-core = { module = "g:a", version.ref = "kotlin" }\nspring = "g:s:1"\n[bundles]\nall = ["spring-core", "spring"]\n[plugins]\njvm = { id = "p", version.ref = "kotlin" }\n';
const gradle = {
  'settings.gradle': '',
  'gradle/libs.versions.toml': catalog,
  'app/build.gradle': 'dependencies {\n  implementation libs.spring.core\n  implementation libs.spring\n}\n',
  'build-logic/src/main/kotlin/Plugin.kt': 'val a = libs.findLibrary("spring-core").get()\n',
  'lib/build.gradle.kts':
    'plugins {\n  alias(libs.plugins.jvm)\n}\nval it = libs.versions.kotlin.get() + libs.spring.core.get()\n',
};

const pnpm =
  'packages:\n  - packages/*\ncatalog:\n  vue: ^3.0.0\ncatalogs:\n  old:\n    react: ^17.0.0\n    vue: ^2.0.0\n  older:\n    react: ^16.0.0\noverrides:\n  react: catalog:old\n';

interface Case {
  readonly of: string;
  readonly files: Readonly<Record<string, string>>;
  readonly to: string;
  /** The changed lines. */
  readonly lines: readonly string[];
}

const cases: readonly Case[] = [
  {
    of: 'a property of a parent, with the value that a module gives it',
    files: maven,
    to: 'alpha.version',
    lines: [
      `m/pom.xml:4  ${dependency('a', '${alpha.version}')}`,
      'n/pom.xml:4  <properties><alpha.version>2.0</alpha.version></properties>',
      `n/pom.xml:5  ${dependency('a', '${alpha.version}-x')}`,
      'pom.xml:4  <alpha.version>1.0</alpha.version>',
      'pom.xml:7  <build><x>${alpha.version}</x></build>',
    ],
  },
  {
    of: 'the same property, from a module that has another value',
    files: {
      ...maven,
      'pom.xml': maven['pom.xml'].replace('¦', ''),
      'n/pom.xml': maven['n/pom.xml'].replace('${a', '${¦a'),
    },
    to: 'alpha.version',
    lines: [
      `m/pom.xml:4  ${dependency('a', '${alpha.version}')}`,
      'n/pom.xml:4  <properties><alpha.version>2.0</alpha.version></properties>',
      `n/pom.xml:5  ${dependency('a', '${alpha.version}-x')}`,
      'pom.xml:4  <alpha.version>1.0</alpha.version>',
      'pom.xml:7  <build><x>${alpha.version}</x></build>',
    ],
  },
  {
    of: 'a property of MSBuild, whatever its case',
    files: {
      'Directory.Build.props':
        "<Project>\n<PropertyGroup>\n<V¦er>1.0.0</Ver>\n<ver Condition=\"'$(VER)' == ''\">2.0.0</ver>\n</PropertyGroup>\n</Project>",
      'a/a.csproj':
        '<Project>\n<ItemGroup><PackageReference Include="A" Version="$(Ver)" /></ItemGroup>\n<Target Condition="\'$(ver)\' != \'\'" /></Project>',
    },
    to: 'JsonVersion',
    lines: [
      'Directory.Build.props:3  <JsonVersion>1.0.0</JsonVersion>',
      "Directory.Build.props:4  <JsonVersion Condition=\"'$(JsonVersion)' == ''\">2.0.0</JsonVersion>",
      'a/a.csproj:2  <ItemGroup><PackageReference Include="A" Version="$(JsonVersion)" /></ItemGroup>',
      "a/a.csproj:3  <Target Condition=\"'$(JsonVersion)' != ''\" /></Project>",
    ],
  },
  {
    of: 'a library of a version catalog',
    files: { ...gradle, 'gradle/libs.versions.toml': catalog.replace('spring-core =', 'spring-¦core =') },
    to: 'boot-starter_web',
    lines: [
      'app/build.gradle:2  implementation libs.boot.starter.web',
      'build-logic/src/main/kotlin/Plugin.kt:1  val a = libs.findLibrary("boot-starter_web").get()',
      'gradle/libs.versions.toml:4  boot-starter_web = { module = "g:a", version.ref = "kotlin" }',
      'gradle/libs.versions.toml:7  all = ["boot-starter_web", "spring"]',
      'lib/build.gradle.kts:4  val it = libs.versions.kotlin.get() + libs.boot.starter.web.get()',
    ],
  },
  {
    of: 'a library whose name others begin with, from a script',
    files: {
      ...gradle,
      'app/build.gradle': 'dependencies {\n  implementation libs.spring.core\n  implementation libs.spr¦ing\n}\n',
    },
    to: 'spring-all',
    lines: [
      'app/build.gradle:3  implementation libs.spring.all',
      'gradle/libs.versions.toml:5  spring-all = "g:s:1"',
      'gradle/libs.versions.toml:7  all = ["spring-core", "spring-all"]',
    ],
  },
  {
    of: 'a version of a version catalog',
    files: { ...gradle, 'gradle/libs.versions.toml': catalog.replace('kotlin =', 'kot¦lin =') },
    to: 'kotlin-version',
    lines: [
      'gradle/libs.versions.toml:2  kotlin-version = "1.9.22"',
      'gradle/libs.versions.toml:4  spring-core = { module = "g:a", version.ref = "kotlin-version" }',
      'gradle/libs.versions.toml:9  jvm = { id = "p", version.ref = "kotlin-version" }',
      'lib/build.gradle.kts:4  val it = libs.versions.kotlin.version.get() + libs.spring.core.get()',
    ],
  },
  {
    of: 'a plugin of a version catalog, from a script',
    files: { ...gradle, 'lib/build.gradle.kts': gradle['lib/build.gradle.kts'].replace('.jvm', '.j¦vm') },
    to: 'kotlin-jvm',
    lines: [
      'gradle/libs.versions.toml:9  kotlin-jvm = { id = "p", version.ref = "kotlin" }',
      'lib/build.gradle.kts:2  alias(libs.plugins.kotlin.jvm)',
    ],
  },
  {
    of: 'a bundle of a version catalog, from a script',
    files: {
      ...gradle,
      'app/build.gradle': 'dependencies {\n  implementation libs.bundles.a¦ll\n  api libs.all\n}\n',
      'lib/build.gradle.kts': 'val it = libs.findBundle("all").get()\n',
    },
    to: 'spring-all',
    lines: [
      'app/build.gradle:2  implementation libs.bundles.spring.all',
      'gradle/libs.versions.toml:7  spring-all = ["spring-core", "spring"]',
      'lib/build.gradle.kts:1  val it = libs.findBundle("spring-all").get()',
    ],
  },
  {
    of: 'a library of a catalog of another name',
    files: {
      'settings.gradle':
        'dependencyResolutionManagement {\n  versionCatalogs {\n    tools { from(files("gradle/tools.versions.toml")) }\n  }\n}\n',
      'gradle/tools.versions.toml': '[libraries]\nju¦nit = "g:j:1"\n',
      'build.gradle': 'dependencies {\n  implementation tools.junit\n}\n',
    },
    to: 'junit-api',
    lines: ['build.gradle:2  implementation tools.junit.api', 'gradle/tools.versions.toml:2  junit-api = "g:j:1"'],
  },
  {
    of: 'an extra property of Gradle, in scripts of both languages and outside of dependencies',
    files: {
      'settings.gradle': 'include ":app", ":lib"\n',
      'build.gradle': 'ext {\n  springV¦ersion = "6.1.3"\n}\n// springVersion\nprintln "v: ${springVersion}"\n',
      'app/build.gradle':
        'dependencies {\n  implementation "g:a:$springVersion"\n  api group: "g", name: "b", version: rootProject.ext.springVersion\n}\n',
      'lib/build.gradle.kts':
        'val springVersion: String by rootProject.extra\ndependencies {\n  implementation("g:a:$springVersion")\n  api("g:b:${rootProject.extra["springVersion"]}")\n}\ntasks.jar { enabled = project.hasProperty("springVersion") }\n',
    },
    to: 'springRelease',
    lines: [
      'app/build.gradle:2  implementation "g:a:$springRelease"',
      'app/build.gradle:3  api group: "g", name: "b", version: rootProject.ext.springRelease',
      'build.gradle:2  springRelease = "6.1.3"',
      'build.gradle:5  println "v: ${springRelease}"',
      'lib/build.gradle.kts:1  val springRelease: String by rootProject.extra',
      'lib/build.gradle.kts:3  implementation("g:a:$springRelease")',
      'lib/build.gradle.kts:4  api("g:b:${rootProject.extra["springRelease"]}")',
      'lib/build.gradle.kts:6  tasks.jar { enabled = project.hasProperty("springRelease") }',
    ],
  },
  {
    of: 'a key of gradle.properties, from a script',
    files: {
      'settings.gradle.kts': 'include(":app")\n',
      'gradle.properties': 'org.gradle.jvmargs=-Xmx2g\nspring_version=6.1.3\n# spring_version\n',
      'app/build.gradle':
        'def x = findProperty("spring_version")\ndependencies { implementation "g:a:${spring_ver¦sion}" }\n',
    },
    to: 'springVersion',
    lines: [
      'app/build.gradle:1  def x = findProperty("springVersion")',
      'app/build.gradle:2  dependencies { implementation "g:a:${springVersion}" }',
      'gradle.properties:2  springVersion=6.1.3',
    ],
  },
  {
    of: 'a variable of Groovy, and not one of the same name in another script',
    files: {
      'settings.gradle': '',
      'a/build.gradle': 'def v¦er = "1"\ndependencies {\n  implementation "g:a:$ver"\n  api("g:b:" + ver)\n}\n',
      'b/build.gradle': 'def ver = "2"\ndependencies {\n  implementation "g:a:$ver"\n}\n',
    },
    to: 'release',
    lines: [
      'a/build.gradle:1  def release = "1"',
      'a/build.gradle:3  implementation "g:a:$release"',
      'a/build.gradle:4  api("g:b:" + release)',
    ],
  },
  {
    of: 'a property that a variable of another script hides',
    files: {
      'settings.gradle': '',
      'build.gradle': 'ext.v¦er = "1"\n',
      'a/build.gradle': 'dependencies {\n  implementation "g:a:$ver"\n}\n',
      'b/build.gradle': 'def ver = "2"\ndependencies {\n  implementation "g:a:$ver"\n}\n',
    },
    to: 'release',
    lines: ['a/build.gradle:2  implementation "g:a:$release"', 'build.gradle:1  ext.release = "1"'],
  },
  {
    of: 'a property that is set again',
    files: {
      'settings.gradle': '',
      'build.gradle':
        'ext.v¦er = "1"\ndependencies {\n  implementation "g:a:$ver"\n}\next.ver = "2"\ndependencies {\n  api "g:b:$ver"\n}\n',
    },
    to: 'release',
    lines: [
      'build.gradle:1  ext.release = "1"',
      'build.gradle:3  implementation "g:a:$release"',
      'build.gradle:5  ext.release = "2"',
      'build.gradle:7  api "g:b:$release"',
    ],
  },
  {
    of: 'an entry of a map of versions',
    files: {
      'settings.gradle': '',
      'build.gradle': 'ext.versions = [spr¦ing: "6.1.3", junit: "5"]\n',
      'a/build.gradle':
        'dependencies {\n  implementation "g:a:${versions.spring}"\n  api "g:b:" + rootProject.ext.versions["spring"]\n}\n',
    },
    to: 'core',
    lines: [
      'a/build.gradle:2  implementation "g:a:${versions.core}"',
      'a/build.gradle:3  api "g:b:" + rootProject.ext.versions["core"]',
      'build.gradle:1  ext.versions = [core: "6.1.3", junit: "5"]',
    ],
  },
  {
    of: 'whole coordinates',
    files: {
      'settings.gradle': '',
      'build.gradle': 'ext.deps = [spr¦ing: "g:a:6.1.3"]\n',
      'a/build.gradle': 'dependencies {\n  implementation deps.spring\n}\n',
    },
    to: 'core',
    lines: ['a/build.gradle:2  implementation deps.core', 'build.gradle:1  ext.deps = [core: "g:a:6.1.3"]'],
  },
  {
    of: 'coordinates, and not a variable that has them, too',
    files: {
      'settings.gradle': '',
      'build.gradle':
        'ext.deps = [spr¦ing: "g:a:6.1.3"]\ndef lib = deps.spring\ndependencies {\n  implementation lib\n}\n',
      'a/build.gradle': 'dependencies {\n  implementation deps.spring\n}\n',
    },
    to: 'core',
    lines: [
      'a/build.gradle:2  implementation deps.core',
      'build.gradle:1  ext.deps = [core: "g:a:6.1.3"]',
      'build.gradle:2  def lib = deps.core',
    ],
  },
  {
    of: 'a library of a catalog, and not a variable that has it',
    files: {
      'settings.gradle': '',
      'gradle/libs.versions.toml': '[libraries]\nspring-co¦re = "g:a:1"\n',
      'build.gradle': 'def core = libs.spring.core\ndependencies {\n  implementation core\n}\n',
    },
    to: 'boot',
    lines: ['build.gradle:1  def core = libs.boot', 'gradle/libs.versions.toml:2  boot = "g:a:1"'],
  },
  {
    of: 'an extra property of Kotlin that is a variable, too',
    files: {
      'settings.gradle.kts': '',
      'build.gradle.kts': 'val v¦er by extra("1.0")\ndependencies { implementation("g:a:$ver") }\n',
      'a/build.gradle.kts': 'dependencies { implementation("g:a:${project.property("ver")}") }\n',
    },
    to: 'release',
    lines: [
      'a/build.gradle.kts:1  dependencies { implementation("g:a:${project.property("release")}") }',
      'build.gradle.kts:1  val release by extra("1.0")',
      'build.gradle.kts:2  dependencies { implementation("g:a:$release") }',
    ],
  },
  {
    of: 'a catalog of pnpm, from one of its users',
    files: {
      'pnpm-workspace.yaml': pnpm,
      'packages/a/package.json': '{ "dependencies": { "react": "catalog:ol¦d", "vue": "catalog:" } }',
      'packages/b/package.json':
        '{ "scripts": { "x": "catalog:old" }, "devDependencies": { "react": "catalog:old", "old": "catalog:older" } }',
    },
    to: 'legacy',
    lines: [
      'packages/a/package.json:1  { "dependencies": { "react": "catalog:legacy", "vue": "catalog:" } }',
      'packages/b/package.json:1  { "scripts": { "x": "catalog:old" }, "devDependencies": { "react": "catalog:legacy", "old": "catalog:older" } }',
      'pnpm-workspace.yaml:12  react: catalog:legacy',
      'pnpm-workspace.yaml:6  legacy:',
    ],
  },
  {
    of: 'a catalog of yarn',
    files: {
      '.yarnrc.yml': 'catalogs:\n  "o¦ld": { react: ^17.0.0 }\n',
      'package.json': '{ "workspaces": ["a"], "resolutions": { "react": "catalog:old" } }',
      'a/package.json': '{ "dependencies": { "react": "catalog:old" } }',
    },
    to: 'legacy',
    lines: [
      '.yarnrc.yml:2  "legacy": { react: ^17.0.0 }',
      'a/package.json:1  { "dependencies": { "react": "catalog:legacy" } }',
      'package.json:1  { "workspaces": ["a"], "resolutions": { "react": "catalog:legacy" } }',
    ],
  },
  {
    of: 'a catalog of bun',
    files: {
      'package.json':
        '{\n"workspaces": { "packages": ["a"],\n"catalogs": { "o¦ld": { "react": "^17.0.0" } } },\n"dependencies": { "react": "catalog:old" }\n}',
      'a/package.json': '{ "dependencies": { "react": "catalog:old" } }',
      'other/package.json': '{ "catalogs": { "old": {} }, "dependencies": { "react": "catalog:old" } }',
    },
    to: 'legacy',
    lines: [
      'a/package.json:1  { "dependencies": { "react": "catalog:legacy" } }',
      'package.json:3  "catalogs": { "legacy": { "react": "^17.0.0" } } },',
      'package.json:4  "dependencies": { "react": "catalog:legacy" }',
    ],
  },
];

for (const { of, files, to, lines } of cases) {
  test(`one edit renames ${of}`, async (t) => {
    const opened = await navigating(t, files);
    const { edit } = await rename(opened, to);
    assert.deepEqual(changedLines(opened.files, edit), lines);
  });
}

interface Refused {
  readonly because: string;
  readonly files: Readonly<Record<string, string>>;
  readonly to: string;
  readonly says: string;
  /** The folder that is open, below the files. */
  readonly folder?: string;
}

const refusals: readonly Refused[] = [
  {
    because: 'of its spelling',
    files: maven,
    to: 'a b',
    says: 'a b is no valid name: a property has letters, digits, dots, - and _.',
  },
  {
    because: 'Maven has it',
    files: maven,
    to: 'project.v',
    says: 'project.v is no valid name: Maven itself defines project.v.',
  },
  { because: 'it exists', files: maven, to: 'b', says: 'b is defined already, in pom.xml.' },
  {
    because: 'a file defines it that is not in the open folder',
    files: {
      ...maven,
      'pom.xml': maven['pom.xml'].replace('¦', ''),
      'm/pom.xml': module('m', dependency('a', '${a.¦version}')),
    },
    to: 'c',
    says: 'pom.xml is outside of the folder that is open.',
    folder: 'm',
  },
  {
    because: 'Gradle reserves it',
    files: { ...gradle, 'gradle/libs.versions.toml': catalog.replace('spring-core =', 'spring-¦core =') },
    to: 'versions-core',
    says: 'versions-core is no valid name: Gradle reserves versions-core.',
  },
  {
    because: 'it exists in another spelling',
    files: { ...gradle, 'gradle/libs.versions.toml': catalog.replace('spring =', 'spr¦ing =') },
    to: 'spring_core',
    says: 'spring_core is defined already, in libs.versions.toml.',
  },
  {
    because: 'a tool may read it',
    files: {
      'pom.xml': `<project>${parent}<properties><maven.compiler.re¦lease>17</maven.compiler.release></properties></project>`,
    },
    to: 'release',
    says: 'No dependency uses maven.compiler.release: a tool may read it by its name.',
  },
  {
    because: 'a published parent is not known',
    files: {
      'pom.xml': `<project><parent><groupId>o</groupId><artifactId>o</artifactId><version>1</version><relativePath/></parent><artifactId>a</artifactId><properties><¦v>17</v></properties>${dependency('a', '${v}')}</project>`,
    },
    to: 'release',
    says: 'A published parent is not known, which may use v.',
  },
  {
    because: 'options set it',
    files: {
      '.mvn/maven.config': '-Dv=2\n',
      'pom.xml': `<project>${parent}<properties><¦v>1</v></properties>${dependency('a', '${v}')}</project>`,
    },
    to: 'w',
    says: 'Options that the build is started with set v.',
  },
  ...[
    { of: 'computes it', code: 'println it.ver\n', says: 'build.gradle, line 2: what ver means there is not known.' },
    {
      of: 'has its name in a text',
      code: 'def f = "x-Pver=2"\n',
      says: 'build.gradle, line 2: what ver means there is not known.',
    },
    {
      of: 'looks it up by another way',
      code: 'task.find("ver")\n',
      says: 'build.gradle, line 2: what ver means there is not known.',
    },
    {
      of: 'has a parameter of the name',
      code: 'def f = { ver -> ver }\n',
      says: 'build.gradle, line 2: what ver means there is not known.',
    },
    {
      of: 'has it in a text with escapes',
      code: 'println "\\t$ver"\n',
      says: 'build.gradle, line 2: what ver means there is not known.',
    },
    {
      of: 'has a variable of the name in a block',
      code: 'task x {\n  def ver = "2"\n}\n',
      says: 'build.gradle defines ver in several places, and only its code tells which one counts.',
    },
    { of: 'has the new name', code: 'println(release)\n', says: 'build.gradle uses the name release already.' },
  ].map(({ of, code, says }) => ({
    because: `a script ${of}`,
    files: {
      'settings.gradle': '',
      'gradle.properties': 'v¦er=1\n',
      'build.gradle': `dependencies { implementation "g:a:$ver" }\n${code}`,
    },
    to: 'release',
    says,
  })),
  {
    because: 'a script names it before its own variable',
    files: {
      'settings.gradle': '',
      'gradle.properties': 'v¦er=1\n',
      'build.gradle': 'buildscript { dependencies { classpath "g:a:$ver" } }\ndef ver = "2"\n',
      'a/build.gradle': 'dependencies { implementation "g:a:$ver" }\n',
    },
    to: 'release',
    says: 'build.gradle, line 1: what ver means there is not known.',
  },
  {
    because: 'Gradle has it',
    files: { 'build.gradle': 'ext.v¦er = "1"\ndependencies { implementation "g:a:$ver" }\n' },
    to: 'version',
    says: 'version is no valid name: Gradle itself defines version.',
  },
  {
    because: 'a script could not name it',
    files: { 'build.gradle': 'ext.v¦er = "1"\ndependencies { implementation "g:a:$ver" }\n' },
    to: 'spring.version',
    says: 'spring.version is no valid name: a variable has letters, digits and _.',
  },
  {
    because: 'both languages have the word',
    files: { 'build.gradle': 'ext.v¦er = "1"\ndependencies { implementation "g:a:$ver" }\n' },
    to: 'object',
    says: 'object is no valid name: object is a word of Groovy or Kotlin.',
  },
  {
    because: 'it is the version of the project',
    files: { 'build.gradle': 'vers¦ion = "1"\ndependencies { implementation "g:a:$version" }\n' },
    to: 'other',
    says: 'version keeps its name: Gradle itself defines version.',
  },
  {
    because: 'code of the build defines it',
    files: {
      'settings.gradle': '',
      'buildSrc/src/main/kotlin/Versions.kt': 'object Versions {\n  const val spring = "6.1.3"\n}\n',
      'a/build.gradle.kts': 'dependencies {\n  implementation("g:a:${Versions.spr¦ing}")\n}\n',
    },
    to: 'other',
    says: 'Code that is not read may use a variable or property of Gradle by its name.',
  },
  {
    because: 'it is a package',
    files: { 'package.json': '{ "dependencies": { "lo¦dash": "^4.17.0" } }' },
    to: 'other',
    says: 'It has the name of its package, which cannot be changed here.',
  },
  {
    because: 'another catalog of pnpm has it',
    files: { 'pnpm-workspace.yaml': pnpm.replace('  old:', '  ol¦d:') },
    to: 'older',
    says: 'older is defined already, in pnpm-workspace.yaml.',
  },
  {
    because: 'it is that of the default catalog',
    files: { 'pnpm-workspace.yaml': pnpm.replace('  old:', '  ol¦d:') },
    to: 'default',
    says: 'default is no valid name: the catalog without a name is called default.',
  },
  {
    because: 'no reference can have it',
    files: { 'pnpm-workspace.yaml': pnpm.replace('  old:', '  ol¦d:') },
    to: 'old one',
    says: 'old one is no valid name: a catalog begins with a letter, and has letters, digits, dots, - and _.',
  },
  {
    because: 'another bundle has it',
    files: {
      ...gradle,
      'gradle/libs.versions.toml': catalog.replace('[bundles]\nall', '[bundles]\nboth = []\na¦ll'),
    },
    to: 'both',
    says: 'both is defined already, in libs.versions.toml.',
  },
  {
    because: 'it is a package in a catalog',
    files: { 'pnpm-workspace.yaml': 'catalog:\n  re¦act: ^18.2.0\n' },
    to: 'other',
    says: 'It has the name of its package, which cannot be changed here.',
  },
];

for (const { because, files, to, says, folder } of refusals) {
  test(`a name stays, and a sentence says why, where ${because}`, async (t) => {
    await assert.rejects(rename(await navigating(t, files, { folder }), to), { message: says });
  });
}

test('nothing is renamed where a file cannot be read that may use the name', async (t) => {
  const opened = await navigating(t, maven, { unreadable: ['m/pom.xml'] });
  await assert.rejects(rename(opened, 'b.version'), { message: 'pom.xml cannot be read, and may use a.version.' });
});

test('the present name is offered, without the text around it', async (t) => {
  const opened = await navigating(t, {
    ...gradle,
    'app/build.gradle': 'dependencies {\n  implementation libs.spring.co¦re\n}\n',
  });
  const found = await prepare(opened);
  assert.deepEqual(found, {
    range: { start: { line: 1, character: 22 }, end: { line: 1, character: 33 } },
    placeholder: 'spring-core',
  });
});

test('the value of a property is no name', async (t) => {
  const opened = await navigating(t, {
    ...maven,
    'pom.xml': maven['pom.xml'].replace('¦', '').replace('>1.0', '>1.¦0'),
  });
  assert.equal(await prepare(opened), null);
});

test('where a published parent is not known, a person confirms each change of a property', async (t) => {
  const files = {
    'pom.xml': `<project><parent><groupId>o</groupId><artifactId>o</artifactId><version>1</version><relativePath/></parent><artifactId>a</artifactId><properties><¦v>17</v></properties>${dependency('a', '${v}')}</project>`,
  };
  const workspaceEdit = { documentChanges: true, changeAnnotationSupport: {} };
  const opened = await navigating(t, files, {
    capabilities: { textDocument: { rename: { prepareSupport: true } }, workspace: { workspaceEdit } },
  });
  const { edit } = await rename(opened, 'release');
  assert.deepEqual(Object.values(edit.changeAnnotations ?? {}), [
    { label: 'A published parent is not known, which may use v.', needsConfirmation: true },
  ]);
  const edits = (edit.documentChanges ?? []).flatMap((it) => ('edits' in it ? it.edits : []));
  assert.equal(edits.length, 3);
  for (const it of edits) assert.ok('annotationId' in it);
});

test('a client without versions of documents gets plain changes', async (t) => {
  const opened = await navigating(t, maven, { capabilities: { textDocument: { rename: {} } } });
  const edit = await opened.client.ask<WorkspaceEdit>('textDocument/rename', opened.uri, {
    position: opened.position,
    newName: 'c',
  });
  assert.deepEqual(
    Object.keys(edit.changes ?? {}).sort(),
    ['m', 'n', ''].map((it) => `file:///w/${it ? `${it}/` : ''}pom.xml`).sort(),
  );
});

function prepare({ client, uri, position }: Navigating) {
  return client.ask<{ range: Range; placeholder: string } | null>('textDocument/prepareRename', uri, { position });
}

async function rename(opened: Navigating, newName: string): Promise<{ edit: WorkspaceEdit }> {
  const { client, uri, position } = opened;
  assert.ok(await prepare(opened));
  return { edit: await client.ask<WorkspaceEdit>('textDocument/rename', uri, { position, newName }) };
}

function changedLines(files: ReadonlyMap<string, string>, { documentChanges = [] }: WorkspaceEdit): string[] {
  return documentChanges
    .flatMap((it) => {
      assert.ok('edits' in it);
      const text = files.get(it.textDocument.uri) ?? '';
      const document = TextDocument.create(it.textDocument.uri, '', 0, text);
      const changed = TextDocument.applyEdits(document, it.edits as TextEdit[]).split('\n');
      return changed.flatMap((line, at) =>
        line === text.split('\n')[at]
          ? []
          : [`${it.textDocument.uri.slice('file:///w/'.length)}:${at + 1}  ${line.trim()}`],
      );
    })
    .sort();
}
