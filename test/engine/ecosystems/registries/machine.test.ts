import assert from 'node:assert/strict';
import { devNull } from 'node:os';
import { after, test } from 'node:test';
import { cooldownReaders } from '../../../../server/src/engine/ecosystems/cooldowns.ts';
import { machinePlaces, readMachineFile, variablesOf } from '../../../../server/src/platform/machine-settings.ts';
import { startService } from '../../../harness/service.ts';
import { folderWith, runProgram } from '../../../terminal/program.ts';

const scoped = '@secret:registry=https://npm.acme.example/\n';
const folder = folderWith({
  'home/.npmrc': scoped,
  'project/package.json': '{ "dependencies": { "@secret/x": "1.0.0", "left-pad": "1.3.0" } }',
  'large.conf': 'x'.repeat(1024 * 1024 + 1),
});
after(() => folder.remove());

test('the program reads what a person has in their home and environment', async () => {
  const service = await startService({ 'NPM left-pad': { versions: ['1.3.0'] } });
  const environment = {
    HOME: `${folder.path}/home`,
    USERPROFILE: `${folder.path}/home`,
    PACKAGE_INSIGHTS_BASE_URL: service.url,
  };
  const first = await runProgram(['check'], `${folder.path}/project`, environment);
  assert.match(
    first.error,
    /not looked up to keep names private: 1 dependency from the registry npm\.acme\.example \(~\/\.npmrc\)/,
  );
  const second = await runProgram(['check'], `${folder.path}/project`, {
    ...environment,
    npm_config_registry: 'https://other.example/',
  });
  assert.match(second.error, /1 dependency from the registry other\.example \(npm_config_registry\)/);
  const none = await runProgram(['check'], `${folder.path}/project`, {
    ...environment,
    npm_config_userconfig: devNull,
  });
  assert.match(none.error, /1 dependency from the registry npm\.acme\.example/);
  await service.close();
  assert.doesNotMatch(service.requests.map((it) => it.path + it.body).join(), /secret/);
});

test('the program reads the cooldowns that a person has in their home', async () => {
  const homely = folderWith({
    'home/.cargo/config.toml': '[registry]\nglobal-min-publish-age = "7 days"\n',
    'home/.config/pypoetry/config.toml': '[solver]\nmin-release-age = 8\n',
    'home/.config/pdm/config.toml': '[strategy]\nexclude-newer = "9d"\n',
    'crate/Cargo.toml': '[package]\nname = "x"\nversion = "1.0.0"\n[dependencies]\naffected = "=1.0.0"\n',
    'python/pyproject.toml': '[project]\nname = "x"\nversion = "1"\ndependencies = ["affected==1.0.0"]\n',
  });
  const versions = {
    '1.0.0': { publishedAt: '2020-01-01T00:00:00Z' },
    '1.1.0': { publishedAt: new Date(Date.now() - 3_600_000).toISOString(), isDefault: true },
  };
  const service = await startService({
    'CARGO affected': { versions },
    'PYPI affected': { versions },
    'advisory GHSA-aaaa-bbbb-cccc': {
      cvss3Score: 7.4,
      affected: (['CARGO', 'PYPI'] as const).map((system) => ({
        system,
        name: 'affected',
        ranges: [{ introduced: '0', fixed: '1.1.0' }],
      })),
    },
  });
  const environment = {
    HOME: `${homely.path}/home`,
    USERPROFILE: `${homely.path}/home`,
    PACKAGE_INSIGHTS_BASE_URL: service.url,
  };
  try {
    const crate = await runProgram(['check', '--format=sarif'], `${homely.path}/crate`, environment);
    assert.match(crate.out, /cooldown of 7 days \(registry\.global-min-publish-age in ~\/\.cargo\/config\.toml\)/);
    const python = await runProgram(['check', '--format=sarif'], `${homely.path}/python`, environment);
    assert.match(python.out, /cooldown of 9 days \(strategy\.exclude-newer in ~\/\.config\/pdm\/config\.toml\)/);
    const poetry = await runProgram(['check', '--format=sarif'], `${homely.path}/python`, {
      ...environment,
      POETRY_SOLVER_MIN_RELEASE_AGE: '10',
    });
    assert.match(poetry.out, /cooldown of 10 days \(POETRY_SOLVER_MIN_RELEASE_AGE\)/);
  } finally {
    await service.close();
    homely.remove();
  }
});

