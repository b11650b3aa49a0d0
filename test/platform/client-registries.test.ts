import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { System } from '../../server/src/engine/model/system.ts';
import { findClientRegistries } from '../../server/src/platform/registries/client-registries.ts';
import { zip } from '../harness/zip.ts';
import { folderWith } from '../terminal/program.ts';

/* Which registries the package managers of a machine use: what is given, its settings, what programs have built in. */

const labels = { given: '--registry', builtIn: 'its client' } as const;
const home = folderWith({
  '.npmrc':
    'registry=https://npm.acme.example/\n@scoped:registry=https://scoped.acme.example/\n//npm.acme.example/:_authToken=secret\n',
  '.config/pip/pip.conf': '[global]\nindex-url = https://anna:secret@pypi.acme.example/simple\n',
  '.cargo/config.toml':
    '[source.crates-io]\nreplace-with = "acme"\n[source.acme]\nregistry = "sparse+https://cargo.acme.example/index/"\n',
  '.m2/settings.xml':
    '<settings><mirrors><mirror><id>acme</id><mirrorOf>*</mirrorOf><url>https://maven.acme.example/all</url></mirror></mirrors></settings>',
});
const empty = folderWith({ 'nothing.txt': '' });
after(() => {
  home.remove();
  empty.remove();
});

function find(
  folder: { readonly path: string },
  more: Partial<Parameters<typeof findClientRegistries>[0]> = {},
  variables: Readonly<Record<string, string>> = { GOPROXY: 'https://go.acme.example,direct' },
) {
  const environment = { HOME: folder.path, ...variables };
  const options = { given: new Map(), withCredentials: false, labels, ...more };
  return findClientRegistries(options, { environment, platform: 'linux', home: folder.path });
}

test('the settings of a machine name its registries, and credentials are not sent unless that is chosen', async () => {
  const { found, accessOf } = await find(home);
  const addresses = new Map([...found].map(([system, it]) => [system, it?.addresses[0]]));
  assert.equal(addresses.get('NPM'), 'https://npm.acme.example');
  assert.equal(addresses.get('PYPI'), 'https://pypi.acme.example/simple');
  assert.equal(addresses.get('CARGO'), 'https://cargo.acme.example/index');
  assert.equal(addresses.get('MAVEN'), 'https://maven.acme.example/all');
  assert.equal(addresses.get('GO'), 'https://go.acme.example');
  assert.equal(found.get('NUGET'), undefined);
  const scoped = accessOf({ system: 'NPM', name: '@scoped/core' });
  assert.equal(scoped?.registries[0]?.address, 'https://scoped.acme.example');
  for (const name of ['NPM', 'PYPI'] as const)
    assert.equal(accessOf({ system: name, name: 'any' })?.registries[0]?.credential, undefined);
  const chosen = await find(home, { withCredentials: true });
  for (const name of ['NPM', 'PYPI'] as const)
    assert.ok(chosen.accessOf({ system: name, name: 'any' })?.registries[0]?.credential);
});

test('what is given comes before everything else', async () => {
  const { accessOf, found } = await find(home, { given: new Map([['NPM', 'https://given.acme.example/']]) });
  assert.deepEqual(found.get('NPM'), { addresses: ['https://given.acme.example'], from: '--registry' });
  const [registry] = accessOf({ system: 'NPM', name: '@scoped/core' })?.registries ?? [];
  assert.equal(registry?.address, 'https://given.acme.example');
});

test('without settings and programs there is no registry', async () => {
  const { found, accessOf } = await find(empty);
  assert.deepEqual(
    ['NPM', 'PYPI', 'CARGO', 'MAVEN', 'NUGET'].filter((it) => found.get(it as 'NPM') !== undefined),
    [],
  );
  assert.equal(accessOf({ system: 'NPM', name: 'any' }), undefined);
});

/** Programs of an own kind, which have an address built in: pip's own file, Go's, Maven's. */
const programs = folderWith({
  'bin/go': '',
  'src/cmd/go/alldocs.go': '// By default, the go command may download modules from https://usual.example.\n',
  'bin/pip': '',
  'lib/python3.12/site-packages/pip/_internal/models/index.py': 'PyPI = PackageIndex("https://usual.example/", "x")\n',
});
after(() => programs.remove());
const path = { PATH: `${programs.path}/bin` };

