import type { PrivateCase } from './cases.ts';
import { secretNpm } from './cases.ts';

const uses = 'dependencies { implementation("com.secret:core:1.0") }\n';
const address = '"https://maven.acme.example"';
const script = (title: string, repositories: string, name = 'build.gradle'): PrivateCase => ({
  title: `Gradle: ${title}`,
  files: { [name]: `${repositories}\n${uses}` },
  asked: [],
});

const project = '<ItemGroup><PackageReference Include="Secret.Core" Version="1.0.0" /></ItemGroup></Project>';
const sources =
  '<Project><PropertyGroup><RestoreSources>https://nuget.acme.example/v3/</RestoreSources></PropertyGroup></Project>';
const nugetConfig =
  '<configuration><packageSources><add key="a" value="https://nuget.acme.example/v3/" /></packageSources></configuration>';

const crate = '[package]\nname = "r"\n[dependencies]\nsecret = "1.0"\n';
const pomOf = (inner: string): string =>
  `<project>${inner}<dependencies><dependency><groupId>com.secret</groupId><artifactId>core</artifactId><version>1</version></dependency></dependencies></project>`;
const repositories =
  '<repositories><repository><id>a</id><url>https://maven.acme.example</url></repository></repositories>';

/** Registries that are named in another place, or in other words, than most people do. */
export const otherwiseCases: readonly PrivateCase[] = [
  script('a repository in a condition', `repositories { if (isOurs) {\n maven { url ${address} } } }`),
  script('a repository behind a condition', `repositories {\n if (isOurs) maven { url ${address} }\n}`),
  script(
    'an address in a condition',
    `repositories { maven { if (isOurs) { url ${address} } else { url ${address} } } }`,
  ),
  script('a list of addresses', `repositories { [${address}].each { u -> maven { url u } } }`),
  script(
    'a list of addresses in Kotlin',
    `repositories { listOf(${address}).forEach { maven(it) } }`,
    'build.gradle.kts',
  ),
  script('another address for one that Gradle has a name for', `repositories { jcenter { url ${address} } }`),
  script(
    'an address that is put together of texts',
    'repositories { maven { url "https" + "://maven.acme.example" } }',
  ),
  script('an address with an escape', 'repositories { maven { url "\\u0068ttps://maven.acme.example" } }'),
  script('no address that can be told', 'repositories { maven { ours() } }'),
  script('repositories by with', `with(repositories) { maven(${address}) }`, 'build.gradle.kts'),
  script('repositories by apply', `repositories.apply { maven(${address}) }`, 'build.gradle.kts'),
  {
    title: 'sources in what the properties of all projects import',
    files: {
      'src/App.csproj': `<Project>${project}`,
      'Directory.Build.props': '<Project><Import Project="$(MSBuildThisFileDirectory)build\\feeds.props" /></Project>',
      'build/feeds.props': '<Project><Import Project="more.props" /></Project>',
      'build/more.props': sources,
    },
    asked: [],
  },
  {
    title: 'an address that begins with a property',
    files: {
      'App.csproj': `<Project><PropertyGroup><RestoreSources>$(Feeds)/v3/index.json</RestoreSources></PropertyGroup>${project}`,
    },
    asked: [],
  },
  {
    title: 'the configuration of a solution',
    files: { 'src/App.csproj': `<Project>${project}`, '.nuget/NuGet.Config': nugetConfig },
    asked: [],
  },
  {
    title: 'a configuration whose name only some systems find',
    files: { 'App.csproj': `<Project>${project}`, 'Nuget.Config': nugetConfig },
    asked: [],
  },
  {
    title: 'sources in an app of one file',
    files: {
      'app.cs':
        '#:package Secret.Core@1.0.0\n#:property RestoreAdditionalProjectSources=https://nuget.acme.example/v3/\n',
    },
    asked: [],
  },
  ...['pypi-url', '--extra-index-url', '--EXTRA_INDEX_URL'].map(
    (key): PrivateCase => ({
      title: `pip's ${key}`,
      files: {
        'requirements.txt': 'secret-core==1.0\n',
        '.venv/pip.conf': `[global]\n${key} = https://pypi.acme.example/simple\n`,
      },
      asked: [],
    }),
  ),
  {
    title: 'an index of the requirements beside a file that they hold down',
    files: {
      'constraints.txt': 'secret-core==1.0\n',
      'requirements.txt': '-c constraints.txt\n--extra-index-url https://pypi.acme.example/simple\n',
    },
    asked: [],
  },
  {
    title: 'an index of the requirements above those that they include',
    files: {
      'requirements/base.txt': 'secret-core==1.0\n',
      'requirements.txt': '-r requirements/base.txt\n--extra-index-url https://pypi.acme.example/simple\n',
    },
    asked: [],
  },
  {
    title: 'another address for the usual source of Cargo',
    files: {
      'Cargo.toml': crate,
      '.cargo/config.toml': '[source.crates-io]\nregistry = "sparse+https://cargo.acme.example/"\n',
    },
    asked: [],
  },
  {
    title: "a source of Cargo's that nothing defines",
    files: { 'Cargo.toml': crate, '.cargo/config.toml': '[source.crates-io]\nreplace-with = "acme"\n' },
    asked: [],
  },
  {
    title: 'a repository as the source of all crates',
    files: {
      'Cargo.toml': crate,
      '.cargo/config.toml':
        '[source.crates-io]\nreplace-with = "acme"\n[source.acme]\ngit = "https://git.acme.example/index"\n',
    },
    asked: [],
  },
  {
    title: 'repositories of Maven that are said twice',
    files: { 'pom.xml': pomOf(`<repositories></repositories>${repositories}`) },
    asked: [],
  },
  {
    title: 'profiles of Maven that are said twice',
    files: {
      'pom.xml': pomOf(
        `<profiles></profiles><profiles><profile><id>a</id><activation><activeByDefault>true</activeByDefault></activation>${repositories}</profile></profiles>`,
      ),
    },
    asked: [],
  },
  {
    title: 'a mirror whose address is not written yet',
    files: {
      'pom.xml': pomOf(''),
      '.mvn/settings.xml':
        '<settings><mirrors><mirror><id>a</id><mirrorOf>*</mirrorOf><url></url></mirror></mirrors></settings>',
    },
    asked: [],
  },
  {
    title: 'a scope in quotes behind blanks',
    files: { 'package.json': secretNpm, '.npmrc': 'save=true\n  "@secret:registry" = https://npm.acme.example/\n' },
    asked: ['left-pad'],
  },
  {
    title: 'a scope that a variable has',
    files: {
      'package.json': '{ "dependencies": { "@secret/x": "1.0.0" } }',
      '.npmrc': '@${SCOPE}:registry=https://npm.acme.example/\n',
    },
    asked: [],
  },
];
