import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { goRegistries } from '../../../../server/src/engine/ecosystems/go/registries.ts';
import { rowsOf } from '../../../../server/src/engine/model/facts.ts';
import type { RegistryReply } from '../../../../server/src/engine/model/registries/registry-client.ts';
import { goProxy } from '../../../../server/src/engine/registries/go-proxy.ts';
import { run } from '../../../tools/processes.ts';

/*
 * Which proxies the go command asks, and what it makes of their answers, held against our reader and our client. All
 * proxies are paths of one server on the loopback. Over http, go refuses to send a credential.
 */
const hasGo = spawnSync('go', ['version']).status === 0;
const name = 'acme.example/Core';
const mod = `module ${name}

go 1.20

// Leaks passwords.
retract [v1.1.0, v1.1.9]
`;
const versions = ['v1.0.0', 'v1.1.0', 'v1.1.5', 'v1.2.0', 'v1.3.0-rc.1'];
/** By path below a proxy. */
const answers: Readonly<Record<string, string>> = {
  '@v/list': `${versions.join('\n')}\nv0.0.0-20260102030405-abcdefabcdef\n`,
  ...Object.fromEntries(versions.map((it) => [`@v/${it}.mod`, mod])),
  ...Object.fromEntries(versions.map((it) => [`@v/${it}.info`, `{"Version":"${it}","Time":"2026-01-02T03:04:05Z"}`])),
};
/** Each proxy, in the order of their first requests. */
const asked = new Set<string>();
const server = createServer(({ url = '' }, response) => {
  const [, proxy = '', path = ''] = /^\/(\w+)\/acme\.example\/!core\/(.*)$/.exec(decodeURIComponent(url)) ?? [];
  asked.add(`/${proxy}`);
  const text = proxy.startsWith('has') ? answers[path] : undefined;
  response.writeHead(text === undefined ? (proxy === 'broken' ? 500 : 404) : 200).end(text);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const folder = mkdtempSync(join(tmpdir(), 'go-'));
after(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

async function goCommand(proxies: string): Promise<{ readonly asked: string[]; readonly stdout: string }> {
  asked.clear();
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GOPATH: mkdtempSync(join(folder, 'path-')),
    GOPROXY: proxies,
    GONOSUMDB: '*',
    GOFLAGS: '-mod=mod -modcacherw',
    GOTOOLCHAIN: 'local',
  };
  const { stdout } = await run({
    name: 'go',
    command: 'go',
    args: ['list', '-m', '-versions', name],
    cwd: folder,
    env,
  });
  return { asked: [...asked], stdout };
}

test('go asks the proxies that the reader finds, until one has the module', {
  skip: !hasGo && 'Go is missing',
}, async () => {
  for (const [list, expected] of [
    ['none,has,later', ['/none', '/has']],
    ['broken|none|has', ['/broken', '/none', '/has']],
    ['none,direct,has', ['/none']],
  ] as const) {
    const proxies = list.replace(/\b(?!direct)\w+/g, (it) => `http://${host}/${it}`);
    const source = { name: 'GOPROXY', label: 'GOPROXY', text: proxies, owner: 'machine' } as const;
    const access = goRegistries.accessTo({
      sources: [source],
      variable: () => undefined,
      isTrusted: true,
      lockfiles: [],
    })({
      name,
    });
    const ours = access?.registries.map((it) => new URL(it.address).pathname);
    assert.deepEqual((await goCommand(proxies)).asked, expected, list);
    assert.deepEqual(ours?.slice(0, expected.length), expected, list);
  }
});

test('what go asks no proxy about stays on the machine', { skip: !hasGo && 'Go is missing' }, async () => {
  for (const list of [
    'direct',
    'off',
    'direct,none',
    'off|none',
    ' , direct',
    '|off',
    'none,off',
    'none|direct',
    ',',
  ]) {
    const proxies = list.replace(/none/, `http://${host}/none`);
    // Go fails where nothing has the module.
    await goCommand(proxies).catch(() => undefined);
    const routing = goRegistries.ownersOf([{ name: 'GOPROXY', label: 'GOPROXY', text: proxies, owner: 'machine' }]);
    const named = routing({ name }).map((it) => it.host ?? 'private');
    assert.deepEqual(named, asked.size > 0 ? ['127.0.0.1'] : ['private'], list);
  }
});

test('go and our client find the same versions and retractions', { skip: !hasGo && 'Go is missing' }, async () => {
  const address = `http://${host}/has`;
  const answer = await goProxy.list({
    registry: { protocol: 'go-proxy', address, from: 'GOPROXY', namedBy: 'machine' },
    name,
    send: async ({ url }): Promise<RegistryReply> => {
      const reply = await fetch(url);
      return { kind: 'reply', status: reply.status, headers: {}, text: await reply.text(), url };
    },
  });
  const facts = answer.kind === 'found' ? rowsOf(answer.value.facts.versions) : [];
  const { stdout } = await goCommand(address);
  assert.equal(stdout.trim(), [name, ...facts.filter((it) => !it.isDeprecated).map((it) => it.version)].join(' '));
  assert.deepEqual(
    facts.filter((it) => it.isDeprecated).map((it) => it.version),
    ['v1.1.0', 'v1.1.5'],
  );
});