// Sources: `go help goproxy` and `go help private`; pip's documentation of --no-index and --extra-index-url.
const asked: readonly (readonly [
  string,
  Readonly<Record<string, string>>,
  System,
  string,
  readonly string[] | undefined,
])[] = [
  ['nothing', {}, 'GO', 'example.com/x', ['https://usual.example']],
  ['GOPROXY=off', { GOPROXY: 'off' }, 'GO', 'example.com/x', undefined],
  ['GOPROXY=direct', { GOPROXY: 'direct' }, 'GO', 'example.com/x', undefined],
  ['GOPRIVATE', { GOPRIVATE: '*.acme.example' }, 'GO', 'git.acme.example/x', undefined],
  ['GOPRIVATE of others', { GOPRIVATE: '*.acme.example' }, 'GO', 'example.com/x', ['https://usual.example']],
  ['no index', { PIP_NO_INDEX: '1' }, 'PYPI', 'x', undefined],
  [
    'an index besides',
    { PIP_EXTRA_INDEX_URL: 'https://pypi.acme.example/simple' },
    'PYPI',
    'x',
    ['https://pypi.acme.example/simple', 'https://usual.example/simple'],
  ],
];

// Sources: npm's, pnpm's, yarn's, uv's and pip's settings; the Cargo book, “net.offline”; Maven's settings reference; the
// environment variables of Go.
const offline: readonly (readonly [
  System,
  Readonly<Record<string, string>>,
  Readonly<Record<string, string>>,
  string?,
])[] = [
  ['NPM', { '.npmrc': 'registry=https://npm.acme.example/\noffline=true\n' }, {}, '~/.npmrc'],
  ['NPM', { '.npmrc': 'offline ; on\n' }, {}, '~/.npmrc'],
  ['NPM', { '.npmrc': 'offline=false\n#offline=true\nprefer-offline=true\n' }, {}],
  ['NPM', { '.npmrc': 'offline=true\n' }, { npm_config_offline: 'false' }],
  ['NPM', {}, { NPM_CONFIG_OFFLINE: 'true' }, 'NPM_CONFIG_OFFLINE'],
  ['NPM', { '.config/pnpm/config.yaml': 'offline: true\n' }, {}, '~/.config/pnpm/config.yaml'],
  ['NPM', { '.yarnrc.yml': 'enableNetwork: false\n' }, {}, '~/.yarnrc.yml'],
  ['NPM', { '.yarnrc.yml': 'enableNetwork: true\nenableOfflineMode: false\n' }, {}],
  ['NPM', {}, { YARN_ENABLE_NETWORK: '0' }, 'YARN_ENABLE_NETWORK'],
  ['NPM', { '.yarnrc': '--install.offline true\n' }, {}, '~/.yarnrc'],
  ['CARGO', { '.cargo/config.toml': '[net]\noffline = true\n' }, {}, '~/.cargo/config.toml'],
  ['CARGO', { '.cargo/config.toml': '[net]\noffline = true\n' }, { CARGO_NET_OFFLINE: 'false' }],
  ['CARGO', {}, { CARGO_NET_OFFLINE: 'true' }, 'CARGO_NET_OFFLINE'],
  ['MAVEN', { '.m2/settings.xml': '<settings><offline>true</offline></settings>' }, {}, '~/.m2/settings.xml'],
  ['MAVEN', { '.m2/settings.xml': '<settings><offline>false</offline></settings>' }, {}],
  ['MAVEN', {}, { MAVEN_ARGS: '-B -o' }, 'MAVEN_ARGS'],
  ['MAVEN', { '.gradle/init.gradle': 'gradle.startParameter.offline = true\n' }, {}, '~/.gradle/init.gradle'],
  ['PYPI', { '.config/pip/pip.conf': '[global]\nno-index = true\n' }, {}, '~/.config/pip/pip.conf'],
  ['PYPI', {}, { PIP_NO_INDEX: '1' }, 'PIP_NO_INDEX'],
  ['PYPI', { '.config/uv/uv.toml': 'offline = true\n' }, {}, '~/.config/uv/uv.toml'],
  ['PYPI', {}, { UV_OFFLINE: '1' }, 'UV_OFFLINE'],
  ['GO', {}, { GOFLAGS: '-v -mod=vendor' }, 'GOFLAGS'],
  ['GO', {}, { GOFLAGS: '-mod=readonly' }],
  ['GO', { '.config/go/env': 'GOFLAGS=-mod=vendor\n' }, {}, '~/.config/go/env'],
  ['GO', {}, { GOPROXY: 'off' }, 'GOPROXY'],
  ['GO', {}, { GOPROXY: 'https://go.acme.example,off' }],
];
for (const [system, files, variables, from] of offline) {
  const title = `${system} ${JSON.stringify(files)} ${JSON.stringify(variables)}`;
  test(`a client that is told to work offline is not asked for: ${title}`, async (context) => {
    const folder = folderWith({ 'nothing.txt': '', ...files });
    context.after(() => folder.remove());
    const { found, asked, accessOf } = await find(folder, {}, { ...path, ...variables });
    const named = found.get(system);
    assert.equal(named?.addresses.length === 0 ? named.from : undefined, from);
    if (from === undefined) return;
    assert.equal(accessOf({ system, name: system === 'GO' ? 'example.com/x' : 'any' }), undefined);
    assert.deepEqual(asked.get(system), []);
    // What the person gives on the command line is meant.
    const url = 'https://given.acme.example';
    const given = await find(folder, { given: new Map([[system, url]]) }, { ...path, ...variables });
    assert.deepEqual(given.found.get(system)?.addresses, [url]);
  });
}

