/** The lines of an `.npmrc` that name a scope's registry. */
export const scope = (name: string, address: string): string => `${name}:registry=${address}\n`;

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
    '//paths.acme.example/team/:_authToken=token-of-paths\n',
    '//pnpm.acme.example/:_authToken=token-of-pnpm\n',
    '//yarn1.acme.example/:_authToken=token-of-yarn1\n',
    '_authToken=token-of-everything\n',
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
  '.yarnrc.yml': 'npmScopes:\n  secret-kept:\n    npmAuthToken: token-of-kept\n',
  '.gradle/gradle.properties': 'keptUsername=me\nkeptPassword=of-kept\n',
  '.config/pypoetry/auth.toml': '[http-basic.kept]\nusername = "me"\npassword = "of-kept"\n',
  '.netrc': [
    'machine pypi.acme.example login me password of-pypi',
    'machine denied-pypi.acme.example login me password of-denied',
    'machine moved-pypi.acme.example login me password of-moved',
    'machine go.acme.example login me password of-go',
    'machine second-go.acme.example login me password of-second',
  ].join('\n'),
  '.m2/settings.xml': `<settings><servers><server><id>acme</id><username>me</username><password>of-maven</password></server>
    <server><id>team</id><username>me</username><password>of-team</password></server>
    <server><id>mirror</id><username>me</username><password>of-mirror</password></server></servers>
    <mirrors><mirror><id>mirror</id><url>https://mirror.acme.example/m2</url><mirrorOf>mirrored</mirrorOf></mirror></mirrors><profiles><profile><id>own</id><repositories><repository><id>acme</id><url>https://maven.acme.example/m2</url>
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
  UV_INDEX_KEPT_PASSWORD: 'of-kept',
  CARGO_REGISTRIES_SECOND_TOKEN: 'token-of-second',
};

/** The header that `.netrc` and the like lead to. */
export const basic = (password: string): string => `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;
