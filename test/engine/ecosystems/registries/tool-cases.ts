import type { PrivateCase } from './cases.ts';

const mirrored =
  '<settings><mirrors><mirror><id>m</id><url>https://maven.acme.example</url><mirrorOf>*</mirrorOf></mirror></mirrors></settings>';

/** Configurations that the tools have in files of their own, beside what people write for their projects. */
export const toolCases: readonly PrivateCase[] = [
  {
    title: 'settings that Maven is started with',
    files: {
      'app/pom.xml':
        '<project><dependencies><dependency><groupId>com.secret</groupId><artifactId>core</artifactId><version>1.0</version></dependency></dependencies></project>',
      '.mvn/maven.config': '-B\n--settings=ci/settings\n',
      'ci/settings':
        '<settings><mirrors><mirror><id>m</id><url>https://maven.acme.example</url><mirrorOf>*</mirrorOf></mirror></mirrors></settings>',
    },
    asked: [],
  },
  {
    title: 'what the virtual environment of a project says',
    files: {
      'requirements.txt': 'secret-core==1.0\n',
      '.venv/pip.conf': '[global]\nindex-url = https://pypi.acme.example/simple\n',
    },
    asked: [],
  },
  {
    title: "settings of npm that a project's own name",
    files: {
      'package.json': '{ "dependencies": { "@secret/x": "1.0.0", "left-pad": "1.3.0" } }',
      '.npmrc': 'userconfig=ci/npmrc\n',
      'ci/npmrc': '@secret:registry=https://npm.acme.example/\n',
    },
    asked: ['left-pad'],
  },
  {
    title: 'settings of yarn by the name that a variable gives them',
    files: {
      'package.json': '{ "dependencies": { "@secret/x": "1.0.0", "left-pad": "1.3.0" } }',
      '.ci.yml': 'npmScopes: { secret: { npmRegistryServer: "https://npm.acme.example" } }',
    },
    variables: { NPM: [{ name: 'YARN_RC_FILENAME', label: 'YARN_RC_FILENAME', text: '.ci.yml' }] },
    asked: ['left-pad'],
  },
  {
    title: 'what a compiled file was made from',
    files: {
      'requirements/prod.txt':
        '#    pip-compile --output-file=requirements/prod.txt requirements/prod.in\nsecret-core==1.0\n    # via -r requirements/prod.in\n',
      'requirements/prod.in': '--extra-index-url https://pypi.acme.example/simple\nsecret-core\n',
    },
    asked: [],
  },
  {
    title: 'an index in an environment of Hatch',
    files: {
      'pyproject.toml':
        '[project]\nname = "a"\ndependencies = ["secret-core==1.0"]\n[tool.hatch.envs.default.env-vars]\nPIP_EXTRA_INDEX_URL = "https://pypi.acme.example/simple"\n',
    },
    asked: [],
  },
  {
    title: 'settings that a variable names for Maven, from where it is started',
    files: {
      'pom.xml':
        '<project><dependencies><dependency><groupId>com.secret</groupId><artifactId>core</artifactId><version>1.0</version></dependency></dependencies></project>',
      'ci/settings.xml': mirrored,
    },
    variables: { MAVEN: [{ name: 'MAVEN_ARGS', label: 'MAVEN_ARGS', text: '-B -s ci/settings.xml' }] },
    asked: [],
  },
  {
    title: 'extensions of Maven, by the settings of its project',
    files: {
      '.mvn/extensions.xml':
        '<extensions><extension><groupId>com.secret</groupId><artifactId>core</artifactId><version>1.0</version></extension></extensions>',
      '.mvn/maven.config': '-s\nci/settings.xml\n',
      'ci/settings.xml':
        '<settings><profiles><profile><pluginRepositories><pluginRepository><id>a</id><url>https://maven.acme.example</url></pluginRepository></pluginRepositories></profile></profiles></settings>',
    },
    asked: [],
  },
  {
    title: 'the configuration of NuGet that a project names',
    files: {
      'App.csproj':
        '<Project><PropertyGroup><RestoreConfigFile>$(MSBuildThisFileDirectory)build\\ci.config</RestoreConfigFile></PropertyGroup><ItemGroup><PackageReference Include="Secret.Core" Version="1.0.0" /></ItemGroup></Project>',
      'build/ci.config':
        '<configuration><packageSources><add key="a" value="https://nuget.acme.example/" /></packageSources></configuration>',
    },
    asked: [],
  },
  {
    title: 'the configuration of NuGet that only a build can find',
    files: {
      'App.csproj':
        '<Project><PropertyGroup><RestoreConfigFile>$(Company)\\ci.config</RestoreConfigFile></PropertyGroup><ItemGroup><PackageReference Include="Secret.Core" Version="1.0.0" /></ItemGroup></Project>',
    },
    asked: [],
  },
  {
    title: 'the sources of a restore',
    files: {
      'project.assets.json': JSON.stringify({
        libraries: { 'Secret.Core/1.0.0': { type: 'package' } },
        project: { restore: { sources: { 'https://nuget.acme.example/v3/index.json': {} } } },
      }),
    },
    asked: [],
  },
  {
    title: "variables of Go that the editor's settings hand to its tools",
    files: {
      'go.mod': 'module example.com/me\n\nrequire (\n\tgit.secret.example/core v1.0.0\n\trsc.io/quote v1.5.2\n)\n',
      '.vscode/settings.json': '{\n  // of the team\n  "go.toolsEnvVars": { "GOPRIVATE": "*.secret.example", },\n}\n',
    },
    variables: { GO: [{ name: 'GOPRIVATE', label: 'GOPRIVATE', text: 'other.example' }] },
    asked: ['rsc.io/quote'],
  },
];
