import type { RegistrySource } from '../../../../server/src/engine/model/registry.ts';
import type { System } from '../../../../server/src/engine/model/system.ts';

/** A project with private packages, each with `secret` in its name, in some file by which they can be told. */
export interface PrivateCase {
  readonly title: string;
  /** The first is the manifest. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Puts what is no file into the folder. */
  readonly prepare?: (folder: string) => void;
  readonly machine?: Partial<Record<System, readonly RegistrySource[]>>;
  readonly variables?: Partial<Record<System, readonly RegistrySource[]>>;
  /** Public packages of the manifest, which are looked up as ever. */
  readonly asked: readonly string[];
  /** What the hover says of the first private package, behind "Not looked up:". */
  readonly reason?: string;
  readonly settings?: { readonly publicRegistries: readonly string[] };
}

export const secretNpm = '{ "dependencies": { "@secret/x": "1.0.0", "left-pad": "1.3.0" } }';
const publicNpm = 'registry=https://registry.example/npm/\n';
const scopeNpm = '@secret:registry=https://npm.acme.example/\n';

function source(name: string, text: string): RegistrySource {
  return { name, label: `~/${name}`, text };
}

const nugetConfig = (inner: string): string => `<configuration><packageSources><clear />
  <add key="usual" value="https://registry.example/nuget/" /><add key="acme" value="https://nuget.acme.example/" />
  </packageSources>${inner}</configuration>`;

