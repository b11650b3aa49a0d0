import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* A file that a build takes dependencies from is read, whatever its name; what cannot be read is a gap. */

const versions = { versions: ['1.0.0'] };
const service = await startServiceForFile({
  'NPM known': versions,
  'PYPI known': versions,
  'MAVEN g:known': versions,
  'NUGET known': versions,
  'CARGO known': versions,
});

type Files = Readonly<Record<string, string>>;
type Outcome = 'read' | 'gap' | 'nothing';

const pom = (id: string, rest: string) =>
  `<project><modelVersion>4.0.0</modelVersion><groupId>own</groupId><artifactId>${id}</artifactId><version>1</version>${rest}</project>`;
const mavenKnown =
  '<dependencies><dependency><groupId>g</groupId><artifactId>known</artifactId><version>1.0.0</version></dependency></dependencies>';
const modules = (it: string) => `<packaging>pom</packaging><modules><module>${it}</module></modules>`;
const gradleKnown = "dependencies { implementation 'g:known:1.0.0' }\n";
const known = '[project]\nname = "own"\nversion = "1"\n';
const csproj = (rest: string) => `<Project Sdk="Microsoft.NET.Sdk">${rest}</Project>`;
const nugetKnown = '<ItemGroup><PackageReference Include="Known" Version="1.0.0" /></ItemGroup>';
const dynamic = `${known}dynamic = ["dependencies"]\n`;

/*
 * A module of Maven, a member of Cargo or a folder of go.work that is not there ends their builds, and npm passes over it.
 * Sources: mvn, cargo and go themselves; npm's documentation of `workspaces`.
 */
