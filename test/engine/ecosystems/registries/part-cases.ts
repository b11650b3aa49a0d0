import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { PrivateCase } from './cases.ts';
import { secretNpm } from './cases.ts';

const pnpmCatalog = 'packages: ["."]\ncatalog: { lodash: 4.17.21 }\n';
const yarnCatalog = 'catalog: { lodash: 4.17.21 }\n';
const withCatalog = secretNpm.replace('"left-pad"', '"lodash": "catalog:", "left-pad"');
const secretPom = `<dependencies><dependency><groupId>com.secret</groupId><artifactId>core</artifactId>
  <version>1.0</version></dependency></dependencies>`;
const secretProject = (inner: string): string =>
  `<Project>${inner}<ItemGroup><PackageReference Include="Secret.Core" Version="1.0.0" /></ItemGroup></Project>`;
const restoreSources =
  '<Project><PropertyGroup><RestoreSources>https://nuget.acme.example/</RestoreSources></PropertyGroup></Project>';

/** Files that take part in a manifest, of whatever name, are configuration all the same. */
export const partCases: readonly PrivateCase[] = [
  {
    title: "a scope in pnpm's settings, of which one catalog is asked for",
    files: {
      'package.json': withCatalog,
      'pnpm-workspace.yaml': `${pnpmCatalog}registries:\n  '@secret': https://npm.acme.example/\n`,
    },
    asked: ['left-pad', 'lodash'],
  },
  {
    title: "a registry for everything in pnpm's settings, of which one catalog is asked for",
    files: {
      'a/package.json': withCatalog.replaceAll('left-pad', 'secret-pad'),
      'pnpm-workspace.yaml': `${pnpmCatalog.replace('"."', '"a"')}registry: https://npm.acme.example/\n`,
    },
    asked: [],
  },
  {
    title: "a scope in yarn's settings, of which one catalog is asked for",
    files: {
      'package.json': withCatalog,
      '.yarnrc.yml': `${yarnCatalog}npmScopes: { secret: { npmRegistryServer: "https://npm.acme.example" } }\n`,
    },
    asked: ['left-pad', 'lodash'],
  },
  {
    title: "a registry for everything in yarn's settings, with its own catalog",
    files: {
      '.yarnrc.yml': 'catalog: { secret-pad: 1.0.0 }\nnpmRegistryServer: "https://npm.acme.example"\n',
    },
    asked: [],
  },
  {
    title: 'a repository of a parent of any name',
    files: {
      'a/pom.xml': `<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version>
        <relativePath>../build/parent-pom.xml</relativePath></parent><artifactId>a</artifactId>${secretPom}</project>`,
      'build/parent-pom.xml': `<project><groupId>g</groupId><artifactId>p</artifactId><version>1</version>
        <repositories><repository><id>acme</id><url>https://maven.acme.example</url></repository></repositories></project>`,
    },
    asked: [],
  },
  {
    title: 'an index in included files of any name',
    files: {
      'requirements.txt': '-r base.pip\nsecret-core==1.0\n',
      'base.pip': '-c constraints.lock\nsecret-lib==1.0\n',
      'constraints.lock': '--extra-index-url https://pypi.acme.example/simple\n',
    },
    asked: [],
  },
  {
    title: 'an index in requirements that are called otherwise than usual',
    files: { 'requirements.pip': '--index-url https://pypi.acme.example/simple\nsecret-core==1.0\n' },
    asked: [],
  },
  {
    title: 'an index in an included file that has the name of something else',
    files: {
      'requirements.txt': '-r pyproject.toml\nsecret-core==1.0\n',
      'pyproject.toml': '[[tool.uv.index]]\nname = "acme"\nurl = "https://pypi.acme.example/simple"\n',
    },
    asked: [],
  },
  {
    title: 'sources in an imported project file of any name',
    files: {
      'App.csproj': secretProject('<Import Project="build/feeds.settings" />'),
      'build/feeds.settings': restoreSources,
    },
    asked: [],
  },
  {
    title: 'sources in a file that an imported one imports',
    files: {
      'App.csproj': secretProject('<Import Project="build/all.xml" />'),
      'build/all.xml': '<Project><Import Project="feeds.items" /></Project>',
      'build/feeds.items': restoreSources,
    },
    asked: [],
  },
];

const pyproject = '[project]\nname = "a"\ndependencies = ["secret-core==1.0"]\n';
const linkedTo = (name: string) => (folder: string) => symlinkSync(import.meta.filename, join(folder, name));
const folderAt = (name: string) => (folder: string) => void mkdirSync(join(folder, name), { recursive: true });

/** What stands there and cannot be read may name any registry. */
export const unreadableCases: readonly PrivateCase[] = [
  {
    title: 'an .npmrc that is a link to elsewhere',
    files: { 'package.json': '{ "dependencies": { "secret": "1.0.0" } }' },
    prepare: linkedTo('.npmrc'),
    asked: [],
    reason: '.npmrc may configure its registry, but cannot be read: it is a link to a place outside the open folder',
  },
  {
    title: 'a folder that is called as a file of settings',
    files: { 'a/package.json': '{ "dependencies": { "secret": "1.0.0" } }' },
    prepare: folderAt('.yarnrc.yml'),
    asked: [],
    reason: '.yarnrc.yml may configure its registry, but cannot be read: it is not a regular file',
  },
  {
    title: 'settings behind the first megabyte of a file',
    files: {
      'package.json': '{ "dependencies": { "@secret/x": "1.0.0" } }',
      '.npmrc': `${'#\n'.repeat(600_000)}@secret:registry=https://npm.acme.example/\n`,
    },
    asked: [],
    reason: '.npmrc may configure its registry, but cannot be read: it is too long',
  },
  {
    title: 'a file of more than the size that is read',
    files: { 'pyproject.toml': pyproject, 'uv.toml': new Uint8Array(33 * 1024 * 1024) },
    asked: [],
    reason: 'uv.toml may configure its registry, but cannot be read: it is too large',
  },
  {
    title: 'requirements that include what is a link to elsewhere',
    files: { 'requirements.txt': '-r base.txt\nsecret-core==1.0\n' },
    prepare: linkedTo('base.txt'),
    asked: [],
    reason: 'base.txt may configure its registry, but cannot be read: it is a link to a place outside the open folder',
  },
  {
    title: 'a parent that is a link to elsewhere',
    files: {
      'pom.xml': `<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version>
        <relativePath>parent.xml</relativePath></parent><artifactId>a</artifactId>${secretPom}</project>`,
    },
    prepare: linkedTo('parent.xml'),
    asked: [],
  },
  {
    title: 'settings of Maven that lie elsewhere',
    files: { 'pom.xml': `<project>${secretPom}</project>`, '.mvn/maven.config': '-s ci.xml' },
    prepare: linkedTo('ci.xml'),
    asked: [],
    reason: 'ci.xml may configure its registry, but cannot be read: it is a link to a place outside the open folder',
  },
  {
    title: 'settings of a person without read permission',
    files: { 'App.csproj': secretProject('') },
    machine: {
      NUGET: [{ name: 'NuGet.Config', label: '~/.nuget/NuGet/NuGet.Config', text: '', unreadable: { why: 'denied' } }],
    },
    asked: [],
    reason: '~/.nuget/NuGet/NuGet.Config may configure its registry, but cannot be read: permission denied',
  },
];
