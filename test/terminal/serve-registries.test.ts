import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { openTeam } from '../../server/src/bin/team.ts';
import { createHttp } from '../../server/src/engine/http/client.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { findClientRegistries } from '../../server/src/platform/registries/client-registries.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/* `serve --registries`: a person's own project is looked up, and nothing unchecked in it looks clean. */

const registry = createServer(({ url = '' }, response) => {
  const name = decodeURIComponent(url.slice(1));
  if (!/^(?:one|two|three)$/.test(name)) return void response.writeHead(404).end('{}');
  const versions = Object.fromEntries(
    ['1.0.0', '1.2.0', '2.0.0'].map((version) => [version, { name, version, license: 'MIT' }]),
  );
  response.end(JSON.stringify({ name, 'dist-tags': { latest: '2.0.0' }, versions }));
});
await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
/** What the clients of this machine call it: a host on the loopback is never public. */
const mirror = 'https://npm.acme.example';
const http = createHttp({ clock: systemClock, userAgent: 'test' });
const lock = {
  lockfileVersion: 3,
  packages: {
    '': { dependencies: { one: '^1.0.0', lodash: '4.17.21' } },
    'node_modules/one': { version: '1.0.0', resolved: `${mirror}/one/-/one-1.0.0.tgz`, dependencies: { two: '*' } },
    'node_modules/two': { version: '1.0.0', resolved: `${mirror}/two/-/two-1.0.0.tgz` },
    'node_modules/lodash': { version: '4.17.21', resolved: `${mirror}/lodash/-/lodash-4.17.21.tgz` },
  },
};
const folder = folderWith({
  'home/.npmrc': `registry=${mirror}/\n`,
  'project/package.json': '{ "dependencies": { "one": "^1.0.0", "lodash": "4.17.21" } }',
  'project/package-lock.json': JSON.stringify(lock),
});
const machine = { environment: {}, platform: 'linux', home: `${folder.path}/home` } as const;
after(async () => {
  await http.close();
  registry.close();
  registry.closeAllConnections();
  folder.remove();
});

/** Runs the service while something is done with it. @returns what it printed */
async function serving(
  args: readonly string[],
  use: (url: string) => Promise<void>,
  status: (line: string) => void = () => {},
): Promise<string> {
  const errors: string[] = [];
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let used: Promise<void> | undefined;
  const running = runHere(['serve', '--registries', ...args], folder.path, {
    clock: systemClock,
    ended,
    error: (line) => void errors.push(line),
    status,
    out: (line) => {
      const [, url] = /^listening on (.*)$/.exec(line) ?? [];
      if (url !== undefined) used = use(url).finally(end);
    },
    openTeam: (options) => openTeam({ ...options, version: '1.0.0', clock: systemClock, http, log: () => {} }),
    async clientRegistries(options) {
      const { found, asked, accessOf } = await findClientRegistries(options, machine);
      return {
        found,
        asked,
        accessOf(key) {
          const access = accessOf(key);
          const there = (it: string): string => (it === mirror ? address : `${address}/none`);
          return (
            access && { ...access, registries: access.registries.map((it) => ({ ...it, address: there(it.address) })) }
          );
        },
      };
    },
  });
  const { code, error } = await running;
  if (code !== 0) return error + errors.join('\n');
  await used;
  return errors.join('\n');
}

