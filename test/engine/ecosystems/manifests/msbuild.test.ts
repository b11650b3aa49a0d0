import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatOf } from '../../../../server/src/engine/ecosystems/manifest-formats.ts';
import { fileBasedApp } from '../../../../server/src/engine/ecosystems/nuget/file-based-app.ts';
import { msbuildProject } from '../../../../server/src/engine/ecosystems/nuget/msbuild.ts';
import { packagesConfig } from '../../../../server/src/engine/ecosystems/nuget/packages-config.ts';
import type { Literal } from '../../../../server/src/engine/model/span.ts';

test('files of .NET are known by their names, in any case', () => {
  const files = {
    csproj: ['App.csproj', 'a/App.FSPROJ', 'App.vbproj', 'App.vcxproj', 'build.proj', 'App.sqlproj'],
    'Directory.Packages.props': ['Directory.Packages.props', 'a/directory.packages.props'],
    'Directory.Build.props': ['Directory.Build.props', 'a/b/Directory.Build.props'],
    msbuild: ['Directory.Build.targets', 'eng/Versions.props', 'Shared.projitems', 'App.csproj.user'],
    'packages.config': ['packages.config', 'a/packages.App.config'],
    nuspec: ['My.nuspec'],
    'dotnet-tools.json': ['.config/dotnet-tools.json', 'dotnet-tools.json'],
    'global.json': ['global.json', 'src/global.json'],
    'project.json': ['project.json', 'src/app.project.json'],
    none: [
      'not-global.json',
      'App.nuspec.bak',
      'project.pbxproj',
      'App.xcodeproj',
      'web.config',
      'Packages.properties',
      'csproj',
    ],
  };
  for (const [id, paths] of Object.entries(files)) {
    for (const path of paths) assert.equal(formatOf(path)?.id ?? 'none', id, path);
  }
});

test('an edit writes the escapes its place needs', () => {
  const source = `<Project><ItemGroup>
    <PackageReference Include='A' Version='1.0' /><PackageReference Include="B" Version=" 1.0 " />
    <PackageReference Include="C"><Version> 1.0 </Version></PackageReference>
    <PackageDownload Include="D" Version="[1.0]; [2.0]" />
  </ItemGroup></Project>`;
  const edited = edit(source, literalsOf(msbuildProject.parse(source)), `a"b'c<d&`);
  assert.equal(
    edited,
    `<Project><ItemGroup>
    <PackageReference Include='A' Version='a"b&apos;c&lt;d&amp;' /><PackageReference Include="B" Version=" a&quot;b'c&lt;d&amp; " />
    <PackageReference Include="C"><Version> a"b'c&lt;d&amp; </Version></PackageReference>
    <PackageDownload Include="D" Version="a&quot;b'c&lt;d&amp;; a&quot;b'c&lt;d&amp;" />
  </ItemGroup></Project>`,
  );
});

test('an exact version is written without the brackets it is read with', () => {
  const source = '<packages><package id="A" version="1.0.0" /><package id="B" version="1.0.0" /></packages>';
  const [first, second] = literalsOf(packagesConfig.parse(source));
  assert.ok(first && second);
  assert.equal(edit(source, [first], '[2.0.0]'), source.replace('1.0.0', '2.0.0'));
  assert.equal(edit(source, [first], '2.0.0'), source.replace('1.0.0', '2.0.0'));
  assert.equal(second.text, '[1.0.0]');
});

test('the last import has the first word, and each says where its search begins', () => {
  const source = `<Project>
    <Import Project="a.props" />
    <Import Project="$([MSBuild]::GetPathOfFileAbove('b.props'))" />
    <Import Project="$([MSBuild]::GetPathOfFileAbove('c.props', '$(MSBuildThisFileDirectory)..\\'))" />
    <Import Project="$([MSBuild]::GetDirectoryNameOfFileAbove($(MSBuildThisFileDirectory).., d.props))/d.props" />
    <ItemGroup><PackageReference Include="A" /></ItemGroup>
  </Project>`;
  const found = msbuildProject.parse(source).references.map((it) => `${it.path} ${it.upward ?? 'here'}`);
  assert.deepEqual(found, [
    'd.props parent',
    'c.props parent',
    'b.props self',
    'a.props here',
    'Directory.Build.props self',
    'Directory.Packages.props self',
    'Directory.Build.targets self',
  ]);
});

test('hostile project files are read in reasonable time', () => {
  const many = 20_000;
  for (const inside of [
    '<Choose><When Condition="a">'.repeat(many),
    `<ItemGroup>${'<PackageReference Include="A">'.repeat(many)}`,
    `<PropertyGroup>${'<A>$('.repeat(many)}`,
    `<PropertyGroup><A>${"$(a')%(".repeat(many)}</A>`,
    `<ItemGroup><PackageDownload Include="${'A;'.repeat(many)}" Version="${'[1];'.repeat(many)}" />`,
    `<ItemGroup><PackageReference Include="${'A;'.repeat(many)}" Version="${'$('.repeat(many)}" />`,
    `<Import Project="$([MSBuild]::GetPathOfFileAbove(a,${' '.repeat(many)}" />`,
    `<Import Project="$([MSBuild]::GetDirectoryNameOfFileAbove(${'(a)'.repeat(many)}" />`,
    `<Import Project="${'./'.repeat(many)}" />`,
  ]) {
    msbuildProject.parse(`<Project>${inside}`);
  }
});

test('packages nested deeper than anybody nests them are left out, the others are not', () => {
  const item = '<ItemGroup><PackageReference Include="A" Version="1.0" /></ItemGroup>';
  const nested = (depth: number) => `${'<Choose><When>'.repeat(depth)}${item}${'</When></Choose>'.repeat(depth)}`;
  assert.equal(msbuildProject.parse(`<Project>${nested(20)}</Project>`).dependencies.length, 1);
  assert.equal(msbuildProject.parse(`<Project>${nested(5_000)}${item}</Project>`).dependencies.length, 1);
});

function literalsOf(manifest: ReturnType<typeof msbuildProject.parse>): Literal[] {
  return manifest.dependencies.flatMap(({ requirement }) => (requirement.kind === 'literal' ? [requirement.at] : []));
}

function edit(source: string, literals: readonly Literal[], value: string): string {
  const last = literals.toSorted((a, b) => b.span.start - a.span.start);
  return last.reduce((text, it) => text.slice(0, it.span.start) + it.encode(value) + text.slice(it.span.end), source);
}

test('a C# file is a manifest only where directives stand above its code', () => {
  for (const text of [
    '#:package A@1.0\n',
    '\uFEFF#!/usr/bin/env dotnet\r\n',
    '// A license.\n\n// And more.\n#:sdk A@1\n',
  ]) {
    assert.match(text, fileBasedApp.begins ?? /^$/, text);
  }
  const comments = '// A license.\n'.repeat(100_000);
  for (const text of ['using System;\n#:package A@1.0', '', '#region A', ' '.repeat(100_000), comments]) {
    assert.doesNotMatch(text, fileBasedApp.begins ?? /^/, text.slice(0, 40));
  }
});