for (const [title, variables, system, name, addresses] of asked) {
  test(`asked with ${title}: ${name}`, async () => {
    const { accessOf } = await find(empty, {}, { ...path, ...variables });
    assert.deepEqual(
      accessOf({ system, name })?.registries.map((it) => it.address),
      addresses,
    );
  });
}

/** Programs of all systems, with the same address built in. */
const others = folderWith({
  'bin/npm': '',
  'lib/node_modules/npm/node_modules/@npmcli/config/lib/definitions/definitions.js':
    "registry: new Definition('registry', {\n  default: 'https://usual.example/',\n",
  'bin/cargo': 'sparse+https://usual.example/',
  'bin/mvn': '',
  'bin/dotnet': '',
});
after(() => others.remove());
const pom = zip([['org/apache/maven/model/pom-4.0.0.xml', '<url>https://usual.example/maven2</url>']]);
const library = Buffer.from('https://usual.example/v3/index.json', 'utf16le');
for (const [name, content] of [
  ['lib/maven-model-builder-3.jar', pom],
  ['bin/sdk/10.0/NuGet.Configuration.dll', library],
] as const) {
  mkdirSync(join(others.path, name, '..'), { recursive: true });
  writeFileSync(join(others.path, name), content);
}
const usualPrograms = { PATH: `${programs.path}/bin:${others.path}/bin` };

// Sources: the Cargo book, “Source Replacement”; Maven's reference of settings, `blocked`; NuGet's reference of
// nuget.config, `packageSources`; `go help goproxy`.
const cut: readonly (readonly [
  string,
  System,
  string,
  Readonly<Record<string, string>>,
  Readonly<Record<string, string>>?,
])[] = [
  [
    'Cargo vendors its crates',
    'CARGO',
    'any',
    {
      '.cargo/config.toml':
        '[source.crates-io]\nreplace-with = "vendored-sources"\n[source.vendored-sources]\ndirectory = "vendor"\n',
    },
  ],
  [
    'Cargo has a registry in a folder',
    'CARGO',
    'any',
    {
      '.cargo/config.toml':
        '[source.crates-io]\nreplace-with = "local"\n[source.local]\nlocal-registry = "/srv/crates"\n',
    },
  ],
  [
    'Cargo is led there through another source',
    'CARGO',
    'any',
    {
      '.cargo/config.toml':
        '[source.crates-io]\nreplace-with = "a"\n[source.a]\nregistry = "sparse+https://a.example/"\nreplace-with = "b"\n[source.b]\ndirectory = "b"\n',
    },
  ],
  [
    'a mirror of Maven is blocked',
    'MAVEN',
    'any:any',
    {
      '.m2/settings.xml':
        '<settings><mirrors><mirror><id>no</id><mirrorOf>central</mirrorOf><url>https://maven.acme.example/</url><blocked>true</blocked></mirror></mirrors></settings>',
    },
  ],
  [
    'a mirror of Maven is a folder',
    'MAVEN',
    'any:any',
    {
      '.m2/settings.xml':
        '<settings><mirrors><mirror><id>no</id><mirrorOf>*</mirrorOf><url>file:///srv/maven</url></mirror></mirrors></settings>',
    },
  ],
  [
    'NuGet has a folder alone',
    'NUGET',
    'Any',
    {
      '.nuget/NuGet/NuGet.Config':
        '<configuration><packageSources><clear /><add key="local" value="/srv/nuget" /></packageSources></configuration>',
    },
  ],
  [
    'NuGet has no source',
    'NUGET',
    'Any',
    { '.nuget/NuGet/NuGet.Config': '<configuration><packageSources><clear /></packageSources></configuration>' },
  ],
  [
    'NuGet has its source switched off',
    'NUGET',
    'Any',
    {
      '.nuget/NuGet/NuGet.Config':
        '<configuration><packageSources><add key="usual" value="https://usual.example/v3/index.json" /></packageSources><disabledPackageSources><add key="usual" value="true" /></disabledPackageSources></configuration>',
    },
  ],
  ['Go has a folder', 'GO', 'example.com/x', {}, { GOPROXY: 'file:///srv/go' }],
  ['pip has a folder', 'PYPI', 'any', { '.config/pip/pip.conf': '[global]\nindex-url = file:///srv/simple\n' }],
  ['npm has no address', 'NPM', 'any', { '.npmrc': 'registry=/srv/npm\n' }],
];
for (const [title, system, name, files, variables = {}] of cut) {
  test(`no usual registry takes the place of another: ${title}`, async () => {
    const cutOff = folderWith(files);
    const { accessOf, found } = await find(cutOff, {}, { ...usualPrograms, ...variables });
    const asked = accessOf({ system, name })?.registries.filter((it) => it.refusal === undefined) ?? [];
    const before = (await find(empty, {}, usualPrograms)).accessOf({ system, name });
    cutOff.remove();
    assert.equal(before?.registries.length, 1, 'without the setting it is asked');
    assert.deepEqual(
      asked.map((it) => it.address),
      [],
    );
    assert.equal(found.get(system)?.addresses.some((it) => it.includes('usual.example')) ?? false, false);
  });
}

