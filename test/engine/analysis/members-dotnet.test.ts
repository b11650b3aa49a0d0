import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownIn, type Texts } from './members-lab.ts';

function app(): string {
  const names = ['Acme.Core', 'Acme.Lib', 'Lib', 'Core', 'Serilog'];
  const packages = names.map((it) => `<PackageReference Include="${it}" Version="1.0.0" />`);
  return `<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>${packages.join('')}</ItemGroup></Project>`;
}

function properties(text: string): string {
  return `<Project><PropertyGroup>${text}</PropertyGroup></Project>`;
}

const projects = ['App', 'Core', 'Lib'].map((it) => `<Project Path="src/${it}/${it}.csproj" />`);
const solution: Texts = {
  'src/App/App.csproj': app(),
  'All.slnx': `<Solution>${projects.join('')}</Solution>`,
  'src/Core/Core.csproj': properties('<PackageId>Acme.Core</PackageId>'),
  'src/Lib/Lib.csproj': '<Project></Project>',
};

/*
 * Sources: NuGet's targets, where PackageId is that of AssemblyName and this is the name of the file;
 * Microsoft's “Customize your build by folder”.
 */
test('a project of a solution is a package by what its properties, and those of the folders above, make of its name', async () => {
  assert.deepEqual(await ownIn(solution), ['acme.core', 'lib']);
  for (const name of ['PackageId', 'AssemblyName']) {
    const props = properties(`<Prefix>Acme</Prefix><${name}>$(Prefix).$(MSBuildProjectName)</${name}>`);
    assert.deepEqual(await ownIn({ ...solution, 'Directory.Build.props': props }), ['acme.core', 'acme.lib']);
    const own = properties(`<Prefix>Acme</Prefix><${name}>$(prefix).$(MSBuildProjectName)</${name}>`);
    assert.deepEqual(await ownIn({ ...solution, 'src/Lib/Lib.csproj': own }), ['acme.core', 'acme.lib']);
  }
  const circle = properties('<PackageId>$(A)</PackageId><A>$(B)</A><B>$(A)</B>');
  assert.deepEqual(await ownIn({ ...solution, 'src/Lib/Lib.csproj': circle }), ['acme.core', 'lib']);
});
