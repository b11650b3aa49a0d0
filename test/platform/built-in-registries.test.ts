import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileUri } from '../../server/src/engine/base/uri.ts';
import type { System } from '../../server/src/engine/model/system.ts';
import { builtInRegistries } from '../../server/src/platform/registries/built-in-registries.ts';
import { zipOf } from '../harness/wheel.ts';
import { type Folder, folderWith } from '../terminal/program.ts';

/* The words in which each program names its registry are its own; the hosts are made up. */

const npm = {
  // npm 11
  'lib/node_modules/npm/node_modules/@npmcli/config/lib/definitions/definitions.js': `
  registry: new Definition('registry', {
    default: 'https://npm.registry.example/',
    type: url,
  'replace-registry-host': new Definition('replace-registry-host', {
    default: 'npmjs',
      registry host \`https://registry.mycorp.example\`
`,
  'lib/node_modules/npm/node_modules/@npmcli/arborist/lib/shrinkwrap.js': `
const yarnRegRe = /^https?:\\/\\/yarn\\.registry\\.example\\//
const npmRegRe = /^https?:\\/\\/npm\\.registry\\.example\\//
`,
  'lib/node_modules/npm/bin/npm-cli.js': '',
  // Its configuration, also the one that is shipped with it.
  'lib/node_modules/npm/npmrc': 'registry=https://npm.acme.example/\n',
  'etc/npmrc': 'registry=https://npm.acme.example/\n',
};

const programs = {
  ...npm,
  // yarn 1.22
  'lib/node_modules/yarn/lib/cli.js': `
var YARN_REGISTRY = exports.YARN_REGISTRY = 'https://yarn1.registry.example';
var NPM_REGISTRY_RE = exports.NPM_REGISTRY_RE = /https?:\\/\\/npm\\.acme\\.example/g;
`,
  'lib/node_modules/yarn/bin/yarn.js': '',
  // pip 25
  'lib/python3.12/site-packages/pip/_internal/models/index.py': `
PyPI = PackageIndex("https://pypi.registry.example/", file_storage_domain="files.example")
TestPyPI = PackageIndex(
    "https://test.acme.example/", file_storage_domain="test-files.example"
)
`,
  'lib/python3.12/site-packages/pip.conf': '[global]\nindex-url = https://pypi.acme.example/simple\n',
  'bin/python3': '',
  // Maven 3.9
  'lib/maven-model-builder-3.9.9.jar': zipOf(
    {
      'META-INF/MANIFEST.MF': '',
      'org/apache/maven/model/pom-4.0.0.xml': `<project><repositories><repository><id>central</id>
        <url>https://maven.registry.example/maven2</url></repository></repositories></project>`,
    },
    'deflated',
  ),
  'bin/mvn': '',
  'conf/settings.xml': '<settings><mirrors><mirror><url>https://maven.acme.example</url></mirror></mirrors></settings>',
  // Gradle 8.5: constants of a class
  'lib/plugins/gradle-dependency-management-8.5.jar': zipOf({
    'org/gradle/api/internal/artifacts/repositories/DefaultBaseRepositoryFactory.class':
      'Êþº¾\x01\x00\x1dhttps://google.registry.example/m2/\x01\x00\x22https://plugins.registry.example/m2\x01',
  }),
  'bin/gradle': '',
  'bin/dotnet': '',
  'bin/sdk/8.0.100/NuGet.Configuration.dll': Buffer.from(
    '\u0000https://nuget.registry.example/v3/index.json\u0000https://old.registry.example/api/v2/\u0000https://help.acme.example/',
    'utf16le',
  ),
  'src/cmd/go/alldocs.go':
    '// By default, the go command may download modules from https://proxy.registry.example.\n// See https://help.acme.example.\n',
  'go.env': 'GOPROXY=https://proxy.acme.example,direct\n',
  'bin/go': '',
};

function installed(files: Readonly<Record<string, string | Uint8Array>>, prefix = ''): Folder {
  const folder = folderWith(
    Object.fromEntries(Object.entries(files).map(([name, content]) => [prefix + name, content])),
  );
  for (const it of ['npm/bin/npm-cli.js', 'yarn/bin/yarn.js']) {
    if (!(`lib/node_modules/${it}` in files)) continue;
    const link = join(folder.path, prefix, 'bin', it.slice(0, it.indexOf('/')));
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(folder.path, prefix, 'lib/node_modules', it), link);
  }
  return folder;
}

