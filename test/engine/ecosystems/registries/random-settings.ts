import type { AccessInputs, AccessSource } from '../../../../server/src/engine/model/registries/access.ts';
import type { RoutedPackage } from '../../../../server/src/engine/model/registry.ts';
import type { System } from '../../../../server/src/engine/model/system.ts';
import type { Random } from '../../../tools/soak/random.ts';

/** Random settings of one client, as a person and a workspace may write them. */
export interface SettingsOfClient {
  readonly client: string;
  readonly system: System;
  readonly lockfiles: readonly string[];
  readonly asked: readonly RoutedPackage[];
  /** The strongest first. */
  readonly sources: (random: Random) => readonly AccessSource[];
}

/** What the environment of these settings has. */
export const environment: Readonly<Record<string, string>> = {
  SCOPE: 'acme',
  TOKEN: 'token',
  FEED: 'https://feed.example/x',
};

export function inputsOf({ lockfiles }: SettingsOfClient, sources: readonly AccessSource[]): AccessInputs {
  const variables = new Map(sources.flatMap((it) => (it.owner === 'machine' ? [[it.label, it.text] as const] : [])));
  return { sources, variable: (name) => environment[name] ?? variables.get(name), isTrusted: true, lockfiles };
}

const hosts = ['a.example', 'b.example', 'c.example', 'd.example'] as const;

/** An address, mostly a plain one. */
function address(random: Random): string {
  const host = random.of(hosts);
  if (random.chance(0.8)) return `https://${host}${random.of(['', '/', '/team', '/team/'])}`;
  return random.of([
    `HTTPS://${host.toUpperCase()}/`,
    `http://${host}/plain`,
    `https://ci:secret@${host}/`,
    `https://${host}:8443/x`,
    `//${host}/x`,
  ]);
}

type Line = (random: Random) => string;

/** Some of the lines, in any order. */
function some(random: Random, lines: readonly Line[], most = 3): string[] {
  return Array.from({ length: random.below(most + 1) }, () => random.of(lines)(random));
}

interface Place {
  readonly label: string;
  readonly name?: string;
  readonly owner?: AccessSource['owner'];
  readonly text: (random: Random) => string;
}

/** Each of the places has a file or a variable in three of five cases. */
function at(places: readonly Place[]): SettingsOfClient['sources'] {
  return (random) => places.flatMap((it) => (random.chance(0.6) ? written(it, random) : []));
}

function written({ label, name, owner, text }: Place, random: Random): AccessSource[] {
  const read = text(random);
  const whose = owner ?? (/^[~/]|^[A-Z_]+$/.test(label) ? 'machine' : 'workspace');
  const directory = `file:///workspace/${label.replace(/[^/]*$/, '')}`;
  const source = { name: name ?? label.slice(label.lastIndexOf('/') + 1), label, text: read, owner: whose };
  return read === '' ? [] : [{ ...source, ...(whose === 'workspace' && { directory }) }];
}

const names = (...all: readonly string[]): RoutedPackage[] => all.map((name) => ({ name }));

const npmNames = names('core', '@acme/core', '@other/core', '@nobody/core');

const npmrc = (random: Random): string =>
  some(random, [
    (it) => `registry=${address(it)}`,
    (it) => `@acme:registry=${address(it)}`,
    (it) => `@other:registry = "${address(it)}"`,
    (it) => `@\${SCOPE}:registry=${address(it)}`,
    (it) => `registry=${address(it)} ; usual`,
    (it) => `  @acme:registry=${address(it)}`,
    (it) => `  //${it.of(hosts)}/${it.of(['', 'team/'])}:_authToken=${it.of(['abc', '${TOKEN}'])}`,
    (it) => `//${it.of(hosts)}/:_auth=Y2k6c2VjcmV0`,
    (it) => `//${it.of(hosts)}/:username=ci\n//${it.of(hosts)}/:_password=c2VjcmV0`,
    () => 'always-auth=true',
    () => '_authToken=abc',
    (it) => `; registry=${address(it)}`,
    () => 'registry=',
    () => `registry=\${FEED}`,
    () => '[section]',
  ]).join('\n');

const npmrcs: readonly Place[] = [
  { label: 'near/.npmrc', text: npmrc },
  { label: '.npmrc', text: npmrc },
  { label: '~/.npmrc', text: npmrc },
  { label: '/usr/etc/npmrc', name: '.npmrc', text: npmrc },
];