test('the program reads the global settings of npm below any prefix', async () => {
  const service = await startService({ 'NPM left-pad': { versions: ['1.3.0'] } });
  const prefixed = {
    'a prefix of a person': { '.npmrc': 'prefix=~/.npm-global\n', '.npm-global/etc/npmrc': scoped },
    'a version of nvm': { '.nvm/versions/node/v22.1.0/etc/npmrc': scoped, '.nvm/versions/node/v20.0.0/bin/node': '' },
    'a version of Volta': { '.volta/tools/image/node/22.1.0/etc/npmrc': scoped },
    'a version of asdf': { '.asdf/installs/nodejs/22.1.0/etc/npmrc': scoped },
    'a version of fnm': { '.local/share/fnm/node-versions/v22.1.0/installation/etc/npmrc': scoped },
    'a version of mise': { '.local/share/mise/installs/node/22.1.0/etc/npmrc': scoped },
    'the Node on the path': { 'node/etc/npmrc': scoped },
    "pnpm's settings": { '.config/pnpm/config.yaml': "registries:\n  '@secret': https://npm.acme.example/\n" },
    "pnpm's further settings": { '.config/pnpm/auth.ini': scoped },
    "yarn's settings by another name": {
      '.ci.yml': 'npmScopes: { secret: { npmRegistryServer: https://npm.acme.example } }',
    },
  };
  for (const [title, files] of Object.entries(prefixed)) {
    const homely = folderWith(files);
    const { error } = await runProgram(['check'], `${folder.path}/project`, {
      HOME: homely.path,
      USERPROFILE: homely.path,
      PATH: `${homely.path}/node/bin:${process.env['PATH']}`,
      YARN_RC_FILENAME: '.ci.yml',
      PACKAGE_INSIGHTS_BASE_URL: service.url,
    });
    homely.remove();
    assert.match(error, /1 dependency from the registry npm\.acme\.example/, title);
  }
  await service.close();
  assert.doesNotMatch(service.requests.map((it) => it.path + it.body).join(), /secret/);
});

test('settings files are looked for where the tools look', () => {
  const on = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv, home: string) =>
    Object.entries(machinePlaces(environment, platform, home)).flatMap(([system, places]) =>
      places.map((it) => `${system} ${it.name} ${it.path}`),
    );
  const linux = on(
    'linux',
    {
      CARGO_HOME: '/c',
      NPM_CONFIG_USERCONFIG: '/n/rc',
      VIRTUAL_ENV: '/v',
      XDG_CONFIG_DIRS: '/x:/y',
      MAVEN_ARGS: '-B -s /m/ci.xml',
    },
    '/h',
  );
  for (const it of [
    'NPM .npmrc /n/rc',
    'NPM .npmrc /h/.npmrc',
    'NPM .yarnrc.yml /h/.yarnrc.yml',
    'NPM .npmrc /usr/local/etc/npmrc',
    'NPM .npmrc /h/.config/pnpm/rc',
    'PYPI pip.conf /etc/xdg/pip/pip.conf',
    'PYPI uv.toml /etc/xdg/uv/uv.toml',
    'PYPI pip.conf /v/pip.conf',
    'PYPI pip.conf /h/.config/pip/pip.conf',
    'PYPI uv.toml /h/.config/uv/uv.toml',
    'PYPI pdm.toml /h/.config/pdm/config.toml',
    'PYPI poetry.toml /h/.config/pypoetry/config.toml',
    'NUGET NuGet.Config /h/.nuget/NuGet/NuGet.Config',
    'MAVEN settings.xml /h/.m2/settings.xml',
    'MAVEN init.gradle.kts /h/.gradle/init.gradle.kts',
    'CARGO config.toml /c/config.toml',
    'GO env /h/.config/go/env',
    'GO go.env /usr/local/go/go.env',
    'MAVEN settings.xml /m/ci.xml',
    'PYPI pip.conf /x/pip/pip.conf',
    'PYPI config.toml /h/.pixi/config.toml',
    'NUGET nuget.config /h/.nuget/config/*.config',
  ]) {
    assert.ok(linux.includes(it), it);
  }
  const windows = on('win32', { AppData: 'C:\\a', LocalAppData: 'C:\\l', ProgramData: 'C:\\p' }, 'C:\\h');
  for (const it of [
    'NPM .npmrc C:\\a\\npm\\etc\\npmrc',
    'NPM .npmrc C:\\l\\pnpm\\config\\rc',
    'PYPI pip.ini C:\\a\\pip\\pip.ini',
    'PYPI poetry.toml C:\\a\\pypoetry\\config.toml',
    'NUGET NuGet.Config C:\\a\\NuGet\\NuGet.Config',
    'GO env C:\\a\\go\\env',
  ]) {
    assert.ok(windows.includes(it), it);
  }
  const mac = on('darwin', {}, '/h');
  for (const it of [
    'PYPI pip.conf /h/Library/Application Support/pip/pip.conf',
    'GO env /h/Library/Application Support/go/env',
  ]) {
    assert.ok(mac.includes(it), it);
  }
});

