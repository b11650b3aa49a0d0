import { type Files, startHiding, testHidden, testPlain } from './hidden.ts';

/* Files that Maven and MSBuild read under names or by ways that no list of manifests has. */

const run = await startHiding();

const dependencies =
  '<dependencies><dependency><groupId>com.example</groupId><artifactId>evil</artifactId><version>1.0.0</version></dependency></dependencies>';
const parentPom = `<project><groupId>com.example</groupId><artifactId>p</artifactId><version>1</version><packaging>pom</packaging>${dependencies}</project>`;
const child = (path: string) =>
  `<project><parent><groupId>com.example</groupId><artifactId>p</artifactId><version>1</version><relativePath>${path}</relativePath></parent><artifactId>a</artifactId></project>`;
const module = (path: string) =>
  `<project><groupId>com.example</groupId><artifactId>a</artifactId><version>1</version><packaging>pom</packaging><modules><module>${path}</module></modules></project>`;
const items = '<Project><ItemGroup><PackageReference Include="evil" Version="1.0.0" /></ItemGroup></Project>';
const project = (content: string) => `<Project Sdk="Microsoft.NET.Sdk">${content}</Project>`;
const properties = (content: string) => `<Project><PropertyGroup>${content}</PropertyGroup></Project>`;
const named = project(
  '<PropertyGroup><N>fine</N></PropertyGroup><ItemGroup><PackageReference Include="$(N)" Version="1.0.0" /></ItemGroup>',
);

const hidden: Readonly<Record<string, Files>> = {
  'a parent with another extension': { 'a/pom.xml': child('../parent.inc'), 'parent.inc': parentPom },
  'a parent without an extension': { 'a/pom.xml': child('../PARENT'), PARENT: parentPom },
  'a parent in a folder with a point in its name': { 'a/pom.xml': child('../p-1.0'), 'p-1.0/pom.xml': parentPom },
  'a module with another extension': { 'pom.xml': module('b.inc'), 'b.inc': parentPom },
  'a module with another extension in a folder': { 'pom.xml': module('b/b.inc'), 'b/b.inc': parentPom },
  'a module with a name from the options': {
    'pom.xml': module('${m}.inc'),
    '.mvn/maven.config': '-Dm=b\n',
    'b.inc': parentPom,
  },
  'a module with a name from the parent': {
    'pom.xml': child('p/pom.xml').replace(
      '</artifactId></project>',
      '</artifactId><modules><module>${m}</module></modules></project>',
    ),
    'p/pom.xml':
      '<project><groupId>com.example</groupId><artifactId>p</artifactId><version>1</version><packaging>pom</packaging><properties><m>b.inc</m></properties></project>',
    'b.inc': parentPom.replace('>p<', '>b<'),
  },
  'an import by a property of the options': {
    'a.csproj': project('<Import Project="$(X)" />'),
    'Directory.Build.rsp': '-p:X=z.inc\n',
    'z.inc': items,
  },
  'an import by a property of options that others include': {
    'a.csproj': project('<Import Project="$(X)" />'),
    'Directory.Build.rsp': '@more.rsp\n',
    'more.rsp': '/p:X=z.inc\n',
    'z.inc': items,
  },
  'an import by a property of the files above': {
    'a/a.csproj': project('<Import Project="$(X)" />'),
    'Directory.Build.props': properties('<X>z.inc</X>'),
    'a/z.inc': items,
  },
  'an import by a folder that files above define': {
    'a/b/a.csproj': project('<Import Project="$(Eng)z.inc" />'),
    'Directory.Build.props': properties('<Root>$(MSBuildThisFileDirectory)</Root><Eng>$(Root)eng\\</Eng>'),
    'eng/z.inc': items,
  },
  'an import from the folder of the project': {
    'a/a.csproj': project(''),
    'Directory.Build.props': '<Project><Import Project="$(MSBuildProjectDirectory)\\z.inc" /></Project>',
    'a/z.inc': items,
  },
  'an import by a property of another import': {
    'a.csproj': project('<Import Project="x.props" /><Import Project="$(X)" />'),
    'x.props': properties('<X>z.inc</X>'),
    'z.inc': items,
  },
  'targets beside the results of a build': { 'a.csproj': project(''), 'obj/a.csproj.nuget.g.targets': items },
  'properties beside the results of a build': { 'a.csproj': project(''), 'obj/a.csproj.own.props': items },
  'a name that targets change': {
    'a.csproj': named,
    'Directory.Build.targets': properties('<N>evil</N>'),
  },
  'a name that targets beside the results of a build change': {
    'a.csproj': named,
    'obj/a.csproj.nuget.g.targets': properties('<N>evil</N>'),
  },
  'a name that the file of a user changes': {
    'a.csproj': named,
    'a.csproj.user': properties('<N>evil</N>'),
  },
  'a name that options of an included file change': {
    'a.csproj': named,
    'Directory.Build.rsp': '@"%MSBuildThisFileDirectory%more.rsp"\n',
    'more.rsp': '-p:N=evil\n',
  },
};

testHidden(hidden, run);

testPlain(
  {
    'a name that nothing changes': { 'a.csproj': named },
    'an import of an installed tool': { 'a.csproj': project('<Import Project="$(VCTargetsPath)\\a.props" />') },
    'an import that its condition leaves out': {
      'a.csproj': project('<Import Project="$(Root)a.props" Condition="exists(\'$(Root)a.props\')" />'),
      'Directory.Build.props': properties('<Root>$(MSBuildThisFileDirectory)</Root>'),
    },
    'what NuGet leaves beside the results of a build': {
      'a.csproj': project(''),
      'obj/a.csproj.nuget.g.props': properties('<NuGetPackageRoot>/root/.nuget/packages/</NuGetPackageRoot>'),
    },
    'a module in a folder': {
      'pom.xml': module('b-1.x'),
      'b-1.x/pom.xml': '<project><artifactId>b</artifactId></project>',
    },
  },
  run,
);