const npmVariables: readonly Place[] = [
  {
    label: 'npm_config_@acme:registry',
    name: '.npmrc',
    owner: 'machine',
    text: (it) => `@acme:registry=${address(it)}`,
  },
  { label: 'NPM_CONFIG_REGISTRY', text: address },
];

const pnpmWorkspace = (random: Random): string =>
  some(random, [
    (it) => `registry: ${address(it)}`,
    (it) => `registries:\n  default: ${address(it)}\n  '@acme': ${address(it)}`,
    (it) => `registries:\n  ${it.of(['', 'https:'])}//x.example/: { scopes: ['@acme', '@'] }`,
  ])
    .slice(0, 1)
    .join('\n');

const yarnrc = (random: Random): string =>
  some(random, [
    (it) => `registry "${address(it)}"`,
    (it) => `"@acme:registry" "${address(it)}"`,
    (it) => `registry: ${address(it)}`,
    (it) => `"@other:registry" ${address(it)}`,
  ]).join('\n');

const yarnrcYml = (random: Random): string =>
  [
    ...(random.chance(0.5) ? [`npmRegistryServer: "${address(random)}"`] : []),
    ...(random.chance(0.3) ? [random.of(['npmAuthToken: "${TOKEN}"', 'npmAuthIdent: ci:secret'])] : []),
    ...(random.chance(0.3) ? ['npmAlwaysAuth: true'] : []),
    ...(random.chance(0.3)
      ? [
          `npmRegistries:\n  "${random.of(['https:', ''])}//${random.of(hosts)}${random.of(['', '/'])}":\n    npmAuthToken: abc`,
        ]
      : []),
    ...(random.chance(0.5)
      ? [
          'npmScopes:',
          ...(random.chance(0.7)
            ? [`  acme:\n    npmRegistryServer: "${address(random)}"${random.of(['', '', '\n    npmAuthToken: abc'])}`]
            : ['  acme:\n    npmAlwaysAuth: true']),
          ...(random.chance(0.3) ? [`  other: { npmRegistryServer: "${address(random)}" }`] : []),
        ]
      : []),
  ].join('\n');

const bunfig = (random: Random): string =>
  [
    '[install]',
    ...some(random, [(it) => `registry = "${address(it)}"`, (it) => `registry = { url = "${address(it)}" }`], 1),
    '[install.scopes]',
    ...(random.chance(0.5)
      ? [
          `acme = ${random.of([`"${address(random)}"`, `{ url = "${address(random)}", token = "${random.of(['abc', '$TOKEN'])}" }`])}`,
        ]
      : []),
    ...(random.chance(0.3) ? [`"@other" = "${address(random)}"`] : []),
  ].join('\n');

const npmClients: readonly SettingsOfClient[] = [
  ...(
    [
      ['npm', ['package-lock.json'], at([...npmVariables, ...npmrcs])],
      [
        'pnpm',
        ['pnpm-lock.yaml'],
        at([
          ...npmVariables,
          { label: 'PNPM_CONFIG_REGISTRY', text: address },
          { label: 'near/pnpm-workspace.yaml', text: (it) => (it.chance(0.2) ? pnpmWorkspace(it) : '') },
          { label: 'pnpm-workspace.yaml', text: pnpmWorkspace },
          ...npmrcs,
          { label: '~/.config/pnpm/rc', name: '.npmrc', text: npmrc },
          { label: '~/.config/pnpm/auth.ini', name: '.npmrc', text: npmrc },
          { label: '~/.config/pnpm/config.yaml', name: 'pnpm-workspace.yaml', text: pnpmWorkspace },
        ]),
      ],
      [
        'yarn 1',
        ['yarn.lock'],
        at([
          ...npmVariables,
          { label: 'YARN_REGISTRY', text: address },
          { label: 'near/.yarnrc', text: yarnrc },
          { label: '.yarnrc', text: yarnrc },
          ...npmrcs,
          { label: '~/.yarnrc', text: yarnrc },
        ]),
      ],
      [
        'yarn',
        ['yarn.lock'],
        at([
          ...npmVariables,
          { label: 'YARN_NPM_REGISTRY_SERVER', text: address },
          { label: 'near/.yarnrc.yml', text: yarnrcYml },
          { label: '.yarnrc.yml', text: yarnrcYml },
          ...npmrcs,
          { label: '~/.yarnrc.yml', text: yarnrcYml },
        ]),
      ],
      [
        'bun',
        ['bun.lock'],
        at([
          { label: 'BUN_CONFIG_REGISTRY', text: address },
          ...npmVariables,
          { label: 'near/bunfig.toml', text: bunfig },
          { label: 'bunfig.toml', text: bunfig },
          ...npmrcs,
          { label: '~/.bunfig.toml', text: bunfig },
        ]),
      ],
      [
        'none',
        [],
        at([
          ...npmVariables,
          ...npmrcs,
          { label: '.yarnrc', text: yarnrc },
          { label: '.yarnrc.yml', text: yarnrcYml },
          { label: 'pnpm-workspace.yaml', text: pnpmWorkspace },
          { label: 'bunfig.toml', text: bunfig },
        ]),
      ],
    ] as const
  ).map(([client, lockfiles, sources]) => ({
    client,
    system: 'NPM' as const,
    lockfiles,
    asked: npmNames,
    sources,
  })),
];

