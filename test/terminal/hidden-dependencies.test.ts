import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { type Ended, folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* Ways to hide an affected dependency from a check, while the build tool still takes it. Each is found, or counted as a gap. */

const systems = ['MAVEN', 'PYPI', 'NUGET'] as const;
const service = await startServiceForFile({
  'MAVEN com.example:evil': { versions: ['1.0.0'] },
  'PYPI evil': { versions: ['1.0.0'] },
  'NUGET evil': { versions: ['1.0.0'] },
  'PYPI fine': { versions: ['1.0.0'] },
  'advisory GHSA-evil': {
    cvss3Score: 9.8,
    affected: systems.map((system) => ({
      system,
      name: system === 'MAVEN' ? 'com.example:evil' : 'evil',
      ranges: [{ introduced: '0' }],
    })),
  },
});

type Files = Readonly<Record<string, string | Uint8Array>>;

async function run(files: Files): Promise<Ended> {
  const folder = folderWith(files);
  try {
    return await runHere(['check'], folder.path, { baseUrl: service.url });
  } finally {
    folder.remove();
  }
}

const xml =
  '<dependency><groupId>com.example</groupId><artifactId>evil</artifactId><version>1.0.0</version></dependency>';
const pom = (content: string) => `<project><artifactId>a</artifactId><dependencies>${content}</dependencies></project>`;
const item = '<PackageReference Include="evil" Version="1.0.0" />';
const project = (content: string) => `<Project Sdk="Microsoft.NET.Sdk">${content}</Project>`;
const properties = (content: string) => project(`<PropertyGroup>${content}</PropertyGroup>`);
const items = `<Project><ItemGroup>${item}</ItemGroup></Project>`;
const gradle = (content: string) => `dependencies {\n  ${content}\n}\n`;
const script = gradle("implementation 'com.example:evil:1.0.0'");
const list = 'evil==1.0.0\n';

const hidden: Readonly<Record<string, Files>> = {
  'an entity of the file itself': { 'pom.xml': `<!DOCTYPE project [<!ENTITY d '${xml}'>]>${pom('&d;')}` },
  'an entity of another file': { 'pom.xml': `<!DOCTYPE project [<!ENTITY d SYSTEM 'd.xml'>]>${pom('&d;')}` },
  'a POM in an encoding that is not read': { 'pom.xml': Uint8Array.of(0x4c, 0x6f, 0xa7, 0x94, 0x93, 0x6f, 0x6e) },
  'a project without any element': { 'a.csproj': 'not a project' },
  'a script of NULs': { 'build.gradle': '\0'.repeat(20) },
  'a setup.py in UTF-32': { 'setup.py': Buffer.from([...'setup()'].flatMap((it) => [it.charCodeAt(0), 0, 0, 0])) },
  'a list of items as a package': {
    'a.csproj': project(
      '<ItemGroup><X Include="evil" /><PackageReference Include="@(X)" Version="1.0.0" /></ItemGroup>',
    ),
  },
  'an import with a wildcard': { 'a.csproj': project('<Import Project="x/*.inc" />') },
  'targets under a name of their own': {
    'a.csproj': properties('<DirectoryBuildTargetsPath>z.inc</DirectoryBuildTargetsPath>'),
    'z.inc': items,
  },
  'targets that the common ones import': {
    'a.csproj': properties('<CustomAfterMicrosoftCommonTargets>z.inc</CustomAfterMicrosoftCommonTargets>'),
    'z.inc': items,
  },
  'an import by a property of the file': {
    'a.csproj': project('<PropertyGroup><X>z.inc</X></PropertyGroup><Import Project="$(X)" />'),
    'z.inc': items,
  },
  'a file behind another option': { 'requirements.txt': '--pre -r b.lst\n', 'b.lst': list },
  'a file after an abbreviated option': { 'requirements.txt': '--requirem b.lst\n', 'b.lst': list },
  'constraints after an abbreviated option': { 'requirements.txt': 'evil\n--cons=b.lst\n', 'b.lst': list },
  'a computed text among requirements': {
    'setup.py': 'n = "evil"\nsetup(install_requires=["fine==1.0.0", f"{n}==1.0.0"])\n',
  },
  'a call among requirements': { 'setup.py': 'setup(install_requires=["fine==1.0.0", read("evil")])\n' },
  'a statement over two lines': { 'build.gradle': gradle("implementation \\\n    'com.example:evil:1.0.0'") },
  'escapes in a dependency': { 'build.gradle': gradle("implementation 'com.example:e\\u0076il:1.0.0'") },
  'a pattern as a dependency': { 'build.gradle': gradle('implementation(/com.example:evil:1.0.0/)') },
  'another kind of string': { 'build.gradle': gradle('implementation($/com.example:evil:1.0.0/$)') },
  'escapes outside of strings': { 'build.gradle': script.replace('dep', 'd\\u0065p') },
  'a call without parentheses': { 'build.gradle': gradle("add 'implementation', 'com.example:evil:1.0.0'") },
  'a script in a block': { 'build.gradle': "apply { from 'x.txt' }\n", 'x.txt': script },
  'a script in a map': { 'build.gradle.kts': 'apply(mapOf("from" to "x.txt"))\n', 'x.txt': script },
  'a script in a variable': { 'build.gradle': "def p = 'x.txt'\napply from: p\n", 'x.txt': script },
};

for (const [title, files] of Object.entries(hidden)) {
  test(`is not passed over: ${title}`, async () => {
    const { code, out } = await run(files);
    assert.notEqual(code, 0, out);
  });
}

const plain: Readonly<Record<string, Files>> = {
  'a POM with a name of HTML': { 'pom.xml': pom('').replace('<dep', '<name>a &copy; b</name><dep') },
  'an empty POM': { 'pom.xml': '\n' },
  'a document type': { 'pom.xml': `<!DOCTYPE project SYSTEM "maven.dtd">${pom('')}` },
  'an import of an installed tool': {
    'a.csproj': project('<Import Project="$(MSBuildExtensionsPath)\\a\\*.props" />'),
  },
  'a folder of archives': {
    'build.gradle': gradle("implementation files('libs\\\\a.jar')\n  implementation project(':a')"),
  },
  'a pattern of a build': { 'build.gradle': "def a = x.replaceAll(/\\s+\\d/, '')\nif (a ==~ /\\d/) { }\n" },
  'options of pip': { 'requirements.txt': '--no-binary :all: --find-links r/c\n' },
  'requirements of a list': { 'setup.py': 'setup(install_requires=["fine==1.0.0", *[]])\n' },
};

for (const [title, files] of Object.entries(plain)) {
  test(`is no gap: ${title}`, async () => {
    const { code, error } = await run(files);
    assert.equal(code, 0, error);
  });
}
