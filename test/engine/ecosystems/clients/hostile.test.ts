import { test } from 'node:test';
import { registryReaders } from '../../../../server/src/engine/ecosystems/registries.ts';
import type { AccessSource } from '../../../../server/src/engine/model/registries/access.ts';
import type { RegistryReader } from '../../../../server/src/engine/model/registries/registry-reader.ts';

const dollar = '$';

/** Files that nobody would write, by the reader that takes them. */
const texts: readonly string[] = [
  '',
  '<',
  '\uD800\uFEFF\0',
  '<a>'.repeat(5000),
  `<settings>${'<servers><server><id>a</id><username>b</username><password>'.repeat(1000)}`,
  `<settings><mirrors>${'<mirror><id>a</id><mirrorOf>*,!a</mirrorOf><url>http://[</url></mirror>'.repeat(2000)}</mirrors></settings>`,
  `<project><properties>${Array.from({ length: 200 }, (_, at) => `<p${at}>${`${dollar}{p${at + 1}}`.repeat(20)}</p${at}>`).join('')}</properties>
   <repositories><repository><id>a</id><url>${dollar}{p0}</url></repository></repositories></project>`,
  `<project><repositories>${Array.from({ length: 3000 }, (_, at) => `<repository><id>r${at}</id><url>https://r${at}.example/${dollar}{env.X}</url></repository>`).join('')}</repositories></project>`,
  `<configuration><packageSources>${Array.from({ length: 3000 }, (_, at) => `<add key="k${at}" value="%X%${'%'.repeat(50)}" />`).join('')}</packageSources></configuration>`,
  `<configuration><packageSourceMapping><packageSource key="a">${'<package pattern="*" />'.repeat(5000)}</packageSource></packageSourceMapping></configuration>`,
  '<configuration><packageSourceCredentials><_xFFFF_ /><a><add key="ClearTextPassword" /></a></packageSourceCredentials></configuration>',
  `repositories {${' maven {'.repeat(3000)}`,
  `repositories {${" maven { name 'a'; url 'https://a.example'; credentials(PasswordCredentials) }".repeat(1000)}}`,
  `repositories { maven { url "${`${dollar}{a}`.repeat(3000)}"; credentials { username ${'('.repeat(3000)}; password } } }`,
  `repositories { maven { url "https://a.example"; credentials { username = ${'a.'.repeat(3000)}b; password = "x"${' as String'.repeat(3000)} } } }`,
  `a=${'\\u'.repeat(5000)}`,
  '='.repeat(5000),
];

const names = [
  'pom.xml',
  'settings.xml',
  'maven.config',
  'build.gradle',
  'settings.gradle.kts',
  'gradle.properties',
  'nuget.config',
  'app.csproj',
  'app.cs',
];

for (const system of ['MAVEN', 'NUGET'] as const) {
  test(`no file makes the reader of ${system} throw`, () => {
    const reader: RegistryReader = registryReaders[system];
    for (const owner of ['machine', 'workspace'] as const) {
      for (const text of texts) {
        for (const name of names) {
          const own: AccessSource = { name, label: name, text, owner };
          const script: AccessSource = { name: 'build.gradle', label: 'build.gradle', text, owner: 'workspace' };
          for (const sources of [[own], [script, own]]) {
            const read = reader.accessTo({
              sources,
              variable: () => '%X%$'.concat('{env.X}'),
              isTrusted: true,
              lockfiles: [],
            });
            for (const asked of ['com.acme:core', '', ':', 'a:a.gradle.plugin', 'x'.repeat(2000)])
              read({ name: asked });
          }
        }
      }
    }
  });
}