const shapes: readonly (readonly [string, Outcome, Files])[] = [
  [
    'Maven: a module that is a file',
    'read',
    { 'pom.xml': pom('root', modules('other.xml')), 'other.xml': pom('a', mavenKnown) },
  ],
  [
    'Maven: a module that is a file in a folder',
    'read',
    { 'pom.xml': pom('root', modules('sub/build.pom')), 'sub/build.pom': pom('a', mavenKnown) },
  ],
  [
    'Maven: a parent that is a file',
    'read',
    {
      'pom.xml':
        '<project><parent><groupId>own</groupId><artifactId>p</artifactId><version>1</version><relativePath>parent.xml</relativePath></parent><artifactId>a</artifactId></project>',
      'parent.xml': pom('p', `<packaging>pom</packaging>${mavenKnown}`),
    },
  ],
  [
    'Gradle: a script with another extension',
    'read',
    { 'build.gradle': "apply from: 'deps.inc'\n", 'deps.inc': gradleKnown },
  ],
  [
    'Gradle: a script below a folder of the root',
    'read',
    { 'build.gradle': 'apply from: "$rootDir/gradle/deps.groovy"\n', 'gradle/deps.groovy': gradleKnown },
  ],
  ['Gradle: a script that is not there', 'gap', { 'build.gradle': "apply from: 'gone.gradle'\n" }],
  ['Gradle: a script from an address', 'gap', { 'build.gradle': "apply from: 'https://host.example/deps.gradle'\n" }],
  [
    'Gradle: a script with a name of its own for the root',
    'read',
    { 'settings.gradle': "rootProject.buildFileName = 'root.build'\n", 'root.build': gradleKnown },
  ],
  [
    'Gradle: a script with a name of its own for a project',
    'read',
    { 'settings.gradle': "include ':a'\nproject(':a').buildFileName = 'a.build'\n", 'a/a.build': gradleKnown },
  ],
  [
    'Gradle: scripts with names of their own for all projects',
    'read',
    {
      'settings.gradle': 'include \':a\'\nrootProject.children.each { it.buildFileName = "${it.name}.gradle" }\n',
      'a/a.gradle': gradleKnown,
    },
  ],
  [
    'setuptools: a file',
    'read',
    {
      'pyproject.toml': `${dynamic}[tool.setuptools.dynamic]\ndependencies = { file = ["deps.lst"] }\n`,
      'deps.lst': 'known==1.0.0\n',
    },
  ],
  [
    'setuptools: one file as text',
    'read',
    {
      'pyproject.toml': `${dynamic}[tool.setuptools.dynamic]\ndependencies = { file = "deps.lst" }\n`,
      'deps.lst': 'known==1.0.0\n',
    },
  ],
  [
    'setuptools: a file of an extra',
    'read',
    {
      'pyproject.toml': `${known}dynamic = ["optional-dependencies"]\n[tool.setuptools.dynamic.optional-dependencies]\ndev = { file = ["dev.lst"] }\n`,
      'dev.lst': 'known==1.0.0\n',
    },
  ],
  [
    'setuptools: a file that is not there',
    'gap',
    { 'pyproject.toml': `${dynamic}[tool.setuptools.dynamic]\ndependencies = { file = ["gone.lst"] }\n` },
  ],
  [
    'hatch: a file',
    'read',
    {
      'pyproject.toml': `${dynamic}[tool.hatch.metadata.hooks.requirements_txt]\nfiles = ["deps.lst"]\n`,
      'deps.lst': 'known==1.0.0\n',
    },
  ],
  [
    'hatch: a file of an extra',
    'read',
    {
      'pyproject.toml': `${known}dynamic = ["optional-dependencies"]\n[tool.hatch.metadata.hooks.requirements_txt.optional-dependencies]\ndev = ["dev.lst"]\n`,
      'dev.lst': 'known==1.0.0\n',
    },
  ],
  [
    'pyproject.toml: dependencies that a program computes',
    'gap',
    { 'pyproject.toml': `${dynamic}[build-system]\nrequires = []\nbuild-backend = "own"\n` },
  ],
  [
    'setup.cfg: a file',
    'read',
    {
      'setup.cfg': '[metadata]\nname = own\n[options]\ninstall_requires = file: deps.lst\n',
      'deps.lst': 'known==1.0.0\n',
    },
  ],
  [
    'setup.py: a file',
    'gap',
    {
      'setup.py':
        'from setuptools import setup\nsetup(name="own", install_requires=open("deps.lst").read().splitlines())\n',
      'deps.lst': 'known==1.0.0\n',
    },
  ],
  [
    'setup.py: a function',
    'gap',
    { 'setup.py': 'from setuptools import setup\nsetup(name="own", install_requires=compute())\n' },
  ],
  [
    'setup.py: a variable with the lines of a file',
    'gap',
    {
      'setup.py':
        'from setuptools import setup\nwith open("deps.lst") as it:\n    deps = [line.strip() for line in it.readlines()]\nsetup(name="own", install_requires=deps)\n',
    },
  ],
  [
    'setup.py: nothing',
    'nothing',
    {
      'setup.py':
        'from setuptools import setup\nbase = []\nsetup(name="own", install_requires=base, tests_require=[])\n',
    },
  ],
  [
    'Gradle: a script that need not exist',
    'nothing',
    { 'build.gradle': "if (file('local.gradle').exists()) {\n  apply from: 'local.gradle'\n}\n" },
  ],
  [
    'MSBuild: a file that need not exist',
    'nothing',
    { 'a.csproj': csproj('<Import Project="gone.any" Condition="Exists(\'gone.any\')" />') },
  ],
  [
    'pyproject.toml: a version that a program computes',
    'nothing',
    { 'pyproject.toml': `${known}dynamic = ["version"]\n[build-system]\nrequires = []\nbuild-backend = "own"\n` },
  ],
  [
    'MSBuild: a file of any name',
    'read',
    { 'a.csproj': csproj('<Import Project="deps.any" />'), 'deps.any': `<Project>${nugetKnown}</Project>` },
  ],
  [
    'MSBuild: a file by a property',
    'read',
    {
      'a.csproj': csproj('<Import Project="$(MSBuildThisFileDirectory)deps.inc" />'),
      'deps.inc': `<Project>${nugetKnown}</Project>`,
    },
  ],
  ['MSBuild: a file that is not there', 'gap', { 'a.csproj': csproj('<Import Project="gone.any" />') }],
  ['requirements: -r', 'read', { 'requirements.txt': '-r other.any\n', 'other.any': 'known==1.0.0\n' }],
  ['requirements: -r of what is not there', 'gap', { 'requirements.txt': '-r gone.any\n' }],
  ['requirements: -c', 'read', { 'requirements.txt': 'known\n-c other.any\n', 'other.any': 'known==1.0.0\n' }],
  ['requirements: -c of what is not there', 'gap', { 'requirements.txt': 'known==1.0.0\n-c gone.any\n' }],
  ['requirements: the source of a compiled file', 'read', { 'requirements.in': 'known==1.0.0\n' }],
];

for (const [title, expected, files] of shapes) {
  test(title, async () => {
    const folder = folderWith(files);
    try {
      const { out, code } = await runHere(['check', '--format', 'json'], folder.path, { baseUrl: service.url });
      const { lookedUp, unknown, unread, unclear, unchecked } = JSON.parse(out).coverage;
      const isRead = lookedUp - unknown > 0;
      const found = isRead && code === 0 ? 'read' : unread + unclear + unchecked > 0 && code === 2 ? 'gap' : 'nothing';
      assert.equal(found, expected, JSON.stringify({ lookedUp, unknown, unread, unclear, unchecked, code }));
    } finally {
      folder.remove();
    }
  });
}
