import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { installOf } from '../../../server/src/engine/analysis/install.ts';
import { openLab } from '../../harness/lab.ts';

const npmLock = '{ "lockfileVersion": 3, "packages": {} }';
const cargoLock = 'version = 4\n';
const manifest = '{ "dependencies": { "lodash": "^4.17.15" } }';
const crate = '[package]\nname = "a"\nversion = "1.0.0"\n\n[dependencies]\ntime = "0.1"\n';
const project = '<Project><ItemGroup><PackageReference Include="A" Version="1.0.0" /></ItemGroup></Project>';

/** Manifests with what lies around each, and the command with the folder that it runs in. */
const cases: readonly {
  readonly manifest: string;
  readonly files: Readonly<Record<string, string>>;
  readonly expected: string | undefined;
}[] = [
  {
    manifest: 'a/package.json',
    files: { 'a/package.json': manifest, 'a/package-lock.json': npmLock },
    expected: 'a/: npm install',
  },
  {
    manifest: 'b/packages/web/package.json',
    files: {
      'b/package.json': '{ "workspaces": ["packages/*"] }',
      'b/packages/web/package.json': manifest,
      'b/pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    },
    expected: 'b/: pnpm install',
  },
  {
    manifest: 'c/package.json',
    files: { 'c/package.json': manifest, 'c/yarn.lock': '# yarn lockfile v1\n' },
    expected: 'c/: yarn install',
  },
  // Which of the managers of npm packages is used here is not known.
  { manifest: 'd/package.json', files: { 'd/package.json': manifest }, expected: undefined },
  {
    manifest: 'e/crates/a/Cargo.toml',
    files: {
      'e/Cargo.toml': '[workspace]\nmembers = ["crates/a"]\n',
      'e/crates/a/Cargo.toml': crate,
      'e/Cargo.lock': cargoLock,
    },
    expected: 'e/: cargo update --workspace',
  },
  {
    manifest: 'f/pyproject.toml',
    files: {
      'f/pyproject.toml': '[project]\nname = "a"\ndependencies = ["requests==2.19.0"]\n',
      'f/uv.lock': 'version = 1\n',
    },
    expected: 'f/: uv lock',
  },
  { manifest: 'g/go.mod', files: { 'g/go.mod': 'module g.example\n\ngo 1.22\n' }, expected: 'g/: go mod tidy' },
  { manifest: 'h/h.csproj', files: { 'h/h.csproj': project }, expected: 'h/: dotnet restore' },
  {
    manifest: 'i/i.csproj',
    files: { 'i/i.csproj': project, 'i/obj/project.assets.json': '{ "version": 3, "targets": {}, "libraries": {} }' },
    expected: 'i/: dotnet restore',
  },
  { manifest: 'j/pom.xml', files: { 'j/pom.xml': '<project></project>' }, expected: undefined },
  {
    manifest: 'k/build.gradle',
    files: {
      'k/build.gradle': "dependencies { implementation 'a:b:1.0' }\n",
      'k/gradle.lockfile': 'a:b:1.0=runtimeClasspath\n',
    },
    expected: undefined,
  },
  { manifest: 'l/requirements.txt', files: { 'l/requirements.txt': 'requests==2.19.0\n' }, expected: undefined },
  {
    manifest: 'm/package-lock.json',
    files: { 'm/package.json': manifest, 'm/package-lock.json': npmLock },
    expected: undefined,
  },
];

const lab = await openLab(new Map(cases.flatMap(({ files }) => Object.entries(files))), {});
after(() => lab.close());

for (const { manifest: name, files, expected } of cases) {
  const around = Object.keys(files).filter((it) => it !== name);
  test(`${name}${around.length > 0 ? ` beside ${around.join(', ')}` : ''}: ${expected ?? 'nothing to run'}`, async () => {
    const found = installOf(await lab.settled(name));
    assert.equal(found && `${found.directory.slice(lab.uri('').length)}: ${found.command}`, expected);
  });
}

test('what an update may have changed is read by the command: the manifest and what defines its versions', async () => {
  const found = installOf(await lab.settled('b/packages/web/package.json'));
  assert.ok(found?.reads.includes(lab.uri('b/packages/web/package.json')));
});
