import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { type Ended, folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* A dependency that has several versions, each under a condition: the worst of them decides, whichever is written last. */

const systems = ['NUGET', 'MAVEN'] as const;
const nameOf = (system: (typeof systems)[number]): string => (system === 'MAVEN' ? 'com.example:lib' : 'lib');
const service = await startServiceForFile({
  ...Object.fromEntries(systems.map((it) => [`${it} ${nameOf(it)}`, { versions: ['1.0.0', '2.0.0'] }])),
  'advisory GHSA-high': {
    cvss3Score: 7.5,
    affected: systems.map((system) => ({
      system,
      name: nameOf(system),
      ranges: [{ introduced: '0', fixed: '2.0.0' }],
    })),
  },
});

type Files = Readonly<Record<string, string>>;

async function run(files: Files, args: readonly string[]): Promise<Ended> {
  const folder = folderWith(files);
  try {
    return await runHere(['check', ...args], folder.path, { baseUrl: service.url });
  } finally {
    folder.remove();
  }
}

const old = `Condition="'$(TargetFramework)' == 'net48'"`;
const now = `Condition="'$(TargetFramework)' != 'net48'"`;
const project = (content: string) => `<Project Sdk="Microsoft.NET.Sdk">${content}</Project>`;
const properties = (content: string) => `<PropertyGroup>${content}</PropertyGroup>`;
const items = (content: string) => `<ItemGroup>${content}</ItemGroup>`;
const byProperty = items('<PackageReference Include="lib" Version="$(V)" />');
const central = items('<PackageReference Include="lib" />');
const pom = (content: string) => `<project><groupId>g</groupId><artifactId>a</artifactId>${content}</project>`;
const byMavenProperty =
  '<dependencies><dependency><groupId>com.example</groupId><artifactId>lib</artifactId><version>${v}</version></dependency></dependencies>';

/** Each with the affected version beside a sound one, which comes last. */
const affected: Readonly<Record<string, Files>> = {
  'a property of MSBuild': {
    'a.csproj': project(`${properties(`<V ${old}>1.0.0</V><V ${now}>2.0.0</V>`)}${byProperty}`),
  },
  'a property that a condition replaces': {
    'a.csproj': project(`${properties(`<V>2.0.0</V><V ${old}>1.0.0</V>`)}${byProperty}`),
  },
  'a group of properties': {
    'a.csproj': project(
      `<PropertyGroup ${old}><V>1.0.0</V></PropertyGroup><PropertyGroup ${now}><V>2.0.0</V></PropertyGroup>${byProperty}`,
    ),
  },
  'a branch of Choose': {
    'a.csproj': project(
      `<Choose><When ${old}>${properties('<V>1.0.0</V>')}</When><Otherwise>${properties('<V>2.0.0</V>')}</Otherwise></Choose>${byProperty}`,
    ),
  },
  'a property of Directory.Build.props': {
    'src/a.csproj': project(byProperty),
    'Directory.Build.props': `<Project>${properties(`<V>2.0.0</V><V ${old}>1.0.0</V>`)}</Project>`,
  },
  'a central version': {
    'src/a.csproj': project(central),
    'Directory.Packages.props': `<Project>${items(
      `<PackageVersion Include="lib" Version="1.0.0" ${old} /><PackageVersion Include="lib" Version="2.0.0" ${now} />`,
    )}</Project>`,
  },
  'a property of central versions': {
    'src/a.csproj': project(central),
    'Directory.Packages.props': `<Project>${properties(`<V>2.0.0</V><V ${old}>1.0.0</V>`)}${items('<PackageVersion Include="lib" Version="$(V)" />')}</Project>`,
  },
  'a branch of a script': {
    'build.gradle':
      "def v\nif (old) { v = '1.0.0' } else { v = '2.0.0' }\ndependencies { implementation \"com.example:lib:$v\" }\n",
  },
  'a branch on one line': {
    'build.gradle': "def v = '2.0.0'\nif (old) v = '1.0.0'\ndependencies { implementation \"com.example:lib:$v\" }\n",
  },
  'a conditional expression': {
    'build.gradle': "def v = old ? '1.0.0' : '2.0.0'\ndependencies { implementation \"com.example:lib:$v\" }\n",
  },
  'a conditional expression of Kotlin': {
    'build.gradle.kts':
      'val v = if (old) "1.0.0" else "2.0.0"\ndependencies { implementation("com.example:lib:$v") }\n',
  },
  'a property of a profile': {
    'pom.xml': pom(
      `<properties><v>2.0.0</v></properties>${byMavenProperty}<profiles><profile><id>old</id><properties><v>1.0.0</v></properties></profile></profiles>`,
    ),
  },
};

for (const [what, files] of Object.entries(affected)) {
  test(`the worst version of ${what} decides`, async () => {
    const { code, out } = await run(files, ['--fail-on', 'advisory:high', '--format', 'sarif']);
    assert.equal(code, 1, out);
    assert.match(out, /lib 1\.0\.0 when /);
  });
}

test('the project that imports a property of central versions has its version', async () => {
  const files = {
    'src/a.csproj': project(items('<PackageReference Include="lib" VersionOverride="$(Old)" />')),
    'Directory.Packages.props': `<Project>${properties('<Old>1.0.0</Old>')}${items('<PackageVersion Include="lib" Version="2.0.0" />')}</Project>`,
  };
  const { code, out } = await run(files, ['src', '--fail-on', 'advisory:high']);
  assert.equal(code, 1, out);
});

const sound: Readonly<Record<string, Files>> = {
  'that another one always replaces': {
    'a.csproj': project(`${properties(`<V ${old}>1.0.0</V><V>2.0.0</V>`)}${byProperty}`),
  },
  'that counts only where none is set, and one is': {
    'a.csproj': project(`${properties(`<V Condition="'$(V)' == ''">1.0.0</V>`)}${byProperty}`),
    'Directory.Build.props': `<Project>${properties('<V>2.0.0</V>')}</Project>`,
  },
};

for (const [what, files] of Object.entries(sound)) {
  test(`a version ${what} does not count`, async () => {
    const { code, out } = await run(files, ['--fail-on', 'advisory:high']);
    assert.equal(code, 0, out);
  });
}
