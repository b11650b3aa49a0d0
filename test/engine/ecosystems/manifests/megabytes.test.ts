import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkDependencies } from '../../../../server/src/engine/analysis/link/linker.ts';
import { cargoToml } from '../../../../server/src/engine/ecosystems/cargo/cargo-toml.ts';
import { gradle } from '../../../../server/src/engine/ecosystems/gradle/build-gradle.ts';
import { pom } from '../../../../server/src/engine/ecosystems/maven/pom.ts';
import { packageJson } from '../../../../server/src/engine/ecosystems/npm/package-json.ts';
import { pnpmWorkspace } from '../../../../server/src/engine/ecosystems/npm/pnpm-workspace.ts';
import { msbuildProject } from '../../../../server/src/engine/ecosystems/nuget/msbuild.ts';
import { setupPy } from '../../../../server/src/engine/ecosystems/python/code/setup-py.ts';
import { setupCfg } from '../../../../server/src/engine/ecosystems/python/setup-cfg.ts';
import { sbomJson } from '../../../../server/src/engine/ecosystems/sbom/sbom-json.ts';
import { maven } from '../../../../server/src/engine/ecosystems/shared/maven-versions.ts';
import type { ManifestFormat } from '../../../../server/src/engine/model/manifest.ts';

/*
 * A pattern that repeats a group, or a class of characters beyond ASCII, takes the stack along for every repetition. Each
 * of these texts has been too much for one: the whole file would have been lost. `…` stands for ten megabytes.
 */
const most = 10_000_000;
const project = (inner: string) => `<Project>${inner}<ItemGroup><PackageReference Include="b" Version="1" />`;
const hostile: readonly (readonly [
  format: ManifestFormat,
  unit: string,
  text: string,
  dependencies: readonly string[],
])[] = [
  [pom, '中', mavenWith('<version>…</version>'), ['g:a unresolved', 'g:b text']],
  [pom, `\${a}`, mavenWith('<version>…</version>'), ['g:a unresolved', 'g:b text']],
  [
    msbuildProject,
    '中',
    project('<ItemGroup><PackageReference Include="$(P)…" Version="1" /></ItemGroup>'),
    ['b text'],
  ],
  [
    msbuildProject,
    '中',
    project('<ItemGroup><PackageReference Include="a" Version="…" /></ItemGroup>'),
    ['a unresolved', 'b text'],
  ],
  [msbuildProject, '()', project('<Import Project="$([MSBuild]::GetPathOfFileAbove(…" />'), ['b text']],
  [gradle, '中', "dependencies {\n api 'g:a:…'\n api 'g:b:1'\n}", ['g:a unresolved', 'g:b text']],
  [gradle, '中', "dependencies {\n api …\n api 'g:b:1'\n}", ['g:b text']],
  [gradle, '.a', 'dependencies {\n api "g:a:$a…"\n api \'g:b:1\'\n}', ['g:a unresolved', 'g:b text']],
  [gradle, 'a', "def a = /…/\ndependencies {\n api 'g:b:1'\n}", ['g:b text']],
  [setupPy, 'a', "setup(install_requires='''…''', tests_require=['b==1'])", ['b text']],
  [setupPy, '\\\n', "setup(…install_requires=['b==1'])", ['b text']],
  [sbomJson, '/a', bomOf('pkg:golang/a…@v1', 'pkg:npm/b@1'), ['b text']],
];

function mavenWith(inner: string): string {
  const dependency = (name: string, more: string) =>
    `<dependency><groupId>g</groupId><artifactId>${name}</artifactId>${more}</dependency>`;
  return `<project><dependencies>${dependency('a', inner)}${dependency('b', '<version>1</version>')}`;
}

function bomOf(...purls: readonly string[]): string {
  return JSON.stringify({ bomFormat: 'CycloneDX', components: purls.map((purl) => ({ type: 'library', purl })) });
}

