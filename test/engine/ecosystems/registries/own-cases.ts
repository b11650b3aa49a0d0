import { type PrivateCase, secretNpm } from './cases.ts';

/** Packages that a workspace makes itself: no configuration names a registry for them. */
export const ownCases: readonly PrivateCase[] = [
  {
    title: 'members of a workspace by version alone',
    files: {
      'packages/a/package.json': secretNpm,
      'package.json': '{ "workspaces": ["packages/*"] }',
      'packages/x/package.json': '{ "name": "@secret/x", "dependencies": { "@secret/build": "~2" } }',
      'packages/build/package.json': '{ "name": "@secret/build" }',
    },
    asked: ['left-pad'],
  },
  {
    title: "members of pnpm's workspace in any depth",
    files: {
      'a/package.json': secretNpm,
      'pnpm-workspace.yaml': 'packages: ["a", "libs/**"]\ncatalog: { "@secret/x": 1.0.0 }\n',
      'libs/in/x/package.json': '{ "name": "@secret/x" }',
    },
    asked: ['left-pad'],
  },
  {
    title: 'modules of a go.work',
    files: {
      'app/go.mod':
        'module git.secret.example/app\n\nrequire (\n\tgit.secret.example/lib v1.0.0\n\trsc.io/quote v1.5.2\n)\n',
      'go.work': 'go 1.22\nuse (\n\t./app\n\t./lib\n)\n',
      'lib/go.mod': 'module git.secret.example/lib\n',
    },
    asked: ['rsc.io/quote'],
  },
  {
    title: 'modules that Maven builds together',
    files: {
      'app/pom.xml': `<project><groupId>com.secret</groupId><artifactId>app</artifactId><version>2</version><dependencies>
        <dependency><groupId>com.secret.core</groupId><artifactId>core</artifactId><version>1.0</version></dependency>
        <dependency><groupId>org.yaml</groupId><artifactId>snakeyaml</artifactId><version>1.0</version></dependency></dependencies></project>`,
      'pom.xml':
        '<project><groupId>com.secret</groupId><artifactId>all</artifactId><version>2</version><modules><module>app</module><module>core</module></modules></project>',
      'core/pom.xml':
        '<project><groupId>com.secret.core</groupId><artifactId>core</artifactId><version>2</version></project>',
    },
    asked: ['org.yaml:snakeyaml'],
  },
  {
    title: 'crates with a path or a repository beside their version',
    files: {
      'Cargo.toml':
        '[dependencies]\nsecret-core = { path = "../core", version = "1" }\nsecret-git = { version = "1", git = "https://git.example/x" }\natty = "0.2.14"\n',
    },
    asked: ['atty'],
  },
  {
    title: "members of uv's workspace that the root alone names",
    files: {
      'packages/a/pyproject.toml': '[project]\nname = "a"\ndependencies = ["secret-core==1.0", "requests==2.31.0"]\n',
      'pyproject.toml':
        '[tool.uv.workspace]\nmembers = ["packages/*"]\n[tool.uv.sources]\nsecret-core = { workspace = true }\n',
      'packages/core/pyproject.toml': '[project]\nname = "Secret.Core"\n',
    },
    asked: ['requests'],
  },
  {
    title: "members of PDM's workspace, and what one of them takes from a folder",
    files: {
      'packages/a/pyproject.toml':
        '[project]\nname = "a"\ndependencies = ["secret-core", "secret-lib>=1", "requests==2.31.0"]\n',
      'pyproject.toml': '[tool.pdm.workspace]\nmembers = ["packages/*", "!packages/core"]\n',
      'packages/core/pyproject.toml':
        '[project]\nname = "Secret.Core"\ndependencies = ["secret-lib @ file:///${PROJECT_ROOT}/../../lib"]\n',
    },
    asked: ['requests'],
  },
  {
    title: 'what PDM takes from a folder under a condition',
    files: {
      'pyproject.toml':
        '[project]\ndependencies = ["secret-lib @ file:///${PROJECT_ROOT}/lib ; python_version < \'3.10\'", "secret-lib>=1 ; python_version >= \'3.10\'", "requests==2.31.0"]\n[dependency-groups]\ntest = ["secret-lib==1.0"]\n',
    },
    asked: ['requests'],
  },
  {
    title: 'what a Pipfile takes from a folder, for the project that it installs',
    files: {
      'pyproject.toml': '[project]\nname = "app"\ndependencies = ["secret-core==1.0", "requests==2.31.0"]\n',
      Pipfile:
        '[packages]\napp = { path = ".", editable = true }\nsecret-core = { path = "../core" }\n[dev-packages]\nsecret-core = "==1.0"\n',
    },
    asked: ['requests'],
  },
];
