/** One way to configure a private registry, and what may be sent because of it. */
export interface Shape {
  readonly title: string;
  /** The file that is opened first. Names of private packages contain `secret`. */
  readonly files: Readonly<Record<string, string>>;
  /**
   * Each request that must arrive, and no other: its host, and the credential it carries. The same host once, however
   * often it is asked.
   */
  readonly asked: readonly string[];
  /** Its registries are those of files of the workspace; as a file beside `package.json` says anyway. */
  readonly isOfWorkspace?: true;
  /** A part of the hover of the private package. */
  readonly hover: string;
}

const npm = (name: string): string => `{ "dependencies": { "${name}": "1.0.0" } }`;
const scope = (name: string, address: string): string => `${name}:registry=${address}\n`;

const provider = 'credential-provider = "cargo:token"\n';
const registry = (name: string, host: string, more = ''): string =>
  `[registries.${name}]\nindex = "sparse+https://${host}/index/"\n${more}`;

/** Files of the person. Shapes share them, so each shape has its own hosts and scopes. */
export const home: Readonly<Record<string, string>> = {
  '.npmrc': [
    scope('@secret-home', 'https://home.acme.example/'),
    '//home.acme.example/:_authToken=token-of-home\n',
    scope('@secret-basic', 'https://basic.acme.example/npm/'),
    `//basic.acme.example/npm/:_auth=${Buffer.from('me:word').toString('base64')}\n`,
    '//ws.acme.example/:_authToken=token-of-ws\n',
    scope('@secret-port', 'https://port.acme.example:8443/'),
    '//port.acme.example:8443/:_authToken=token-of-port\n',
    '//port.acme.example/:_authToken=token-of-other-port\n',
    scope('@secret-variable', 'https://variable.acme.example/'),
    '//variable.acme.example/:_authToken=${SECRET_TOKEN}\n',
    scope('@secret-moved', 'https://moved.acme.example/'),
    '//moved.acme.example/:_authToken=token-of-moved\n',
    '//elsewhere.acme.example/:_authToken=token-of-elsewhere\n',
    scope('@secret-down', 'https://down.acme.example/'),
    '//down.acme.example/:_authToken=token-of-down\n',
    scope('@secret-inside', 'https://inside.acme.example/'),
    '//inside.acme.example/:_authToken=token-of-inside\n',
    scope('@secret-circle', 'https://circle.acme.example/'),
    scope('@secret-denied', 'https://denied.acme.example/'),
    '//denied.acme.example/:_authToken=token-of-denied\n',
    scope('@secret-plain', 'http://plain.acme.example/'),
    '//plain.acme.example/:_authToken=token-of-plain\n',
    scope('@secret-open', 'http://open.acme.example/'),
    scope('@secret-user', 'https://me:word@user.acme.example/'),
  ].join(''),
  '.netrc': [
    'machine pypi.acme.example login me password of-pypi',
    'machine denied-pypi.acme.example login me password of-denied',
    'machine moved-pypi.acme.example login me password of-moved',
    'machine go.acme.example login me password of-go',
    'machine second-go.acme.example login me password of-second',
  ].join('\n'),
  '.m2/settings.xml': `<settings><servers><server><id>acme</id><username>me</username><password>of-maven</password></server>
    <server><id>team</id><username>me</username><password>of-team</password></server>
    </servers><profiles><profile><id>own</id><repositories><repository><id>acme</id><url>https://maven.acme.example/m2</url>
    </repository></repositories></profile></profiles><activeProfiles><activeProfile>own</activeProfile></activeProfiles></settings>`,
  '.cargo/credentials.toml': ['acme', 'unset', 'denied', 'moved']
    .map((it) => `[registries.${it}]\ntoken = "token-of-${it}"\n`)
    .join(''),
  '.cargo/config.toml': [
    registry('acme', 'cargo.acme.example', provider),
    registry('unset', 'unset-cargo.acme.example'),
    registry('second', 'second-cargo.acme.example', provider),
    registry('denied', 'denied-cargo.acme.example', provider),
    registry('moved', 'moved-cargo.acme.example', provider),
  ].join(''),
  '.nuget/NuGet/NuGet.Config': `<configuration><packageSources><add key="acme" value="https://nuget.acme.example/v3/index.json" />
    </packageSources><packageSourceCredentials><acme><add key="Username" value="me" /><add key="ClearTextPassword" value="of-nuget" />
    </acme></packageSourceCredentials></configuration>`,
};