async function read(system: System, path: string, open: string, home = ''): Promise<readonly string[]> {
  const machine = () => ({ environment: { PATH: path }, platform: process.platform, home });
  const registries = builtInRegistries(() => [fileUri(open)], machine);
  assert.equal(registries.hosts(system), undefined);
  await registries.readAsked();
  assert.equal(registries.revision(), 1);
  return [...(registries.hosts(system) ?? [])].sort();
}

test('the registry that a program has built in is learned from its own files, never from a configuration', async () => {
  const machine = installed(programs);
  const project = folderWith({});
  const path = `relative/bin:${join(machine.path, 'bin')}`;
  const expected: Readonly<Record<System, readonly string[]>> = {
    NPM: ['npm.registry.example', 'yarn.registry.example', 'yarn1.registry.example'],
    PYPI: ['files.example', 'pypi.registry.example'],
    MAVEN: ['google.registry.example', 'maven.registry.example', 'plugins.registry.example'],
    NUGET: ['nuget.registry.example', 'old.registry.example'],
    GO: ['proxy.registry.example'],
    CARGO: [],
  };
  const found = await Promise.all(
    Object.keys(expected).map(async (it) => [it, await read(it as System, path, project.path)]),
  );
  machine.remove();
  project.remove();
  assert.deepEqual(Object.fromEntries(found), expected);
});

test('a program behind a version manager is found in the home directory', async () => {
  const home = installed(npm, '.nvm/versions/node/v24.0.0/');
  const project = folderWith({});
  const hosts = await read('NPM', '', project.path, home.path);
  home.remove();
  project.remove();
  assert.deepEqual(hosts, ['npm.registry.example', 'yarn.registry.example']);
});

test('a program in an open folder, or in its repository, teaches nothing, whatever leads to it', async () => {
  const repository = installed({ ...npm, '.git/HEAD': '', 'open/package.json': '{}' });
  const elsewhere = folderWith({ 'bin/readme': '' });
  symlinkSync(join(repository.path, 'lib/node_modules/npm/bin/npm-cli.js'), join(elsewhere.path, 'bin/npm'));
  const paths = [join(repository.path, 'bin'), join(elsewhere.path, 'bin')];
  for (const open of [repository.path, join(repository.path, 'open')])
    for (const path of paths) assert.deepEqual(await read('NPM', path, open), [], path);
  // A link out of the workspace leads to a program of the machine.
  symlinkSync(join(repository.path, 'bin'), join(elsewhere.path, 'linked'));
  assert.deepEqual(await read('NPM', join(elsewhere.path, 'linked'), elsewhere.path), [
    'npm.registry.example',
    'yarn.registry.example',
  ]);
  repository.remove();
  elsewhere.remove();
});

test('a program that others may write teaches nothing', { skip: process.platform === 'win32' }, async () => {
  for (const writable of ['lib/node_modules/npm/node_modules', Object.keys(npm)[0] ?? '']) {
    const machine = installed(npm);
    const project = folderWith({});
    chmodSync(join(machine.path, writable), 0o777);
    // The other file is as it was, but lies below the same folder.
    const expected = writable.endsWith('.js') ? ['npm.registry.example', 'yarn.registry.example'] : [];
    assert.deepEqual(await read('NPM', join(machine.path, 'bin'), project.path), expected, writable);
    machine.remove();
    project.remove();
  }
});

test('what is opened later is looked at anew: it may contain the program', async () => {
  const machine = installed(npm);
  const project = folderWith({});
  let roots = [fileUri(project.path)];
  const environment = { PATH: join(machine.path, 'bin') };
  const registries = builtInRegistries(
    () => roots,
    () => ({ environment, platform: process.platform, home: '' }),
  );
  registries.hosts('NPM');
  await registries.readAsked();
  assert.equal(registries.hosts('NPM')?.size, 2);
  roots = [...roots, fileUri(machine.path)];
  assert.equal(registries.hosts('NPM'), undefined);
  await registries.readAsked();
  assert.equal(registries.hosts('NPM')?.size, 0);
  machine.remove();
  project.remove();
});

test('broken and huge files of a program teach nothing, and harm nothing', async () => {
  const jar = zipOf({ 'org/apache/maven/model/pom-4.0.0.xml': '<url>https://maven.registry.example</url>' });
  for (const bytes of [Buffer.alloc(0), jar.subarray(0, -10), Buffer.concat([jar.subarray(40), jar.subarray(-22)])]) {
    const machine = installed({ 'bin/mvn': '', 'lib/maven-model-builder-3.9.9.jar': bytes });
    const project = folderWith({});
    assert.deepEqual(await read('MAVEN', join(machine.path, 'bin'), project.path), []);
    machine.remove();
    project.remove();
  }
});
