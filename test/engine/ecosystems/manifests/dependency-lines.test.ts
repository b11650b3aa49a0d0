import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dependencyLine } from '../../../../server/src/engine/ecosystems/dependency-lines.ts';
import { manifestFormats } from '../../../../server/src/engine/ecosystems/manifest-formats.ts';
import type { VersionKey } from '../../../../server/src/engine/model/keys.ts';

const npm: VersionKey = { system: 'NPM', name: '@babel/traverse', version: '7.23.2' };
const maven: VersionKey = { system: 'MAVEN', name: 'org.yaml:snakeyaml', version: '2.0' };
const nuget: VersionKey = { system: 'NUGET', name: 'newtonsoft.json', version: '13.0.3' };
const pypi: VersionKey = { system: 'PYPI', name: 'requests', version: '2.31.0' };
const cargo: VersionKey = { system: 'CARGO', name: 'serde_json', version: '1.0.108' };
const go: VersionKey = { system: 'GO', name: 'golang.org/x/net', version: 'v0.20.0' };

/** Where a line stands in a manifest: `LINE` is what stands for it. A format without a row takes no line. */
const places: Readonly<Record<string, readonly [VersionKey, string]>> = {
  'package.json': [npm, '{ "dependencies": { LINE } }'],
  'pnpm-workspace.yaml': [npm, 'catalog:\n  LINE\n'],
  '.yarnrc.yml': [npm, 'catalog:\n  LINE\n'],
  'deno.json': [npm, '{ "imports": { LINE } }'],
  'pom.xml': [maven, '<project><dependencies>LINE</dependencies></project>'],
  'extensions.xml': [maven, '<extensions>LINE</extensions>'],
  'libs.versions.toml': [maven, '[libraries]\nLINE\n'],
  'build.gradle': [maven, 'dependencies {\n  LINE\n}\n'],
  csproj: [nuget, '<Project><ItemGroup>LINE</ItemGroup></Project>'],
  msbuild: [nuget, '<Project><ItemGroup>LINE</ItemGroup></Project>'],
  'Directory.Build.props': [nuget, '<Project><ItemGroup>LINE</ItemGroup></Project>'],
  'Directory.Packages.props': [nuget, '<Project><ItemGroup>LINE</ItemGroup></Project>'],
  'packages.config': [nuget, '<packages>LINE</packages>'],
  nuspec: [nuget, '<package><metadata><dependencies>LINE</dependencies></metadata></package>'],
  'global.json': [nuget, '{ "msbuild-sdks": { LINE } }'],
  'file-based-app': [nuget, 'LINE\n'],
  'requirements.txt': [pypi, 'LINE\n'],
  'setup.cfg': [pypi, '[options]\ninstall_requires =\n    LINE\n'],
  'pyproject.toml': [pypi, '[project]\ndependencies = [LINE]\n'],
  'setup.py': [pypi, 'from setuptools import setup\nsetup(install_requires=[LINE])\n'],
  Pipfile: [pypi, '[packages]\nLINE\n'],
  'Cargo.toml': [cargo, '[dependencies]\nLINE\n'],
  'go.mod': [go, 'module example\n\nLINE\n'],
};

for (const { id, parse } of manifestFormats) {
  const [key, text] = places[id] ?? [undefined, ''];
  test(`${id}: ${key ? 'a line that is written is read as what it is' : 'has no line of its own'}`, () => {
    const line = dependencyLine(id, key ?? npm);
    if (key === undefined) {
      assert.equal(line.ok, false);
      return;
    }
    assert.ok(line.ok);
    const { dependencies, definitions, problems } = parse(text.replace('LINE', line.text));
    assert.deepEqual(problems, []);
    const found = [...dependencies.map((it) => it.requirement), ...definitions.map((it) => it.value)];
    const asked = found.flatMap((it) => (it.kind === 'literal' ? [it.at.text.replace(/^==|^\[|\]$/g, '')] : []));
    assert.ok(asked.includes(key.version), JSON.stringify(found));
    assert.ok(line.text.includes(key.name.split(':')[1] ?? key.name), line.text);
    if (dependencies.length > 0) assert.deepEqual(dependencies[0]?.key, { system: key.system, name: key.name });
  });
}

test('what belongs elsewhere, or would end its quotes, is not written', () => {
  assert.deepEqual(dependencyLine('package.json', go), {
    ok: false,
    reason: 'package.json cannot contain GO dependencies.',
  });
  for (const name of ['a"b', 'a\nb', 'a<b', 'a b', '']) {
    assert.equal(dependencyLine('package.json', { ...npm, name }).ok, false, name);
  }
});