const cargoConfig = (random: Random): string =>
  [
    ...(random.chance(0.5)
      ? [`[source.crates-io]\nreplace-with = "${random.of(['mirror', 'acme', 'vendored', 'gone'])}"`]
      : []),
    ...(random.chance(0.5) ? [`[source.mirror]\nregistry = "sparse+${address(random)}"`] : []),
    ...(random.chance(0.2) ? ['[source.vendored]\ndirectory = "vendor"'] : []),
    ...(random.chance(0.2) ? [`[source.acme]\nregistry = "sparse+${address(random)}"\nreplace-with = "mirror"`] : []),
    ...(random.chance(0.5)
      ? [
          `[registries.acme]\nindex = "sparse+${address(random)}"${random.of(['', '\ntoken = "abc"', '\ncredential-provider = "cargo:libsecret"'])}`,
        ]
      : []),
    ...(random.chance(0.3) ? ['[registry]\nglobal-credential-providers = ["cargo:token"]'] : []),
    ...(random.chance(0.3) ? [`[registries.my-co]\nindex = "${random.of(['sparse+', ''])}${address(random)}"`] : []),
  ].join('\n');

const cargoToml = (random: Random): string =>
  [
    '[dependencies]',
    ...(random.chance(0.5)
      ? [`core = { version = "1", registry = "${random.of(['acme', 'my-co', 'gone', 'crates-io'])}" }`]
      : []),
    ...(random.chance(0.3) ? [`other = { version = "1", registry-index = "sparse+${address(random)}" }`] : []),
    ...(random.chance(0.3) ? ['renamed = { package = "third", version = "1", registry = "acme" }'] : []),
  ].join('\n');

const cargo: SettingsOfClient = {
  client: 'cargo',
  system: 'CARGO',
  lockfiles: ['Cargo.lock'],
  asked: [...names('core', 'other', 'third', 'any'), { name: 'core', registries: ['acme'] }],
  sources: at([
    { label: 'CARGO_REGISTRIES_ACME_INDEX', text: (it) => `sparse+${address(it)}` },
    { label: 'CARGO_REGISTRIES_MY_CO_INDEX', text: (it) => `sparse+${address(it)}` },
    { label: 'Cargo.toml', text: cargoToml },
    { label: 'near/.cargo/config.toml', text: cargoConfig },
    { label: '.cargo/config.toml', text: cargoConfig },
    { label: '~/.cargo/config.toml', text: cargoConfig },
    { label: '~/.cargo/credentials.toml', text: () => '[registries.acme]\ntoken = "mine"' },
    { label: 'CARGO_REGISTRIES_MY_CO_TOKEN', text: () => 'own' },
  ]),
};

const netrc: Line = (random) =>
  `machine ${random.of(hosts)} login ci password secret\n${random.of(['', 'default login any password other'])}`;

const goProxy = (random: Random): string =>
  Array.from({ length: 1 + random.below(3) }, () =>
    random.of([address, address, address, () => 'direct', () => 'off', () => 'file:///proxy', () => ''])(random),
  ).join(random.of([',', '|', ', ']));

