import { type Files, startHiding, testHidden, testPlain } from './hidden.ts';

/* Without git nothing says that a hidden folder belongs to a project, except the project itself. */

const run = await startHiding();

const npm = '{ "name": "x", "dependencies": { "evil": "1.0.0" } }';
const crate = '[package]\nname = "fine"\nversion = "1.0.0"\n\n[dependencies]\nevil = "1.0.0"\n';
const project = '[project]\nname = "b"\nversion = "1"\ndependencies = ["evil==1.0.0"]\n';
const a = '[project]\nname = "a"\nversion = "1"\n';
const pom = (content: string) => `<project><artifactId>a</artifactId>${content}</project>`;
const script = "dependencies { implementation 'com.example:evil:1.0.0' }\n";

const named: Readonly<Record<string, Files>> = {
  'a member of a workspace of npm': { 'package.json': '{ "workspaces": [".x"] }', '.x/package.json': npm },
  'members by a pattern': { 'package.json': '{ "workspaces": [".x/*"] }', '.x/y/package.json': npm },
  'a folder as a dependency': { 'package.json': '{ "dependencies": { "x": "file:.x" } }', '.x/package.json': npm },
  'a folder of results as a dependency': {
    'package.json': '{ "dependencies": { "x": "file:dist/x" } }',
    'dist/x/package.json': npm,
  },
  'a link to a folder': { 'package.json': '{ "dependencies": { "x": "link:./.x" } }', '.x/package.json': npm },
  'a script with a prefix': {
    'package.json': '{ "scripts": { "postinstall": "npm ci --prefix .x" } }',
    '.x/package.json': npm,
  },
  'a script in a folder': {
    'package.json': '{ "scripts": { "postinstall": "cd ./.x/y && npm install" } }',
    '.x/y/package.json': npm,
  },
  'a script of another tool': {
    'package.json': '{ "scripts": { "postinstall": "pip install -r .x/requirements.txt" } }',
    '.x/requirements.txt': 'evil==1.0.0\n',
  },
  'a member of pnpm': {
    'package.json': '{}',
    'pnpm-workspace.yaml': 'packages:\n  - .x\n',
    '.x/package.json': npm,
  },
  'a member of Cargo': { 'Cargo.toml': '[workspace]\nmembers = [".x"]\n', '.x/Cargo.toml': crate },
  'a path of Cargo': {
    'Cargo.toml': '[package]\nname = "a"\nversion = "1.0.0"\n\n[dependencies]\nfine = { path = ".x" }\n',
    '.x/Cargo.toml': crate,
  },
  'a module of Maven': {
    'pom.xml': pom('<packaging>pom</packaging><modules><module>.x</module></modules>'),
    '.x/pom.xml': pom(
      '<dependencies><dependency><groupId>com.example</groupId><artifactId>evil</artifactId><version>1.0.0</version></dependency></dependencies>',
    ),
  },
  'a build of Gradle': {
    'settings.gradle': "includeBuild '.x'\n",
    '.x/settings.gradle': '',
    '.x/build.gradle': script,
  },
  'a project of Gradle': {
    'settings.gradle': "include ':x'\nproject(':x').projectDir = file('.x')\n",
    '.x/build.gradle': script,
  },
  'a project of .NET': {
    'a.csproj':
      '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><ProjectReference Include=".x/b.csproj" /></ItemGroup></Project>',
    '.x/b.csproj':
      '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="evil" Version="1.0.0" /></ItemGroup></Project>',
  },
  'a member of uv': {
    'pyproject.toml': `${a}[tool.uv.workspace]\nmembers = [".x"]\n`,
    '.x/pyproject.toml': project,
  },
  'a path of uv': {
    'pyproject.toml': `${a}dependencies = ["b"]\n[tool.uv.sources]\nb = { path = ".x" }\n`,
    '.x/pyproject.toml': project,
  },
  'a path of Poetry': {
    'pyproject.toml': '[tool.poetry.dependencies]\nb = { path = ".x" }\n',
    '.x/pyproject.toml': project,
  },
  'a project of pip': { 'requirements.txt': '-e ./.x\n', '.x/pyproject.toml': project },
  'a path of Pipenv': { Pipfile: '[packages]\nb = { path = "./.x", editable = true }\n', '.x/pyproject.toml': project },
};

testHidden(named, run);

testPlain(
  {
    'a folder of tools that nothing names': {
      'package.json': '{ "dependencies": { "fine": "1.x" } }',
      '.x/package.json': npm,
    },
    'results that nothing names': { 'package.json': '{}', 'dist/package.json': npm },
    'installed packages': {
      'package.json': '{ "scripts": { "a": "node_modules/.bin/x" } }',
      'node_modules/.bin/package.json': npm,
    },
  },
  run,
);
