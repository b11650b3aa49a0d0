import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* Dependencies that a client takes from the workspace instead of a registry: they are counted, and nothing hides. */

const service = await startServiceForFile({ 'NPM known': { versions: ['1.0.0'] } });

async function check(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const folder = folderWith(files);
  try {
    return await runHere(['check', ...args], folder.path, { baseUrl: service.url });
  } finally {
    folder.remove();
  }
}

const workspace = {
  'package.json': '{ "private": true, "workspaces": ["packages/*"] }',
  'packages/app/package.json': '{ "name": "app", "dependencies": { "lib": "^1.0.0", "known": "1.0.0" } }',
  'packages/lib/package.json': '{ "name": "lib", "version": "1.2.0" }',
};

test('what a workspace builds itself is counted in every summary', async () => {
  const { out, code } = await check(workspace);
  assert.equal(out, '1 dependency in 3 manifests checked: no findings\n1 taken from the workspace\n');
  assert.equal(code, 0);
  const { coverage } = JSON.parse((await check(workspace, '--format', 'json')).out);
  assert.deepEqual([coverage.total, coverage.lookedUp, coverage.fromWorkspace], [1, 1, 1]);
  for (const format of ['markdown', 'html', 'sarif'])
    assert.match((await check(workspace, '--format', format)).out, /1 taken from the workspace/, format);
});

type Files = Readonly<Record<string, string>>;

function manifest(content: object): string {
  return JSON.stringify({ name: 'app', version: '1.0.0', ...content });
}

const requires = { dependencies: { known: '^1.0.0' } };
const lib = '{ "name": "known", "version": "9.0.0" }';
const fork = { known: 'github:acme/known' };
const resolutions = { ...requires, resolutions: { known: 'file:./lib' } };
const overrides = { ...requires, overrides: { known: 'file:./lib' } };
const packageLock = JSON.stringify({
  lockfileVersion: 3,
  packages: { '': { name: 'app' }, 'node_modules/known': { version: '1.0.0' } },
});
const yarnLock = '# yarn lockfile v1\n\n\nother@^1.0.0:\n  version "1.0.0"\n';
const pnpmLock = (version: string) =>
  `lockfileVersion: '9.0'\n\nimporters:\n\n  packages/app:\n    dependencies:\n      known:\n        specifier: ^1.0.0\n        version: ${version}\n`;
const pom = (id: string, version: string, rest = '') =>
  `<project><groupId>g</groupId><artifactId>${id}</artifactId><version>${version}</version>${rest}</project>`;
const onLib = (version: string) =>
  `<dependencies><dependency><groupId>g</groupId><artifactId>lib</artifactId><version>${version}</version></dependency></dependencies>`;
const reactor = '<packaging>pom</packaging><modules><module>app</module><module>lib</module></modules>';
const npmMember = (version: string, root: object = {}) => ({
  'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'], ...root }),
  'packages/app/package.json': manifest(requires),
  'packages/lib/package.json': `{ "name": "known", "version": "${version}" }`,
});
const cargoMember = {
  'Cargo.toml': '[workspace]\nmembers = ["app", "lib"]\n',
  'lib/Cargo.toml': '[package]\nname = "known"\nversion = "1.0.0"\n',
};
const app = '[package]\nname = "app"\nversion = "1.0.0"\n[dependencies]\n';
const goModules = {
  'go.work': 'go 1.22\nuse (\n\t./app\n\t./lib\n)\n',
  'app/go.mod': 'module acme.example/app\ngo 1.22\nrequire acme.example/lib v1.0.0\n',
  'lib/go.mod': 'module acme.example/lib\n',
};

/** Whether a client asks its registry for a dependency: surely, never, or the files contradict each other. */
type Outcome = 'looked up' | 'taken' | 'contested';

/*
 * Sources: package-lock.json as npm 10 writes it for these files, Cargo.lock of cargo 1.9x; the reactor of Maven, which
 * compares the whole coordinates; yarn, `resolutions`; pnpm, `linkWorkspacePackages`, `overrides`.
 */