const goPatterns = (random: Random): string =>
  random.of(['*.acme.example', 'acme.example/team', 'other.example', 'acme.example/*,other.example/', '', '*']);

const goEnv = (random: Random): string =>
  some(random, [
    (it) => `GOPROXY=${goProxy(it)}`,
    (it) => `GOPRIVATE=${goPatterns(it)}`,
    (it) => `GONOPROXY=${goPatterns(it)}`,
    (it) => `GONOSUMDB=${goPatterns(it)}`,
  ]).join('\n');

const go: SettingsOfClient = {
  client: 'go',
  system: 'GO',
  lockfiles: ['go.sum'],
  asked: names('acme.example/team/core', 'git.acme.example/x', 'other.example/y', 'public.example/z'),
  sources: at([
    { label: 'GOPROXY', text: goProxy },
    { label: 'GOPRIVATE', text: goPatterns },
    { label: 'GONOPROXY', text: goPatterns },
    {
      label: '.vscode/settings.json',
      text: (it) =>
        it.chance(0.4)
          ? JSON.stringify({ 'go.toolsEnvVars': { GOPROXY: goProxy(it), GOPRIVATE: goPatterns(it) } })
          : '',
    },
    { label: '~/.config/go/env', text: goEnv },
    { label: '/usr/local/go/go.env', text: goEnv },
    { label: 'GOAUTH', text: (it) => it.of(['off', 'netrc', 'git /home']) },
    { label: '~/.netrc', text: netrc },
  ]),
};

/** What has no scheme is a folder. */
const feed: Line = (random) => `${address(random).replace(/^\/\//, 'https://')}/index.json`;

const nugetConfig = (random: Random): string => {
  const keys = ['acme', 'Other', 'third'] as const;
  const key = (): string => random.of(keys);
  const sources = Array.from({ length: random.below(4) }, () =>
    random.of([
      () => '<clear />',
      () => `<remove key="${key()}" />`,
      () => `<add key="${key()}" value="${feed(random)}" />`,
      () => `<add key="${key()}" value="${feed(random)}" protocolVersion="3" />`,
      () => `<add key="${key()}" value="./packages" />`,
      () => `<add key="${key()}" value="%FEED%/index.json" />`,
    ])(),
  );
  const mapping = Array.from({ length: random.below(3) }, () =>
    random.of([
      () => '<clear />',
      () =>
        `<packageSource key="${key()}"><package pattern="${random.of(['Acme.*', 'Acme.Core', '*', 'Acme.C*'])}" /></packageSource>`,
    ])(),
  );
  const login = random.of([
    '<add key="ClearTextPassword" value="secret" />',
    '<add key="ClearTextPassword" value="%TOKEN%" />',
    '<add key="Password" value="AQ" />',
  ]);
  return `<configuration>
${random.chance(0.4) ? `<packageSourceCredentials><${key()}><add key="Username" value="ci" />${login}</${key()}></packageSourceCredentials>` : ''}
${random.chance(0.8) ? `<packageSources>${sources.join('')}</packageSources>` : ''}
${random.chance(0.3) ? `<disabledPackageSources><add key="${key()}" value="true" /></disabledPackageSources>` : ''}
${random.chance(0.3) ? `<packageSourceMapping>${mapping.join('')}</packageSourceMapping>` : ''}
</configuration>`;
};

const nuget: SettingsOfClient = {
  client: 'nuget',
  system: 'NUGET',
  lockfiles: ['packages.lock.json'],
  asked: names('Acme.Core', 'acme.other', 'Third'),
  sources: at([
    {
      label: 'app/app.csproj',
      text: (it) =>
        it.chance(0.4)
          ? `<Project><PropertyGroup><RestoreSources>${it.of([address(it), '$(Feed)', `${address(it)};${address(it)}`, './packages'])}</RestoreSources></PropertyGroup></Project>`
          : '',
    },
    { label: 'near/nuget.config', text: nugetConfig },
    { label: 'nuget.config', text: nugetConfig },
    { label: '~/.nuget/NuGet/NuGet.Config', text: nugetConfig },
    { label: 'NuGetPackageSourceCredentials_acme', owner: 'machine', text: () => 'Username=ci;Password=own' },
  ]),
};