for (const [format, unit, text, expected] of hostile) {
  test(`${format.id}: ten megabytes of ${JSON.stringify(unit)} cost nothing else`, () => {
    const manifest = format.parse(text.replace('…', () => unit.repeat(most / unit.length)));
    const linked = linkDependencies({
      files: [{ uri: 'file:///a', format, manifest }],
      constraints: [],
      included: [],
      missing: [],
    });
    assert.deepEqual(
      linked.map(({ key, requirement }) => `${key.name.length > 100 ? '…' : key.name} ${requirement.kind}`),
      expected,
    );
  });
}

/** What is said of many dependencies at once, `…`, must not be put together anew for each. */
const crowded: readonly (readonly [format: ManifestFormat, text: string, entry: (at: number) => string])[] = [
  [packageJson, '{ "overrides": { "…": { # } } }', (at) => `"p${at}": "1",`],
  [packageJson, '{ "catalogs": { "…": { # } } }', (at) => `"p${at}": "1",`],
  [cargoToml, "[target.'…'.dependencies]\n#", (at) => `p${at} = { version = "1", registry = "r" }\n`],
  [setupPy, "setup(extras_require={'a:…': [#]})", (at) => `'p${at} ; os_name == "nt"',`],
  [setupCfg, '[options.extras_require]\na:… =\n#', (at) => `  p${at} ; os_name == "nt"\n`],
  [pnpmWorkspace, 'catalogs:\n  …:\n#', (at) => `    p${at}: 1\n`],
  [
    msbuildProject,
    '<Project><ItemGroup Condition="…">#</ItemGroup></Project>',
    (at) => `<PackageReference Include="p${at}" Version="1" Condition="c" />`,
  ],
  [
    msbuildProject,
    '<Project><Target Name="…"><ItemGroup>#</ItemGroup></Target></Project>',
    (at) => `<PackageReference Include="p${at}" Version="1" />`,
  ],
  [
    pom,
    '<project><build><pluginManagement><plugins><plugin><artifactId>…</artifactId><dependencies>#</dependencies></plugin></plugins></pluginManagement></build></project>',
    mavenArtifact,
  ],
  [pom, '<project><groupId>…</groupId><dependencies>#</dependencies></project>', ownArtifact],
  [pom, '<project><properties><own>…</own></properties><dependencies>#</dependencies></project>', ownArtifact],
  [
    pom,
    '<project><groupId>…</groupId><build><plugins><plugin><artifactId>a</artifactId><configuration><annotationProcessorPaths>#</annotationProcessorPaths></configuration></plugin></plugins></build></project>',
    ownArtifact,
  ],
  [
    pom,
    '<project><profiles><profile><id>…</id><dependencies>#</dependencies></profile></profiles></project>',
    mavenArtifact,
  ],
  [
    gradle,
    "dependencyResolutionManagement {\n versionCatalogs {\n create('…') {\n#}\n}\n}\n",
    (at) => `library('p${at}', 'g:p${at}:1')\n`,
  ],
];

function mavenArtifact(at: number): string {
  return `<dependency><groupId>g</groupId><artifactId>p${at}</artifactId><version>1</version></dependency>`;
}

function ownArtifact(at: number): string {
  return `<dependency><groupId>\${project.groupId}\${own}</groupId><artifactId>p${at}</artifactId><version>1</version></dependency>`;
}

for (const [format, text, entry] of crowded) {
  test(`${format.id}: a text of half a megabyte that thousands share is not held by each of them: ${JSON.stringify(text)}`, () => {
    const entries = Array.from({ length: 2000 }, (_, at) => entry(at)).join('');
    const { dependencies, definitions } = format.parse(
      text.replace('…', () => 'c'.repeat(500_000)).replace('#', () => entries),
    );
    const labels = dependencies.flatMap(({ key, group = '', condition = '' }) => [key.name, group, condition]);
    const ids = definitions.map((it) => it.id);
    assert.ok([...labels, ...ids].reduce((sum, it) => sum + it.length, 0) < 5_000_000);
  });
}

test('MAVEN: ten megabytes are a version like any other', () => {
  assert.ok(maven.compare(`1.0-${'中'.repeat(most)}`, '1.0') > 0);
});