test('without a home nothing is looked for beside the root of the disk', () => {
  for (const it of Object.values(machinePlaces({}, 'linux', '')).flat())
    assert.match(it.path, /^\/(?:(?:(?:usr|usr\/local|opt\/homebrew)\/)?etc|usr|opt|snap|Library)\//);
});

test('variables are taken by the names that tools know, and empty ones are none', () => {
  const found = variablesOf({
    npm_config_registry: 'https://a.example',
    PIP_INDEX_URL: '',
    PIP_EXTRA_INDEX_URL: 'https://b.example',
    PIP_PYPI_URL: 'https://b.example',
    UV_INDEX: 'https://c.example',
    CARGO_REGISTRIES_ACME_INDEX: 'https://d.example',
    CARGO_REGISTRIES_ACME_TOKEN: 'secret',
    PIPENV_PYPI_MIRROR: 'https://e.example',
    'npm_config_@acme:registry': 'https://f.example',
    GOPRIVATE: 'x',
    GOPATH: '/go',
  });
  assert.deepEqual(
    Object.values(found)
      .flatMap((it) => it.map(({ name }) => name))
      .sort(),
    [
      '.npmrc',
      'CARGO_REGISTRIES_ACME_INDEX',
      'GOPRIVATE',
      'NPM_CONFIG_REGISTRY',
      'PIPENV_PYPI_MIRROR',
      'PIP_EXTRA_INDEX_URL',
      'PIP_PYPI_URL',
      'UV_INDEX',
    ],
  );
});

test('the variables that have a cooldown are taken', () => {
  const variables = cooldownReaders.flatMap(({ systems, names }) =>
    systems === 'all' ? [] : names.filter((it) => it === it.toUpperCase()).map((name) => ({ name, systems })),
  );
  assert.ok(variables.length > 8);
  for (const { name, systems } of variables)
    for (const system of systems) assert.equal(variablesOf({ [name]: '7' })[system].length, 1, name);
});

test('what is no settings file is not read', async () => {
  assert.deepEqual(await readMachineFile(`${folder.path}/home`), { why: 'no file' });
  assert.deepEqual(await readMachineFile(`${folder.path}/large.conf`), { why: 'too large' });
  assert.equal(await readMachineFile(`${folder.path}/nothing`), undefined);
  assert.equal(await readMachineFile(`${folder.path}/home/.npmrc/more`), undefined);
  assert.match(String(await readMachineFile(`${folder.path}/home/.npmrc`)), /@secret/);
});