const policy = (random: Random): string =>
  random.chance(0.7)
    ? ''
    : random.of(['<releases><enabled>false</enabled></releases>', '<snapshots><enabled>false</enabled></snapshots>']);

const repository = (random: Random, item = 'repository'): string =>
  `<${item}><id>${random.of(['acme', 'other', 'central', 'third'])}</id><url>${random.chance(0.1) ? `\${feed}` : address(random)}</url>${policy(random)}</${item}>`;

const repositories = (random: Random): string =>
  [
    `<repositories>${Array.from({ length: random.below(3) }, () => repository(random)).join('')}</repositories>`,
    random.chance(0.3) ? `<pluginRepositories>${repository(random, 'pluginRepository')}</pluginRepositories>` : '',
  ].join('');

const profile = (random: Random, id: string): string =>
  `<profile><id>${id}</id>${random.chance(0.5) ? '<activation><activeByDefault>true</activeByDefault></activation>' : ''}${repositories(random)}</profile>`;

const server = (random: Random): string =>
  `<server><id>${random.of(['acme', 'm', 'central'])}</id><username>ci</username><password>${random.of(['secret', '${env.TOKEN}', '{AQ}'])}</password></server>`;

const settingsXml = (random: Random): string =>
  `<settings>
${random.chance(0.5) ? `<servers>${server(random)}${server(random)}</servers>` : ''}
${random.chance(0.5) ? `<mirrors><mirror><id>${random.of(['m', 'n'])}</id><mirrorOf>${random.of(['*', 'central', 'external:*', '*,!acme', 'acme,other', 'external:http:*'])}</mirrorOf><url>${address(random)}</url></mirror></mirrors>` : ''}
${random.chance(0.6) ? `<profiles>${profile(random, 'one')}${random.chance(0.3) ? profile(random, 'two') : ''}</profiles>` : ''}
${random.chance(0.6) ? '<activeProfiles><activeProfile>one</activeProfile></activeProfiles>' : ''}
</settings>`;

const pom = (random: Random): string =>
  `<project>${random.chance(0.3) ? '<properties><feed>https://feed.example/x</feed></properties>' : ''}${repositories(random)}${random.chance(0.3) ? `<profiles>${profile(random, 'p')}</profiles>` : ''}</project>`;

const maven: SettingsOfClient = {
  client: 'maven',
  system: 'MAVEN',
  lockfiles: [],
  asked: [
    ...names('com.acme:core', 'com.acme:acme-maven-plugin'),
    { name: 'com.acme:core', role: 'library', version: '1.0' },
    { name: 'com.acme:core', role: 'library', version: '1.0-SNAPSHOT' },
    { name: 'com.acme:core', role: 'plugin', version: '1.0' },
  ],
  sources: at([
    { label: 'pom.xml', text: pom },
    { label: '../pom.xml', text: pom },
    { label: '.mvn/settings.xml', text: (it) => (it.chance(0.3) ? settingsXml(it) : '') },
    { label: '~/.m2/settings.xml', text: settingsXml },
    { label: '/opt/maven/conf/settings.xml', text: settingsXml },
  ]),
};

const gradleRepository = (random: Random): string =>
  random.of([
    () => `maven { url '${address(random)}' }`,
    () => `maven { name 'acme'; url '${address(random)}'; credentials(PasswordCredentials) }`,
    () =>
      `maven { url '${address(random)}'; credentials { username 'ci'; password ${random.of(["'secret'", 'System.getenv("TOKEN")'])} } }`,
    () => `maven { url = uri("${address(random)}"); content { includeGroup "com.acme" } }`,
    () => `maven { url '${address(random)}'; content { excludeGroup 'com.acme' } }`,
    () => `maven { url '${address(random)}'; mavenContent { releasesOnly() } }`,
    () => 'mavenCentral()',
    () =>
      `exclusiveContent { forRepository { maven { url '${address(random)}' } } filter { includeGroup 'com.acme' } }`,
    () => 'maven { url "$feed/x" }',
    () => 'maven { url = uri("libs") }',
  ])();

const gradleRepositories = (random: Random): string =>
  `repositories {\n${Array.from({ length: random.below(3) }, () => gradleRepository(random)).join('\n')}\n}`;