test('a project is looked up through the registry that its own client uses, and is not called checked', async () => {
  const said = await serving([], async (url) => {
    const { code, out, error } = await runHere(['check'], `${folder.path}/project`, { baseUrl: url });
    assert.equal(code, 2);
    assert.match(out, /1 of 2 dependencies in 1 manifest checked/);
    assert.match(out, /Not checked: 1 whose vulnerabilities the service does not know/);
    assert.match(out, /1 of 1 that dependencies bring not checked \(1 whose vulnerabilities/);
    assert.doesNotMatch(out + error, /private/);
    const fixed = await runHere(['check', '--fix', '--dry-run'], `${folder.path}/project`, { baseUrl: url });
    assert.doesNotMatch(fixed.out, /safe/);
  });
  assert.match(said, new RegExp(`^npm: ${mirror} \\(~?/?.*npmrc\\)$`, 'm'));
  assert.match(said, /^NuGet: no registry; give --registry nuget=URL$/m);
});

const refused: readonly (readonly [readonly string[], RegExp])[] = [
  [['--upstream', 'https://insights.example'], /--registries and --upstream cannot be combined/],
  [['--registry', 'gems=https://gems.example'], /--registry requires SYSTEM=URL, not “gems=https:\/\/gems.example”/],
  [['--registry', 'npm=file:///tmp'], /--registry requires SYSTEM=URL/],
  [
    ['--registry', 'npm=https://anna:secret@npm.example'],
    /--registry requires SYSTEM=URL, not “npm=https:…@npm.example”|:\/\/…@npm\.example/,
  ],
  [
    ['--host', '0.0.0.0', '--without-tokens', '--registry-credentials'],
    /--registry-credentials beyond this machine requires --tokens-file/,
  ],
];
for (const [args, message] of refused) {
  test(`refused: ${args.join(' ').replace(/anna:secret@/, '…@')}`, async () => {
    const said = await serving(args, async () => assert.fail('it serves'));
    assert.match(said, message);
    assert.doesNotMatch(said, /secret/);
  });
}

test('the options of registries require them', async () => {
  for (const args of [['--registry', 'npm=https://npm.example'], ['--registry-credentials']]) {
    const { code, error } = await runHere(['serve', ...args], folder.path);
    assert.equal(code, 2);
    assert.match(error, /requires/);
  }
});

test('a store holds the answers of one list of registries', async () => {
  await serving(['--state', 'kept'], async () => {});
  const said = await serving(['--state', 'kept', '--registry', 'npm=https://npm.example'], async () => {});
  assert.match(said, /another upstream service needs another store/);
});

/** A mirror on the loopback answers in its place. The packages are those that tell which registries are public. */
const mirrored: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  [
    'npm',
    'https://npm.acme.example',
    {
      '.npmrc': 'registry=https://npm.acme.example/\n',
      'package.json': '{ "dependencies": { "lodash": "4.17.21", "one": "1.0.0" } }',
    },
  ],
  [
    'pypi',
    'https://pypi.acme.example/simple',
    { 'requirements.txt': '--index-url https://pypi.acme.example/simple\nrequests==2.31.0\nstranger==1.0\n' },
  ],
  [
    'cargo',
    'https://cargo.acme.example/index',
    {
      '.cargo/config.toml':
        '[source.crates-io]\nreplace-with = "acme"\n[source.acme]\nregistry = "sparse+https://cargo.acme.example/index/"\n',
      'Cargo.toml': '[dependencies]\nserde = "=1.0.0"\nstranger = "=1.0.0"\n',
    },
  ],
  [
    'maven',
    'https://maven.acme.example/all',
    {
      '.mvn/maven.config': '--settings=settings.xml\n',
      'settings.xml':
        '<settings><mirrors><mirror><id>acme</id><mirrorOf>*</mirrorOf><url>https://maven.acme.example/all</url></mirror></mirrors></settings>',
      'pom.xml':
        '<project><modelVersion>4.0.0</modelVersion><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version></dependency></dependencies></project>',
    },
  ],
  [
    'nuget',
    'https://nuget.acme.example/v3/index.json',
    {
      'nuget.config':
        '<configuration><packageSources><clear /><add key="acme" value="https://nuget.acme.example/v3/index.json" /></packageSources></configuration>',
      'a.csproj':
        '<Project><ItemGroup><PackageReference Include="Newtonsoft.Json" Version="13.0.1" /></ItemGroup></Project>',
    },
  ],
];
for (const [system, named, files] of mirrored) {
  test(`a project behind a mirror is looked up, not withheld: ${system}`, async () => {
    const project = folderWith(files);
    await serving(['--registry', `${system}=${named}`], async (url) => {
      const { out } = await runHere(['check', '--format', 'json'], project.path, { baseUrl: url });
      const { coverage, withheld } = JSON.parse(out);
      assert.equal(coverage.withheld, 0, JSON.stringify(withheld));
      assert.ok(coverage.total > 0);
    });
    // A service that asks elsewhere says so: then it stays private.
    await serving(['--registry', `${system}=https://other.acme.example/v3/index.json`], async (url) => {
      const { out } = await runHere(['check', '--format', 'json'], project.path, { baseUrl: url });
      const { coverage } = JSON.parse(out);
      assert.equal(coverage.withheld, coverage.total);
    });
    project.remove();
  });
}

test('one line of the terminal says which service answers, and how much of it registries were asked', async () => {
  const lines: string[] = [];
  let address = '';
  await serving(
    [],
    async (url) => {
      address = url;
      for (const name of ['one', 'two']) await fetch(`${url}/v3alpha/systems/NPM/packages/${name}/versions/1.0.0`);
    },
    (line) => void lines.push(line),
  );
  assert.equal(lines[0], `${address} · registries asked: 1, waiting: 1, failed: 0`);
  assert.deepEqual(lines.slice(-2), [`${address} · registries asked: 2, waiting: 0, failed: 0`, '']);
});
