import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkspaceEdit } from 'vscode-languageserver';
import { manifestFormats } from '../../server/src/engine/ecosystems/manifest-formats.ts';
import { navigating } from './navigation.ts';

/*
 * Every format has a row: what of it is renamed, and how many files that changes, or the sentence that says why not.
 */

const ofPackage = 'It has the name of its package, which cannot be changed here.';
const imported = 'Code imports it by this name, which cannot be changed here.';

interface Row {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  /** The number of files that are changed, or why none is. */
  readonly gives: number | string;
}

/** What a file defines and uses in the row of its format. */
function alone(name: string, text: string, gives: number | string, what = 'a package'): Row {
  return { what, files: { [name]: text }, gives };
}

const pomOf = (rest: string): string =>
  `<project><groupId>g</groupId><artifactId>p</artifactId><version>1</version>${rest}</project>`;
const used = (version: string): string =>
  `<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${version}</version></dependency></dependencies>`;
const csproj = (version: string): string =>
  `<Project><ItemGroup><PackageReference Include="A" Version="${version}" /></ItemGroup></Project>`;
const property = '<Project><PropertyGroup><V¦er>1.0.0</Ver></PropertyGroup></Project>';

const rows: Readonly<Record<string, readonly Row[]>> = {
  'package.json': [
    alone('package.json', '{ "dependencies": { "lo¦dash": "^4.17.0" } }', ofPackage),
    alone('package.json', '{ "dependencies": { "re¦act": "npm:preact@^10.0.0" } }', imported, 'an alias'),
    {
      what: 'a catalog of bun',
      files: {
        'package.json': '{ "workspaces": ["a"], "catalogs": { "o¦ld": { "react": "^17.0.0" } } }',
        'a/package.json': '{ "dependencies": { "react": "catalog:old" } }',
      },
      gives: 2,
    },
  ],
  'pnpm-workspace.yaml': [
    alone('pnpm-workspace.yaml', 'catalog:\n  re¦act: ^18.2.0\n', ofPackage),
    alone('pnpm-workspace.yaml', 'catalog:\n  re¦act: npm:preact@^10.0.0\n', imported, 'an alias'),
    alone('pnpm-workspace.yaml', 'catalogs:\n  o¦ld:\n    react: ^18.2.0\n', 1, 'a catalog'),
  ],
  '.yarnrc.yml': [alone('.yarnrc.yml', 'catalogs:\n  o¦ld:\n    react: ^18.2.0\n', 1, 'a catalog')],
  'deno.json': [
    alone('deno.json', '{ "imports": { "ch¦alk": "npm:chalk@^5.3.0" } }', ofPackage),
    alone('deno.json', '{ "imports": { "col¦ors": "npm:chalk@^5.3.0" } }', imported, 'a key of an import map'),
    alone('deno.json', '{ "imports": { "ass¦ert": "jsr:@std/assert@^1.0.0" } }', imported, 'a key of JSR'),
  ],
  'pom.xml': [
    alone('pom.xml', pomOf(used('1.0').replace('>a<', '>¦a<')), ofPackage),
    {
      what: 'a property of a parent',
      files: {
        'pom.xml': pomOf('<modules><module>m</module></modules><properties><¦v>1</v></properties>'),
        'm/pom.xml': `<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version></parent><artifactId>m</artifactId>${used('${v}')}</project>`,
      },
      gives: 2,
    },
  ],
  'Directory.Packages.props': [
    alone(
      'Directory.Packages.props',
      '<Project><ItemGroup><PackageVersion Include="¦A" Version="1.0.0" /></ItemGroup></Project>',
      ofPackage,
    ),
    {
      what: 'a property',
      files: {
        'Directory.Packages.props':
          '<Project><PropertyGroup><V¦er>1.0.0</Ver></PropertyGroup><ItemGroup><PackageVersion Include="A" Version="$(Ver)" /></ItemGroup></Project>',
        'a/a.csproj': '<Project><ItemGroup><PackageReference Include="A" /></ItemGroup></Project>',
      },
      gives: 1,
    },
  ],
  'Directory.Build.props': [
    { what: 'a property', files: { 'Directory.Build.props': property, 'a/a.csproj': csproj('$(Ver)') }, gives: 2 },
  ],
  csproj: [
    alone('a.csproj', csproj('1.0.0').replace('"A"', '"¦A"'), ofPackage),
    alone(
      'a.csproj',
      csproj('$(V¦er)').replace('<Project>', '<Project><PropertyGroup><Ver>1.0.0</Ver></PropertyGroup>'),
      1,
      'a property',
    ),
  ],
  msbuild: [
    {
      what: 'a property of an import of an import',
      files: {
        'eng/versions.props': property,
        'eng/all.props': '<Project><Import Project="versions.props" /></Project>',
        'a/a.csproj': csproj('$(Ver)').replace('<Project>', '<Project><Import Project="..\\eng\\all.props" />'),
      },
      gives: 2,
    },
  ],
  'packages.config': [alone('packages.config', '<packages><package id="¦A" version="1.0.0" /></packages>', ofPackage)],
  nuspec: [
    alone(
      'a.nuspec',
      '<package><metadata><dependencies><dependency id="¦A" version="1.0.0" /></dependencies></metadata></package>',
      ofPackage,
    ),
  ],
  'dotnet-tools.json': [
    alone(
      '.config/dotnet-tools.json',
      '{ "version": 1, "tools": { "dotnet¦-ef": { "version": "8.0.0" } } }',
      ofPackage,
    ),
  ],
  'global.json': [alone('global.json', '{ "msbuild-sdks": { "My.¦Sdk": "1.0.0" } }', ofPackage)],
  'project.json': [
    alone('project.json', '{ "dependencies": { "¦A": "1.0.0" }, "frameworks": { "net46": {} } }', ofPackage),
  ],
  'file-based-app': [alone('app.cs', '#:package ¦A@1.0.0\nConsole.WriteLine();\n', ofPackage)],
  'requirements.txt': [
    alone('requirements.txt', 'requ¦ests==2.31.0\n', ofPackage),
    {
      what: 'a constraint',
      files: { 'requirements.txt': '-c constraints.txt\nreq¦uests\n', 'constraints.txt': 'requests==2.31.0\n' },
      gives: ofPackage,
    },
  ],
  'pyproject.toml': [
    alone('pyproject.toml', '[project]\nname = "a"\ndependencies = ["requ¦ests>=2.31"]\n', ofPackage),
    // Nothing leads from one to the other: the dependencies of an included group are shown in that group.
    alone(
      'pyproject.toml',
      '[dependency-groups]\nte¦st = ["pytest"]\nall = [{ include-group = "test" }]\n',
      0,
      'a group',
    ),
    alone(
      'pyproject.toml',
      '[project]\nname = "a"\n[project.optional-dependencies]\nte¦st = ["pytest"]\n',
      0,
      'an extra',
    ),
  ],
  Pipfile: [alone('Pipfile', '[packages]\nrequ¦ests = "*"\n', ofPackage)],
  'setup.cfg': [alone('setup.cfg', '[options]\ninstall_requires =\n  requ¦ests>=2.31\n', ofPackage)],
  'setup.py': [alone('setup.py', 'setup(install_requires=["requ¦ests>=2.31"])\n', ofPackage)],
  'hatch.toml': [alone('hatch.toml', '[envs.test]\ndependencies = ["pyt¦est>=8"]\n', ofPackage)],
  'build-hook.py': [
    alone(
      'hatch_build.py',
      'def update(self, metadata):\n    metadata["dependencies"] = ["requ¦ests>=2.31"]\n',
      ofPackage,
    ),
  ],
  'Cargo.toml': [
    alone('Cargo.toml', '[dependencies]\nse¦rde = "1"\n', ofPackage),
    alone('Cargo.toml', '[dependencies]\nse¦r = { package = "serde", version = "1" }\n', imported, 'another name'),
    {
      what: 'a dependency of a workspace',
      files: {
        'Cargo.toml': '[workspace]\nmembers = ["a"]\n[workspace.dependencies]\nser¦de = "1.0"\n',
        'a/Cargo.toml': '[package]\nname = "a"\n[dependencies]\nserde.workspace = true\n',
      },
      gives: ofPackage,
    },
  ],
  'libs.versions.toml': [
    ...['versions', 'libraries', 'plugins', 'bundles'].map((table) => {
      const text =
        '[versions]\nname = "1"\n[libraries]\nname = { module = "g:a", version.ref = "name" }\n[plugins]\nname = { id = "p", version.ref = "name" }\n[bundles]\nname = ["name"]\n';
      const kind = table === 'libraries' ? '' : `${table}.`;
      return {
        what: `a name in ${table}`,
        files: {
          'settings.gradle': '',
          'gradle/libs.versions.toml': text.replace(`[${table}]\n`, `[${table}]\n¦`),
          'build.gradle': `println libs.${kind}name\n`,
        },
        gives: 2,
      };
    }),
  ],
  'build.gradle': [
    alone('build.gradle', "dependencies { implementation 'g:¦a:1' }\n", ofPackage),
    alone('build.gradle', 'def v¦er = "1"\ndependencies { implementation "g:a:$ver" }\n', 1, 'a variable'),
    alone('build.gradle.kts', 'val v¦er by extra("1")\ndependencies { api("g:a:$ver") }\n', 1, 'a property'),
  ],
  'gradle.properties': [
    {
      what: 'a property',
      files: {
        'settings.gradle': '',
        'gradle.properties': 'v¦er=1\n',
        'build.gradle': 'dependencies { implementation "g:a:$ver" }\n',
      },
      gives: 2,
    },
  ],
  'extensions.xml': [
    alone(
      '.mvn/extensions.xml',
      '<extensions><extension><groupId>g</groupId><artifactId>¦a</artifactId><version>1</version></extension></extensions>',
      ofPackage,
    ),
  ],
  'maven.config': [alone('.mvn/maven.config', '-f oth¦er.xml\n', 0, 'a file')],
  'go.mod': [alone('go.mod', 'module w\nrequire example.com/¦a v1.0.0\n', ofPackage)],
  'go.work': [
    alone('go.work', 'go 1.22\nuse ./a¦pp\n', 0, 'a folder'),
    alone('go.work', 'go 1.22\nreplace example.com/a => example.com/¦b v1.0.0\n', ofPackage),
  ],
};

test('every format that people edit has its row', () => {
  const edited = manifestFormats.filter((it) => it.record === undefined).map((it) => it.id);
  assert.deepEqual(Object.keys(rows), [...new Set(edited)]);
});

for (const [format, all] of Object.entries(rows)) {
  for (const { what, files, gives } of all) {
    const outcome = typeof gives === 'string' ? 'is refused' : gives === 0 ? 'is no name' : 'works';
    test(`renaming ${what} in ${format} ${outcome}`, async (t) => {
      const { client, uri, position } = await navigating(t, files);
      const ask = () => client.ask<WorkspaceEdit | null>('textDocument/rename', uri, { position, newName: 'other' });
      if (typeof gives === 'string') return assert.rejects(ask(), { message: gives });
      const edit = await ask();
      assert.equal(edit?.documentChanges?.length ?? 0, gives);
      return undefined;
    });
  }
}
