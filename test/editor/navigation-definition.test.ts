import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Location } from 'vscode-languageserver';
import { navigating } from './navigation.ts';

interface Case {
  readonly from: string;
  readonly files: Readonly<Record<string, string>>;
  readonly to: readonly string[];
}

const parent = '<groupId>w</groupId><artifactId>parent</artifactId><version>1</version>';

function module(...lines: readonly string[]): string {
  return ['<project>', `<parent>${parent}</parent>`, '<artifactId>m</artifactId>', ...lines, '</project>'].join('\n');
}

const cases: readonly Case[] = [
  {
    from: 'a property, to its parent',
    files: {
      'pom.xml': `<project>\n${parent}\n<properties>\n<a.version>1.0</a.version>\n</properties>\n</project>`,
      'm/pom.xml': module(
        '<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${a.ver¦sion}</version></dependency></dependencies>',
      ),
    },
    to: ['pom.xml:4  <‹a.version›>1.0</a.version>'],
  },
  {
    from: 'a property in the middle of a version',
    files: {
      'pom.xml':
        '<project>\n<groupId>w</groupId><artifactId>p</artifactId><version>1</version>\n<properties>\n<major>1</major>\n<minor>0</minor>\n</properties>\n<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${major}.${mi¦nor}</version></dependency></dependencies>\n</project>',
    },
    to: ['pom.xml:5  <‹minor›>0</minor>'],
  },
  {
    from: 'a property in what is no dependency',
    files: {
      'pom.xml':
        '<project>\n<groupId>w</groupId><artifactId>p</artifactId><version>1</version>\n<properties>\n<agent>1.2</agent>\n<line>-x ${ag¦ent}</line>\n</properties>\n</project>',
    },
    to: ['pom.xml:4  <‹agent›>1.2</agent>'],
  },
  {
    from: 'a managed version',
    files: {
      'pom.xml': `<project>\n${parent}\n<dependencyManagement><dependencies>\n<dependency><groupId>g</groupId><artifactId>a</artifactId><version>1.0</version></dependency>\n</dependencies></dependencyManagement>\n</project>`,
      'm/pom.xml': module(
        '<dependencies><dependency><groupId>g</groupId><artifactId>¦a</artifactId></dependency></dependencies>',
      ),
    },
    to: ['pom.xml:4  <dependency><groupId>g</groupId><artifactId>‹a›</artifactId><version>1.0</version></dependency>'],
  },
  {
    from: 'the parent',
    files: {
      'pom.xml': `<project>${parent}</project>`,
      'm/pom.xml': module().replace('<artifactId>par', '<artifactId>¦par'),
    },
    to: ['pom.xml'],
  },
  {
    from: 'a module',
    files: {
      'pom.xml': `<project>${parent}<modules><module>m¦</module></modules></project>`,
      'm/pom.xml': module(),
    },
    to: ['m/pom.xml'],
  },
  {
    from: 'catalog: of pnpm',
    files: {
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\ncatalog:\n  react: ^18.2.0\n',
      'package.json': '{}',
      'packages/a/package.json': '{ "dependencies": { "react": "cata¦log:" } }',
    },
    to: ['pnpm-workspace.yaml:4  ‹react›: ^18.2.0'],
  },
  {
    from: 'a named catalog of yarn',
    files: {
      '.yarnrc.yml': 'catalogs:\n  old:\n    react: ^17.0.0\n',
      'package.json': '{ "dependencies": { "react": "catalog:o¦ld" } }',
    },
    to: ['.yarnrc.yml:3  ‹react›: ^17.0.0'],
  },
  {
    from: 'a catalog of bun',
    files: {
      'package.json': '{ "workspaces": { "packages": ["packages/*"],\n"catalog": { "react": "^19.0.0" } } }',
      'packages/a/package.json': '{ "dependencies": { "react": "cata¦log:" } }',
    },
    to: ['package.json:2  "catalog": { "‹react›": "^19.0.0" } } }'],
  },
  {
    from: 'a member of an npm workspace',
    files: {
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
      'packages/a/package.json': '{ "dependencies": { "@w/b": "work¦space:*" } }',
      'packages/b/package.json': '{ "name": "@w/b" }',
    },
    to: ['packages/b/package.json'],
  },
  {
    from: 'the override that applies',
    files: {
      'package.json':
        '{ "dependencies": { "min¦imist": "1.2.0" },\n"packageManager": "pnpm@9.0.0",\n"pnpm": { "overrides": { "minimist": "1.2.6" } } }',
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    },
    to: ['package.json:3  "pnpm": { "overrides": { "‹minimist›": "1.2.6" } } }'],
  },
  {
    from: 'a pattern of members',
    files: {
      'pnpm-workspace.yaml': 'packages:\n  - pack¦ages/*\n',
      'packages/a/package.json': '{ "name": "a" }',
      'packages/b/package.json': '{ "name": "b" }',
    },
    to: ['packages/a/package.json', 'packages/b/package.json'],
  },
  {
    from: 'workspaces of npm',
    files: { 'package.json': '{ "workspaces": ["a¦"] }', 'a/package.json': '{ "name": "a" }' },
    to: ['a/package.json'],
  },
  {
    from: 'a library of a version catalog',
    files: {
      'settings.gradle': '',
      'gradle/libs.versions.toml': '[libraries]\nspring-core = "org.springframework:spring-core:6.1.3"\n',
      'build.gradle': 'dependencies {\n  implementation libs.spring.co¦re\n}\n',
    },
    to: ['gradle/libs.versions.toml:2  ‹spring-core› = "org.springframework:spring-core:6.1.3"'],
  },
  {
    from: 'a version of a version catalog',
    files: {
      'settings.gradle': '',
      'gradle/libs.versions.toml': '[versions]\nkotlin = "1.9.22"\n',
      'build.gradle': 'dependencies {\n  implementation "g:a:${libs.versions.kot¦lin.get()}"\n}\n',
    },
    to: ['gradle/libs.versions.toml:2  ‹kotlin› = "1.9.22"'],
  },
  {
    from: 'version.ref',
    files: {
      'gradle/libs.versions.toml':
        '[versions]\nkotlin = "1.9.22"\n[libraries]\na = { module = "g:a", version.ref = "kot¦lin" }\n',
    },
    to: ['gradle/libs.versions.toml:2  ‹kotlin› = "1.9.22"'],
  },
  {
    from: 'a bundle',
    files: {
      'gradle/libs.versions.toml': '[libraries]\na = "g:a:1"\n[bundles]\nall = ["a¦"]\n',
    },
    to: ['gradle/libs.versions.toml:2  ‹a› = "g:a:1"'],
  },
  {
    from: 'a plugin of a version catalog',
    files: {
      'settings.gradle': '',
      'gradle/libs.versions.toml': '[plugins]\nkotlin-jvm = "org.jetbrains.kotlin.jvm:1.9.22"\n',
      'build.gradle.kts': 'plugins {\n  alias(libs.plugins.kotlin.j¦vm)\n}\n',
    },
    to: ['gradle/libs.versions.toml:2  ‹kotlin-jvm› = "org.jetbrains.kotlin.jvm:1.9.22"'],
  },
  {
    from: 'a variable of the script above',
    files: {
      'settings.gradle': '',
      'build.gradle': 'ext.springVersion = "6.1.3"\n',
      'app/build.gradle': 'dependencies {\n  implementation "g:a:$spring¦Version"\n}\n',
    },
    to: ['build.gradle:1  ext.‹springVersion› = "6.1.3"'],
  },
  {
    from: 'a property of Gradle',
    files: {
      'settings.gradle': '',
      'gradle.properties': 'springVersion=6.1.3\n',
      'build.gradle': 'dependencies {\n  implementation "g:a:$spring¦Version"\n}\n',
    },
    to: ['gradle.properties:1  ‹springVersion›=6.1.3'],
  },
  {
    from: 'apply from',
    files: {
      'versions.gradle': 'ext.a = "1"\n',
      'build.gradle': 'apply from: "vers¦ions.gradle"\n',
    },
    to: ['versions.gradle'],
  },
  {
    from: 'a project of Gradle',
    files: { 'settings.gradle': "include ':ap¦p'\n", 'app/build.gradle': '' },
    to: ['app/build.gradle'],
  },
  {
    from: 'a central version of NuGet',
    files: {
      'Directory.Packages.props':
        '<Project>\n<ItemGroup>\n<PackageVersion Include="A" Version="1.0.0" />\n</ItemGroup>\n</Project>',
      'a/a.csproj': '<Project><ItemGroup><PackageReference Include="¦A" /></ItemGroup></Project>',
    },
    to: ['Directory.Packages.props:3  <PackageVersion Include="‹A›" Version="1.0.0" />'],
  },
  {
    from: 'a property of MSBuild, both of its values',
    files: {
      'Directory.Build.props':
        "<Project>\n<PropertyGroup>\n<V>1.0.0</V>\n<V Condition=\"'$(X)' == '1'\">2.0.0</V>\n</PropertyGroup>\n</Project>",
      'a/a.csproj': '<Project><ItemGroup><PackageReference Include="A" Version="$(¦v)" /></ItemGroup></Project>',
    },
    to: [
      'Directory.Build.props:3  <‹V›>1.0.0</V>',
      "Directory.Build.props:4  <‹V› Condition=\"'$(X)' == '1'\">2.0.0</V>",
    ],
  },
  {
    from: 'an import of MSBuild',
    files: {
      'versions.props': '<Project />',
      'a/a.csproj': '<Project><Import Project="..\\versi¦ons.props" /></Project>',
    },
    to: ['versions.props'],
  },
  {
    from: 'a reference to a project of .NET',
    files: {
      'b/b.csproj': '<Project />',
      'a/a.csproj': '<Project><ItemGroup><ProjectReference Include="..\\b\\¦b.csproj" /></ItemGroup></Project>',
    },
    to: ['b/b.csproj'],
  },
  {
    from: 'requirements that are included',
    files: { 'requirements.txt': '-r base¦.txt\n', 'base.txt': 'requests==2.31.0\n' },
    to: ['base.txt'],
  },
  {
    from: 'a constraint',
    files: { 'requirements.txt': '-c constraints.txt\nreq¦uests\n', 'constraints.txt': 'flask==3\nrequests==2.31.0\n' },
    to: ['constraints.txt:2  ‹requests›==2.31.0'],
  },
  {
    from: 'a dependency of a Cargo workspace',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a"]\n[workspace.dependencies]\nserde = "1.0"\n',
      'a/Cargo.toml': '[package]\nname = "a"\n[dependencies]\nserde = { work¦space = true }\n',
    },
    to: ['Cargo.toml:4  ‹serde› = "1.0"'],
  },
  {
    from: 'a member of a Cargo workspace',
    files: { 'Cargo.toml': '[workspace]\nmembers = ["¦a"]\n', 'a/Cargo.toml': '[package]\nname = "a"\n' },
    to: ['a/Cargo.toml'],
  },
  {
    from: 'a path of Cargo',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\n',
      'a/Cargo.toml': '[package]\nname = "a"\n[dependencies]\n¦b = { path = "../b" }\n',
      'b/Cargo.toml': '[package]\nname = "b"\n',
    },
    to: ['b/Cargo.toml'],
  },
  {
    from: 'a module of a Go workspace',
    files: { 'go.work': 'go 1.22\nuse ./a¦pp\n', 'app/go.mod': 'module w/app\n' },
    to: ['app/go.mod'],
  },
  {
    from: 'a replaced module',
    files: { 'go.mod': 'module w\nrequire ex¦ample.com/a v1.0.0\nreplace example.com/a => example.com/b v1.1.0\n' },
    to: ['go.mod:3  replace example.com/a => ‹example.com/b› v1.1.0'],
  },
  {
    from: 'a member of a uv workspace',
    files: {
      'pyproject.toml': '[project]\nname = "w"\n[tool.uv.workspace]\nmembers = ["packages/¦*"]\n',
      'packages/a/pyproject.toml': '[project]\nname = "a"\n',
    },
    to: ['packages/a/pyproject.toml'],
  },
  ...[
    { at: 'requirements.txt', text: 'requests\n-e ./l¦ib[test]\n' },
    { at: 'requirements.txt', text: '--editable=file:l¦ib  # own\n' },
    { at: 'requirements.txt', text: './l¦ib ; python_version > "3"\n' },
    { at: 'pyproject.toml', text: '[tool.uv.sources]\nlib = { path = "./l¦ib/", editable = true }\n' },
    { at: 'pyproject.toml', text: '[tool.poetry.dependencies]\nlib = { path = "l¦ib" }\n' },
    { at: 'Pipfile', text: '[packages]\nlib = { path = "./l¦ib" }\n' },
  ].flatMap(({ at, text }) =>
    ['pyproject.toml', 'setup.py', 'setup.cfg'].map((name) => ({
      from: `the folder in ${JSON.stringify(text)} of ${at}, to its ${name}`,
      files: { [at]: text, [`lib/${name}`]: '' },
      to: [`lib/${name}`],
    })),
  ),
  {
    from: 'an entry of a lockfile',
    files: {
      'package.json': '{\n"dependencies": { "lodash": "^4.17.0" } }',
      'package-lock.json':
        '{ "lockfileVersion": 3, "packages": { "": {},\n"node_modules/lod¦ash": { "version": "4.17.21" } } }',
    },
    to: ['package.json:2  "dependencies": { "‹lodash›": "^4.17.0" } }'],
  },
  {
    from: 'an entry of Cargo.lock',
    files: {
      'Cargo.toml': '[package]\nname = "a"\n[dependencies]\nserde = "1"\n',
      'Cargo.lock':
        'version = 3\n[[package]]\nname = "ser¦de"\nversion = "1.0.0"\nsource = "registry+https://registry.example/index"\n',
    },
    to: ['Cargo.toml:4  ‹serde› = "1"'],
  },
];

for (const { from, files, to } of cases) {
  test(`a person follows ${from}`, async (t) => {
    const { client, uri, position, show } = await navigating(t, files);
    const found = await client.ask<Location[]>('textDocument/definition', uri, { position });
    assert.deepEqual(show(found), to);
  });
}
