import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createHttp } from '../../server/src/http/client.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { findClientRegistries } from '../../server/src/platform/registries/client-registries.ts';
import { openTeam } from '../../server/src/team.ts';
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
async function serving(args: readonly string[], use: (url: string) => Promise<void>): Promise<string> {
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
          const there = (it: string): string => (it === mirror ? address : it);
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