export const privateCases: readonly PrivateCase[] = [
  {
    title: 'a scope in the .npmrc of a project above',
    files: { 'packages/a/package.json': secretNpm, '.npmrc': publicNpm + scopeNpm },
    asked: ['left-pad'],
  },
  {
    title: 'a scope in the .npmrc of a person, which the project sends to the public registry',
    files: { 'package.json': secretNpm, '.npmrc': '@secret:registry=https://registry.example/npm/' },
    machine: { NPM: [source('.npmrc', scopeNpm)] },
    asked: ['left-pad'],
  },
  {
    title: 'a registry for everything',
    files: {
      'package.json': secretNpm.replace('left-pad', 'secret-pad'),
      '.yarnrc.yml': 'npmRegistryServer: "https://npm.acme.example"',
    },
    asked: [],
  },
  {
    title: 'a registry for everything that a person says is public',
    files: { 'package.json': secretNpm, '.npmrc': `registry=https://mirror.example/\n${scopeNpm}` },
    settings: { publicRegistries: ['https://Mirror.example/'] },
    asked: ['left-pad'],
  },
  {
    title: 'a registry behind a variable',
    files: { 'package.json': secretNpm, '.npmrc': '@secret:registry=${SOMEWHERE}' },
    asked: ['left-pad'],
  },
  {
    title: 'a lockfile of npm that says where each package came from',
    files: {
      'package-lock.json': JSON.stringify({
        lockfileVersion: 3,
        packages: {
          'node_modules/secret': { version: '1.0.0', resolved: 'https://npm.acme.example/secret-1.0.0.tgz' },
          'node_modules/left-pad': { version: '1.3.0', resolved: 'https://registry.example/npm/left-pad-1.3.0.tgz' },
        },
      }),
    },
    asked: ['left-pad'],
  },
  {
    title: 'a lockfile of pnpm with tarballs',
    files: {
      'pnpm-lock.yaml': `lockfileVersion: '9.0'
packages:
  '@secret/x@1.0.0':
    resolution: {integrity: sha512-00, tarball: https://npm.acme.example/x.tgz}
  npm.acme.example/secret-old@2.0.0:
    resolution: {integrity: sha512-00}
  left-pad@1.3.0:
    resolution: {integrity: sha512-00}
`,
    },
    asked: ['left-pad'],
  },
  {
    title: 'a bill of materials with repositories',
    files: {
      'bom.cdx.json': JSON.stringify({
        bomFormat: 'CycloneDX',
        specVersion: '1.5',
        components: [
          { name: 'x', version: '1.0.0', purl: 'pkg:npm/%40secret/x@1.0.0?repository_url=npm.acme.example' },
          { name: 'left-pad', version: '1.3.0', purl: 'pkg:npm/left-pad@1.3.0' },
        ],
      }),
    },
    asked: ['left-pad'],
  },
  {
    title: "pip's further index",
    files: { 'requirements.txt': 'secret-core==1.0\nsecret_tool==2.0\n' },
    machine: { PYPI: [source('pip.conf', '[global]\nextra-index-url = https://pypi.acme.example/simple')] },
    asked: [],
  },
  {
    title: 'an index in a file that requirements include',
    files: {
      'requirements.txt': '-r more/base.txt\nsecret-core==1.0\n',
      'more/base.txt':
        '-i https://registry.example/pypi/ --extra-index-url https://pypi.acme.example/simple\nsecret==1\n',
    },
    asked: [],
  },
  {
    title: "uv's explicit index",
    files: {
      'pyproject.toml': `[project]
dependencies = ["secret-core==1.0", "requests==2.31.0"]
[tool.uv.sources]
secret-core = { index = "acme" }
[[tool.uv.index]]
name = "acme"
url = "https://pypi.acme.example/simple"
explicit = true
`,
      'uv.lock': `version = 1
[[package]]
name = "secret-lib"
version = "1.0"
source = { registry = "https://pypi.acme.example/simple" }
`,
    },
    asked: ['requests'],
  },
  {
    title: "NuGet's mapping",
    files: {
      'a/App.csproj':
        '<Project><ItemGroup><PackageReference Include="Secret.Core" Version="1.0.0" /><PackageReference Include="Serilog" Version="2.0.0" /></ItemGroup></Project>',
      'nuget.config': nugetConfig(
        '<packageSourceMapping><packageSource key="usual"><package pattern="*" /></packageSource><packageSource key="acme"><package pattern="Secret.*" /></packageSource></packageSourceMapping>',
      ),
    },
    asked: ['serilog'],
  },
  {
    title: "NuGet's sources without a mapping",
    files: {
      'packages.config': '<packages><package id="Secret.Core" version="1.0.0" /></packages>',
      'NuGet.Config': nugetConfig(''),
    },
    asked: [],
  },
  {
    title: 'a mirror of Maven',
    files: {
      'pom.xml':
        '<project><dependencies><dependency><groupId>com.secret</groupId><artifactId>core</artifactId><version>1.0</version></dependency></dependencies></project>',
    },
    machine: {
      MAVEN: [
        source(
          'settings.xml',
          '<settings><mirrors><mirror><id>m</id><url>https://maven.acme.example</url><mirrorOf>*</mirrorOf></mirror></mirrors></settings>',
        ),
      ],
    },
    asked: [],
  },
  {
    title: 'a repository of the parent',
    files: {
      'a/pom.xml':
        '<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version></parent><artifactId>a</artifactId><dependencies><dependency><groupId>com.secret</groupId><artifactId>core</artifactId><version>[1,2)</version></dependency></dependencies></project>',
      'pom.xml':
        '<project><groupId>g</groupId><artifactId>p</artifactId><version>1</version><repositories><repository><id>acme</id><url>https://maven.acme.example</url></repository></repositories></project>',
    },
    asked: [],
  },
  {
    title: 'a parent and an imported BOM of a repository that the POM names',
    files: {
      'pom.xml': `<project><parent><groupId>com.secret</groupId><artifactId>parent</artifactId><version>1</version></parent>
        <repositories><repository><id>acme</id><url>https://maven.acme.example</url></repository></repositories>
        <dependencyManagement><dependencies><dependency><groupId>com.secret</groupId><artifactId>bom</artifactId>
        <version>1</version><type>pom</type><scope>import</scope></dependency></dependencies></dependencyManagement>
        <dependencies><dependency><groupId>com.secret</groupId><artifactId>core</artifactId></dependency></dependencies></project>`,
    },
    asked: [],
  },
  {
    title: "a platform behind Gradle's content filter",
    files: {
      'app/build.gradle': `repositories { mavenCentral(); maven { url "https://maven.acme.example"; content { includeGroup "com.secret" } } }
        dependencies { implementation platform("com.secret:bom:1"); implementation "com.secret:core"; implementation "org.yaml:snakeyaml:1.0" }`,
    },
    asked: ['org.yaml:snakeyaml'],
  },
  {
    title: "Gradle's content filter in the settings",
    files: {
      'app/build.gradle':
        'dependencies { implementation "com.secret:core:1.0"; implementation "org.yaml:snakeyaml:1.0" }',
      'settings.gradle':
        'dependencyResolutionManagement { repositories { mavenCentral(); maven { url "https://maven.acme.example"; content { includeGroup "com.secret" } } } }',
    },
    asked: ['org.yaml:snakeyaml'],
  },
  {
    title: 'the script of a project above, for all projects',
    files: {
      'app/build.gradle.kts': 'dependencies { implementation("com.secret:core:1.0") }',
      'build.gradle': 'allprojects { repositories { maven { url "https://maven.acme.example" } } }',
    },
    asked: [],
  },
  {
    title: 'sources in the properties of all projects',
    files: {
      'app/app.csproj':
        '<Project><ItemGroup><PackageReference Include="Secret.Core" Version="1.0.0" /></ItemGroup></Project>',
      'Directory.Build.props': '<Project><PropertyGroup><RestoreSources></RestoreSources></PropertyGroup></Project>',
      'Directory.Build.targets':
        '<Project><PropertyGroup><Feed>https://nuget.acme.example/</Feed><RestoreSources>$(RestoreSources);$(Feed)</RestoreSources></PropertyGroup></Project>',
    },
    asked: [],
  },
  {
    title: "Cargo's registry, inherited by a member",
    files: {
      'a/Cargo.toml': '[dependencies]\nsecret-core = { workspace = true }\natty = "0.2.14"\n',
      'Cargo.toml': '[workspace.dependencies]\nsecret-core = { version = "1", registry = "acme" }\n',
      '.cargo/config.toml': '[registries.acme]\nindex = "sparse+https://cargo.acme.example/"\n',
    },
    asked: ['atty'],
  },
  {
    title: 'GOPRIVATE',
    files: {
      'go.mod': 'module example.com/me\n\nrequire (\n\tgit.secret.example/core v1.0.0\n\trsc.io/quote v1.5.2\n)\n',
    },
    machine: { GO: [source('env', 'GOPRIVATE=*.secret.example\n')] },
    asked: ['rsc.io/quote'],
  },
];
