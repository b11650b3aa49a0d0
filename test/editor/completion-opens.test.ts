import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completion } from '../../server/src/editor/features/completion.ts';
import { openLab } from '../harness/lab.ts';

const known = { versions: ['1.0.0', '2.0.0'] };
const catalog = {
  ...{ 'NPM lib': known, 'PYPI lib': known, 'CARGO lib': known, 'NUGET lib': known, 'MAVEN org:lib': known },
  'MAVEN org.plug:org.plug.gradle.plugin': known,
};

/** Where versions are in quotes: the cursor is at the bar, and an editor may not have closed the quote before `§`. */
const quoted: readonly (readonly [string, string])[] = [
  ['package.json', '{ "dependencies": {\n"lib": "|"§\n} }'],
  ['package.json', '{ "dependencies": {\n"lib": "|"§,\n"other": "1.0.0"\n} }'],
  ['package.json', '{ "overrides": {\n"lib": "|"§\n} }'],
  ['deno.json', '{ "imports": {\n"lib": "npm:lib@|"§\n} }'],
  ['pnpm-workspace.yaml', 'catalog:\n  lib: "|"§\n'],
  ['pnpm-workspace.yaml', "catalogs:\n  old:\n    lib: '|'§\n"],
  ['.yarnrc.yml', 'catalog:\n  lib: "|"§\n'],
  ['pyproject.toml', '[project]\nname = "x"\ndependencies = [\n  "lib==|"§,\n]\n'],
  ['pyproject.toml', '[tool.poetry.dependencies]\nlib = "|"§\n'],
  ['pyproject.toml', "[tool.poetry.dependencies]\nlib = { version = '|'§ }\n"],
  ['Pipfile', '[packages]\nlib = "|"§\n'],
  ['setup.py', 'from setuptools import setup\nsetup(install_requires=["lib==|"§])\n'],
  ['Cargo.toml', '[dependencies]\nlib = "|"§\n'],
  ['Cargo.toml', '[dependencies]\nlib = { version = "|"§ }\n'],
  ['Cargo.toml', '[workspace.dependencies]\nlib = "|"§\n'],
  ['build.gradle', "dependencies {\n  implementation 'org:lib:|'§\n}\n"],
  ['build.gradle', "dependencies {\n  implementation group: 'org', name: 'lib', version: '|'§\n}\n"],
  ['build.gradle', "plugins {\n  id 'org.plug' version '|'§\n}\n"],
  ['build.gradle.kts', 'dependencies {\n  implementation("org:lib:|"§)\n}\n'],
  ['build.gradle.kts', 'plugins {\n  id("org.plug") version "|"§\n}\n'],
  ['gradle/libs.versions.toml', '[libraries]\nlib = { module = "org:lib", version = "|"§ }\n'],
  ['gradle/libs.versions.toml', '[libraries]\nlib = "org:lib:|"§\n'],
  ['gradle/libs.versions.toml', '[plugins]\nlib = { id = "org.plug", version = "|"§ }\n'],
  [
    'gradle/libs.versions.toml',
    '[libraries]\nlib = { module = "org:lib", version.ref = "lib" }\n[versions]\nlib = "|"§\n',
  ],
  ['.config/dotnet-tools.json', '{ "tools": { "lib": { "version": "|"§, "commands": [] } } }'],
  ['global.json', '{ "msbuild-sdks": { "Lib": "|"§ } }'],
  // Of XML, with its closing quote: editors write it.
  ['app.csproj', '<Project><ItemGroup><PackageReference Include="Lib" Version="|" /></ItemGroup></Project>'],
  [
    'Directory.Packages.props',
    '<Project><ItemGroup><PackageVersion Include="Lib" Version="|" /></ItemGroup></Project>',
  ],
  ['packages.config', '<packages><package id="Lib" version="|" /></packages>'],
  [
    'app.nuspec',
    '<package><metadata><dependencies><dependency id="Lib" version="|" /></dependencies></metadata></package>',
  ],
];

for (const [name, written] of quoted)
  for (const marked of new Set([written.replace('§', ''), written.replace(/.§/, '')]))
    test(`versions are offered between the quotes: ${name} ${marked.replaceAll('\n', ' ')}`, async () => {
      const cursor = marked.indexOf('|');
      const text = marked.replace('|', '');
      const lab = await openLab(new Map([[name, text]]), catalog);
      try {
        const snapshot = await lab.settled(name);
        const context = await lab.context(snapshot);
        const { uri } = snapshot;
        const params = { textDocument: { uri }, position: context.positions(uri).at(cursor) };
        for (let round = 0; round < 3; round++)
          await lab.obtain(completion.neededFacts?.(snapshot, params, context) ?? []);
        const { items } = completion.answer(snapshot, params, context);
        assert.deepEqual(
          items.map((it) => it.label),
          ['2.0.0', '1.0.0'],
        );
        for (const { textEdit } of items) assert.match(textEdit?.newText ?? '', /^\d\.0\.0$/);
      } finally {
        await lab.close();
      }
    });