const gradle: SettingsOfClient = {
  client: 'gradle',
  system: 'MAVEN',
  lockfiles: ['gradle.lockfile'],
  asked: [
    ...names('com.acme:core', 'org.other:core', 'com.acme.plugin:com.acme.plugin.gradle.plugin'),
    { name: 'com.acme:core', role: 'library', version: '1.0' },
    { name: 'com.acme:core', role: 'library', version: '1.0-SNAPSHOT' },
  ],
  sources: at([
    { label: 'gradle.properties', text: () => 'feed=https://feed.example' },
    { label: '~/.gradle/gradle.properties', text: () => 'acmeUsername=ci\nacmePassword=own' },
    { label: 'app/build.gradle', text: gradleRepositories },
    {
      label: 'build.gradle',
      text: (it) => it.of([`allprojects { ${gradleRepositories(it)} }`, gradleRepositories(it)]),
    },
    {
      label: 'settings.gradle',
      text: (it) =>
        it.of([
          `dependencyResolutionManagement { ${it.chance(0.3) ? 'repositoriesMode.set(RepositoriesMode.PREFER_SETTINGS)\n' : ''}${gradleRepositories(it)} }`,
          `pluginManagement { ${gradleRepositories(it)} }`,
        ]),
    },
    { label: '~/.gradle/init.gradle', text: (it) => `allprojects { ${gradleRepositories(it)} }` },
  ]),
};

const pythonNames = names('core', 'acme-core', 'other');

const pipConf = (random: Random): string =>
  `[${random.of(['global', 'global', 'install'])}]\n${some(random, [
    (it) => `index-url = ${address(it)}`,
    (it) => `extra-index-url = ${address(it)}`,
    (it) => `extra-index-url =\n    ${address(it)}\n    ${address(it)}`,
    (it) => `index_url: ${address(it)}`,
    (it) => `no-index = ${it.of(['true', 'false'])}`,
    (it) => `[install]\nindex-url = ${address(it)}`,
  ]).join('\n')}`;

const requirements = (random: Random): string =>
  [
    ...some(
      random,
      [
        (it) => `-i ${address(it)}`,
        (it) => `--index-url=${address(it)}`,
        (it) => `--extra-index-url ${address(it)}`,
        (it) => `--index-url ${address(it)} --extra-index-url ${address(it)}`,
        () => '--no-index',
        (it) => `# -i ${address(it)}`,
      ],
      2,
    ),
    'core==1.0',
  ].join('\n');

const uvIndex = (random: Random, name: string, table: string): string =>
  `[[${table}index]]\n${random.chance(0.8) ? `name = "${name}"\n` : ''}url = "${address(random)}"\n${random.of(['', '', 'explicit = true', 'default = true', 'format = "flat"'])}`;

const uvToml = (random: Random): string =>
  [
    ...(random.chance(0.3) ? [`index-url = "${address(random)}"`] : []),
    ...(random.chance(0.3) ? [`extra-index-url = ["${address(random)}"]`] : []),
    ...(random.chance(0.1) ? ['no-index = true'] : []),
    ...(random.chance(0.5) ? [uvIndex(random, 'acme', '')] : []),
    ...(random.chance(0.3) ? [uvIndex(random, 'other', '')] : []),
  ].join('\n');

const uvProject = (random: Random): string =>
  [
    '[project]\nname = "x"\n[tool.uv]',
    ...(random.chance(0.2) ? [`index-url = "${address(random)}"`] : []),
    ...(random.chance(0.5) ? [uvIndex(random, 'acme', 'tool.uv.')] : []),
    ...(random.chance(0.3) ? [uvIndex(random, 'other', 'tool.uv.')] : []),
    ...(random.chance(0.5)
      ? [`[tool.uv.sources]\nacme-core = { index = "${random.of(['acme', 'Other', 'gone'])}" }`]
      : []),
  ].join('\n');

const poetryProject = (random: Random): string =>
  [
    `[tool.poetry.dependencies]\ncore = "1.0"\nacme-core = ${random.of(['"1.0"', '{ version = "1.0", source = "acme" }', '{ version = "1.0", source = "Gone" }'])}`,
    ...Array.from(
      { length: random.below(3) },
      (_, position) =>
        `[[tool.poetry.source]]\nname = "${['acme', 'other'][position]}"\nurl = "${address(random)}"\n${random.of(['', 'priority = "primary"', 'priority = "supplemental"', 'priority = "explicit"'])}`,
    ),
  ].join('\n');