const shapes: readonly (readonly [string, Outcome, Files])[] = [
  [
    'npm: a folder in peerDependencies',
    'contested',
    { 'package.json': manifest({ ...requires, peerDependencies: { known: 'file:./lib' } }) },
  ],
  [
    'npm: a link in peerDependencies',
    'contested',
    { 'package.json': manifest({ ...requires, peerDependencies: { known: 'link:./lib' } }) },
  ],
  [
    'npm: a member in peerDependencies',
    'looked up',
    { 'package.json': manifest({ ...requires, peerDependencies: { known: 'workspace:*' } }) },
  ],
  [
    'npm: a folder in devDependencies',
    'taken',
    { 'package.json': manifest({ ...requires, devDependencies: { known: 'file:./lib' } }) },
  ],
  [
    'npm: a folder in devDependencies that was not installed',
    'contested',
    {
      'package.json': manifest({ ...requires, devDependencies: { known: 'file:./lib' } }),
      'package-lock.json': packageLock,
    },
  ],
  ['npm: resolutions', 'contested', { 'package.json': manifest(resolutions), 'package-lock.json': packageLock }],
  [
    'npm by its field: resolutions',
    'contested',
    { 'package.json': manifest({ ...resolutions, packageManager: 'npm@10.0.0' }) },
  ],
  ['no client: resolutions', 'contested', { 'package.json': manifest(resolutions) }],
  ['yarn: resolutions', 'taken', { 'package.json': manifest(resolutions), 'yarn.lock': yarnLock }],
  [
    'yarn by its field: resolutions',
    'taken',
    { 'package.json': manifest({ ...resolutions, packageManager: 'yarn@4.1.0' }) },
  ],
  [
    'pnpm: resolutions',
    'taken',
    { 'package.json': manifest(resolutions), 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" },
  ],
  ['yarn: overrides', 'contested', { 'package.json': manifest(overrides), 'yarn.lock': yarnLock }],
  [
    'pnpm: overrides',
    'contested',
    { 'package.json': manifest(overrides), 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" },
  ],
  ['npm: overrides', 'taken', { 'package.json': manifest(overrides) }],
  [
    'npm: pnpm.overrides',
    'contested',
    {
      'package.json': manifest({ ...requires, pnpm: { overrides: { known: 'file:./lib' } } }),
      'package-lock.json': packageLock,
    },
  ],
  [
    'pnpm: pnpm.overrides',
    'taken',
    {
      'package.json': manifest({ ...requires, pnpm: { overrides: { known: 'file:./lib' } } }),
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    },
  ],
  [
    'npm: pnpm-workspace.yaml',
    'contested',
    {
      'package.json': manifest(requires),
      'package-lock.json': packageLock,
      'pnpm-workspace.yaml': 'overrides:\n  known: file:./lib\n',
    },
  ],
  [
    'npm: resolutions of the root',
    'looked up',
    {
      ...npmMember('1.0.0', { resolutions: fork }),
      'packages/lib/package.json': '{ "name": "lib" }',
      'package-lock.json': packageLock,
    },
  ],
  ['npm: a member in its range', 'taken', npmMember('1.2.0')],
  ['npm: a member in another version', 'contested', npmMember('9.0.0')],
  [
    'npm: a member in its range that was not installed',
    'contested',
    {
      ...npmMember('1.2.0'),
      'package-lock.json': JSON.stringify({
        lockfileVersion: 3,
        packages: { '': {}, 'packages/app': {}, 'packages/app/node_modules/known': { version: '1.0.0' } },
      }),
    },
  ],
  ['yarn: a member in another version', 'contested', { ...npmMember('9.0.0'), 'yarn.lock': yarnLock }],
  [
    'yarn 4: a member that was installed',
    'taken',
    {
      ...npmMember('1.2.0'),
      'yarn.lock':
        '__metadata:\n  version: 8\n\n"known@npm:^1.0.0, known@workspace:packages/lib":\n  version: 0.0.0-use.local\n  resolution: "known@workspace:packages/lib"\n  languageName: unknown\n  linkType: soft\n\n"app@workspace:packages/app":\n  version: 0.0.0-use.local\n  resolution: "app@workspace:packages/app"\n  dependencies:\n    known: "npm:^1.0.0"\n  languageName: unknown\n  linkType: soft\n',
    },
  ],
  [
    'pnpm: a member without the protocol',
    'contested',
    { ...npmMember('1.2.0', { workspaces: undefined }), 'pnpm-workspace.yaml': 'packages: ["packages/*"]\n' },
  ],
  [
    'pnpm: a member from the registry',
    'contested',
    {
      ...npmMember('1.2.0', { workspaces: undefined }),
      'pnpm-workspace.yaml': 'packages: ["packages/*"]\n',
      'pnpm-lock.yaml': pnpmLock('1.0.0'),
    },
  ],
  [
    'pnpm: a member that was linked',
    'taken',
    {
      ...npmMember('1.2.0', { workspaces: undefined }),
      'pnpm-workspace.yaml': 'packages: ["packages/*"]\n',
      'pnpm-lock.yaml': pnpmLock('link:../lib'),
    },
  ],
  ['Cargo: a member without a path', 'contested', { ...cargoMember, 'app/Cargo.toml': `${app}known = "1"\n` }],
  ['Cargo: a member in another version', 'contested', { ...cargoMember, 'app/Cargo.toml': `${app}known = "9"\n` }],
  [
    'Cargo: paths in its configuration',
    'taken',
    {
      'Cargo.toml': `${app}known = "1"\n`,
      '.cargo/config.toml': 'paths = ["lib"]\n',
      'lib/Cargo.toml': cargoMember['lib/Cargo.toml'],
    },
  ],
  [
    'Maven: a module in this version',
    'taken',
    {
      'pom.xml': pom('root', '1', reactor),
      'app/pom.xml': pom('app', '1', onLib('2')),
      'lib/pom.xml': pom('lib', '2'),
    },
  ],
  [
    'Maven: a module in another version',
    'contested',
    {
      'pom.xml': pom('root', '1', reactor),
      'app/pom.xml': pom('app', '1', onLib('3')),
      'lib/pom.xml': pom('lib', '2'),
    },
  ],
  [
    'Maven: a module in a version that a property has',
    'taken',
    {
      'pom.xml': pom('root', '1', reactor),
      'app/pom.xml': pom('app', '1', onLib('3')),
      'lib/pom.xml': pom('lib', '$' + '{revision}'),
    },
  ],
  ['Go: a member, in whatever version', 'taken', goModules],
  [
    'Gradle: an included build, in whatever version',
    'taken',
    {
      'settings.gradle': "includeBuild 'lib'\n",
      'build.gradle': "dependencies { implementation 'g:lib:3' }\n",
      'lib/settings.gradle': "rootProject.name = 'lib'\n",
      'lib/build.gradle': "group = 'g'\nversion = '1'\n",
    },
  ],
  [
    'Gradle: an included build that was not used',
    'contested',
    {
      'settings.gradle': "includeBuild 'lib'\n",
      'build.gradle': "dependencies { implementation 'g:lib:3' }\n",
      'gradle.lockfile': 'g:lib:3=compileClasspath\nempty=\n',
      'lib/settings.gradle': "rootProject.name = 'lib'\n",
      'lib/build.gradle': "group = 'g'\nversion = '1'\n",
    },
  ],
  [
    'npm: a repository in peerDependencies',
    'looked up',
    { 'package.json': manifest({ ...requires, peerDependencies: fork }) },
  ],
  [
    'npm: a repository in resolutions',
    'looked up',
    { 'package.json': manifest({ ...requires, resolutions: fork }), 'package-lock.json': packageLock },
  ],
  [
    'npm by its field: a repository in resolutions',
    'looked up',
    { 'package.json': manifest({ ...requires, resolutions: fork, packageManager: 'npm@10.0.0' }) },
  ],
  [
    'no client: a repository in resolutions',
    'contested',
    { 'package.json': manifest({ ...requires, resolutions: fork }) },
  ],
  [
    'yarn: a repository in overrides',
    'looked up',
    { 'package.json': manifest({ ...requires, overrides: fork }), 'yarn.lock': yarnLock },
  ],
  [
    'pnpm: a repository in overrides',
    'looked up',
    { 'package.json': manifest({ ...requires, overrides: fork }), 'pnpm-lock.yaml': pnpmLock('1.0.0') },
  ],
  [
    'npm: a repository in pnpm.overrides',
    'looked up',
    { 'package.json': manifest({ ...requires, pnpm: { overrides: fork } }), 'package-lock.json': packageLock },
  ],
  [
    'npm: a repository in pnpm-workspace.yaml',
    'looked up',
    {
      'package.json': manifest(requires),
      'package-lock.json': packageLock,
      'pnpm-workspace.yaml': 'overrides:\n  known: github:acme/known\n',
    },
  ],
];

/** A folder of the same name is private, whether the client honors what leads to it or not. */
const isLib: Files = { 'lib/package.json': lib };

for (const [title, expected, files] of shapes) {
  test(title, async () => {
    const leadsToLib = Object.values(files).some((it) => it.includes(':./lib'));
    const { out, code } = await check({ ...(leadsToLib && isLib), ...files }, '--format', 'json');
    const { total, lookedUp, withheld, unknown, fromWorkspace = 0 } = JSON.parse(out).coverage;
    // The line of the peer is of the workspace itself.
    const isPeer = title === 'npm: a member in peerDependencies';
    const isContested = expected === 'contested';
    // The package manager that a manifest names is unknown to the service.
    const found = {
      total: total - unknown,
      'looked up': lookedUp - unknown,
      contested: withheld,
      taken: fromWorkspace,
    };
    const none = { total: 0, 'looked up': 0, contested: 0, taken: 0 };
    assert.deepEqual(found, {
      ...none,
      ...(expected !== 'taken' && { total: 1 }),
      [expected]: 1,
      ...(isPeer && { taken: 1 }),
    });
    if (unknown === 0) assert.equal(code, isContested ? 2 : 0);
  });
}

// Source: Unity's manual, “Package manifest”: `unity` is the lowest version of the editor, whose registry has the dependencies.
test('the dependencies of a package of Unity have a registry of their own', async () => {
  const unity = (version: string) => ({
    'package.json': manifest({ ...requires, unity: version, devDependencies: { other: '1.0.0' } }),
  });
  const { out, code } = await check(unity('2019.4'));
  assert.match(out, /Not checked: 1 private, 1 unknown to the service/);
  assert.equal(code, 2);
  assert.match((await check(unity('none'))).out, /^1 of 2 dependencies in 1 manifest checked/);
});

test('a package that a project of the same solution builds is its own where a reference leads to the project', async () => {
  const asks = ['Known', 'Own.Lib', 'Own.Named', 'Own.Old'].map(
    (it) => `<PackageReference Include="${it}" Version="1.0.0" />`,
  );
  const project = (rest: string) => `<Project Sdk="Microsoft.NET.Sdk">${rest}</Project>`;
  const files = {
    'src/App/App.csproj': project(`<ItemGroup>${asks.join('')}</ItemGroup>`),
    'src/Own.Lib/Own.Lib.csproj': project(''),
    'src/Lib2/Lib2.csproj': project('<PropertyGroup><PackageId>Own.Named</PackageId></PropertyGroup>'),
    'src/Lib3/Lib3.csproj': project('<PropertyGroup><AssemblyName>Own.Old</AssemblyName></PropertyGroup>'),
  };
  const projects = Object.keys(files);
  const lines = projects.map((it) => `Project("{9A}") = "x", "${it.replaceAll('/', '\\')}", "{1}"\nEndProject\n`);
  const slnx = `<Solution>${projects.map((it) => `<Project Path="${it}" />`).join('')}</Solution>`;
  const counted = async (texts: Readonly<Record<string, string>>): Promise<readonly number[]> => {
    const { total, fromWorkspace = 0, withheld } = JSON.parse((await check(texts, '--format', 'json')).out).coverage;
    return [total, fromWorkspace, withheld];
  };
  for (const solution of [{ 'All.sln': lines.join('') }, { 'All.slnx': slnx }])
    assert.deepEqual(await counted({ ...files, ...solution }), [4, 0, 3], Object.keys(solution).join());
  const references = projects.slice(1).map((it) => `<ProjectReference Include="../../${it}" />`);
  const referring = project(`<ItemGroup>${asks.join('')}${references.join('')}</ItemGroup>`);
  assert.deepEqual(await counted({ ...files, 'src/App/App.csproj': referring }), [1, 3, 0]);
  assert.deepEqual(await counted(files), [4, 0, 0]);
});