test('a repository of a profile is asked beside the usual one', async () => {
  const own = folderWith({
    '.m2/settings.xml':
      '<settings><profiles><profile><id>p</id><repositories><repository><id>acme</id><url>https://maven.acme.example/</url></repository></repositories></profile></profiles><activeProfiles><activeProfile>p</activeProfile></activeProfiles></settings>',
  });
  const { accessOf } = await find(own, {}, usualPrograms);
  own.remove();
  assert.deepEqual(
    accessOf({ system: 'MAVEN', name: 'any:any' })?.registries.map((it) => it.address),
    ['https://maven.acme.example', 'https://usual.example/maven2'],
  );
});

test('all addresses that may be asked are told, those of some names alone, too', async () => {
  const own = folderWith({
    '.npmrc': '@Ours:registry=https://ours.acme.example/npm\n//ours.acme.example/npm/:_authToken=npm_Secret123\n',
    '.yarnrc.yml': 'npmScopes:\n  berry:\n    npmRegistryServer: https://berry.acme.example\n',
    '.bunfig.toml': '[install.scopes]\nbuns = "https://buns.acme.example/"\n',
    '.config/pip/pip.conf': '[global]\nextra-index-url = https://extra.acme.example/simple\n',
    '.m2/settings.xml':
      '<settings><profiles><profile><id>p</id><activation><activeByDefault>true</activeByDefault></activation><pluginRepositories><pluginRepository><id>acme</id><url>https://plugins.acme.example/</url></pluginRepository></pluginRepositories></profile></profiles></settings>',
    '.nuget/NuGet/NuGet.Config':
      '<configuration><packageSources><add key="usual" value="https://nuget.acme.example/v3/index.json" /><add key="acme" value="https://mapped.acme.example/v3/index.json" /></packageSources><packageSourceMapping><packageSource key="usual"><package pattern="*" /></packageSource><packageSource key="acme"><package pattern="Acme.*" /></packageSource></packageSourceMapping></configuration>',
  });
  const { asked, accessOf } = await find(own, {}, usualPrograms);
  own.remove();
  const hosts = [...asked].flatMap(([system, all]) => all.map((it) => `${system} ${new URL(it).hostname}`));
  for (const it of [
    'NPM usual.example',
    'NPM ours.acme.example',
    'NPM berry.acme.example',
    'NPM buns.acme.example',
    'PYPI extra.acme.example',
    'PYPI usual.example',
    'MAVEN usual.example',
    'MAVEN plugins.acme.example',
    'NUGET nuget.acme.example',
    'NUGET mapped.acme.example',
    'GO usual.example',
    'CARGO usual.example',
  ])
    assert.ok(hosts.includes(it), `${it}: ${hosts.join(', ')}`);
  assert.equal(accessOf({ system: 'NPM', name: '@Ours/x' })?.registries[0]?.address, 'https://ours.acme.example/npm');
});
