import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* Folders of packages are passed over, but for what a project of the repository is built from. */

const systems = {
  NPM: 'evil',
  CARGO: 'evil',
  PYPI: 'evil',
  NUGET: 'evil',
  MAVEN: 'com.example:evil',
  GO: 'example.com/evil',
};
const service = await startServiceForFile({
  ...Object.fromEntries(
    Object.entries(systems).map(([system, name]) => [
      `${system} ${name}`,
      { versions: [system === 'GO' ? 'v1.0.0' : '1.0.0'] },
    ]),
  ),
  'advisory GHSA-evil': {
    cvss3Score: 9.8,
    affected: Object.entries(systems).map(([system, name]) => ({
      system: system as keyof typeof systems,
      name,
      ranges: [{ introduced: '0' }],
    })),
  },
});

const npm = '{ "name": "x", "dependencies": { "evil": "1.0.0" } }';
const cargo = (more: string) => `[package]\nname = "a"\nversion = "1.0.0"\n${more}`;
const go = 'module example.com/a\nrequire example.com/evil v1.0.0\n';
const pom = (more: string) =>
  `<project><groupId>g</groupId><artifactId>a</artifactId><version>1</version>${more}</project>`;
const evil =
  '<dependency><groupId>com.example</groupId><artifactId>evil</artifactId><version>1.0.0</version></dependency>';
const csproj = (more: string) => `<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>${more}</ItemGroup></Project>`;
const gradle = "dependencies { implementation 'com.example:evil:1.0.0' }\n";

const built: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a folder of npm': {
    'package.json': '{ "dependencies": { "x": "file:node_modules/x" } }',
    'node_modules/x/package.json': npm,
  },
  'a folder of such a folder': {
    'package.json': '{ "dependencies": { "y": "file:./vendor/y" } }',
    'vendor/y/package.json': '{ "dependencies": { "x": "file:../x" } }',
    'vendor/x/package.json': npm,
  },
  'a workspace of npm': { 'package.json': '{ "workspaces": ["vendor/*"] }', 'vendor/x/package.json': npm },
  'a module of Maven': {
    'pom.xml': pom('<modules><module>vendor/m</module></modules>'),
    'vendor/m/pom.xml': pom(`<dependencies>${evil}</dependencies>`),
  },
  'a project of Gradle': { 'settings.gradle': "include ':venv'\n", 'venv/build.gradle': gradle },
  'a project of .NET': {
    'a.csproj': csproj('<ProjectReference Include="vendor\\b.csproj" />'),
    'vendor/b.csproj': csproj('<PackageReference Include="evil" Version="1.0.0" />'),
  },
  'a path of Cargo': {
    'Cargo.toml': cargo('[dependencies]\nx = { path = "vendor/x" }\n'),
    'vendor/x/Cargo.toml': cargo('[dependencies]\nevil = "1.0.0"\n'),
  },
  'a folder of pip': {
    'requirements.txt': '-e ./vendor/x\n',
    'vendor/x/pyproject.toml': '[project]\nname = "x"\ndependencies = ["evil==1.0.0"]\n',
  },
  'a module of go.work': { 'go.work': 'go 1.22\nuse ./venv\n', 'venv/go.mod': go },
};

async function check(files: Readonly<Record<string, string>>) {
  const folder = folderWith(files);
  try {
    execFileSync('git', ['init', '-q'], { cwd: folder.path });
    execFileSync('git', ['add', '-Af'], { cwd: folder.path });
    return await runHere(['check'], folder.path, { baseUrl: service.url });
  } finally {
    folder.remove();
  }
}

for (const [title, files] of Object.entries(built)) {
  test(`is checked among third-party packages: ${title}`, async () => {
    const { code, out } = await check(files);
    assert.equal(code, 1, out);
    assert.doesNotMatch(out, /skipped/);
  });
}

test('third-party packages that no project names are passed over', async () => {
  const { code, out } = await check({ 'package.json': '{ "dependencies": {} }', 'vendor/x/package.json': npm });
  assert.equal(code, 0, out);
  assert.match(out, /skipped: 1/);
});
