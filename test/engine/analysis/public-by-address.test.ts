import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openLab } from '../../harness/lab.ts';
import type { InlineCatalog } from '../../harness/service.ts';

/*
 * A public registry by its address is the public registry by its name: what the service itself names as the registry of a
 * well-known package of the system. Go has no such address; its proxies are a variable.
 */

/** Of the service of the tests, for every system. */
const address = 'https://registry.example';

/** By title: the manifest first, which depends on `known` 1.0.0, and the well-known package that is asked for. */
const forms: readonly [title: string, well: string, name: string, files: Readonly<Record<string, string>>][] = [
  [
    '.npmrc',
    'NPM lodash 4.17.21',
    'NPM known',
    {
      'package.json': '{ "dependencies": { "known": "1.0.0" } }',
      '.npmrc': 'registry=ADDRESS/\n',
    },
  ],
  [
    '.yarnrc.yml',
    'NPM lodash 4.17.21',
    'NPM known',
    {
      'package.json': '{ "packageManager": "yarn@4.0.0", "dependencies": { "known": "1.0.0" } }',
      '.yarnrc.yml': 'npmRegistryServer: "ADDRESS"\n',
    },
  ],
  [
    'bunfig.toml',
    'NPM lodash 4.17.21',
    'NPM known',
    {
      'package.json': '{ "dependencies": { "known": "1.0.0" } }',
      'bunfig.toml': '[install]\nregistry = "ADDRESS"\n',
    },
  ],
  [
    'a lockfile of npm',
    'NPM lodash 4.17.21',
    'NPM known',
    {
      'package.json': '{ "dependencies": { "known": "1.0.0" } }',
      'package-lock.json':
        '{ "lockfileVersion": 3, "packages": { "": { "dependencies": { "known": "1.0.0" } }, "node_modules/known": { "version": "1.0.0", "resolved": "ADDRESS/known/-/known-1.0.0.tgz" } } }',
    },
  ],
  [
    '--index-url',
    'PYPI requests 2.31.0',
    'PYPI known',
    { 'requirements.txt': '--index-url ADDRESS/simple\nknown==1.0.0\n' },
  ],
  [
    'an index of uv',
    'PYPI requests 2.31.0',
    'PYPI known',
    {
      'pyproject.toml':
        '[project]\nname = "x"\nversion = "0"\ndependencies = ["known==1.0.0"]\n[[tool.uv.index]]\nurl = "ADDRESS/simple"\ndefault = true\n',
    },
  ],
  [
    'a source of Poetry',
    'PYPI requests 2.31.0',
    'PYPI known',
    {
      'pyproject.toml':
        '[tool.poetry.dependencies]\nknown = "1.0.0"\n[[tool.poetry.source]]\nname = "other"\nurl = "ADDRESS/simple"\n',
    },
  ],
  [
    'a source of Pipenv',
    'PYPI requests 2.31.0',
    'PYPI known',
    {
      Pipfile: '[[source]]\nurl = "ADDRESS/simple"\nverify_ssl = true\nname = "own"\n[packages]\nknown = "==1.0.0"\n',
    },
  ],
  [
    'NuGet.config',
    'NUGET newtonsoft.json 13.0.3',
    'NUGET known',
    {
      'App.csproj': '<Project><ItemGroup><PackageReference Include="Known" Version="1.0.0" /></ItemGroup></Project>',
      'NuGet.config':
        '<configuration><packageSources><clear /><add key="own" value="ADDRESS/v3/index.json" /></packageSources></configuration>',
    },
  ],
  [
    'a replaced source of Cargo',
    'CARGO serde 1.0.0',
    'CARGO known',
    {
      'Cargo.toml': '[package]\nname = "x"\nversion = "0.1.0"\n[dependencies]\nknown = "=1.0.0"\n',
      '.cargo/config.toml': '[source.crates-io]\nreplace-with = "m"\n[source.m]\nregistry = "sparse+ADDRESS/"\n',
    },
  ],
  [
    '<repositories>',
    'MAVEN junit:junit 4.13.2',
    'MAVEN g:known',
    {
      'pom.xml':
        '<project><groupId>a</groupId><artifactId>b</artifactId><version>1</version><repositories><repository><id>own</id><url>ADDRESS/maven2</url></repository></repositories><dependencies><dependency><groupId>g</groupId><artifactId>known</artifactId><version>1.0.0</version></dependency></dependencies></project>',
    },
  ],
  [
    'maven("…") of Gradle',
    'MAVEN junit:junit 4.13.2',
    'MAVEN g:known',
    {
      'build.gradle.kts':
        'repositories { maven("ADDRESS/maven2") }\ndependencies { implementation("g:known:1.0.0") }\n',
    },
  ],
  [
    'maven { url } of Gradle',
    'MAVEN junit:junit 4.13.2',
    'MAVEN g:known',
    {
      'build.gradle':
        "repositories { maven { url 'ADDRESS/maven2' } }\ndependencies { implementation 'g:known:1.0.0' }\n",
    },
  ],
];

async function said(files: Readonly<Record<string, string>>, at: string, catalog: InlineCatalog, chosen = {}) {
  const texts = new Map(Object.entries(files).map(([name, it]) => [name, it.replaceAll('ADDRESS', at)]));
  const lab = await openLab(texts, catalog, chosen);
  try {
    const [name = ''] = texts.keys();
    const { dependencies } = await lab.settled(name);
    const found = dependencies.find((it) => /known$/.test(it.linked.key.name));
    const isSent = lab.requests().some((it) => /known/.test(it.body + it.path));
    return [found?.resolution.kind, isSent];
  } finally {
    await lab.close();
  }
}

describe('a public registry by its address', () => {
  for (const [title, well, name, files] of forms) {
    test(title, async () => {
      const at = well.lastIndexOf(' ');
      const catalog = {
        [well.slice(0, at)]: { versions: [well.slice(at + 1)] },
        [name]: { versions: ['1.0.0'] },
      };
      assert.deepEqual(await said(files, address, catalog), ['version', true]);
      assert.deepEqual(
        await said(files, 'https://company.example', catalog),
        ['none', false],
        'another one is private',
      );
      const declared = { publicRegistries: ['company.example'] };
      assert.deepEqual(await said(files, 'https://company.example', catalog, declared), ['version', true], 'declared');
    });
  }
});
