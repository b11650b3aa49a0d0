import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Location } from 'vscode-languageserver';
import { navigating } from './navigation.ts';

interface Case {
  readonly of: string;
  readonly files: Readonly<Record<string, string>>;
  /** The users; the declaration follows as the last. */
  readonly users: readonly string[];
  readonly declared: readonly string[];
}

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

function dependency(artifact: string, version?: string): string {
  const its = version === undefined ? '' : `<version>${version}</version>`;
  return `<dependencies><dependency><groupId>g</groupId><artifactId>${artifact}</artifactId>${its}</dependency></dependencies>`;
}

const catalog =
  '[versions]\nkotlin = "1.9.22"\n[libraries]\nspring-core = { module = "g:a", version.ref = "kotlin" }\n';

const cases: readonly Case[] = [
  {
    of: 'a property of a parent, in its modules and in what is no dependency',
    files: {
      'pom.xml': `<project>\n${parent}\n<properties>\n<a.ver¦sion>1.0</a.version>\n<line>-x \${a.version}</line>\n<!-- \${a.version} -->\n</properties>\n</project>`,
      'm/pom.xml': module('m', dependency('a', '${a.version}')),
      'n/pom.xml': module('n', '<properties><a.version>2.0</a.version></properties>', dependency('a', '${a.version}')),
      'other/pom.xml': `<project><groupId>o</groupId><artifactId>o</artifactId><version>1</version>${dependency('a', '${a.version}')}</project>`,
    },
    users: [
      'm/pom.xml:4  <dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${‹a.version›}</version></dependency></dependencies>',
      'pom.xml:5  <line>-x ${‹a.version›}</line>',
    ],
    declared: ['pom.xml:4  <‹a.version›>1.0</a.version>'],
  },
  {
    of: 'a managed version, from one of its users',
    files: {
      'pom.xml': `<project>\n${parent}\n<dependencyManagement>${dependency('a', '1.0')}</dependencyManagement>\n</project>`,
      'm/pom.xml': module('m', dependency('¦a')),
      'n/pom.xml': module('n', dependency('a')),
    },
    users: [
      'm/pom.xml:4  <dependencies><dependency><groupId>g</groupId><artifactId>‹a›</artifactId></dependency></dependencies>',
      'n/pom.xml:4  <dependencies><dependency><groupId>g</groupId><artifactId>‹a›</artifactId></dependency></dependencies>',
    ],
    declared: [
      'pom.xml:3  <dependencyManagement><dependencies><dependency><groupId>g</groupId><artifactId>‹a›</artifactId><version>1.0</version></dependency></dependencies></dependencyManagement>',
    ],
  },
  {
    of: 'an entry of a catalog of pnpm',
    files: {
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\ncatalog:\n  re¦act: ^18.2.0\n',
      'packages/a/package.json': '{ "dependencies": { "react": "catalog:" } }',
      'packages/b/package.json': '{ "devDependencies": { "react": "catalog:default" } }',
      'packages/c/package.json': '{ "devDependencies": { "react": "^17.0.0" } }',
    },
    users: [
      'packages/a/package.json:1  { "dependencies": { "react": "‹catalog:›" } }',
      'packages/b/package.json:1  { "devDependencies": { "react": "‹catalog:default›" } }',
    ],
    declared: ['pnpm-workspace.yaml:4  ‹react›: ^18.2.0'],
  },
  {
    of: 'a catalog of pnpm',
    files: {
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\ncatalogs:\n  o¦ld:\n    react: ^17.0.0\n    vue: ^2.0.0\n',
      'packages/a/package.json': '{ "dependencies": { "react": "catalog:old" } }',
      'packages/b/package.json': '{ "devDependencies": { "vue": "catalog:old", "react": "catalog:" } }',
    },
    users: [
      'packages/a/package.json:1  { "dependencies": { "react": "catalog:‹old›" } }',
      'packages/b/package.json:1  { "devDependencies": { "vue": "catalog:‹old›", "react": "catalog:" } }',
    ],
    declared: ['pnpm-workspace.yaml:4  ‹old›:'],
  },
  {
    of: 'a bundle of a version catalog',
    files: {
      'settings.gradle': '',
      'gradle/libs.versions.toml': `${catalog}[bundles]\na¦ll = ["spring-core"]\n`,
      'app/build.gradle': 'dependencies {\n  implementation libs.bundles.all\n}\n',
    },
    users: ['app/build.gradle:2  implementation libs.bundles.‹all›'],
    declared: ['gradle/libs.versions.toml:6  ‹all› = ["spring-core"]'],
  },
  {
    of: 'a library of a version catalog',
    files: {
      'settings.gradle': '',
      'gradle/libs.versions.toml': `${catalog}spring = "g:s:1"\n[bundles]\nall = ["spring-core"]\n`.replace(
        'spring-core =',
        'spring-¦core =',
      ),
      'app/build.gradle': 'dependencies {\n  implementation libs.spring.core\n  implementation libs.spring\n}\n',
      'build-logic/src/main/kotlin/Plugin.kt':
        'class Plugin {\n  val a = libs.findLibrary("spring-core").get()\n}\nfun dependencies() {}\n',
      'lib/build.gradle.kts': 'val it = libs.spring.core.get().version\n',
    },
    users: [
      'app/build.gradle:2  implementation libs.‹spring.core›',
      'build-logic/src/main/kotlin/Plugin.kt:2  val a = libs.findLibrary("‹spring-core›").get()',
      'gradle/libs.versions.toml:7  all = ["‹spring-core›"]',
      'lib/build.gradle.kts:1  val it = libs.‹spring.core›.get().version',
    ],
    declared: ['gradle/libs.versions.toml:4  ‹spring-core› = { module = "g:a", version.ref = "kotlin" }'],
  },
  {
    of: 'a version of a version catalog',
    files: {
      'settings.gradle': '',
      'gradle/libs.versions.toml': catalog.replace('kotlin =', 'kot¦lin ='),
      'app/build.gradle.kts':
        'kotlin {\n  version = libs.versions.kotlin.get().toInt()\n}\nval text = "v${libs.versions.kotlin.get()}"\n',
    },
    users: [
      'app/build.gradle.kts:2  version = libs.versions.‹kotlin›.get().toInt()',
      'app/build.gradle.kts:4  val text = "v${libs.versions.‹kotlin›.get()}"',
      'gradle/libs.versions.toml:4  spring-core = { module = "g:a", version.ref = "‹kotlin›" }',
    ],
    declared: ['gradle/libs.versions.toml:2  ‹kotlin› = "1.9.22"'],
  },
  {
    of: 'a variable of a script above',
    files: {
      'settings.gradle': '',
      'build.gradle': 'ext.spring¦Version = "6.1.3"\n',
      'app/build.gradle': 'dependencies {\n  implementation "g:a:$springVersion"\n}\n',
    },
    users: ['app/build.gradle:2  implementation "g:a:$‹springVersion›"'],
    declared: ['build.gradle:1  ext.‹springVersion› = "6.1.3"'],
  },
  {
    of: 'a central version of NuGet',
    files: {
      'Directory.Packages.props':
        '<Project>\n<ItemGroup>\n<PackageVersion Include="¦A" Version="1.0.0" />\n</ItemGroup>\n</Project>',
      'a/a.csproj': '<Project><ItemGroup><PackageReference Include="A" /></ItemGroup></Project>',
      'b/b.csproj': '<Project><ItemGroup><PackageReference Include="a" /></ItemGroup></Project>',
      'c/Directory.Packages.props': '<Project />',
      'c/c.csproj': '<Project><ItemGroup><PackageReference Include="A" /></ItemGroup></Project>',
    },
    users: [
      'a/a.csproj:1  <Project><ItemGroup><PackageReference Include="‹A›" /></ItemGroup></Project>',
      'b/b.csproj:1  <Project><ItemGroup><PackageReference Include="‹a›" /></ItemGroup></Project>',
    ],
    declared: ['Directory.Packages.props:3  <PackageVersion Include="‹A›" Version="1.0.0" />'],
  },
  {
    of: 'a property of MSBuild, in its conditions, too',
    files: {
      'Directory.Build.props': '<Project>\n<PropertyGroup>\n<V¦er>1.0.0</Ver>\n</PropertyGroup>\n</Project>',
      'a/a.csproj':
        '<Project>\n<Target Condition="\'$(ver)\' != \'\'" />\n<ItemGroup><PackageReference Include="A" Version="$(Ver)" /></ItemGroup></Project>',
    },
    users: [
      "a/a.csproj:2  <Target Condition=\"'$(‹ver›)' != ''\" />",
      'a/a.csproj:3  <ItemGroup><PackageReference Include="A" Version="$(‹Ver›)" /></ItemGroup></Project>',
    ],
    declared: ['Directory.Build.props:3  <‹Ver›>1.0.0</Ver>'],
  },
  {
    of: 'a constraint, also by what is included',
    files: {
      'requirements.txt': '-r base.txt\n-c constraints.txt\n',
      'base.txt': 'requests\n',
      'constraints.txt': 'req¦uests==2.31.0\n',
    },
    users: ['base.txt:1  ‹requests›'],
    declared: ['constraints.txt:1  ‹requests›==2.31.0'],
  },
  {
    of: 'a dependency of a Cargo workspace',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a"]\n[workspace.dependencies]\nser¦de = "1.0"\n',
      'a/Cargo.toml': '[package]\nname = "a"\n[dependencies]\nserde = { workspace = true }\n',
      'b/Cargo.toml': '[package]\nname = "b"\n[dependencies]\nserde.workspace = true\n',
    },
    users: ['a/Cargo.toml:4  serde = { ‹workspace = true› }', 'b/Cargo.toml:4  serde.‹workspace = true›'],
    declared: ['Cargo.toml:4  ‹serde› = "1.0"'],
  },
  {
    of: 'a package without a definition: the lines that require it',
    files: {
      'package.json': '{ "dependencies": { "lo¦dash": "^4.17.0" } }',
      'a/package.json': '{ "devDependencies": { "lodash": "^3.0.0", "lodash.get": "^4.0.0" } }',
    },
    users: [
      'a/package.json:1  { "devDependencies": { "‹lodash›": "^3.0.0", "lodash.get": "^4.0.0" } }',
      'package.json:1  { "dependencies": { "‹lodash›": "^4.17.0" } }',
    ],
    declared: [],
  },
];

for (const { of, files, users, declared } of cases) {
  test(`a person finds the users of ${of}`, async (t) => {
    const { client, uri, position, show } = await navigating(t, files);
    const ask = (includeDeclaration: boolean) =>
      client.ask<Location[]>('textDocument/references', uri, { position, context: { includeDeclaration } });
    assert.deepEqual(show(await ask(false)), users);
    assert.deepEqual(show(await ask(true)), [...users, ...declared].sort());
  });
}