/** The variables of the person. */
export const variables: Readonly<Record<string, string>> = {
  SECRET_TOKEN: 'token-of-variable',
  GOPROXY: 'https://go.acme.example,https://second-go.acme.example|https://third-go.acme.example',
  GONOPROXY: 'direct.example',
  CARGO_REGISTRIES_SECOND_TOKEN: 'token-of-second',
};

const basic = (password: string): string => `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;
const cargo = (name: string, more: string): string =>
  `[package]\nname = "own"\nversion = "1.0.0"\n[dependencies]\n${name} = { version = "1.0.0", ${more} }\n`;
const pom = (repository: string): string => `<project><modelVersion>4.0.0</modelVersion><groupId>own</groupId>
  <artifactId>own</artifactId><version>1</version><repositories>${repository}</repositories><dependencies><dependency>
  <groupId>com.acme</groupId><artifactId>secret</artifactId><version>1.0</version></dependency></dependencies></project>`;
const csproj =
  '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="Acme.secret" Version="1.0.0" /></ItemGroup></Project>';

const module = (name: string): string => `module own.example/a\n\ngo 1.22\n\nrequire ${name} v1.0.0\n`;
const uv = (name: string, ...indexes: readonly string[]): string =>
  `[project]\nname = "own"\ndependencies = ["${name}==1.0"]\n${indexes.map((it) => `[[tool.uv.index]]\n${it}\n`).join('')}`;
const poetry = (name: string, ...hosts: readonly string[]): string =>
  `[tool.poetry.dependencies]\n${name} = "1.0"\n${hosts.map((it) => `[[tool.poetry.source]]\nname = "${it.replace(/\W/g, '-')}"\nurl = "https://${it}.acme.example/simple/"\n`).join('')}`;

const others: readonly Shape[] = [
  {
    isOfWorkspace: true,
    title: 'pip, an index of the workspace with a password in .netrc',
    files: { 'requirements.txt': '--index-url https://pypi.acme.example/simple/\nsecret-lib==1.0\n' },
    asked: [`pypi.acme.example ${basic('of-pypi')}`],
    hover: 'From pypi.acme.example',
  },
  {
    isOfWorkspace: true,
    title: 'pip, an extra index of the workspace',
    files: { 'requirements.txt': '--extra-index-url https://extra.acme.example/simple/\nsecret-lib==1.0\n' },
    asked: ['extra.acme.example'],
    hover: 'From extra.acme.example',
  },
  {
    isOfWorkspace: true,
    title: 'pip, a variable in the address',
    files: { 'requirements.txt': '--index-url https://${SECRET_TOKEN}@theft.example/simple/\nsecret-lib==1.0\n' },
    asked: [],
    hover: 'Not looked up',
  },
  {
    title: 'Maven, a repository of the person with a password',
    files: { 'pom.xml': pom('') },
    asked: [`maven.acme.example ${basic('of-maven')}`],
    hover: 'maven.acme.example',
  },
  {
    isOfWorkspace: true,
    title: 'Cargo, a registry of the workspace that takes the name of one with a token',
    files: {
      'Cargo.toml': cargo('secret-crate', 'registry = "acme"'),
      '.cargo/config.toml': '[registries.acme]\nindex = "sparse+https://theft.example/index/"\n',
    },
    asked: [],
    hover: '~/.cargo/credentials.toml',
  },
  {
    title: 'NuGet, a source of the person with a password',
    files: { 'own.csproj': csproj },
    asked: [`nuget.acme.example ${basic('of-nuget')}`],
    hover: 'From nuget.acme.example',
  },
  {
    isOfWorkspace: true,
    title: 'NuGet, a source of the workspace that takes the name of one with a password',
    files: {
      'own.csproj': csproj,
      'nuget.config':
        '<configuration><packageSources><clear /><add key="acme" value="https://theft.example/v3/index.json" /></packageSources></configuration>',
    },
    asked: [],
    hover: 'Not looked up',
  },
  {
    isOfWorkspace: true,
    title: 'pip, a password that the index does not accept',
    files: {
      'requirements.txt': '--index-url https://denied-pypi.acme.example/simple/\nsecret-lib==1.0\nsecret-more==1.0\n',
    },
    asked: [`denied-pypi.acme.example ${basic('of-denied')}`],
    hover: 'denied-pypi.acme.example does not accept the credential in ~/.netrc',
  },
  {
    isOfWorkspace: true,
    title: 'pip, a redirect to another host',
    files: { 'requirements.txt': '--index-url https://moved-pypi.acme.example/simple/\nsecret-lib==1.0\n' },
    asked: ['elsewhere.acme.example', `moved-pypi.acme.example ${basic('of-moved')}`],
    hover: 'From moved-pypi.acme.example',
  },
  {
    isOfWorkspace: true,
    title: 'uv, the second index where the first one does not have the package',
    files: {
      'pyproject.toml': uv(
        'secret-lib',
        'url = "https://none-uv.acme.example/simple/"',
        'url = "https://pypi.acme.example/simple/"',
        'url = "https://never-uv.acme.example/simple/"',
      ),
    },
    asked: ['none-uv.acme.example', `pypi.acme.example ${basic('of-pypi')}`],
    hover: 'License unknown',
  },
  {
    isOfWorkspace: true,
    title: 'uv, a variable in the address of an index',
    files: { 'pyproject.toml': uv('secret-uv', 'url = "https://me:${SECRET_TOKEN}@theft.example/simple/"') },
    asked: [],
    hover: 'SECRET_TOKEN',
  },
  {
    isOfWorkspace: true,
    title: 'Poetry, two sources whose versions are joined',
    files: { 'pyproject.toml': poetry('secret-lib', 'none-poetry', 'open-poetry') },
    asked: ['none-poetry.acme.example', 'open-poetry.acme.example'],
    hover: 'License unknown',
  },
  {
    isOfWorkspace: true,
    title: 'Poetry, a source with a password in its address',
    files: { 'pyproject.toml': poetry('secret-lib', 'me:of-poetry@login-poetry') },
    asked: [`login-poetry.acme.example ${basic('of-poetry')}`],
    hover: 'From login-poetry.acme.example (pyproject.toml)',
  },
  {
    title: 'Cargo, a registry of the person that requires the token of its login',
    files: { 'Cargo.toml': cargo('secret-crate', 'registry = "acme"') },
    asked: ['cargo.acme.example token-of-acme'],
    hover: '1.1.0',
  },
  {
    title: 'Cargo, no token where no provider is set, as with Cargo itself',
    files: { 'Cargo.toml': cargo('secret-crate', 'registry = "unset"') },
    asked: ['unset-cargo.acme.example'],
    hover: 'unset-cargo.acme.example requires a credential, and none was found for it',
  },
  {
    title: 'Cargo, a token in a variable',
    files: { 'Cargo.toml': cargo('secret-crate', 'registry = "second"') },
    asked: ['second-cargo.acme.example token-of-second'],
    hover: '1.1.0',
  },
  {
    title: 'Cargo, a token that the registry does not accept',
    files: {
      'Cargo.toml': `${cargo('secret-crate', 'registry = "denied"')}secret-more = { version = "1", registry = "denied" }\n`,
    },
    asked: ['denied-cargo.acme.example token-of-denied'],
    hover: 'denied-cargo.acme.example does not accept the credential in ~/.cargo/credentials.toml',
  },
  {
    title: 'Cargo, a redirect to another host',
    files: { 'Cargo.toml': cargo('secret-crate', 'registry = "moved"') },
    asked: ['elsewhere.acme.example', 'moved-cargo.acme.example token-of-moved'],
    hover: '1.1.0',
  },
  {
    title: 'Cargo, two registries of one name',
    files: {
      'Cargo.toml': `${cargo('secret-crate', 'registry = "acme"')}[build-dependencies]\nsecret-crate = { version = "1", registry = "second" }\n`,
    },
    asked: ['cargo.acme.example token-of-acme', 'second-cargo.acme.example token-of-second'],
    hover: '1.1.0',
  },
  {
    isOfWorkspace: true,
    title: 'Cargo, a registry of the workspace in place of the usual one',
    files: {
      'Cargo.toml': cargo('secret-crate', 'optional = false'),
      '.cargo/config.toml': `[source.crates-io]\nreplace-with = "mirror"\n[source.mirror]\nregistry = "sparse+https://open-cargo.acme.example/index/"\n`,
    },
    asked: ['open-cargo.acme.example'],
    hover: '1.1.0',
  },
  {
    title: 'Go, a proxy of the person with a password in .netrc',
    files: { 'go.mod': module('acme.example/secret') },
    asked: [`go.acme.example ${basic('of-go')}`],
    hover: 'published 2026-01-01',
  },
  {
    title: 'Go, the second proxy where the first one does not have the module',
    files: { 'go.mod': module('acme.example/secret-second') },
    asked: [`go.acme.example ${basic('of-go')}`, `second-go.acme.example ${basic('of-second')}`],
    hover: 'published 2026-01-01',
  },
  {
    title: 'Go, no further proxy after a failure of the first one',
    files: { 'go.mod': module('acme.example/secret-refused') },
    asked: [`go.acme.example ${basic('of-go')}`],
    hover: 'go.acme.example: HTTP 400',
  },
  {
    title: 'Go, the third proxy after a failure of the second one, which has |',
    files: { 'go.mod': module('acme.example/secret-third') },
    asked: [
      `go.acme.example ${basic('of-go')}`,
      `second-go.acme.example ${basic('of-second')}`,
      'third-go.acme.example',
    ],
    hover: 'published 2026-01-01',
  },
  {
    title: 'Go, a module that is fetched without a proxy',
    files: { 'go.mod': module('direct.example/secret') },
    asked: [],
    hover: 'Not looked up',
  },
];

export const shapes: readonly Shape[] = [
  {
    title: 'a scope of the person, with a token',
    files: { 'package.json': npm('@secret-home/a') },
    asked: ['home.acme.example Bearer token-of-home'],
    hover: 'From home.acme.example (~/.npmrc)',
  },
  {
    title: 'a scope of the person, with user and password',
    files: { 'package.json': npm('@secret-basic/a') },
    asked: [`basic.acme.example Basic ${Buffer.from('me:word').toString('base64')}`],
    hover: 'From basic.acme.example (~/.npmrc)',
  },
  {
    title: 'a registry of the workspace, with a token of the person',
    files: { 'package.json': npm('@secret-ws/a'), '.npmrc': scope('@secret-ws', 'https://ws.acme.example/') },
    asked: ['ws.acme.example Bearer token-of-ws'],
    hover: 'From ws.acme.example (.npmrc)',
  },
  {
    title: 'a registry of the workspace without any token',
    files: { 'package.json': npm('@secret-bare/a'), '.npmrc': scope('@secret-bare', 'https://bare.acme.example/') },
    asked: ['bare.acme.example'],
    hover: 'From bare.acme.example (.npmrc)',
  },
  {
    title: 'a port, whose token is not that of the host',
    files: { 'package.json': npm('@secret-port/a') },
    asked: ['port.acme.example:8443 Bearer token-of-port'],
    hover: 'From port.acme.example:8443 (~/.npmrc)',
  },
  {
    title: 'a token in a variable that the person names',
    files: { 'package.json': npm('@secret-variable/a') },
    asked: ['variable.acme.example Bearer token-of-variable'],
    hover: 'From variable.acme.example (~/.npmrc)',
  },
  {
    title: 'a token in a variable that the workspace names',
    files: {
      'package.json': npm('@secret-theft/a'),
      '.npmrc': `${scope('@secret-theft', 'https://theft.example/')}//theft.example/:_authToken=\${SECRET_TOKEN}\n`,
    },
    asked: [],
    hover: 'environment variable',
  },
  {
    title: 'a variable in an address of the workspace',
    files: {
      'package.json': npm('@secret-dns/a'),
      '.npmrc': scope('@secret-dns', 'https://${SECRET_TOKEN}.theft.example/'),
    },
    asked: [],
    hover: 'Not looked up',
  },
  {
    title: 'a host that looks like the one of a token',
    files: {
      'package.json': npm('@secret-typo/a'),
      '.npmrc': scope('@secret-typo', 'https://horne.acme.example/'),
    },
    asked: ['horne.acme.example'],
    hover: 'From horne.acme.example (.npmrc)',
  },
  {
    title: 'a scope of the person that the workspace sends elsewhere',
    files: {
      'package.json': npm('@secret-home/b'),
      '.npmrc': scope('@secret-home', 'https://taken.example/'),
    },
    asked: ['taken.example'],
    hover: 'From taken.example (.npmrc)',
  },
  {
    title: 'a redirect to another host, which has a token of its own',
    files: { 'package.json': npm('@secret-moved/a') },
    asked: ['elsewhere.acme.example', 'moved.acme.example Bearer token-of-moved'],
    hover: 'License MIT',
  },
  {
    title: 'a redirect from https to http',
    files: { 'package.json': npm('@secret-down/a') },
    asked: ['down.acme.example Bearer token-of-down'],
    hover: 'it redirects from https to http',
  },
  {
    title: 'a redirect to a metadata service',
    files: { 'package.json': npm('@secret-inside/a') },
    asked: ['inside.acme.example Bearer token-of-inside'],
    hover: '169.254.169.254',
  },
  {
    title: 'redirects in a circle',
    files: { 'package.json': npm('@secret-circle/a') },
    asked: ['circle.acme.example'],
    hover: 'it redirects more than 5 times',
  },
  {
    title: 'a token that the registry does not accept',
    files: { 'package.json': '{ "dependencies": { "@secret-denied/a": "1.0.0", "@secret-denied/b": "1.0.0" } }' },
    asked: ['denied.acme.example Bearer token-of-denied'],
    hover: 'denied.acme.example does not accept the credential in ~/.npmrc',
  },
  {
    title: 'a token that would be sent over plain http',
    files: { 'package.json': npm('@secret-plain/a') },
    asked: [],
    hover: 'without encryption',
  },
  {
    title: 'a registry over plain http that needs no token',
    files: { 'package.json': npm('@secret-open/a') },
    asked: ['open.acme.example'],
    hover: 'From open.acme.example (~/.npmrc)',
  },
  ...others,
  ...[
    'http://169.254.169.254/latest/',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal/',
    'http://127.0.0.1:9/',
    'http://0x7f000001:9/',
    'http://2130706433:9/',
    'http://[::ffff:127.0.0.1]:9/',
    'http://localhost:9/',
    'https://metadata.google.internal./',
  ].map(
    (address, at): Shape => ({
      title: `an inner address that the workspace names: ${address}`,
      files: { 'package.json': npm(`@secret-inner${at}/a`), '.npmrc': scope(`@secret-inner${at}`, address) },
      asked: [],
      hover: 'Not looked up',
    }),
  ),
];