const pdmProject = (random: Random): string =>
  [
    '[tool.pdm]',
    ...Array.from(
      { length: random.below(3) },
      (_, position) =>
        `[[tool.pdm.source]]\nname = "${['pypi', 'acme', 'other'][random.below(3)] ?? position}"\nurl = "${address(random)}"\n${random.of(['', '', 'include_packages = ["acme-*"]', 'exclude_packages = ["acme-*"]', 'type = "find_links"'])}`,
    ),
  ].join('\n');

const pdmToml = (random: Random): string =>
  [
    '[pypi]',
    ...(random.chance(0.5) ? [`url = "${address(random)}"`] : []),
    ...(random.chance(0.2) ? ['ignore_stored_index = true'] : []),
    ...(random.chance(0.5) ? [`[pypi.acme]\nurl = "${address(random)}"\nusername = "ci"\npassword = "own"`] : []),
  ].join('\n');

const pipfile = (random: Random): string =>
  [
    ...Array.from(
      { length: random.below(3) },
      (_, position) => `[[source]]\nname = "${['acme', 'other'][position]}"\nurl = "${address(random)}"`,
    ),
    `[packages]\ncore = "*"\nacme-core = ${random.of(['"*"', '{ version = "*", index = "acme" }', '{ version = "*", index = "gone" }'])}`,
  ].join('\n');

const pythonClients: readonly SettingsOfClient[] = (
  [
    [
      'pip',
      [],
      at([
        { label: 'PIP_INDEX_URL', text: address },
        { label: 'PIP_EXTRA_INDEX_URL', text: (it) => `${address(it)} ${address(it)}` },
        { label: 'requirements.txt', text: requirements },
        { label: '.venv/pip.conf', text: pipConf },
        { label: '~/.config/pip/pip.conf', text: pipConf },
        { label: '/etc/pip.conf', text: pipConf },
        { label: '~/.netrc', text: netrc },
      ]),
    ],
    [
      'uv',
      ['uv.lock'],
      at([
        { label: 'UV_INDEX', text: (it) => it.of([address(it), `acme=${address(it)}`]) },
        { label: 'UV_DEFAULT_INDEX', text: address },
        { label: 'near/pyproject.toml', text: uvProject },
        { label: 'uv.toml', text: (it) => (it.chance(0.3) ? uvToml(it) : '') },
        {
          label: 'pyproject.toml',
          text: (it) => `${uvProject(it)}${it.chance(0.3) ? '\n[tool.uv.workspace]\nmembers = ["near"]' : ''}`,
        },
        { label: '~/.config/uv/uv.toml', text: uvToml },
        { label: 'UV_INDEX_ACME_PASSWORD', text: () => 'own' },
        { label: '~/.netrc', text: netrc },
      ]),
    ],
    [
      'poetry',
      ['poetry.lock'],
      at([
        { label: 'pyproject.toml', text: poetryProject },
        { label: '~/.config/pypoetry/auth.toml', text: () => '[http-basic.acme]\nusername = "ci"\npassword = "own"' },
        {
          label: '~/.config/pypoetry/config.toml',
          name: 'poetry.toml',
          text: (it) => `[repositories.acme]\nurl = "${address(it)}"`,
        },
        { label: '~/.netrc', text: netrc },
      ]),
    ],
    [
      'pdm',
      ['pdm.lock'],
      at([
        { label: 'PDM_PYPI_URL', text: address },
        { label: 'pyproject.toml', text: pdmProject },
        { label: 'pdm.toml', text: pdmToml },
        { label: '~/.config/pdm/config.toml', name: 'pdm.toml', text: pdmToml },
      ]),
    ],
    [
      'pipenv',
      ['Pipfile.lock'],
      at([
        { label: 'PIPENV_PYPI_MIRROR', text: address },
        { label: 'Pipfile', text: pipfile },
      ]),
    ],
  ] as const
).map(([client, lockfiles, sources]) => ({ client, system: 'PYPI', lockfiles, asked: pythonNames, sources }));

export const settingsOfClients: readonly SettingsOfClient[] = [
  ...npmClients,
  cargo,
  go,
  nuget,
  maven,
  gradle,
  ...pythonClients,
];
