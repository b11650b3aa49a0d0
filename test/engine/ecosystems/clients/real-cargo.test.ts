import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cargoRegistries } from '../../../../server/src/engine/ecosystems/cargo/registries.ts';
import { rowsOf } from '../../../../server/src/engine/model/facts.ts';
import type { AccessSource } from '../../../../server/src/engine/model/registries/access.ts';
import { sparseIndexClient } from '../../../../server/src/engine/registries/sparse-index.ts';
import { folderWith } from '../../../terminal/program.ts';
import { run } from '../../../tools/processes.ts';

/*
 * Cargo itself writes an index of its packages, reads it from sparse registries on the loopback that want a token, and
 * is compared with what our reader says and our client finds there.
 */
const skip = spawnSync('cargo', ['--version']).status === 0 ? false : 'Cargo is not installed';

/** `/acme as secret`, each once. */
const asked = new Set<string>();
const index = new Map<string, string>();
const server = createServer(({ url = '', headers: { authorization } }, response) => {
  const [, registry = '', path = ''] = /^\/(\w+)\/(.*)$/.exec(url) ?? [];
  const isOpen = registry === 'open';
  if (path !== 'config.json') asked.add(`/${registry} as ${authorization ?? 'nobody'}`);
  if (!isOpen && authorization === undefined) {
    response.writeHead(401, { 'www-authenticate': 'Cargo login_url="https://acme.example/me"' }).end();
  } else if (path === 'config.json') {
    response.end(JSON.stringify({ dl: `${origin}/crates`, ...(!isOpen && { 'auth-required': true }) }));
  } else {
    const text = index.get(path);
    response.writeHead(text === undefined ? 404 : 200).end(text);
  }
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const folder = folderWith({});
after(() => {
  server.close();
  server.closeAllConnections();
  folder.remove();
});

async function cargo(args: readonly string[], cwd: string, home: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const given = { PATH: process.env['PATH'], HOME: process.env['HOME'], CARGO_HOME: join(folder.path, home), ...env };
  const program = {
    name: 'cargo',
    command: 'cargo',
    args: ['--quiet', ...args],
    cwd: join(folder.path, cwd),
    env: given,
  };
  const { ok, output } = await run(program);
  return ok ? '' : output;
}

/** Lets Cargo package a crate and write its line of the index. */
async function publish(version: string): Promise<void> {
  const crate = (name: string, more: string): string =>
    `[package]\nname = "${name}"\nversion = "${version}"\nedition = "2021"\nlicense = "MIT"\ndescription = "x"\n${more}`;
  folder.write('made/Cargo.toml', '[workspace]\nmembers = ["core", "user"]\nresolver = "2"\n');
  folder.write('made/core/Cargo.toml', crate('acme-core', ''));
  folder.write('made/core/src/lib.rs', '');
  folder.write(
    'made/user/Cargo.toml',
    crate('acme-user', `[dependencies]\nacme-core = { path = "../core", version = "${version}" }\n`),
  );
  folder.write('made/user/src/lib.rs', '');
  const failure = await cargo(
    ['package', '--workspace', '--no-verify', '--allow-dirty', '--registry=open'],
    'made',
    'maker',
  );
  assert.equal(failure, '');
  const written = join(folder.path, 'made/target/package/tmp-registry/index/ac/me/acme-core');
  assert.ok(existsSync(written));
  index.set('ac/me/acme-core', `${index.get('ac/me/acme-core') ?? ''}${readFileSync(written, 'utf8').trim()}\n`);
  rmSync(join(folder.path, 'made'), { recursive: true });
}

const replaced = (name: string): string =>
  `[source.crates-io]\nreplace-with = "${name}"\n[registries.${name}]\nindex = "sparse+${origin}/${name}/"\n`;

const provider = '[registry]\nglobal-credential-providers = ["cargo:token"]\n';

/** What Cargo sends with a configuration of the person, and what the reader says that it sends. */
const cases: readonly {
  readonly title: string;
  readonly registry?: string;
  readonly config: string;
  readonly credentials?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly sent: string;
}[] = [
  {
    title: 'the token of the registry that the dependency names',
    registry: 'acme',
    config: `${provider}[registries.acme]\nindex = "sparse+${origin}/acme/"\n[registries.other]\nindex = "sparse+${origin}/other/"\n`,
    credentials: '[registries.acme]\ntoken = "of-acme"\n[registries.other]\ntoken = "of-other"\n',
    sent: '/acme as of-acme',
  },
  {
    title: 'a token of the environment before that of a login, with its own scheme',
    registry: 'acme-corp',
    config: `${provider}[registries.acme-corp]\nindex = "sparse+${origin}/corp/"\n`,
    credentials: '[registries.acme-corp]\ntoken = "of-login"\n',
    environment: { CARGO_REGISTRIES_ACME_CORP_TOKEN: 'Bearer of-env' },
    sent: '/corp as Bearer of-env',
  },
  {
    title: 'an index that the environment names',
    registry: 'env',
    config: provider,
    environment: { CARGO_REGISTRIES_ENV_INDEX: `sparse+${origin}/env/`, CARGO_REGISTRIES_ENV_TOKEN: 'of-env' },
    sent: '/env as of-env',
  },
  {
    title: 'the registry that takes the place of the usual one',
    config: provider + replaced('mirror'),
    credentials: '[registries.mirror]\ntoken = "of-the-mirror"\n',
    sent: '/mirror as of-the-mirror',
  },
  {
    title: 'a token in a config.toml, which a login overrides',
    registry: 'acme',
    config: `${provider}[registries.acme]\nindex = "sparse+${origin}/acme/"\ntoken = "of-config"\n`,
    credentials: '[registries.acme]\ntoken = "of-login"\n',
    sent: '/acme as of-login',
  },
  {
    title: 'no token for a registry without one',
    config: provider + replaced('open'),
    sent: '/open as nobody',
  },
  {
    title: 'no token where nothing says how tokens are kept',
    config: replaced('open'),
    credentials: '[registries.open]\ntoken = "of-open"\n',
    sent: '/open as nobody',
  },
];

test('Cargo asks the registries that the reader names, with the same tokens', { skip }, async () => {
  folder.write('maker/config.toml', replaced('open'));
  await publish('1.0.0');
  await publish('1.1.0');
  for (const [at, { title, registry, config, credentials = '', environment = {}, sent }] of cases.entries()) {
    const manifest = `[package]\nname = "probe"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\nacme-core = { version = "1"${
      registry === undefined ? '' : `, registry = "${registry}"`
    } }\n`;
    folder.write(`used${at}/Cargo.toml`, manifest);
    folder.write(`used${at}/src/lib.rs`, '');
    folder.write(`home${at}/config.toml`, config);
    folder.write(`home${at}/credentials.toml`, credentials);
    asked.clear();
    assert.equal(await cargo(['generate-lockfile'], `used${at}`, `home${at}`, environment), '', title);
    assert.deepEqual([...asked], [sent], title);
    assert.match(readFileSync(join(folder.path, `used${at}/Cargo.lock`), 'utf8'), /"acme-core"\nversion = "1\.1\.0"/);

    const machine = (name: string, text: string): AccessSource => ({ name, label: name, text, owner: 'machine' });
    const access = cargoRegistries.accessTo({
      sources: [
        ...Object.entries(environment).map(([name, text]) => machine(name, text)),
        { name: 'Cargo.toml', label: 'Cargo.toml', text: manifest, owner: 'workspace' },
        machine('config.toml', config),
        machine('credentials.toml', credentials),
      ],
      variable: (name) => environment[name],
      isTrusted: true,
      lockfiles: [],
    })({ name: 'acme-core' });
    const [ours, ...more] = access?.registries ?? [];
    assert.ok(ours && more.length === 0, title);
    const path = ours.address.slice(origin.length);
    assert.equal(`${path} as ${ours.credential?.open() ?? 'nobody'}`, sent, title);

    const answer = await sparseIndexClient.list({
      registry: ours,
      name: 'acme-core',
      async send({ url }) {
        const authorization = ours.credential?.open();
        const reply = await fetch(url, { headers: authorization === undefined ? {} : { authorization } });
        return { kind: 'reply', status: reply.status, headers: {}, text: await reply.text(), url };
      },
    });
    assert.deepEqual(answer.kind === 'found' && rowsOf(answer.value.facts.versions), [
      { version: '1.0.0', isDeprecated: false, isDefault: false },
      { version: '1.1.0', isDeprecated: false, isDefault: true },
    ]);
  }
});
